import { Binary, Long, ObjectId } from 'bson';
import type { Doc } from '../../src/values/values';

/** One value per step of the BSON order; undefined is the sort value of an empty array. */
export const typesInOrder: readonly unknown[] = [
  undefined,
  null,
  NaN,
  -Infinity,
  -1.5,
  Long.fromNumber(-1),
  0,
  0.5,
  Long.fromNumber(1),
  1.5,
  Infinity,
  '',
  'A',
  'a',
  'é',
  {},
  { a: 1 },
  [],
  [1],
  [1, 2],
  new Binary(Buffer.from([1])),
  new Binary(Buffer.from([0, 0])),
  new ObjectId('000000000000000000000000'),
  false,
  true,
  new Date(-1),
  new Date(0),
];

/** Documents in sort order; each is strictly before the next. */
export const compareSort: ReadonlyArray<{
  readonly name: string;
  readonly sort: Doc;
  readonly docs: readonly Doc[];
}> = [
  {
    name: 'ascending takes the smallest element of an array',
    sort: { a: 1 },
    docs: [{ a: [9, 1] }, { a: 2 }, { a: [3, 4] }],
  },
  {
    name: 'descending takes the largest element of an array',
    sort: { a: -1 },
    docs: [{ a: [9, 1] }, { a: [3, 4] }, { a: 2 }],
  },
  {
    name: 'puts an empty array before null and missing',
    sort: { a: 1 },
    docs: [{ a: [] }, { b: 1 }, { a: 0 }],
  },
  {
    name: 'goes through arrays of documents',
    sort: { 'a.b': 1 },
    docs: [{ a: [{ c: 1 }] }, { a: [{ b: 5 }, { b: 1 }] }, { a: { b: 2 } }],
  },
  {
    name: 'takes the smallest pair, not the pair of smallest',
    sort: { 'a.x': 1, 'a.y': 1 },
    docs: [
      { a: { x: 1, y: 5 } },
      {
        a: [
          { x: 1, y: 9 },
          { x: 2, y: 0 },
        ],
      },
    ],
  },
  {
    name: 'follows an index into an array',
    sort: { 'a.1': 1 },
    docs: [{ a: [9] }, { a: [9, 1] }, { a: [0, 2] }],
  },
  {
    name: 'takes an array within an array as one value',
    sort: { a: 1 },
    docs: [{ a: 7 }, { a: [[1]] }, { a: [[2]] }],
  },
  {
    name: 'uses the second field on ties',
    sort: { a: 1, b: -1 },
    docs: [
      { a: 1, b: 2 },
      { a: 1, b: 1 },
      { a: 2, b: 9 },
    ],
  },
];
