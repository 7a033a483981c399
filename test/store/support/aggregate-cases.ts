import { Long, ObjectId } from 'bson';
import type { Doc } from '../../../src/embedded-mongo/semantics/values';

const at = new Date('2026-03-05T06:07:08.009Z');
const id = new ObjectId('0123456789abcdef01234567');

/** An expression and its value, for a document. */
export const expressionCases: ReadonlyArray<readonly [unknown, unknown, Doc?]> = [
  ['$a', 1, { a: 1 }], ['$a.b', 1, { a: { b: 1 } }], ['$a.b', [1, 2], { a: [{ b: 1 }, 5, { b: 2 }, {}] }], ['$a.b', undefined, { a: 5 }], ['$a.0', undefined, { a: { b: 1 } }], ['$a.0', [], { a: [7] }],
  ['plain', 'plain'], [{ $literal: '$a' }, '$a'], [{ $literal: 1 }, 1], ['$$ROOT.a', 1, { a: 1 }], ['$$CURRENT.a', 1, { a: 1 }], ['$$REMOVE', undefined],
  [['$a', '$b'], [1, null], { a: 1 }], [{ $concatArrays: [['$a'], [2]] }, [1, 2], { a: 1 }],
  [{ $add: ['$a', 2, 0.5] }, 3.5, { a: 1 }], [{ $add: ['$a', 1] }, null], [{ $add: [2 ** 31 - 1, 1] }, Long.fromNumber(2 ** 31)], [{ $add: [at, 1000] }, new Date(at.getTime() + 1000)],
  [{ $subtract: [5, 2] }, 3], [{ $subtract: [at, new Date(at.getTime() - 5)] }, Long.fromNumber(5)], [{ $subtract: [at, 9] }, new Date(at.getTime() - 9)],
  [{ $multiply: [2, 3, 4] }, 24], [{ $divide: [7, 2] }, 3.5], [{ $mod: [-7, 3] }, -1], [{ $mod: [7.5, 2] }, 1.5], [{ $abs: -3 }, 3], [{ $ceil: 1.2 }, 2], [{ $floor: -1.2 }, -2],
  [{ $eq: ['$a', 1] }, true, { a: Long.ONE }], [{ $eq: ['$a', null] }, false], [{ $gt: ['x', 5] }, true], [{ $cmp: [1, 2] }, -1], [{ $ne: [1, 1] }, false], [{ $lte: [1, 1] }, true],
  [{ $and: [true, 1, 'x'] }, true], [{ $and: [] }, true], [{ $or: [0, null] }, false], [{ $not: [0] }, true], [{ $not: '$a' }, true],
  [{ $cond: [true, 1, 2] }, 1], [{ $cond: { if: '$a', then: 1, else: 2 } }, 2], [{ $ifNull: ['$a', '$b', 3] }, 3], [{ $ifNull: ['$a', 3] }, 0, { a: 0 }],
  [{ $switch: { branches: [{ case: false, then: 1 }, { case: true, then: 2 }], default: 3 } }, 2],
  [{ $concat: ['a', '$b'] }, 'ax', { b: 'x' }], [{ $concat: ['a', '$b'] }, null], [{ $toLower: 'ÄBc' }, 'Äbc'], [{ $toUpper: '$a' }, ''], [{ $split: ['a-b', '-'] }, ['a', 'b']], [{ $strLenCP: 'a\u{1F600}' }, 2],
  [{ $toString: id }, id.toHexString()], [{ $toString: Long.fromNumber(7) }, '7'], [{ $type: '$a' }, 'missing'], [{ $type: 1.5 }, 'double'],
  [{ $size: '$a' }, 2, { a: [1, 2] }], [{ $arrayElemAt: ['$a', -1] }, 2, { a: [1, 2] }], [{ $arrayElemAt: ['$a', 9] }, undefined, { a: [1] }], [{ $first: '$a' }, 1, { a: [1, 2] }], [{ $last: '$a' }, 2, { a: [1, 2] }],
  [{ $in: [2, '$a'] }, true, { a: [1, 2] }], [{ $isArray: '$a' }, true, { a: [] }], [{ $slice: ['$a', 2] }, [1, 2], { a: [1, 2, 3] }], [{ $slice: ['$a', 1, 5] }, [2, 3], { a: [1, 2, 3] }],
  [{ $filter: { input: '$a', as: 'x', cond: { $gt: ['$$x', 1] } } }, [2, 3], { a: [1, 2, 3] }], [{ $map: { input: '$a', in: { $add: ['$$this', '$b'] } } }, [2, 3], { a: [1, 2], b: 1 }],
  [{ $map: { input: '$a', as: 'x', in: '$$x.y' } }, [1, null], { a: [{ y: 1 }, {}] }], [{ $mergeObjects: ['$a', { b: 2 }] }, { b: 2, c: 1 }, { a: { b: 1, c: 1 } }],
  [{ $dateToString: { date: at, format: '%Y-%m-%d %H:%M:%S.%L %j' } }, '2026-03-05 06:07:08.009 064'], [{ $dateToString: { date: '$a', onNull: 'none' } }, 'none'], [{ $dateToString: { date: at } }, '2026-03-05T06:07:08.009Z'],
  [{ $dateTrunc: { date: at, unit: 'day' } }, new Date('2026-03-05')], [{ $dateTrunc: { date: at, unit: 'hour', binSize: 4 } }, new Date('2026-03-05T04:00:00Z')], [{ $dateTrunc: { date: at, unit: 'month' } }, new Date('2026-03-01')],
  [{ $year: at }, 2026], [{ $month: '$a' }, 3, { a: at }], [{ $dayOfMonth: { date: at } }, 5], [{ $dayOfWeek: at }, 5], [{ $hour: at }, 6], [{ $dayOfYear: at }, 64],
];

/** An expression and the code it fails with; 115 is this store's refusal. */
export const expressionErrors: ReadonlyArray<readonly [unknown, number, Doc?]> = [
  [{ $foo: 1 }, 115], [{ $function: {} }, 115], [{ $sin: 1 }, 115], ['$$NOW', 115], ['$$x', 17276], [{ $add: 1, $subtract: 1 }, 15983], ['$a..b', 15998], ['$', 16872],
  [{ $add: ['x', 1] }, 14], [{ $subtract: ['x', 1] }, 14], [{ $multiply: ['x', 1] }, 14], [{ $divide: [1, 0] }, 2], [{ $mod: [1, 0] }, 16610], [{ $concat: [1] }, 16702],
  [{ $eq: [1] }, 16020], [{ $size: '$a' }, 17124], [{ $in: [1, 2] }, 40081], [{ $cond: { if: 1, then: 2 } }, 17082], [{ $switch: { branches: [{ case: false, then: 1 }] } }, 40066],
  [{ $dateToString: { date: at, timezone: 'Europe/Berlin' } }, 115], [{ $dateToString: { date: at, format: '%V' } }, 115], [{ $dateTrunc: { date: at, unit: 'week' } }, 115], [{ $toString: 1.5 }, 115],
  [{ $year: 5 }, 16006], [{ $arrayElemAt: [5, 1] }, 28689], [{ $toLower: 5 }, 115],
];

export const people: Doc[] = [
  { _id: 1, name: 'Ann', age: 30, tags: ['x', 'y'], team: 1 }, { _id: 2, name: 'Bob', age: 20, tags: [], team: 2 }, { _id: 3, name: 'Cyd', tags: 'z', team: [1, 2] }, { _id: 4, name: 'Dan', age: null },
];
export const teams: Doc[] = [{ _id: 1, t: 'one' }, { _id: 2, t: 'two' }];

/** Pipelines over `people`, with `teams` to join. */
export const pipelineCases: ReadonlyArray<readonly [Doc[], Doc[]]> = [
  [[{ $match: { age: { $gte: 20 } } }, { $sort: { age: 1 } }, { $project: { name: 1 } }], [{ _id: 2, name: 'Bob' }, { _id: 1, name: 'Ann' }]],
  [[{ $limit: 2 }, { $skip: 1 }, { $project: { _id: 1 } }], [{ _id: 2 }]],
  [[{ $project: { _id: 0, age: 0, tags: 0, team: 0 } }, { $limit: 1 }], [{ name: 'Ann' }]],
  [[{ $match: { _id: 1 } }, { $project: { n: '$name', 'x.y': { $add: ['$age', 1] } } }], [{ _id: 1, n: 'Ann', x: { y: 31 } }]],
  [[{ $match: { _id: 1 } }, { $project: { _id: '$name' } }], [{ _id: 'Ann' }]],
  [[{ $match: { _id: 2 } }, { $addFields: { age: { $add: ['$age', 1] }, 'a.b': 1 } }, { $unset: ['tags', 'team'] }], [{ _id: 2, name: 'Bob', age: 21, a: { b: 1 } }]],
  [[{ $match: { _id: 2 } }, { $set: { name: '$$REMOVE', age: '$missing' } }, { $unset: 'tags' }], [{ _id: 2, team: 2 }]],
  [[{ $group: { _id: null, n: { $sum: 1 }, total: { $sum: '$age' }, mean: { $avg: '$age' }, low: { $min: '$age' }, high: { $max: '$age' }, c: { $count: {} } } }],
    [{ _id: null, n: 4, total: 50, mean: 25, low: 20, high: 30, c: 4 }]],
  [[{ $group: { _id: '$nothing', first: { $first: '$name' }, last: { $last: '$age' }, all: { $push: '$age' }, set: { $addToSet: '$age' } } }],
    [{ _id: null, first: 'Ann', last: null, all: [30, 20, null], set: [30, 20, null] }]],
  [[{ $match: { _id: 9 } }, { $group: { _id: null, n: { $sum: 1 } } }], []],
  [[{ $match: { _id: 9 } }, { $count: 'n' }], []],
  [[{ $match: { age: { $gt: 1 } } }, { $count: 'n' }], [{ n: 2 }]],
  [[{ $unwind: '$tags' }, { $project: { tags: 1 } }], [{ _id: 1, tags: 'x' }, { _id: 1, tags: 'y' }, { _id: 3, tags: 'z' }]],
  [[{ $unwind: { path: '$tags', preserveNullAndEmptyArrays: true, includeArrayIndex: 'i' } }, { $project: { tags: 1, i: 1 } }],
    [{ _id: 1, tags: 'x', i: Long.fromNumber(0) }, { _id: 1, tags: 'y', i: Long.fromNumber(1) }, { _id: 2, i: null }, { _id: 3, tags: 'z', i: null }, { _id: 4, i: null }]],
  [[{ $lookup: { from: 'teams', localField: 'team', foreignField: '_id', as: 'teams' } }, { $project: { teams: '$teams.t' } }],
    [{ _id: 1, teams: ['one'] }, { _id: 2, teams: ['two'] }, { _id: 3, teams: ['one', 'two'] }, { _id: 4, teams: [] }]],
  [[{ $match: { _id: 1 } }, { $replaceRoot: { newRoot: { a: '$name' } } }], [{ a: 'Ann' }]],
  [[{ $unwind: '$tags' }, { $sortByCount: { $in: ['$tags', ['x', 'z']] } }], [{ _id: true, count: 2 }, { _id: false, count: 1 }]],
  [[{ $facet: { old: [{ $match: { age: 30 } }, { $project: { _id: 1 } }], n: [{ $count: 'n' }] } }], [{ old: [{ _id: 1 }], n: [{ n: 4 }] }]],
];

export const pipelineErrors: ReadonlyArray<readonly [Doc[], number]> = [
  [[{ $foo: 1 }], 40324], [[{ $out: 'x' }], 115], [[{ $merge: 'x' }], 115], [[{ $sample: { size: 1 } }], 115], [[{ $graphLookup: {} }], 115], [[{ $changeStream: {} }], 40573],
  [[{ $match: 1 }], 15959], [[{ $match: { $where: 'x' } }], 115], [[{ $match: { a: { $foo: 1 } } }], 2], [[{ $sort: 1 }], 15973], [[{ $sort: {} }], 15976], [[{ $limit: 0 }], 15958], [[{ $limit: -1 }], 5107201],
  [[{ $skip: -1 }], 5107200], [[{ $skip: 'x' }], 5107200], [[{ $count: '' }], 40157], [[{ $count: 1 }], 40156], [[{ $count: '$a' }], 40158], [[{ $count: 'a.b' }], 40160], [[{}], 40323], [[{ $match: {}, $sort: { a: 1 } }], 40323],
  [[{ $project: {} }], 51272], [[{ $project: 1 }], 15969], [[{ $project: { a: 1, b: 0 } }], 31254], [[{ $project: { a: 0, b: 1 } }], 31253], [[{ $project: { a: 0, b: '$c' } }], 31252],
  [[{ $group: 1 }], 15947], [[{ $group: { n: { $sum: 1 } } }], 15955], [[{ $group: { _id: 1, n: 1 } }], 40234], [[{ $group: { _id: 1, n: { $stdDevPop: '$a' } } }], 115], [[{ $group: { _id: 1, n: { $accumulator: {} } } }], 115],
  [[{ $group: { _id: 1, 'a.b': { $sum: 1 } } }], 40235], [[{ $group: { _id: 1, n: { $sum: [1, 2] } } }], 40237], [[{ $group: { _id: 1, n: { $sum: 1, $avg: 1 } } }], 40238],
  [[{ $unwind: 'a' }], 28818], [[{ $unwind: {} }], 28812], [[{ $unwind: 1 }], 15981], [[{ $lookup: { from: 'x', pipeline: [], as: 'y' } }], 115], [[{ $lookup: { from: 'x', as: 'y' } }], 9], [[{ $lookup: 1 }], 9],
  [[{ $replaceRoot: { newRoot: '$name' } }], 40228], [[{ $replaceRoot: {} }], 40231], [[{ $facet: {} }], 40169], [[{ $facet: { a: [{ $facet: { b: [] } }] } }], 40600], [[{ $unset: 1 }], 31120], [[{ $addFields: 1 }], 40272],
];
