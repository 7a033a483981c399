import type { Doc } from '../../src/values/values';

/** A projection, a document, and the result. */
export const projectionCases: ReadonlyArray<readonly [Doc, Doc, Doc]> = [
  [{}, { _id: 1, a: 1 }, { _id: 1, a: 1 }],
  [{ a: 1 }, { _id: 1, a: 1, b: 2 }, { _id: 1, a: 1 }],
  [{ a: true, _id: 0 }, { _id: 1, a: 1, b: 2 }, { a: 1 }],
  [{ a: 0 }, { _id: 1, a: 1, b: 2 }, { _id: 1, b: 2 }],
  [
    { a: 0, _id: 1 },
    { _id: 1, a: 1, b: 2 },
    { _id: 1, b: 2 },
  ],
  [{ _id: 0 }, { _id: 1, a: 1 }, { a: 1 }],
  [{ _id: 1 }, { _id: 1, a: 1 }, { _id: 1 }],
  [{ 'a.b': 1 }, { _id: 1, a: { b: 1, c: 2 } }, { _id: 1, a: { b: 1 } }],
  [{ a: { b: 1 } }, { _id: 1, a: { b: 1, c: 2 } }, { _id: 1, a: { b: 1 } }],
  [
    { 'a.b': 1 },
    { _id: 1, a: [{ b: 1, c: 2 }, 5, { c: 1 }, [{ b: 2 }]] },
    { _id: 1, a: [{ b: 1 }, {}, [{ b: 2 }]] },
  ],
  [{ 'a.b': 1 }, { _id: 1, a: 5 }, { _id: 1 }],
  [{ 'a.b': 0 }, { _id: 1, a: [{ b: 1, c: 2 }, 5] }, { _id: 1, a: [{ c: 2 }, 5] }],
  [{ 'a.b': 0 }, { _id: 1, a: 5 }, { _id: 1, a: 5 }],
  [{ 'a.0': 1 }, { _id: 1, a: [5, { 0: 6 }] }, { _id: 1, a: [{ 0: 6 }] }],
  [{ ä: 1 }, { _id: 1, ä: 'ö', a: 2 }, { _id: 1, ä: 'ö' }],
  [{ '_id.a': 1 }, { _id: { a: 1, b: 2 }, c: 3 }, { _id: { a: 1 } }],
];

export const projectionErrors: ReadonlyArray<readonly [Doc, number]> = [
  [{ a: 1, b: 0 }, 31254],
  [{ a: 0, b: 1 }, 31253],
  [{ a: 1, 'a.b': 1 }, 31249],
  [{ 'a.b': 1, a: 1 }, 31250],
  [{ a: '$b' }, 115],
  [{ a: { $add: [1, 2] } }, 115],
  [{ a: {} }, 51270],
  [{ 'a..b': 1 }, 15998],
  [{ 'a.': 1 }, 40353],
  [{ '': 1 }, 40352],
  [{ $a: 1 }, 16410],
  [{ a: { $meta: 'textScore' } }, 115],
  [{ a: null }, 115],
  [{ 'a.$': 1 }, 115],
  [{ 'a.$.b': 1 }, 115],
  [{ a: { $slice: 1 } }, 115],
  [{ a: { $elemMatch: { b: 1 } } }, 115],
];
