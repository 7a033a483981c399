import { Binary, Double, Long } from 'bson';
import fc from 'fast-check';
import { compilePipeline } from '../../src/embedded-mongo/semantics/aggregate';
import { compareValues } from '../../src/embedded-mongo/semantics/order';
import { compileSort } from '../../src/embedded-mongo/semantics/sort';
import { compileFilter } from '../../src/embedded-mongo/semantics/match';
import type { Doc } from '../../src/embedded-mongo/semantics/values';
import { documents } from './support/arbitrary-values';
import {
  expressionCases,
  expressionErrors,
  people,
  pipelineCases,
  pipelineErrors,
} from './support/aggregate-cases';
import { codeOf, messageOf } from './support/errors';

/** Runs the prefix as a query and the rest over the fields it says it looks at. */
function aggregate(docs: Doc[], pipeline: Doc[]): Doc[] {
  const { prefix, rest, reads } = compilePipeline(pipeline);
  const found = docs
    .filter((doc) => compileFilter(prefix.filter ?? {}).test(doc))
    .sort(compileSort(prefix.sort ?? {}));
  const { skip = 0, limit = Infinity } = prefix;
  const seen = found
    .slice(skip, skip + limit)
    .map((doc) =>
      typeof reads === 'string'
        ? doc
        : Object.fromEntries(Object.entries(doc).filter(([name]) => reads.has(name))),
    );
  return [...rest(seen.flatMap((doc) => [undefined, doc]))].filter((doc) => doc !== undefined);
}

const evaluate = (expression: unknown, doc: Doc = {}): unknown =>
  aggregate([doc], [{ $skip: 0 }, { $project: { _id: 0, value: expression } }])[0].value;

describe('an expression', () => {
  test.each(
    expressionCases.map(([expression, expected, doc = {}]) => [expression, expected, doc] as const),
  )('%j is %j', (expression, expected, doc) => {
    expect(evaluate(expression, doc)).toEqual(expected);
  });

  test.each(
    expressionErrors.map(([expression, code, doc = {}]) => [expression, code, doc] as const),
  )('%p fails with %p', (expression, code, doc) => {
    expect(codeOf(() => evaluate(expression, doc))).toBe(code);
  });
});

const ids = (docs: Doc[]): unknown[] => docs.map(({ _id }) => _id);

describe('a pipeline', () => {
  test.each(pipelineCases)('%j gives %j', (pipeline, expected) => {
    expect(aggregate(people, pipeline)).toEqual(expected);
  });

  test.each(pipelineErrors)('%p fails with %p', (pipeline, code) => {
    expect(codeOf(() => aggregate(people, pipeline))).toBe(code);
  });

  test('names what it refuses', () => {
    expect(messageOf(() => compilePipeline([{ $graphLookup: {} }]))).toMatch(
      /\$graphLookup.*not supported by the embedded store; set MONGODB_URI/,
    );
    expect(messageOf(() => compilePipeline([{ $project: { a: { $sin: 1 } } }]))).toMatch(/\$sin/);
  });

  test('hands over the part a query can do, and the fields the rest looks at', () => {
    const { prefix, reads } = compilePipeline([
      { $match: { a: 1 } },
      { $match: { b: 2 } },
      { $sort: { a: 1 } },
      { $skip: 3 },
      { $limit: 5 },
      { $match: { 'c.x': 1 } },
      { $unwind: '$d.e' },
      { $group: { _id: { f: '$f.g' }, n: { $sum: { $cond: ['$h', 1, 0] } } } },
      { $sort: { z: 1 } },
    ]);
    expect(prefix).toEqual({
      filter: { $and: [{ a: 1 }, { b: 2 }] },
      sort: { a: 1 },
      skip: 3,
      limit: 5,
    });
    expect([...reads].sort()).toEqual(['c', 'd', 'f', 'h']);
    expect(compilePipeline([{ $match: { a: 1 } }, { $limit: 1 }]).reads).toBe('nothing');
    expect(compilePipeline([{ $unwind: '$a' }]).reads).toBe('all');
    expect(compilePipeline([{ $group: { _id: '$$ROOT' } }]).reads).toBe('all');
  });

  test('keeps the order of stages a query would not', () => {
    expect(ids(aggregate(people, [{ $limit: 2 }, { $match: { _id: { $gt: 1 } } }]))).toEqual([2]);
    expect(ids(aggregate(people, [{ $skip: 1 }, { $sort: { _id: -1 } }, { $limit: 1 }]))).toEqual([
      4,
    ]);
  });

  test('stops at what it may hold in memory', () => {
    const { rest } = compilePipeline([{ $unwind: '$a' }, { $sort: { b: 1 } }]);
    const large = (function* documents(): Generator<Doc> {
      for (;;) yield { a: 1, b: 'x'.repeat(10_000_000) };
    })();
    expect(codeOf(() => [...rest(large)])).toBe(292);
    const { rest: grouping } = compilePipeline([{ $group: { _id: '$a' } }]);
    const distinct = (function* documents(): Generator<Doc> {
      for (let n = 0; ; n++) yield { a: String(n).padStart(1_000_000, 'x') };
    })();
    expect(codeOf(() => [...grouping(distinct)])).toBe(292);
  });

  test('sums doubles without losing the small ones, and integers exactly', () => {
    const sum = (values: unknown[]): unknown =>
      aggregate(
        values.map((v) => ({ v })),
        [{ $group: { _id: null, s: { $sum: '$v' } } }],
      )[0].s;
    expect(sum([1e100, 1, -1e100])).toEqual(new Double(1));
    expect(sum(Array.from({ length: 10 }, () => 0.1))).toEqual(new Double(1));
    expect(sum([Long.MAX_VALUE, -1])).toEqual(Long.MAX_VALUE.subtract(1));
    expect(sum([2 ** 31 - 1, 1])).toEqual(Long.fromNumber(2 ** 31));
    expect(sum([Long.MAX_VALUE, 1])).toBe(2 ** 63);
    expect(sum([1, 'x', null])).toBe(1);
    expect(sum([Infinity, 1])).toBe(Infinity);
    expect(sum([Infinity, -Infinity])).toBe(NaN);
  });

  test('groups binaries by their bytes and numbers by their value', () => {
    const groups = (values: unknown[]): number =>
      aggregate(
        values.map((v) => ({ v })),
        [{ $group: { _id: '$v' } }],
      ).length;
    expect(groups([new Binary(Buffer.from([255])), new Binary(Buffer.from([254]))])).toBe(2);
    expect(groups([1, Long.ONE, 1.5, '1'])).toBe(3);
    expect(
      groups([
        { a: 1, b: 2 },
        { b: 2, a: 1 },
        { a: Long.ONE, b: 2 },
      ]),
    ).toBe(2);
    expect(groups([null, undefined])).toBe(1);
  });

  test('counts and extremes of a group agree with plain code', () => {
    fc.assert(
      fc.property(fc.array(documents, { maxLength: 8 }), (docs) => {
        const result = aggregate(docs, [
          { $group: { _id: '$a', n: { $sum: 1 }, least: { $min: '$b' } } },
        ]);
        expect(result.reduce((sum, { n }) => sum + Number(n), 0)).toBe(docs.length);
        for (const { _id, least } of result) {
          const group = docs.filter(({ a = null }) => compareValues(a, _id) === 0);
          const values = group.map(({ b }) => b).filter((b) => b !== undefined && b !== null);
          expect(least).toEqual(values.length === 0 ? null : expect.anything());
          expect(values.every((value) => compareValues(least, value) <= 0)).toBe(true);
        }
      }),
    );
  });
});
