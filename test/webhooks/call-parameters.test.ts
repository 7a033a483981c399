import fc from 'fast-check';
import type { ValueMap } from '../../src/engine';
import { parseExactJson } from '../../src/engine/exact-json';
import { queryOf } from '../../src/platform/http/request-url';
import type { CallBody } from '../../src/features/webhooks/call-body';
import { callParameters, listText } from '../../src/features/webhooks/call-parameters';

const bodyOf = (text: string): CallBody => ({ text, values: JSON.parse(text) as ValueMap });
const read = (search: string, body: string | null = null): unknown =>
  parseExactJson(callParameters(queryOf(search), body === null ? null : bodyOf(body)).text);

describe('the parameters of a webhook call', () => {
  it.each<[string, string | null, unknown]>([
    ['', null, {}],
    ['', '{}', {}],
    ['?a=1&b=x%20y', null, { a: '1', b: 'x y' }],
    ['?a=', '{"b":1}', { a: '', b: 1 }],
    ['?a=of+the+query', ' {"a":{"deep":[1]},"b":true} ', { a: 'of the query', b: true }],
    ['?a=1&a=2', null, { a: ['1', '2'] }],
    ['?a=[1,two,-3.5]', null, { a: [1, 'two', -3.5] }],
    ['?a=[[1,2],[3]]', null, { a: [[1, 2], [3]] }],
    ['?a=[]', null, { a: [] }],
    ['?a=["x,y",true]', null, { a: ['x,y', true] }],
    ['?a=[007,1e3,%2B5,.5]', null, { a: ['007', '1e3', '+5', '.5'] }],
    ['', '{"id":12345678901234567890}', { id: 12345678901234567890n }],
    ['?ids=[12345678901234567890,x]', null, { ids: [12345678901234567890n, 'x'] }],
    ['', '{"a":1,"a":2}', { a: 2 }],
    [
      '?constructor=1&toString=2',
      '{"hasOwnProperty":3}',
      { constructor: '1', toString: '2', hasOwnProperty: 3 },
    ],
  ])('with %s and %s are %j', (search, body, expected) => {
    expect(read(search, body)).toEqual(expected);
  });

  it('contain `__proto__` as an ordinary field', () => {
    const value = read('?__proto__=[1]&a=2') as object;
    expect(Object.getOwnPropertyNames(value)).toEqual(['__proto__', 'a']);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it('merge body and query, and the query wins', () => {
    const name = fc.string({ minLength: 1, maxLength: 6 }).filter((text) => text !== '__proto__');
    fc.assert(
      fc.property(
        fc.dictionary(name, fc.jsonValue({ maxDepth: 3 })),
        fc.dictionary(
          name,
          fc.string().filter((text) => !text.startsWith('[')),
        ),
        (body, query) => {
          const search = `?${Object.entries(query)
            .map((pair) => pair.map(encodeURIComponent).join('='))
            .join('&')}`;
          const { text, values } = callParameters(queryOf(search), bodyOf(JSON.stringify(body)));
          expect(JSON.parse(text)).toEqual(JSON.parse(JSON.stringify({ ...body, ...query })));
          expect(JSON.parse(JSON.stringify(values))).toEqual(JSON.parse(text));
        },
      ),
    );
  });
});

describe('a list in a query', () => {
  type Nested = string | Nested[];
  const element = fc.stringMatching(/^[a-z0-9 .-]{1,6}$/);
  const nested = fc.letrec<{ list: Nested[]; entry: Nested }>((tie) => ({
    entry: fc.oneof({ depthSize: 'small' }, element, tie('list')),
    list: fc.array(tie('entry'), { maxLength: 4 }),
  })).list;
  const written = (value: Nested): string =>
    typeof value === 'string' ? value : `[${value.map(written).join(',')}]`;
  const expectedValue = (value: Nested): unknown => {
    if (typeof value !== 'string') return value.map(expectedValue);
    return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value.trim()) ? Number(value) : value;
  };
  /** A single blank element is an empty list. */
  const isPlain = (value: Nested): boolean =>
    typeof value === 'string' ||
    (!(value.length === 1 && typeof value[0] === 'string' && value[0].trim() === '') &&
      value.every(isPlain));

  it('is parsed in its documented forms', () => {
    fc.assert(
      fc.property(nested.filter(isPlain), (value) => {
        expect(JSON.parse(listText(written(value)) ?? 'null')).toEqual(expectedValue(value));
      }),
    );
  });

  it('is JSON or text for any input', () => {
    const piece = fc.constantFrom(
      '[',
      ']',
      ',',
      '"',
      '\\',
      '1',
      '-',
      'a',
      ' ',
      '{',
      '}',
      '\u0000',
      'é',
    );
    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 30 }).map((pieces) => `[${pieces.join('')}]`),
        (text) => {
          const json = listText(text);
          if (json !== null) expect(Array.isArray(JSON.parse(json))).toBe(true);
        },
      ),
      { numRuns: 2_000 },
    );
  });

  it.each([
    '[1,2',
    '1,2]',
    '[1]2[3]',
    '[a][b]',
    '[[1]',
    `${'['.repeat(200_000)}${']'.repeat(200_000)}x]`,
    `[${'['.repeat(200_000)}`,
  ])('is missing in %#', (text) => {
    expect(listText(text)).toBeNull();
  });
});
