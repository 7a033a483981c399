import mongoose from 'mongoose';
import { buildSchema, getNamedType, isEnumType, isInputObjectType } from 'graphql';
import { describeApis } from '../../../src/app';
import { RUN_ERROR_CODES } from '../../../src/features/runs/run-error-codes';
import type { TestService } from '../../support/service/harness';
import { startService } from '../../support/service/harness';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const COUNT = 400;
const CODES = Object.keys(RUN_ERROR_CODES).slice(0, 40);
/** A selective condition for each filter. */
const CONDITIONS: Record<'workflows' | 'runs', Record<string, string>> = {
  workflows: {
    id: 'eq: "1010"',
    title: 'eq: "Copy 10"',
    createdAt: 'gte: "2026-01-01T00:06:30.000Z"',
    updatedAt: 'gte: "2026-01-01T00:06:30.000Z"',
    updatedBy: 'eq: "7"',
    test: 'eq: false',
    connector: 'eq: "7"',
    invoker: 'eq: "invoker 7"',
    secret: 'eq: "SECRET-7"',
    aggregator: 'eq: "7"',
    category: 'eq: "7"',
  },
  runs: {
    id: 'eq: "1010"',
    state: 'eq: QUEUED',
    workflow: 'eq: "1007"',
    schedule: 'eq: "7"',
    startedBy: 'eq: "7"',
    errorCode: `eq: ${CODES[7]}`,
    trigger: 'eq: WEBHOOK',
    test: 'eq: false',
    queuedAt: 'gte: "2026-01-01T00:06:30.000Z"',
    startedAt: 'gte: "2026-01-01T00:06:30.000Z"',
    finishedAt: 'gte: "2026-01-01T00:06:30.000Z"',
  },
};

let service: TestService;
let offered: Record<string, { orders: string[]; filters: string[] }>;
beforeAll(async () => {
  const query = buildSchema((await describeApis()).sdl).getQueryType();
  offered = Object.fromEntries(
    Object.keys(CONDITIONS).map((list) => {
      const named = (name: string) =>
        getNamedType(
          query?.getFields()[list]?.args.find((argument) => argument.name === name)?.type,
        );
      const [order, filter] = [named('orderBy'), named('filter')];
      if (!isInputObjectType(order) || !isInputObjectType(filter))
        throw new Error(`${list} has no order or filter.`);
      const field = getNamedType(order.getFields().field.type);
      return [
        list,
        {
          orders: isEnumType(field) ? field.getValues().map(({ name }) => name) : [],
          filters: Object.keys(filter.getFields()).filter(
            (name) => !['and', 'or', 'not'].includes(name),
          ),
        },
      ];
    }),
  );
  service = await startService();
  const id = await saved(service, workflow([]));
  await ended(service, await started(service, id));
  const connection = storeConnection();
  const [one, run] = await Promise.all([
    connection.collection<any>('workflows').findOne({ _id: id }),
    connection.collection<any>('runs').findOne({ workflowId: id }),
  ]);
  const at = (nth: number): Date => new Date(Date.UTC(2026, 0, 1, 0, 0, nth));
  await connection.collection<any>('workflows').insertMany(
    Array.from({ length: COUNT }, (_, nth) => ({
      ...one,
      _id: 1_000 + nth,
      title: `Copy ${nth}`,
      titleKey: `copy ${nth}`,
      createdAt: at(nth),
      updatedAt: at(nth),
      updatedBy: { userId: nth % 40, email: 'x' },
      test: nth % 10 === 9,
      connectorIds: [nth % 40, 1_000 + nth],
      invokers: [`invoker ${nth % 40}`, 'all'],
      invokerKeys: [`invoker ${nth % 40}`, 'all'],
      secrets: [`secret-${nth % 40}`],
      aggregatorIds: [nth % 40, 1_000 + nth],
      categoryId: nth % 40,
    })),
  );
  await connection.collection<any>('runs').insertMany(
    Array.from({ length: COUNT }, (_, nth) => ({
      ...run,
      _id: 1_000 + nth,
      workflowId: 1_000 + (nth % 40),
      scheduleId: nth % 40,
      startedBy: { userId: nth % 40, email: 'x' },
      trigger: nth % 40 === 7 ? 'WEBHOOK' : 'MANUAL',
      queuedAt: at(nth),
      startedAt: at(nth),
      finishedAt: at(nth),
      durationMs: nth % 90,
      state: 'SUCCEEDED',
      error: {
        ...run.error,
        step: null,
        index: null,
        attempt: 1,
        code: CODES[nth % 40],
        message: 'x',
      },
      test: nth % 10 === 9,
    })),
  );
});
afterAll(() => service.close());

/** The query plan of a page, and the number of documents it examines. */
async function planOf(
  list: string,
  args: string,
): Promise<{ stages: string; docs: number; nodes: number }> {
  const queries: { filter: any; options: any }[] = [];
  mongoose.set('debug', (collection: string, method: string, filter: unknown, options: unknown) => {
    if (collection === list && method === 'find') queries.push({ filter, options });
  });
  let nodes: unknown[];
  try {
    nodes = (await service.data(`{ ${list}(first: 5, ${args}) { nodes { __typename } } }`))[list]
      .nodes;
  } finally {
    mongoose.set('debug', false);
  }
  const [{ filter, options }] = queries;
  const plan: any = await storeConnection()
    .collection(list)
    .find(filter, { sort: options.sort, limit: 6 })
    .explain('executionStats');
  return {
    stages: JSON.stringify(plan.queryPlanner.winningPlan),
    docs: plan.executionStats.totalDocsExamined,
    nodes: nodes.length,
  };
}

describe.each(['workflows', 'runs'] as const)('the list of %s', (list) => {
  it('has an index for every order, with and without tests', async () => {
    for (const field of offered[list].orders) {
      for (const args of ['ASC', 'DESC'].flatMap((direction) =>
        [true, false].map(
          (tests) => `orderBy: { field: ${field}, direction: ${direction} }, includeTest: ${tests}`,
        ),
      )) {
        const { stages, docs, nodes } = await planOf(list, args);
        expect([args, /COLLSCAN|"SORT"/.exec(stages)?.[0] ?? 'indexed', docs <= 20, nodes]).toEqual(
          [args, 'indexed', true, 5],
        );
      }
    }
  });

  it('has an index for every filter in the default order', async () => {
    expect(Object.keys(CONDITIONS[list]).sort()).toEqual([...offered[list].filters].sort());
    for (const [field, condition] of Object.entries(CONDITIONS[list])) {
      const { stages, docs } = await planOf(list, `filter: { ${field}: { ${condition} } }`);
      expect([field, /COLLSCAN/.exec(stages)?.[0] ?? 'indexed', docs <= 25 ? 'few' : docs]).toEqual(
        [field, 'indexed', 'few'],
      );
    }
  });
});
