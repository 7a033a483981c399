import fc from 'fast-check';
import { compileFilter } from '../../src/query/filter';
import { compileUpdate } from '../../src/write/update';
import { upsertSeed } from '../../src/write/upsert-seed';
import type { Doc } from '../../src/values/values';
import { nested, paths, values } from '../support/arbitrary-values';
import { codeOf, messageOf } from '../support/errors';
import { applyErrors, compileErrors, updateCases } from '../support/update-cases';

const apply = (doc: Doc, update: Doc, { inserting = false }: { inserting?: boolean } = {}): Doc =>
  compileUpdate(update).apply(doc, { inserting });

function freeze<T>(value: T): T {
  if (
    Array.isArray(value) ||
    (typeof value === 'object' &&
      value !== null &&
      Object.getPrototypeOf(value) === Object.prototype)
  ) {
    Object.values(value).forEach(freeze);
    Object.freeze(value);
  }
  return value;
}

describe('an update', () => {
  test.each(
    updateCases.map(
      ([doc, update, expected, options = {}]) => [doc, update, expected, options] as const,
    ),
  )('of %j by %j gives %j', (doc, update, expected, options) => {
    expect(apply(freeze(doc), freeze(update), options)).toEqual(expected);
  });

  test.each(compileErrors)('%p fails with %p', (update, code) => {
    expect(codeOf(() => compileUpdate(update))).toBe(code);
  });

  test.each(
    applyErrors.map(([doc, update, code, options = {}]) => [doc, update, code, options] as const),
  )('of %p by %p fails with %p', (doc, update, code, options) => {
    expect(codeOf(() => apply(freeze(doc), update, options))).toBe(code);
  });

  test('fails with the messages of MongoDB', () => {
    expect(messageOf(() => apply({ _id: 1, a: 'x' }, { $inc: { a: 1 } }))).toBe(
      "Cannot apply $inc to a value of non-numeric type. {_id: 1} has the field 'a' of non-numeric type string",
    );
    expect(messageOf(() => apply({ _id: 1, a: 5 }, { $set: { 'a.b': 1 } }))).toBe(
      "Cannot create field 'b' in element {a: 5}",
    );
    expect(messageOf(() => compileUpdate({ $set: { a: 1, 'a.b': 2 } }))).toBe(
      "Updating the path 'a.b' would create a conflict at 'a'",
    );
    expect(messageOf(() => apply({ _id: 1 }, { $set: { _id: 2 } }))).toBe(
      "Performing an update on the path '_id' would modify the immutable field '_id'",
    );
  });

  test('adds new fields in alphabetical order, and indexes in numeric order', () => {
    expect(Object.keys(apply({ z: 1 }, { $set: { b: 1, a: 1 }, $inc: { c: 1 } }))).toEqual([
      'z',
      'a',
      'b',
      'c',
    ]);
    expect(apply({ a: [] }, { $set: { 'a.10': 'x', 'a.9': 'y' } }).a).toHaveLength(11);
  });

  test('keeps the position of a changed field', () => {
    expect(Object.keys(apply({ a: 1, b: 2, c: 3 }, { $set: { b: 9 } }))).toEqual(['a', 'b', 'c']);
  });

  test('returns a new document even without changes', () => {
    const doc = { a: 1 };
    expect(apply(doc, { $set: { a: 1 } })).not.toBe(doc);
  });
});

describe('for any document', () => {
  const attempt = (doc: Doc, update: Doc): Doc | undefined => {
    let after: Doc | undefined;
    const code = codeOf(() => {
      after = apply(doc, update);
    });
    return code === 'no error' ? after : undefined;
  };
  const operand = fc.integer({ min: 0, max: 3 });
  const updates = fc
    .tuple(paths, fc.constantFrom('$set', '$unset', '$inc', '$max'), operand)
    .map(([path, operator, value]): Doc => ({ [operator]: { [path]: value } }));

  test('an update never changes its input document', () => {
    fc.assert(
      fc.property(nested, updates, (doc, update) => {
        const before = structuredClone(doc);
        attempt(freeze(doc), update);
        expect(doc).toEqual(before);
      }),
    );
  });

  test.each(['$set', '$unset', '$max'])('%s twice equals %s once', (operator) => {
    fc.assert(
      fc.property(nested, paths, operand, (doc, path, value) => {
        const once = attempt(doc, { [operator]: { [path]: value } });
        if (once !== undefined)
          expect(attempt(once, { [operator]: { [path]: value } })).toEqual(once);
      }),
    );
  });

  test('a filter on the same path finds what $set wrote', () => {
    fc.assert(
      fc.property(nested, paths, values, (doc, path, value) => {
        const after = attempt(doc, { $set: { [path]: value } });
        if (after !== undefined)
          expect(compileFilter({ [path]: { $eq: value } }).test(after)).toBe(true);
      }),
    );
  });

  test('what $unset removed is missing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('a', 'b'), values, { noNullPrototype: true }),
        (doc) => {
          expect(apply(doc, { $unset: { a: 1 } })).not.toHaveProperty('a');
        },
      ),
    );
  });

  test('$inc and its opposite restore the document', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1000, max: 1000 }), (number) => {
        const doc = { number };
        expect(apply(apply(doc, { $inc: { number: 5 } }), { $inc: { number: -5 } })).toEqual(doc);
      }),
    );
  });

  test('other fields are unchanged', () => {
    fc.assert(
      fc.property(nested, updates, (doc, update) => {
        const [path] = Object.keys(Object.values(update)[0] as Doc);
        const [touched] = path.split('.');
        const after = attempt(doc, update);
        if (after === undefined) return;
        for (const name of Object.keys(doc))
          if (name !== touched) expect(after[name]).toBe(doc[name]);
      }),
    );
  });
});

describe('an upsert starts from', () => {
  test.each<[Doc, Doc]>([
    [{}, {}],
    [
      { a: 1, b: 'x' },
      { a: 1, b: 'x' },
    ],
    [{ a: { $eq: 1 }, b: { $gt: 1 }, c: { $ne: 2 } }, { a: 1 }],
    [{ 'a.b': 1, 'a.c': 2 }, { a: { b: 1, c: 2 } }],
    [{ $and: [{ a: 1 }, { b: 2 }] }, { a: 1, b: 2 }],
    [{ $or: [{ a: 1 }] }, { a: 1 }],
    [{ $or: [{ a: 1 }, { a: 2 }] }, {}],
    [{ $nor: [{ a: 1 }] }, {}],
    [{ a: /x/ }, {}],
    [{ a: { $in: [1, 2] } }, {}],
    [{ a: { $in: [1] } }, { a: 1 }],
    [{ a: null }, { a: null }],
    [{ a: { b: 1 } }, { a: { b: 1 } }],
    [{ a: { $exists: true }, _id: 3 }, { _id: 3 }],
    [{ a: [1, 2] }, { a: [1, 2] }],
  ])('%j: %j', (filter, seed) => {
    expect(upsertSeed(filter)).toEqual(seed);
  });

  test('fields in alphabetical order, with _id first', () => {
    expect(Object.keys(upsertSeed({ b: 1, a: 2, _id: 3, A: 4 }))).toEqual(['_id', 'A', 'a', 'b']);
  });

  test.each<[Doc, number]>([
    [{ a: 1, $and: [{ a: 2 }] }, 54],
    [{ a: 1, 'a.b': 2 }, 54],
    [{ _id: [1] }, 53],
    [{ _id: { $eq: { $a: 1 } } }, 52],
  ])('nothing for %j: %p', (filter, code) => {
    expect(codeOf(() => upsertSeed(filter))).toBe(code);
  });

  test('only its _id with a replacement', () => {
    expect(apply(upsertSeed({ _id: 1, a: 2 }), { b: 3 }, { inserting: true })).toEqual({
      _id: 1,
      b: 3,
    });
  });
});
