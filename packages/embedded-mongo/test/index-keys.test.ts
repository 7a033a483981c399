import { haveSameKeys, keysOf } from '../src/catalog/index-entries';
import type { Index } from '../src/catalog/index-entries';
import type { Doc } from '../src/values/values';

const index = (...paths: string[]): Index => ({
  id: 1,
  name: 'x',
  key: paths.map((path) => [path, 1]),
  unique: false,
  sparse: false,
});
const partial = (condition: Doc, ...paths: string[]): Index => ({
  ...index(...paths),
  partial: condition,
  includes: { test: (doc: Doc) => doc.kind === 'one' } as never,
});
const at = (ms: number): Date => new Date(ms);

describe('the check whether a change affects an index', () => {
  it.each<[string, Index, Doc, Doc]>([
    ['another field', index('a', 'b'), { a: 1, b: 'x', c: 1 }, { a: 1, b: 'x', c: 2 }],
    ['a field missing in both', index('a'), { c: 1 }, {}],
    ['the same moment', index('a'), { a: at(5), c: 1 }, { a: at(5), c: 2 }],
    ['null, looked into', index('a.b'), { a: null, c: 1 }, { a: null, c: 2 }],
    [
      'an unchanged condition',
      partial({ kind: 'one' }, 'a'),
      { kind: 'one', a: 1, c: 1 },
      { kind: 'one', a: 1, c: 2 },
    ],
  ])('is negative without generating keys: %s', (_name, of, before, after) => {
    expect(haveSameKeys(of, before, after)).toBe(true);
    expect(keysOf(of, after)).toEqual(keysOf(of, before));
  });

  it.each<[string, Index, Doc, Doc]>([
    ['one of its fields', index('a', 'b'), { a: 1, b: 1 }, { a: 1, b: 2 }],
    ['a previously missing field', index('a'), {}, { a: null }],
    ['another moment', index('a'), { a: at(5) }, { a: at(6) }],
    ['a moment and a number', index('a'), { a: at(5) }, { a: 5 }],
    ['something in an object', index('a.b'), { a: { b: 1 } }, { a: { b: 2 } }],
    ['an entry of an array', index('a'), { a: [1] }, { a: [1, 2] }],
    ['its condition', partial({ kind: 'one' }, 'a'), { kind: 'one', a: 1 }, { kind: 'two', a: 1 }],
    [
      'a condition of several',
      partial({ $and: [{ kind: 'one' }] }, 'a'),
      { kind: 'one', a: 1 },
      { kind: 'two', a: 1 },
    ],
    [
      'a path in its condition',
      partial({ 'kind.of': 'one' }, 'a'),
      { kind: { of: 1 }, a: 1 },
      { kind: { of: 2 }, a: 1 },
    ],
  ])('is not negative: %s', (_name, of, before, after) => {
    expect(haveSameKeys(of, before, after)).toBe(false);
  });
});

it('an index has one entry for repeated array elements', () => {
  const { keys, multikey } = keysOf(index('a.b'), { a: [{ b: 1 }, { b: 2 }, { b: 1 }, 7] });
  expect([keys.length, multikey]).toEqual([3, true]);
});
