import { Long } from 'bson';
import type { Doc } from '../../src/values/values';

interface Options {
  readonly inserting?: boolean;
}

/** A document, an update, and the resulting document. */
export const updateCases: ReadonlyArray<readonly [Doc, Doc, Doc, Options?]> = [
  // $set, $unset.
  [{ a: 1 }, { $set: { a: 2, b: 3 } }, { a: 2, b: 3 }],
  [{}, { $set: { 'a.b.c': 1 } }, { a: { b: { c: 1 } } }],
  [{ a: [] }, { $set: { 'a.2': 1 } }, { a: [null, null, 1] }],
  [{ a: [{ b: 1 }] }, { $set: { 'a.0.b': 2 } }, { a: [{ b: 2 }] }],
  [{}, { $set: { 'a.0': 1 } }, { a: { 0: 1 } }],
  [{ a: { b: 1 } }, { $set: { a: { c: 1 } } }, { a: { c: 1 } }],
  [{}, { $set: {} }, {}],
  [{}, { $set: { a: null } }, { a: null }],
  [{}, { $set: { a: { $inner: 1, 'x.y': 2 } } }, { a: { $inner: 1, 'x.y': 2 } }],
  [{ a: 1 }, { $set: { a: Long.ONE } }, { a: Long.ONE }],
  [{ a: 1, b: 2 }, { $unset: { a: '' } }, { b: 2 }],
  [{ a: { b: 1, c: 2 } }, { $unset: { 'a.b': 1, x: 1, 'a.c.d': 1 } }, { a: { c: 2 } }],
  [{ a: [1, 2] }, { $unset: { 'a.0': 1, 'a.7': 1 } }, { a: [null, 2] }],
  [{ a: [1] }, { $unset: { 'a.b': 1 } }, { a: [1] }],
  // Numbers.
  [{ a: 1 }, { $inc: { a: 2, b: 3 } }, { a: 3, b: 3 }],
  [{ a: 1 }, { $inc: { a: 0.5 } }, { a: 1.5 }],
  [{ a: 2 ** 31 - 1 }, { $inc: { a: 1 } }, { a: Long.fromNumber(2 ** 31) }],
  [{ a: Long.fromNumber(5) }, { $inc: { a: 1 } }, { a: Long.fromNumber(6) }],
  [{ a: 1 }, { $inc: { a: Long.fromNumber(1) } }, { a: Long.fromNumber(2) }],
  [{ a: 3e9 }, { $inc: { a: 1 } }, { a: 3e9 + 1 }],
  [{ a: 5, b: 5 }, { $max: { a: 3, b: 7, c: 1 } }, { a: 5, b: 7, c: 1 }],
  [{ a: 'x', b: 1 }, { $max: { a: 1, b: 'y' } }, { a: 'x', b: 'y' }],
  [{ a: 1 }, { $max: { a: 1.5, b: new Date(5) } }, { a: 1.5, b: new Date(5) }],
  // $setOnInsert.
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1, b: 1 }, { inserting: true }],
  // Several operators, and the order of new fields.
  [
    { n: 1, a: 1 },
    { $inc: { n: 1 }, $max: { a: 2 }, $unset: { z: 1 }, $set: { s: 'x' } },
    { n: 2, a: 2, s: 'x' },
  ],
  // Replacement.
  [{ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
  [
    { _id: 1, a: 1 },
    { b: 2, _id: 1 },
    { _id: 1, b: 2 },
  ],
  [{ _id: 1, a: 1 }, {}, { _id: 1 }],
  [{ _id: 1 }, { 'a.b': 1, c: { $d: 1 } }, { _id: 1, 'a.b': 1, c: { $d: 1 } }],
  // Protected names.
  [
    {},
    { $set: JSON.parse('{"__proto__": 1, "constructor": 2}') as Doc },
    JSON.parse('{"__proto__": 1, "constructor": 2}') as Doc,
  ],
  [{}, { $set: { 'toString.x': 2 } }, { toString: { x: 2 } }],
  // Setting the same _id is not a change.
  [{ _id: 1 }, { $set: { _id: 1, a: 1 } }, { _id: 1, a: 1 }],
  [{ _id: 1 }, { $setOnInsert: { _id: 2 } }, { _id: 1 }],
  [{}, { $set: { _id: 7 } }, { _id: 7 }, { inserting: true }],
];

/** Updates rejected when compiled. */
export const compileErrors: ReadonlyArray<readonly [Doc | Doc[], number]> = [
  [{ $foo: { a: 1 } }, 9],
  [{ $set: { a: 1 }, b: 1 }, 9],
  [{ a: 1, $set: { b: 1 } }, 52],
  [{ $set: 1 }, 9],
  [{ $set: [1] }, 9],
  [{ $inc: null }, 9],
  [[{ $set: { a: 1 } }], 115],
  [{ $bit: { a: { and: 1 } } }, 115],
  [{ $rename: { a: 'b' } }, 115],
  [{ $mul: { a: 2 } }, 115],
  [{ $currentDate: { a: true } }, 115],
  [{ $push: { a: 1 } }, 115],
  [{ $addToSet: { a: 1 } }, 115],
  [{ $pull: { a: 1 } }, 115],
  [{ $pullAll: { a: [1] } }, 115],
  [{ $pop: { a: 1 } }, 115],
  [{ $set: { 'a.$': 1 } }, 115],
  [{ $set: { 'a.$[].b': 1 } }, 115],
  [{ $unset: { 'a.$[x]': 1 } }, 115],
  [{ $set: { '$.a': 1 } }, 115],
  [{ $set: { a: 1 }, $inc: { a: 1 } }, 40],
  [{ $set: { a: 1, 'a.b': 1 } }, 40],
  [{ $set: { 'a.b': 1 }, $unset: { a: 1 } }, 40],
  [{ $set: { '': 1 } }, 56],
  [{ $set: { 'a..b': 1 } }, 56],
  [{ $set: { 'a.': 1 } }, 56],
  [{ $set: { '.a': 1 } }, 56],
  [{ $set: { $a: 1 } }, 52],
  [{ $set: { 'a.$b': 1 } }, 52],
  [{ $inc: { a: 'x' } }, 14],
  [{ $inc: { a: null } }, 14],
  [{ $set: { a: /x/ } }, 115],
  [{ $max: { a: undefined } }, 115],
  [{ a: { b: /x/ } }, 115],
  [{ _id: [1] }, 53],
  [{ _id: { $a: 1 } }, 52],
];

/** Updates rejected for the document they are applied to. */
export const applyErrors: ReadonlyArray<readonly [Doc, Doc, number, Options?]> = [
  [{ a: 1 }, { $set: { 'a.b': 1 } }, 28],
  [{ a: null }, { $set: { 'a.b': 1 } }, 28],
  [{ a: [1] }, { $set: { 'a.b': 1 } }, 28],
  [{ a: [1] }, { $set: { 'a.0.b': 1 } }, 28],
  [{ a: [] }, { $set: { 'a.1500001': 1 } }, 2],
  [{ a: 'x' }, { $inc: { 'a.b': 1 } }, 28],
  [{ a: 'x' }, { $inc: { a: 1 } }, 14],
  [{ a: null }, { $inc: { a: 1 } }, 14],
  [{ a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66],
  [{ _id: 1 }, { $unset: { _id: 1 } }, 66],
  [{ _id: 1 }, { $inc: { _id: 1 } }, 66],
  [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66],
  [{ _id: 1 }, { _id: 2 }, 66],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66, { inserting: true }],
  [{}, { $set: { _id: [1] } }, 53, { inserting: true }],
];
