import { Binary, Long, ObjectId } from 'bson';
import type { Doc } from '../../src/values/values';

const id = new ObjectId('0123456789abcdef01234567');

/** Filters with documents that match and documents that do not. */
export const matchCases: ReadonlyArray<{
  readonly filter: Doc;
  readonly yes?: readonly Doc[];
  readonly no?: readonly Doc[];
}> = [
  { filter: {}, yes: [{}, { a: 1 }] },
  {
    filter: { a: 1 },
    yes: [{ a: 1 }, { a: [2, 1] }, { a: Long.fromNumber(1) }],
    no: [{}, { a: '1' }, { a: true }, { a: [[1]] }, { a: null }],
  },
  { filter: { a: 'x' }, yes: [{ a: 'x' }, { a: ['x'] }], no: [{ a: 'X' }, {}] },
  {
    filter: { a: [1, 2] },
    yes: [{ a: [1, 2] }, { a: [[1, 2], 3] }],
    no: [{ a: [2, 1] }, { a: [1, 2, 3] }, { a: 1 }],
  },
  { filter: { a: [] }, yes: [{ a: [] }, { a: [[]] }], no: [{ a: [1] }, {}] },
  {
    filter: { a: { b: 1, c: 2 } },
    yes: [{ a: { b: 1, c: 2 } }, { a: [{ b: 1, c: 2 }] }],
    no: [{ a: { c: 2, b: 1 } }, { a: { b: 1, c: 2, d: 3 } }],
  },
  { filter: { a: {} }, yes: [{ a: {} }], no: [{ a: { b: 1 } }, {}] },
  { filter: { a: null }, yes: [{}, { a: null }, { a: [null] }], no: [{ a: [] }, { a: 0 }] },
  {
    filter: { 'a.b': null },
    yes: [{}, { a: 1 }, { a: {} }, { a: [{}] }, { a: [{ b: 1 }, {}] }],
    no: [{ a: [] }, { a: [1] }, { a: [null] }, { a: { b: 1 } }],
  },
  { filter: { a: new Date(5) }, yes: [{ a: new Date(5) }], no: [{ a: 5 }, { a: new Date(6) }] },
  {
    filter: { a: id },
    yes: [{ a: new ObjectId(id.toHexString()) }],
    no: [{ a: id.toHexString() }],
  },
  {
    filter: { a: new Binary(Buffer.from([255])) },
    yes: [{ a: new Binary(Buffer.from([255])) }],
    no: [{ a: new Binary(Buffer.from([254])) }, { a: new Binary(Buffer.from([255]), 4) }],
  },
  {
    filter: { a: Long.fromBigInt(2n ** 53n + 1n) },
    yes: [{ a: Long.fromBigInt(2n ** 53n + 1n) }],
    no: [{ a: 2 ** 53 }, { a: Long.fromBigInt(2n ** 53n) }],
  },
  { filter: { a: NaN }, yes: [{ a: NaN }], no: [{ a: 1 }, {}] },
  { filter: { a: true }, yes: [{ a: true }], no: [{ a: 1 }, { a: 'true' }] },
  // Dotted paths.
  {
    filter: { 'a.b': 1 },
    yes: [{ a: { b: 1 } }, { a: [{ b: 2 }, { b: 1 }] }, { a: [{ b: [0, 1] }] }],
    no: [{ a: [[{ b: 1 }]] }, { 'a.b': 1 }, { a: 1 }],
  },
  {
    filter: { 'a.0': 1 },
    yes: [{ a: [1] }, { a: { 0: 1 } }, { a: [{ 0: 1 }] }],
    no: [{ a: [2, 1] }, { a: [[1]] }],
  },
  {
    filter: { 'a.0.b': 1 },
    yes: [{ a: [{ b: 1 }] }, { a: [[{ b: 1 }]] }],
    no: [{ a: [{ b: 2 }, { b: 1 }] }],
  },
  { filter: { 'a.1': [2] }, yes: [{ a: [1, [2]] }], no: [{ a: [1, 2] }] },
  { filter: { 'a.00': 1 }, no: [{ a: [1] }] },
  { filter: { constructor: null, toString: { $exists: false } }, yes: [{}] },
  { filter: { a: 1, b: 2 }, yes: [{ a: 1, b: 2 }], no: [{ a: 1 }, { b: 2 }] },
  // Comparison.
  { filter: { a: { $eq: 1 } }, yes: [{ a: 1 }], no: [{ a: 2 }, {}] },
  { filter: { a: { $eq: null } }, yes: [{}, { a: null }], no: [{ a: 1 }] },
  { filter: { a: { $ne: 1 } }, yes: [{}, { a: 2 }, { a: '1' }], no: [{ a: 1 }, { a: [1, 2] }] },
  {
    filter: { a: { $ne: null } },
    yes: [{ a: 1 }, { a: [] }],
    no: [{}, { a: null }, { a: [1, null] }],
  },
  {
    filter: { a: { $gt: 1 } },
    yes: [{ a: 2 }, { a: 1.5 }, { a: [0, 2] }, { a: Long.MAX_VALUE }],
    no: [{ a: 1 }, { a: 'x' }, { a: null }, {}, { a: NaN }, { a: true }],
  },
  {
    filter: { a: { $lt: 1 } },
    yes: [{ a: 0 }, { a: -Infinity }],
    no: [{ a: NaN }, { a: null }, {}, { a: false }],
  },
  { filter: { a: { $gte: null } }, yes: [{}, { a: null }], no: [{ a: 1 }] },
  { filter: { a: { $lte: null } }, yes: [{}, { a: null }], no: [{ a: 1 }] },
  { filter: { a: { $gt: null } }, no: [{}, { a: null }, { a: 1 }] },
  { filter: { a: { $gte: NaN } }, yes: [{ a: NaN }], no: [{ a: 1 }, {}] },
  { filter: { a: { $gt: NaN } }, no: [{ a: NaN }, { a: 1 }] },
  {
    filter: { a: { $gt: 'b' } },
    yes: [{ a: 'c' }, { a: 'bb' }],
    no: [{ a: 'b' }, { a: 9 }, { a: {} }],
  },
  {
    filter: { a: { $gte: new Date(5) } },
    yes: [{ a: new Date(5) }],
    no: [{ a: 6 }, { a: new Date(4) }],
  },
  { filter: { a: { $gte: false } }, yes: [{ a: true }], no: [{ a: 1 }] },
  {
    filter: { a: { $gt: [1] } },
    yes: [{ a: [1, 0] }, { a: [2] }, { a: [[3]] }],
    no: [{ a: [0, 9] }, { a: 9 }],
  },
  { filter: { a: { $gt: {} } }, yes: [{ a: { b: 1 } }], no: [{ a: {} }, { a: 1 }] },
  { filter: { a: { $gt: 1, $lt: 3 } }, yes: [{ a: 2 }, { a: [0, 9] }], no: [{ a: 3 }, { a: [0] }] },
  {
    filter: { a: { $gt: id } },
    yes: [{ a: new ObjectId('f123456789abcdef01234567') }],
    no: [{ a: id }],
  },
  // $in, $nin.
  {
    filter: { a: { $in: [1, 'x', null] } },
    yes: [{ a: 1 }, { a: 'x' }, {}, { a: ['y', 'x'] }],
    no: [{ a: 2 }, { a: [] }],
  },
  { filter: { a: { $in: [] } }, no: [{}, { a: 1 }, { a: [] }] },
  { filter: { a: { $in: [[1, 2]] } }, yes: [{ a: [1, 2] }], no: [{ a: 1 }] },
  { filter: { a: { $in: [/^x/, 3] } }, yes: [{ a: 'xy' }, { a: 3 }], no: [{ a: 'yx' }] },
  { filter: { a: { $nin: [1, null] } }, yes: [{ a: 2 }], no: [{ a: 1 }, {}, { a: [1, 5] }] },
  // $exists.
  { filter: { a: { $exists: true } }, yes: [{ a: null }, { a: [] }, { a: 0 }], no: [{}, { b: 1 }] },
  { filter: { a: { $exists: false } }, yes: [{}], no: [{ a: null }] },
  { filter: { a: { $exists: 0 } }, yes: [{}], no: [{ a: 1 }] },
  {
    filter: { 'a.b': { $exists: true } },
    yes: [{ a: [{ b: 1 }, 2] }],
    no: [{ a: [2] }, { a: [] }],
  },
  // Logic.
  { filter: { $and: [{ a: 1 }, { b: 2 }] }, yes: [{ a: 1, b: 2 }], no: [{ a: 1 }] },
  {
    filter: { $or: [{ a: 1 }, { b: 2 }], c: 3 },
    yes: [
      { a: 1, c: 3 },
      { b: 2, c: 3 },
    ],
    no: [{ a: 1 }, { c: 3 }],
  },
  { filter: { $nor: [{ a: 1 }, { b: 2 }] }, yes: [{}, { a: 2 }], no: [{ a: 1 }, { b: 2 }] },
  // Regular expressions.
  {
    filter: { a: /^ab/ },
    yes: [{ a: 'abc' }, { a: ['x', 'abc'] }],
    no: [{ a: 'xab' }, { a: 1 }, {}],
  },
  { filter: { a: /AB/i }, yes: [{ a: 'xaby' }], no: [{ a: 'ba' }] },
  {
    filter: { a: { $regex: 'b$' } },
    yes: [{ a: 'ab' }, { a: 'ab\n' }],
    no: [{ a: 'ba' }, { a: 'b\n\n' }],
  },
  { filter: { a: { $regex: 'A', $options: 'i' } }, yes: [{ a: 'bab' }], no: [{ a: 'b' }] },
  { filter: { a: { $options: 'i', $regex: /A/ } }, yes: [{ a: 'bab' }], no: [{ a: 'b' }] },
  { filter: { a: { $regex: '' } }, yes: [{ a: '' }, { a: 'x' }], no: [{ a: 1 }, {}] },
  { filter: { a: { $regex: 'x', $ne: 'xy' } }, yes: [{ a: 'xz' }], no: [{ a: 'xy' }] },
];

/** Filters that MongoDB rejects, or only this store (115), with the code. */
export const filterErrors: ReadonlyArray<readonly [Doc, number]> = [
  [{ a: { $foo: 1 } }, 2],
  [{ $foo: 1 }, 2],
  [{ a: { $gt: 1, b: 2 } }, 2],
  [{ $and: [] }, 2],
  [{ $or: {} }, 2],
  [{ $nor: [1] }, 2],
  [{ a: { $in: 1 } }, 2],
  [{ a: { $nin: { b: 1 } } }, 2],
  [{ a: { $in: [{ $gt: 1 }] } }, 2],
  [{ a: { $regex: 1 } }, 2],
  [{ a: { $options: 'i' } }, 2],
  [{ a: { $regex: 'x', $options: 1 } }, 2],
  [{ a: { $regex: 'x', $options: 'g' } }, 51108],
  [{ a: { $regex: /x/i, $options: 'm' } }, 51074],
  [{ a: { $regex: 'a\\' } }, 51091],
  [{ a: { $regex: 'a(?!b' } }, 51091],
  [{ a: { $regex: 'a(?!b\\' } }, 51091],
  [{ a: { $ne: /x/ } }, 2],
  [{ a: { $gt: /x/ } }, 2],
  [{ $expr: { $eq: ['$a', 1] } }, 115],
  [{ $where: 'true' }, 115],
  [{ $text: { $search: 'x' } }, 115],
  [{ $jsonSchema: {} }, 115],
  [{ a: { $near: [0, 0] } }, 115],
  [{ a: { $geoWithin: {} } }, 115],
  [{ a: { $bitsAllSet: 1 } }, 115],
  [{ a: { $eq: /x/ } }, 115],
  [{ a: { $not: { $gt: 1 } } }, 115],
  [{ a: { $type: 'string' } }, 115],
  [{ a: { $size: 1 } }, 115],
  [{ a: { $mod: [4, 1] } }, 115],
  [{ a: { $all: [1] } }, 115],
  [{ a: { $elemMatch: { b: 1 } } }, 115],
  [{ a: undefined }, 115],
  [{ a: { $in: [undefined] } }, 115],
];
