import { Long } from 'bson';
import type { Doc } from '../../../src/embedded-mongo/semantics/values';

export const now = new Date('2026-01-02T03:04:05.678Z');

interface Options {
  readonly arrayFilters?: Doc[];
  readonly position?: number;
  readonly inserting?: boolean;
}

/** A document, an update, and the document after it. */
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
  [{ a: 3 }, { $mul: { a: 2, b: 5 } }, { a: 6, b: 0 }],
  [{ a: 2 ** 20 }, { $mul: { a: 2 ** 20 } }, { a: Long.fromNumber(2 ** 40) }],
  [{}, { $mul: { a: Long.fromNumber(3) } }, { a: Long.ZERO }],
  [{ a: 5, b: 5 }, { $min: { a: 3, b: 7, c: 1 } }, { a: 3, b: 5, c: 1 }],
  [{ a: 5, b: 5 }, { $max: { a: 3, b: 7, c: 1 } }, { a: 5, b: 7, c: 1 }],
  [{ a: 'x', b: 1 }, { $min: { a: 1 }, $max: { b: 'y' } }, { a: 1, b: 'y' }],
  [{ a: 1 }, { $max: { a: 1.5, b: new Date(5) } }, { a: 1.5, b: new Date(5) }],
  // $rename, $currentDate, $setOnInsert.
  [{ a: 1, b: 2 }, { $rename: { a: 'c' } }, { b: 2, c: 1 }],
  [{ a: 1, b: 2 }, { $rename: { a: 'b' } }, { b: 1 }],
  [{ a: { b: 1 } }, { $rename: { 'a.b': 'x.y' } }, { a: {}, x: { y: 1 } }],
  [{ b: 1 }, { $rename: { a: 'c' } }, { b: 1 }],
  [{ a: 1 }, { $currentDate: { a: true, b: { $type: 'date' } } }, { a: now, b: now }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1 }],
  [{ a: 1 }, { $setOnInsert: { b: 1 } }, { a: 1, b: 1 }, { inserting: true }],
  // $push.
  [{ a: [1] }, { $push: { a: 2 } }, { a: [1, 2] }],
  [{}, { $push: { 'a.b': 1 } }, { a: { b: [1] } }],
  [{ a: [1] }, { $push: { a: [2, 3] } }, { a: [1, [2, 3]] }],
  [{ a: [1] }, { $push: { a: { $each: [2, 3] } } }, { a: [1, 2, 3] }],
  [{ a: [1] }, { $push: { a: { $each: [2, 3], $position: 0 } } }, { a: [2, 3, 1] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [9], $position: -1 } } }, { a: [1, 9, 2] }],
  [{ a: [1] }, { $push: { a: { $each: [9], $position: 50 } } }, { a: [1, 9] }],
  [{ a: [1] }, { $push: { a: { $each: [9], $position: -50 } } }, { a: [9, 1] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [3], $slice: 2 } } }, { a: [1, 2] }],
  [{ a: [1, 2] }, { $push: { a: { $each: [], $slice: 0 } } }, { a: [] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: 1 } } }, { a: [1, 2, 3] }],
  [{ a: [3, 1] }, { $push: { a: { $each: [2], $sort: -1, $slice: 2 } } }, { a: [3, 2] }],
  [{ a: [{ b: 3 }, { b: 1 }] }, { $push: { a: { $each: [{ b: 2 }], $sort: { b: 1 } } } }, { a: [{ b: 1 }, { b: 2 }, { b: 3 }] }],
  [{ a: [{ b: { c: 3 } }, 5] }, { $push: { a: { $each: [{ b: { c: 1 } }], $sort: { 'b.c': -1 } } } }, { a: [{ b: { c: 3 } }, { b: { c: 1 } }, 5] }],
  // $addToSet, $pop, $pull, $pullAll.
  [{ a: [1] }, { $addToSet: { a: 1, b: 1 } }, { a: [1], b: [1] }],
  [{ a: [1] }, { $addToSet: { a: { $each: [2, 1, 2] } } }, { a: [1, 2] }],
  [{ a: [{ x: 1, y: 2 }] }, { $addToSet: { a: { y: 2, x: 1 } } }, { a: [{ x: 1, y: 2 }, { y: 2, x: 1 }] }],
  [{ a: [1] }, { $addToSet: { a: Long.ONE } }, { a: [1] }],
  [{ a: [1, 2, 3] }, { $pop: { a: 1 } }, { a: [1, 2] }],
  [{ a: [1, 2, 3], b: [] }, { $pop: { a: -1, b: 1, c: 1 } }, { a: [2, 3], b: [] }],
  [{ a: [1, 2, 1] }, { $pull: { a: 1, b: 1 } }, { a: [2] }],
  [{ a: [1, 5, 9] }, { $pull: { a: { $gte: 5 } } }, { a: [1] }],
  [{ a: [1, 5, null] }, { $pull: { a: { $in: [1, null] } } }, { a: [5] }],
  [{ a: [{ b: 1, c: 2 }, { b: 1 }, 1] }, { $pull: { a: { b: 1 } } }, { a: [1] }],
  [{ a: [{ b: [{ c: 1 }] }, { b: [] }] }, { $pull: { a: { b: { $elemMatch: { c: 1 } } } } }, { a: [{ b: [] }] }],
  [{ a: ['xa', 'b'] }, { $pull: { a: /^x/ } }, { a: ['b'] }],
  [{ a: [[1], [2]] }, { $pull: { a: [1] } }, { a: [[2]] }],
  [{ a: [1, 2, 3, 1] }, { $pullAll: { a: [1, 3] } }, { a: [2] }],
  // Positional.
  [{ a: [1, 2] }, { $set: { 'a.$': 9 } }, { a: [1, 9] }, { position: 1 }],
  [{ a: [{ b: 1 }, { b: 2 }] }, { $inc: { 'a.$.b': 5 } }, { a: [{ b: 1 }, { b: 7 }] }, { position: 1 }],
  [{ a: [1, 2] }, { $unset: { 'a.$': 1 } }, { a: [null, 2] }, { position: 0 }],
  [{ a: [1, 2] }, { $inc: { 'a.$[]': 1 } }, { a: [2, 3] }],
  [{ a: [] }, { $inc: { 'a.$[]': 1 } }, { a: [] }],
  [{ a: [{ b: [1, 2] }, { b: [3] }] }, { $mul: { 'a.$[].b.$[]': 2 } }, { a: [{ b: [2, 4] }, { b: [6] }] }],
  [{ a: [1, 5, 9] }, { $set: { 'a.$[big]': 0 } }, { a: [1, 0, 0] }, { arrayFilters: [{ big: { $gte: 5 } }] }],
  [{ a: [{ k: 1 }, { k: 2 }] }, { $set: { 'a.$[x].v': 1, 'a.$[y].v': 2 } }, { a: [{ k: 1, v: 1 }, { k: 2, v: 2 }] }, { arrayFilters: [{ 'x.k': 1 }, { 'y.k': 2 }] }],
  [{ a: [{ k: 1, v: 1 }] }, { $set: { 'a.$[x].w': 1 } }, { a: [{ k: 1, v: 1, w: 1 }] }, { arrayFilters: [{ 'x.k': 1, 'x.v': 1 }] }],
  [{ a: [1, 2] }, { $set: { 'a.$[x]': 9 } }, { a: [9, 9] }, { arrayFilters: [{ $or: [{ x: 1 }, { x: 2 }] }] }],
  // Several operators, and the order of new fields.
  [{ n: 1, a: [1] }, { $inc: { n: 1 }, $push: { a: 2 }, $unset: { z: 1 }, $set: { s: 'x' } }, { n: 2, a: [1, 2], s: 'x' }],
  // Replacement.
  [{ _id: 1, a: 1 }, { b: 2 }, { _id: 1, b: 2 }],
  [{ _id: 1, a: 1 }, { b: 2, _id: 1 }, { _id: 1, b: 2 }],
  [{ _id: 1, a: 1 }, {}, { _id: 1 }],
  [{ _id: 1 }, { 'a.b': 1, c: { $d: 1 } }, { _id: 1, 'a.b': 1, c: { $d: 1 } }],
  // Protected names.
  [{}, { $set: JSON.parse('{"__proto__": 1, "constructor": 2}') as Doc }, JSON.parse('{"__proto__": 1, "constructor": 2}') as Doc],
  [{}, { $set: { 'toString.x': 2 } }, { toString: { x: 2 } }],
  // Same _id again is no change of it.
  [{ _id: 1 }, { $set: { _id: 1, a: 1 } }, { _id: 1, a: 1 }],
  [{ _id: 1 }, { $setOnInsert: { _id: 2 } }, { _id: 1 }],
  [{}, { $set: { _id: 7 } }, { _id: 7 }, { inserting: true }],
];

/** Updates rejected when compiled. */
export const compileErrors: ReadonlyArray<readonly [Doc | Doc[], number, Options?]> = [
  [{ $foo: { a: 1 } }, 9], [{ $set: { a: 1 }, b: 1 }, 9], [{ a: 1, $set: { b: 1 } }, 52], [{ $set: 1 }, 9], [{ $set: [1] }, 9], [{ $inc: null }, 9],
  [[{ $set: { a: 1 } }], 115], [{ $bit: { a: { and: 1 } } }, 115],
  [{ $set: { a: 1 }, $inc: { a: 1 } }, 40], [{ $set: { a: 1, 'a.b': 1 } }, 40], [{ $set: { 'a.b': 1 }, $unset: { a: 1 } }, 40],
  [{ $rename: { a: 'b' }, $set: { b: 1 } }, 40], [{ $rename: { a: 'b', c: 'b' } }, 40], [{ $set: { 'a.$': 1 }, $inc: { 'a.$': 1 } }, 40],
  [{ $set: { '': 1 } }, 56], [{ $set: { 'a..b': 1 } }, 56], [{ $set: { 'a.': 1 } }, 56], [{ $set: { '.a': 1 } }, 56],
  [{ $set: { $a: 1 } }, 52], [{ $set: { 'a.$b': 1 } }, 52], [{ $set: { 'a.$.$b': 1 } }, 52],
  [{ $inc: { a: 'x' } }, 14], [{ $inc: { a: null } }, 14], [{ $mul: { a: 'x' } }, 14],
  [{ $rename: { a: 1 } }, 2], [{ $rename: { a: 'a' } }, 2], [{ $rename: { a: 'a.b' } }, 2], [{ $rename: { 'a.b': 'a' } }, 2], [{ $rename: { 'a.$': 'b' } }, 2], [{ $rename: { a: 'b.$[]' } }, 2],
  [{ $rename: { a: '' } }, 56],
  [{ $push: { a: { $each: 1 } } }, 2], [{ $push: { a: { $each: [1], $foo: 1 } } }, 2], [{ $push: { a: { $each: [], $slice: 'x' } } }, 2], [{ $push: { a: { $each: [], $slice: 1.5 } } }, 2],
  [{ $push: { a: { $each: [], $position: 'x' } } }, 2], [{ $push: { a: { $each: [], $sort: 2 } } }, 2], [{ $push: { a: { $each: [], $sort: { b: 'x' } } } }, 2],
  [{ $push: { a: { $each: [], $sort: {} } } }, 2], [{ $push: { a: { $slice: 1 } } }, 115],
  [{ $addToSet: { a: { $each: 1 } } }, 14], [{ $addToSet: { a: { $each: [1], $slice: 1 } } }, 2],
  [{ $pop: { a: 2 } }, 9], [{ $pop: { a: 'x' } }, 9], [{ $pop: { a: 0 } }, 9], [{ $pullAll: { a: 1 } }, 2], [{ $pull: { a: { $foo: 1 } } }, 2],
  [{ $currentDate: { a: 1 } }, 2], [{ $currentDate: { a: { $type: 'x' } } }, 2], [{ $currentDate: { a: { $foo: 1 } } }, 2], [{ $currentDate: { a: { $type: 'timestamp' } } }, 115],
  [{ $set: { '$.a': 1 } }, 2], [{ $set: { 'a.$.b.$': 1 } }, 2], [{ $set: { 'a.$[x]': 1 } }, 2],
  [{ $set: { a: 1 } }, 9, { arrayFilters: [{ x: 1 }] }], [{ $set: { 'a.$[x]': 1 } }, 9, { arrayFilters: [{ x: 1 }, { x: 2 }] }],
  [{ $set: { 'a.$[x]': 1 } }, 9, { arrayFilters: [{}] }], [{ $set: { 'a.$[x]': 1 } }, 9, { arrayFilters: [{ x: 1, y: 1 }] }],
  [{ $set: { 'a.$[X]': 1 } }, 2, { arrayFilters: [{ X: 1 }] }], [{ a: 1 }, 9, { arrayFilters: [{ x: 1 }] }],
  [{ $set: { a: /x/ } }, 115], [{ $push: { a: undefined } }, 115], [{ a: { b: /x/ } }, 115],
  [{ _id: [1] }, 53], [{ _id: { $a: 1 } }, 52],
];

/** Updates rejected by the document they are applied to. */
export const applyErrors: ReadonlyArray<readonly [Doc, Doc, number, Options?]> = [
  [{ a: 1 }, { $set: { 'a.b': 1 } }, 28], [{ a: null }, { $set: { 'a.b': 1 } }, 28], [{ a: [1] }, { $set: { 'a.b': 1 } }, 28], [{ a: [1] }, { $set: { 'a.0.b': 1 } }, 28],
  [{ a: [] }, { $set: { 'a.1500001': 1 } }, 2], [{ a: 'x' }, { $inc: { 'a.b': 1 } }, 28],
  [{ a: 'x' }, { $inc: { a: 1 } }, 14], [{ a: null }, { $inc: { a: 1 } }, 14], [{ a: [] }, { $mul: { a: 1 } }, 14],
  [{ a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2], [{ a: Long.MAX_VALUE }, { $mul: { a: 2 } }, 2],
  [{ a: 1 }, { $push: { a: 1 } }, 2], [{ a: null }, { $push: { a: 1 } }, 2], [{ a: 1 }, { $addToSet: { a: 1 } }, 2], [{ a: 1 }, { $pop: { a: 1 } }, 14],
  [{ a: 1 }, { $pull: { a: 1 } }, 2], [{ a: 1 }, { $pullAll: { a: [1] } }, 2], [{ a: 1 }, { $pull: { 'a.b': 1 } }, 28], [{ a: 1 }, { $pop: { 'a.b': 1 } }, 28],
  [{ a: 1 }, { $rename: { 'a.b': 'c' } }, 28], [{ a: [1] }, { $rename: { 'a.0': 'c' } }, 2], [{ a: [{ b: 1 }], c: 1 }, { $rename: { c: 'a.0.d' } }, 2], [{ a: 1, c: 1 }, { $rename: { c: 'a.b' } }, 28],
  [{ a: [1] }, { $set: { 'a.$': 1 } }, 2], [{ a: 1 }, { $set: { 'a.$[]': 1 } }, 2], [{}, { $set: { 'a.$[]': 1 } }, 2], [{ a: 1 }, { $set: { 'a.$[].b': 1 } }, 2],
  [{ a: [1] }, { $set: { 'a.$[]': 1, 'a.0': 2 } }, 40], [{ a: [1] }, { $set: { 'a.$[x]': 1, 'a.$[y]': 2 } }, 40, { arrayFilters: [{ x: 1 }, { y: 1 }] }],
  [{ _id: 1 }, { $set: { _id: 2 } }, 66], [{ _id: 1 }, { $unset: { _id: 1 } }, 66], [{ _id: 1 }, { $inc: { _id: 1 } }, 66], [{ _id: { a: 1 } }, { $set: { '_id.a': 2 } }, 66],
  [{ _id: 1 }, { $rename: { _id: 'x' } }, 66], [{ _id: 1 }, { _id: 2 }, 66], [{ _id: 1 }, { $set: { _id: 2 } }, 66, { inserting: true }],
  [{}, { $set: { _id: [1] } }, 53, { inserting: true }],
];
