import { expressionCases, expressionErrors, people, pipelineCases, pipelineErrors, teams } from '../support/aggregate-cases';
import { filterErrors, matchCases } from '../support/match-cases';
import { compareSort } from '../support/order-cases';
import { positionalCases, projectionCases, projectionErrors } from '../support/project-cases';
import { applyErrors, compileErrors, now, updateCases } from '../support/update-cases';
import { asDriverReads, other } from './case';
import type { MatrixCase, Row, Stage } from './case';

/** Codes that are certain; MongoDB changed others between releases. */
const sureCodes = new Set([115, 2, 9, 31253, 31254, 31249, 31250, 31276, 31394, 31275, 15998, 40353, 40352, 16410, 16020, 16702, 17124, 40081, 40066, 28689, 16610, 17276, 15983,
  40324, 15959, 15973, 15976, 15958, 5107201, 5107200, 40323, 51272, 15969, 15947, 15955, 40234, 40235, 40237, 40238, 28818, 28812, 15981, 40228, 40231, 40169, 40600]);

/** The tables the semantics are tested by, asked of a server. */
export const semanticsCases: readonly MatrixCase[] = [
  ...matchCases.map(({ filter, yes = [], no = [] }) => found(filter, [...yes], [...no])),
  ...filterErrors.filter(([filter]) => !JSON.stringify(filter, (_key, value: unknown) => (value === undefined ? '#undefined' : value)).includes('#undefined'))
    .map(([filter, code]) => rejected(`find ${text(filter)}`, code, [{ _id: 1 }], ({ c }) => c.find(filter).toArray())),
  ...compareSort.map(({ name, sort, docs }): MatrixCase => {
    const seed = docs.map((doc, index) => ({ _id: docs.length - index, ...doc }));
    return { name: `sort ${name}`, seed: seed.toReversed(), run: ({ c }) => c.find().sort(sort as Record<string, 1 | -1>).toArray(), expected: seed };
  }),
  ...projectionCases.map(([projection, doc, expected]): MatrixCase => (
    { name: `project ${text(projection)} of ${text(doc)}`, seed: [doc], run: ({ c }) => c.findOne({}, { projection }), expected })),
  ...positionalCases.map(([projection, filter, doc, expected]): MatrixCase => (
    { name: `project ${text(projection)} where ${text(filter)}`, seed: [doc], run: ({ c }) => c.findOne(filter, { projection }), expected })),
  ...projectionErrors.filter(([, code]) => sureCodes.has(code)).map(([projection, code]) =>
    rejected(`project ${text(projection)}`, code, [{ _id: 1 }], ({ c }) => c.findOne({}, { projection }))),
  ...updateCases.filter(([, , , options = {}]) => options.position === undefined && options.inserting === undefined)
    .map(([doc, update, expected, options = {}]): MatrixCase => ({
      name: `update ${text(doc)} by ${text(update)}`,
      seed: [{ _id: 1, ...doc }],
      run: async ({ c }) => {
        await change(c, update, options.arrayFilters);
        return withoutClock(await c.findOne());
      },
      expected: withoutClock({ _id: 1, ...expected }),
    })),
  ...compileErrors.filter(([update, , options]) => !Array.isArray(update) && !(options?.arrayFilters !== undefined && !isOperators(update)) && !('_id' in update))
    .filter(([update]) => !hasUndefined(update))
    .map(([update, code, options]) => rejected(`update by ${text(update)} ${text(options ?? {})}`, code, [{ _id: 1 }], ({ c }) => change(c, update as Row, options?.arrayFilters))),
  ...applyErrors.filter(([, , , options]) => options?.inserting === undefined && options?.position === undefined).map(([doc, update, code, options]) =>
    rejected(`update ${text(doc)} by ${text(update)}`, code, [{ _id: 1, ...doc }], ({ c }) => change(c, update, options?.arrayFilters))),
  ...expressionCases.map(([expression, expected, doc = {}]): MatrixCase => ({
    name: `evaluate ${text(expression)} of ${text(doc)}`,
    seed: [{ _id: 1, ...doc }],
    run: async ({ c }) => (await c.aggregate([{ $project: { _id: 0, value: expression } }]).toArray())[0].value,
    expected,
  })),
  ...expressionErrors.filter(([, code]) => sureCodes.has(code)).map(([expression, code, doc = {}]) => rejected(`evaluate ${text(expression)}`, code, [{ _id: 1, ...doc }],
    ({ c }) => c.aggregate([{ $project: { value: expression } }]).toArray())),
  ...pipelineCases.map(([pipeline, expected]): MatrixCase => ({
    name: `aggregate ${text(pipeline)}`,
    seed: people,
    other: teams,
    run: (stage) => stage.c.aggregate(withOther(stage, pipeline)).toArray(),
    expected,
  })),
  ...pipelineErrors.filter(([, code]) => sureCodes.has(code)).map(([pipeline, code]) =>
    rejected(`aggregate ${text(pipeline)}`, code, people, ({ c }) => c.aggregate(pipeline).toArray())),
];

function found(filter: Row, yes: Row[], no: Row[]): MatrixCase {
  const seed = [...yes, ...no].map((doc, index) => ({ _id: index, ...doc }));
  return {
    name: `find ${text(filter)}`,
    seed,
    run: async ({ c }) => (await c.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    expected: yes.map((_doc, index) => index),
  };
}

function rejected(name: string, code: number, seed: readonly Row[], run: MatrixCase['run']): MatrixCase {
  return { name: `${name} fails`, seed, run, expected: code, fails: true, ...(code === 115 ? { oursOnly: true } : {}) };
}

function isOperators(update: object): boolean {
  return (Object.keys(update)[0] ?? '').startsWith('$');
}

async function change(c: Stage['c'], update: Row, arrayFilters?: Row[]): Promise<unknown> {
  return isOperators(update) ? c.updateOne({}, update, { arrayFilters }) : c.replaceOne({}, update);
}

function hasUndefined(value: unknown): boolean {
  return value === undefined || (typeof value === 'object' && value !== null && Object.values(value).some(hasUndefined));
}

/** `$currentDate` is tested by type. */
function withoutClock(doc: Row | null): unknown {
  const read = asDriverReads(doc) as Row;
  return Object.fromEntries(Object.entries(read).map(([key, value]) =>
    [key, value instanceof Date && value.getTime() >= Math.min(now.getTime(), Date.now()) - 60_000 ? 'now' : value]));
}

/** `teams` is the other collection of the case. */
function withOther(stage: Stage, pipeline: readonly Row[]): Row[] {
  const { collectionName } = other(stage);
  return pipeline.map((part) => ('$lookup' in part ? { $lookup: { ...(part.$lookup as Row), from: collectionName } } : part));
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) => (inner instanceof RegExp ? String(inner) : inner));
}
