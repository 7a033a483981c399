import { filterErrors, matchCases } from '../support/match-cases';
import { compareSort } from '../support/order-cases';
import { people, pipelineCases, pipelineErrors } from '../support/pipeline-cases';
import { projectionCases, projectionErrors } from '../support/project-cases';
import { applyErrors, compileErrors, updateCases } from '../support/update-cases';

import type { MatrixCase, Row, Stage } from './case';

/** Stable codes; MongoDB changed others between releases. */
const sureCodes = new Set([
  115, 2, 9, 31253, 31254, 31249, 31250, 15998, 40353, 40352, 16410, 40324, 15959, 15973, 15976,
  15958, 5107201, 5107200, 40323, 15947, 15955,
]);

/** The tables of the semantics tests, run against a server. */
export const semanticsCases: readonly MatrixCase[] = [
  ...matchCases.map(({ filter, yes = [], no = [] }) => findCase(filter, [...yes], [...no])),
  ...filterErrors
    .filter(
      ([filter]) =>
        !JSON.stringify(filter, (_key, value: unknown) =>
          value === undefined ? '#undefined' : value,
        ).includes('#undefined'),
    )
    .map(([filter, code]) =>
      rejected(`find ${text(filter)}`, code, [{ _id: 1 }], ({ c }) => c.find(filter).toArray()),
    ),
  ...compareSort.map(({ name, sort, docs }): MatrixCase => {
    const seed = docs.map((doc, index) => ({ _id: docs.length - index, ...doc }));
    return {
      name: `sort ${name}`,
      seed: seed.toReversed(),
      run: ({ c }) =>
        c
          .find()
          .sort(sort as Record<string, 1 | -1>)
          .toArray(),
      expected: seed,
    };
  }),
  ...projectionCases.map(([projection, doc, expected]): MatrixCase => ({
    name: `project ${text(projection)} of ${text(doc)}`,
    seed: [doc],
    run: ({ c }) => c.findOne({}, { projection }),
    expected,
  })),
  ...projectionErrors
    .filter(([, code]) => sureCodes.has(code))
    .map(([projection, code]) =>
      rejected(`project ${text(projection)}`, code, [{ _id: 1 }], ({ c }) =>
        c.findOne({}, { projection }),
      ),
    ),
  ...updateCases
    .filter(([, , , options = {}]) => options.inserting === undefined)
    .map(([doc, update, expected]): MatrixCase => ({
      name: `update ${text(doc)} by ${text(update)}`,
      seed: [{ _id: 1, ...doc }],
      run: async ({ c }) => {
        await change(c, update);
        return c.findOne();
      },
      expected: { _id: 1, ...expected },
    })),
  ...compileErrors
    .filter(([update]) => !Array.isArray(update) && !('_id' in update) && !hasUndefined(update))
    .map(([update, code]) =>
      rejected(`update by ${text(update)}`, code, [{ _id: 1 }], ({ c }) =>
        change(c, update as Row),
      ),
    ),
  ...applyErrors
    .filter(([, , , options]) => options?.inserting === undefined)
    .map(([doc, update, code]) =>
      rejected(`update ${text(doc)} by ${text(update)}`, code, [{ _id: 1, ...doc }], ({ c }) =>
        change(c, update),
      ),
    ),
  ...pipelineCases.map(([pipeline, expected]): MatrixCase => ({
    name: `aggregate ${text(pipeline)}`,
    seed: people,
    run: ({ c }) => c.aggregate(pipeline).toArray(),
    expected,
  })),
  ...pipelineErrors
    .filter(([, code]) => sureCodes.has(code))
    .map(([pipeline, code]) =>
      rejected(`aggregate ${text(pipeline)}`, code, people, ({ c }) =>
        c.aggregate(pipeline).toArray(),
      ),
    ),
];

function findCase(filter: Row, yes: Row[], no: Row[]): MatrixCase {
  const seed = [...yes, ...no].map((doc, index) => ({ _id: index, ...doc }));
  return {
    name: `find ${text(filter)}`,
    seed,
    run: async ({ c }) => (await c.find(filter).sort({ _id: 1 }).toArray()).map(({ _id }) => _id),
    expected: yes.map((_doc, index) => index),
  };
}

function rejected(
  name: string,
  code: number,
  seed: readonly Row[],
  run: MatrixCase['run'],
): MatrixCase {
  return {
    name: `${name} fails`,
    seed,
    run,
    expected: code,
    fails: true,
    ...(code === 115 ? { oursOnly: true } : {}),
  };
}

function isOperators(update: object): boolean {
  return (Object.keys(update)[0] ?? '').startsWith('$');
}

async function change(c: Stage['c'], update: Row): Promise<unknown> {
  return isOperators(update) ? c.updateOne({}, update) : c.replaceOne({}, update);
}

function hasUndefined(value: unknown): boolean {
  return (
    value === undefined ||
    (typeof value === 'object' && value !== null && Object.values(value).some(hasUndefined))
  );
}

function text(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    inner instanceof RegExp ? String(inner) : inner,
  );
}
