import { Double, Long } from 'bson';
import type { Doc } from '../../../src/embedded-mongo/semantics/values';

const at = new Date('2026-03-05T06:07:08.009Z');

/** An expression and its value, for a document. */
export const expressionCases: ReadonlyArray<readonly [unknown, unknown, Doc?]> = [
  ['$a', 1, { a: 1 }], ['$a.b', 1, { a: { b: 1 } }], ['$a.b', [1, 2], { a: [{ b: 1 }, 5, { b: 2 }, {}] }], ['$a.b', undefined, { a: 5 }], ['$a.0', undefined, { a: { b: 1 } }], ['$a.0', [], { a: [7] }],
  ['plain', 'plain'], [{ $literal: '$a' }, '$a'], [{ $literal: 1 }, 1], ['$$ROOT.a', 1, { a: 1 }],
  [['$a', '$b'], [1, null], { a: 1 }], [{ x: '$a', y: '$b' }, { x: 1 }, { a: 1 }],
  [{ $subtract: [5, 2] }, 3], [{ $subtract: ['$a', 2] }, null], [{ $subtract: [-(2 ** 31), 1] }, Long.fromNumber(-(2 ** 31) - 1)],
  [{ $subtract: [at, new Date(at.getTime() - 5)] }, Long.fromNumber(5)], [{ $subtract: [at, 9] }, new Date(at.getTime() - 9)], [{ $divide: [7, 2] }, 3.5], [{ $divide: ['$a', 2] }, null],
  [{ $eq: ['$a', 1] }, true, { a: Long.ONE }], [{ $eq: ['$a', null] }, false], [{ $gt: ['x', 5] }, true], [{ $ne: [1, 1] }, false], [{ $lte: [1, 1] }, true], [{ $lt: [1, 1] }, false], [{ $gte: [1, 2] }, false],
  [{ $and: [true, 1, 'x'] }, true], [{ $and: [] }, true], [{ $or: [0, null] }, false], [{ $not: [0] }, true], [{ $not: '$a' }, true],
  [{ $cond: [true, 1, 2] }, 1], [{ $cond: { if: '$a', then: 1, else: 2 } }, 2], [{ $ifNull: ['$a', '$b', 3] }, 3], [{ $ifNull: ['$a', 3] }, 0, { a: 0 }],
  [{ $dateToString: { date: at, format: '%Y-%m-%d %H:%M:%S.%L %%' } }, '2026-03-05 06:07:08.009 %'], [{ $dateToString: { date: '$a', onNull: 'none' } }, 'none'], [{ $dateToString: { date: at } }, '2026-03-05T06:07:08.009Z'],
  [{ $dateTrunc: { date: at, unit: 'day' } }, new Date('2026-03-05')], [{ $dateTrunc: { date: at, unit: 'hour' } }, new Date('2026-03-05T06:00:00Z')], [{ $dateTrunc: { date: '$a', unit: 'hour' } }, null],
  [{ $dateTrunc: { date: new Date(-1), unit: 'day' } }, new Date(-86_400_000)],
];

/** An expression and the code it fails with; 115 is this store's refusal. */
export const expressionErrors: ReadonlyArray<readonly [unknown, number, Doc?]> = [
  [{ $foo: 1 }, 115], [{ $function: {} }, 115], [{ $sin: 1 }, 115], ['$$NOW', 115], ['$$REMOVE', 115], ['$$x', 17276], [{ $eq: [1, 1], $subtract: [1, 1] }, 15983], ['$a..b', 15998], ['$', 16872],
  [{ $subtract: ['x', 1] }, 14], [{ $divide: ['x', 1] }, 14], [{ $divide: [1, 0] }, 2], [{ $subtract: [Long.MIN_VALUE, 1] }, 115],
  [{ $eq: [1] }, 16020], [{ $cond: { if: 1, then: 2 } }, 17082], [{ $ifNull: [1] }, 1257300],
  [{ $dateToString: { date: at, timezone: 'Europe/Berlin' } }, 115], [{ $dateToString: { date: at, format: '%V' } }, 115], [{ $dateToString: { date: 5 } }, 16006],
  [{ $dateTrunc: { date: at, unit: 'week' } }, 115], [{ $dateTrunc: { date: at, unit: 'day', binSize: 2 } }, 115], [{ $dateTrunc: { date: 5, unit: 'day' } }, 5439012],
  ...['$add', '$multiply', '$mod', '$abs', '$ceil', '$floor', '$cmp', '$switch', '$concat', '$toLower', '$toString', '$size', '$arrayElemAt', '$in', '$filter', '$map', '$mergeObjects', '$year']
    .map((operator): [unknown, number] => [{ [operator]: 1 }, 115]),
];

export const people: Doc[] = [
  { _id: 1, name: 'Ann', age: 30, tags: ['x', 'y'], team: 1 }, { _id: 2, name: 'Bob', age: 20, tags: [], team: 2 }, { _id: 3, name: 'Cyd', tags: 'z', team: [1, 2] }, { _id: 4, name: 'Dan', age: null },
];

/** Pipelines over `people`. */
export const pipelineCases: ReadonlyArray<readonly [Doc[], Doc[]]> = [
  [[{ $match: { age: { $gte: 20 } } }, { $sort: { age: 1 } }, { $project: { name: 1 } }], [{ _id: 2, name: 'Bob' }, { _id: 1, name: 'Ann' }]],
  [[{ $limit: 2 }, { $skip: 1 }, { $project: { _id: 1 } }], [{ _id: 2 }]],
  [[{ $project: { _id: 0, age: 0, tags: 0, team: 0 } }, { $limit: 1 }], [{ name: 'Ann' }]],
  [[{ $match: { _id: 1 } }, { $project: { n: '$name', 'x.y': { $subtract: ['$age', 1] } } }], [{ _id: 1, n: 'Ann', x: { y: 29 } }]],
  [[{ $match: { _id: 1 } }, { $project: { _id: '$name' } }], [{ _id: 'Ann' }]],
  [[{ $match: { _id: 2 } }, { $project: { tags: 0, team: 0, age: false } }], [{ _id: 2, name: 'Bob' }]],
  [[{ $project: { name: 1, old: { $gt: ['$age', 25] } } }, { $match: { old: true } }], [{ _id: 1, name: 'Ann', old: true }]],
  [[{ $project: { name: 1, age: 1 } }, { $sort: { name: -1 } }, { $limit: 1 }, { $project: { _id: 0, name: 1 } }], [{ name: 'Dan' }]],
  [[{ $group: { _id: null, n: { $sum: 1 }, total: { $sum: '$age' }, mean: { $avg: '$age' }, low: { $min: '$age' }, high: { $max: '$age' }, c: { $count: {} } } }],
    [{ _id: null, n: 4, total: 50, mean: new Double(25), low: 20, high: 30, c: 4 }]],
  [[{ $group: { _id: '$nothing', first: { $first: '$name' }, last: { $last: '$age' } } }], [{ _id: null, first: 'Ann', last: null }]],
  [[{ $sort: { _id: -1 } }, { $group: { _id: { $gt: ['$age', 0] }, newest: { $first: '$$ROOT' } } }, { $project: { _id: 1, name: '$newest.name' } }], [{ _id: false, name: 'Dan' }, { _id: true, name: 'Bob' }]],
  [[{ $group: { _id: '$age', n: { $sum: 1 } } }, { $sort: { _id: -1 } }, { $limit: 1 }], [{ _id: 30, n: 1 }]],
  [[{ $match: { _id: 9 } }, { $group: { _id: null, n: { $sum: 1 } } }], []],
  [[{ $match: { _id: 9 } }, { $count: 'n' }], []],
  [[{ $match: { age: { $gt: 1 } } }, { $count: 'n' }], [{ n: 2 }]],
  [[{ $unwind: '$tags' }, { $project: { tags: 1 } }], [{ _id: 1, tags: 'x' }, { _id: 1, tags: 'y' }, { _id: 3, tags: 'z' }]],
  [[{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } }, { $project: { tags: 1, i: 1 } }],
    [{ _id: 1, tags: 'x', i: Long.fromNumber(0) }, { _id: 1, tags: 'y', i: Long.fromNumber(1) }, { _id: 2, i: null }, { _id: 3, tags: 'z', i: null }, { _id: 4, i: null }]],
  [[{ $unwind: '$tags' }, { $group: { _id: '$tags', n: { $sum: 1 } } }, { $sort: { _id: 1 } }], [{ _id: 'x', n: 1 }, { _id: 'y', n: 1 }, { _id: 'z', n: 1 }]],
];

export const pipelineErrors: ReadonlyArray<readonly [Doc[], number]> = [
  [[{ $foo: 1 }], 40324], [[{ $changeStream: {} }], 40573],
  ...['$out', '$merge', '$sample', '$graphLookup', '$lookup', '$facet', '$addFields', '$set', '$unset', '$replaceRoot', '$replaceWith', '$sortByCount', '$unionWith', '$bucket']
    .map((stage): [Doc[], number] => [[{ [stage]: {} }], 115]),
  [[{ $match: 1 }], 15959], [[{ $match: { $where: 'x' } }], 115], [[{ $match: { a: { $foo: 1 } } }], 2], [[{ $sort: 1 }], 15973], [[{ $sort: {} }], 15976], [[{ $limit: 0 }], 15958], [[{ $limit: -1 }], 5107201],
  [[{ $skip: -1 }], 5107200], [[{ $skip: 'x' }], 5107200], [[{ $count: '' }], 40157], [[{ $count: 1 }], 40156], [[{ $count: '$a' }], 40158], [[{ $count: 'a.b' }], 40160], [[{}], 40323], [[{ $match: {}, $sort: { a: 1 } }], 40323],
  [[{ $project: {} }], 51272], [[{ $project: 1 }], 15969], [[{ $project: { a: 1, b: 0 } }], 31254], [[{ $project: { a: 0, b: 1 } }], 31253], [[{ $project: { a: 0, b: '$c' } }], 31252],
  [[{ $group: 1 }], 15947], [[{ $group: { n: { $sum: 1 } } }], 15955], [[{ $group: { _id: 1, n: 1 } }], 40234], [[{ $group: { _id: 1, n: { $stdDevPop: '$a' } } }], 115], [[{ $group: { _id: 1, n: { $accumulator: {} } } }], 115],
  [[{ $group: { _id: 1, n: { $push: '$a' } } }], 115], [[{ $group: { _id: 1, n: { $addToSet: '$a' } } }], 115],
  [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 40235], [[{ $group: { _id: 1, n: { $sum: [1, 2] } } }], 40237], [[{ $group: { _id: 1, n: { $sum: 1, $avg: 1 } } }], 40238],
  [[{ $unwind: 'a' }], 28818], [[{ $unwind: {} }], 28812], [[{ $unwind: 1 }], 15981],
];
