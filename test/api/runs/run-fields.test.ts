import mongoose from 'mongoose';
import type { TestService } from '../../support/service/harness';
import { startService } from '../../support/service/harness';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { remoteSystem } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeCalls, storeConnection } from '../../support/store/stored';
import { ended, runEvents, untilEvent } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

let service: TestService;
let remote: RemoteSystem;
let held: ((answer: RemoteAnswer) => void)[];
let editor: { readonly token: string };

beforeAll(async () => {
  held = [];
  remote = await remoteSystem(({ path }) =>
    path.startsWith('/held')
      ? new Promise((resolve) => held.push(resolve))
      : { body: { ok: true } },
  );
  service = await startService({
    env: { HYPHA_RUN_CONCURRENT: '1', HYPHA_WORKFLOW_VERSIONS_KEEP: '2' },
  });
  editor = await service.userWith(['CONNECTION:UPDATE']);
});
beforeEach(() => {
  remote.forget();
  held = [];
});
afterAll(async () => {
  for (const answer of held) answer({ body: {} });
  await service.close();
  await remote.close();
});

const fast = (): object => workflow([method('0', `${remote.url}/fast`)]);
const save = async (id: number): Promise<void> => {
  const workflowUpdate = await service.mutate(
    'workflowUpdate',
    { id: String(id), description: 'again' },
    'userErrors { code }',
  );
  expect(workflowUpdate.userErrors).toEqual([]);
};
const cancelled =
  'mutation($id: ID!) { runCancel(input: { id: $id }) { run { databaseId state durationMs events { nodes { sequence } } } userErrors { code } } }';
const EVENTS =
  'query($id: ID!, $after: Int, $first: Int) { run(id: $id) { events(afterSequence: $after, first: $first) { nodes { __typename sequence at runId ... on StepEvent { stepId index } ... on RunFinished { state durationMs } } } } }';
const eventsOf = async (id: number, after?: number | null, first?: number): Promise<any[]> =>
  (await service.field(EVENTS, { id, after, first })).events.nodes;
const codeOf = async (id: number, variables: object, token?: string): Promise<string | undefined> =>
  (await service.gql(EVENTS, { id, ...variables }, token)).errors?.[0]?.extensions.code;

/** Merges the events of a run into one batch, because their number depends on timing. */
async function inOneBatch(runId: number): Promise<any> {
  const all = await storeConnection()
    .collection<any>('run_event_batches')
    .find({ runId })
    .sort({ first: 1 })
    .toArray();
  return { ...all[0], last: all.at(-1).last, events: all.map(({ events }) => events).join('\n') };
}

describe('the duration of a run', () => {
  const DURATION = '{ run(id: $id) { state durationMs startedAt finishedAt } }';
  const durationOf = async (id: number): Promise<any> =>
    (await service.data(`query($id: ID!) ${DURATION}`, { id })).run;

  it('is null until the run ends', async () => {
    const id = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await remote.next();
    expect(await durationOf(id)).toMatchObject({ state: 'RUNNING', durationMs: null });
    held.shift()?.({ body: {} });
    const last = (
      await runEvents(
        service,
        id,
        0,
        'subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { ... on RunFinished { durationMs } } }',
      )
    ).at(-1);
    const run = await durationOf(id);
    expect(run.durationMs).toBe(last.durationMs);
    expect(run.durationMs).toBe(
      new Date(run.finishedAt).getTime() - new Date(run.startedAt).getTime(),
    );
  });

  it('is 0 for a run that was cancelled while queued', async () => {
    const blocker = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await remote.next();
    const waiting = await started(service, await saved(service, fast()));
    expect((await service.field(cancelled, { id: waiting })).run).toMatchObject({
      state: 'CANCELLED',
      durationMs: 0,
    });
    held.shift()?.({ body: {} });
    await ended(service, blocker);
  });

  it.each(['ASC', 'DESC'])('orders runs like their state, %s', async (direction) => {
    const list = async (field: string): Promise<any[]> =>
      (
        await service.field(
          `{ runs(first: 100, orderBy: { field: ${field}, direction: ${direction} }) { nodes { databaseId durationMs state } } }`,
        )
      ).nodes;
    const sorted = (runs: any[], key: string): any[] =>
      runs.toSorted(
        (a, b) =>
          (direction === 'ASC' ? 1 : -1) *
          ((a[key] ?? -1) < (b[key] ?? -1)
            ? -1
            : (a[key] ?? -1) > (b[key] ?? -1)
              ? 1
              : a.databaseId - b.databaseId),
      );
    for (const [field, key] of [
      ['DURATION', 'durationMs'],
      ['STATE', 'state'],
    ] as const) {
      const runs = await list(field);
      expect(runs.length).toBeGreaterThan(2);
      expect(runs).toEqual(sorted(runs, key));
    }
  });
});

describe('the version of a run', () => {
  const VERSION =
    'query($id: ID!) { run(id: $id) { workflowVersion { number snapshotId steps { __typename } } } }';
  const versionOf = async (id: number): Promise<any> =>
    (await service.field(VERSION, { id })).workflowVersion;

  it('stays the executed one after later saves, until it is pruned', async () => {
    const id = await saved(service, fast());
    const first = await started(service, id);
    await ended(service, first);
    await save(id);
    const second = await started(service, id);
    await ended(service, second);
    expect([(await versionOf(first)).number, (await versionOf(second)).number]).toEqual([1, 2]);
    expect((await versionOf(first)).steps).toEqual([{ __typename: 'MethodStep' }]);
    await save(id);
    expect([await versionOf(first), (await versionOf(second)).number]).toEqual([null, 2]);
    await service.api('DELETE', `/api/connection/${id}`);
    expect(await versionOf(second)).toBeNull();
  });

  it('is null for the test of an unsaved workflow', async () => {
    const {
      body: { runId },
    } = await service.api('POST', '/api/connection/execution/test', {
      body: workflow([method('0', `${remote.url}/held`)]),
    });
    await remote.next();
    expect(await versionOf(runId)).toBeNull();
    held.shift()?.({ body: {} });
    await ended(service, runId);
    expect(await versionOf(runId)).toBeNull();
  });
});

describe('the events of a run', () => {
  it('are paged and equal to those of a subscription', async () => {
    const id = await started(
      service,
      await saved(
        service,
        workflow(
          [method('0', `${remote.url}/a`), method('1_0', `${remote.url}/b`)],
          [{ index: '1', type: 'loop', iterator: 'i', expression: 'For([1,2,3,4,5,6,7,8])' }],
        ),
      ),
    );
    const followed = (await runEvents(service, id)).map(({ __typename, sequence, at, runId }) => ({
      __typename,
      sequence,
      at,
      runId,
    }));
    const read: any[] = [];
    for (
      let page = await eventsOf(id, 0, 7);
      page.length > 0;
      page = await eventsOf(id, read.at(-1).sequence, 7)
    ) {
      expect(page.length).toBeLessThanOrEqual(7);
      read.push(...page);
    }
    expect(
      read.map(({ __typename, sequence, at, runId }) => ({ __typename, sequence, at, runId })),
    ).toEqual(followed);
    expect(read.length).toBeGreaterThan(20);
    expect(await eventsOf(id)).toEqual(read.slice(0, 20));
    expect(await eventsOf(id, null, 100)).toEqual(read);
    expect(await eventsOf(id, read.length + 5)).toEqual([]);
  });

  it('are a connection: by cursor, by sequence, and with their number', async () => {
    const id = await started(service, await saved(service, fast()));
    const running = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await ended(service, id);
    const page = (more: string, runId = id): Promise<any> =>
      service.data(
        `{ run(id: "${runId}") { events(${more}) { edges { cursor node { sequence } } totalCount pageInfo { hasNextPage hasPreviousPage startCursor endCursor } } } }`,
      );
    const first = (await page('first: 3')).run.events;
    const [start, , end] = first.edges.map(({ cursor }: any) => cursor);
    expect(first).toEqual({
      edges: [1, 2, 3].map((sequence) => ({ cursor: expect.any(String), node: { sequence } })),
      totalCount: 4,
      pageInfo: { hasNextPage: true, hasPreviousPage: false, startCursor: start, endCursor: end },
    });
    const rest = {
      edges: [{ cursor: expect.any(String), node: { sequence: 4 } }],
      totalCount: 4,
      pageInfo: { hasNextPage: false, hasPreviousPage: true },
    };
    for (const more of [
      `after: "${end}"`,
      'afterSequence: 3',
      `after: "${start}", afterSequence: 3`,
    ])
      expect((await page(more)).run.events).toMatchObject(rest);
    await remote.next();
    await untilEvent(service, running, 'StepStarted');
    expect((await page('first: 1', running)).run.events.totalCount).toBe(2);
    await expect(page(`after: "${end}"`, running)).rejects.toThrow('this one is of another');
    held.shift()?.({ body: {} });
    await ended(service, running);
  });

  it('are available as far as they are stored while the run is running', async () => {
    const id = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await untilEvent(service, id, 'StepStarted');
    expect((await eventsOf(id)).map(({ __typename }) => __typename)).toEqual([
      'RunStarted',
      'StepStarted',
    ]);
    await remote.next();
    expect(await eventsOf(id, 2)).toEqual([]);
    held.shift()?.({ body: {} });
    await ended(service, id);
    expect((await eventsOf(id, 2)).map(({ __typename }) => __typename)).toEqual([
      'StepFinished',
      'RunFinished',
    ]);
  });

  it.each([[{ first: 0 }], [{ first: 101 }], [{ after: -1 }]])('reject %j', async (variables) => {
    const id = await started(service, await saved(service, fast()));
    await ended(service, id);
    expect(await codeOf(id, variables)).toBe('BAD_USER_INPUT');
  });

  it('return an error after their retention, as in a subscription', async () => {
    const id = await started(service, await saved(service, fast()));
    await ended(service, id);
    // Simulates that the first two were stored separately and are already removed.
    const batches = storeConnection().collection<any>('run_event_batches');
    const { events, ...rest } = await inOneBatch(id);
    await batches.deleteMany({ runId: id });
    await batches.insertOne({
      ...rest,
      _id: `${id}/3`,
      first: 3,
      events: events.split('\n').slice(2).join('\n'),
    });
    const failureOf = async (work: Promise<unknown>): Promise<unknown> =>
      work.catch(({ code, reason }: { code: unknown; reason: unknown }) => ({ code, reason }));
    const { errors } = await service.gql(EVENTS, { id });
    expect(errors?.[0]?.extensions).toMatchObject(
      (await failureOf(runEvents(service, id))) as object,
    );
    expect(JSON.stringify(errors)).toContain('RUN_LOG_GONE');
    expect((await eventsOf(id, 2)).map(({ sequence }) => sequence)).toEqual([3, 4]);
  });

  it('return an error if earlier ones are removed while the run is running', async () => {
    const id = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await untilEvent(service, id, 'StepStarted');
    const batches = storeConnection().collection<any>('run_event_batches');
    const one = await inOneBatch(id);
    await batches.deleteMany({ runId: id });
    await batches.insertOne({
      ...one,
      _id: `${id}/3001`,
      first: 3_001,
      last: 3_001,
      events: one.events.split('\n')[0],
    });
    expect(JSON.stringify((await service.gql(EVENTS, { id })).errors)).toContain('RUN_LOG_GONE');
    await expect(runEvents(service, id)).rejects.toMatchObject({ reason: 'RUN_LOG_GONE' });
    await batches.deleteMany({ runId: id });
    await batches.insertOne(one);
    held.shift()?.({ body: {} });
    await ended(service, id);
  });

  it('of a long log are read by page without scanning the rest', async () => {
    const id = await started(service, await saved(service, fast()));
    await ended(service, id);
    const batches = storeConnection().collection<any>('run_event_batches');
    const one = await batches.findOne({ runId: id });
    const [line] = one.events.split('\n');
    await batches.insertMany(
      Array.from({ length: 1_000 }, (_, nth) => ({
        ...one,
        _id: `${id}/${10 + nth * 3}`,
        first: 10 + nth * 3,
        last: 12 + nth * 3,
        events: [line, line, line].join('\n'),
      })),
    );
    const filters: any[] = [];
    mongoose.set('debug', (name: string, method: string, query: any) => {
      if (name === 'run_event_batches')
        filters.push(method === 'aggregate' ? query[0].$match : query);
    });
    expect((await eventsOf(id, 1_500)).map(({ sequence }) => sequence).slice(0, 3)).toEqual([
      1_501, 1_502, 1_503,
    ]);
    mongoose.set('debug', false);
    expect(filters.length).toBeGreaterThan(0);
    for (const filter of filters) {
      const { executionStats } = (await batches
        .find(filter)
        .sort({ last: 1 })
        .explain('executionStats')) as any;
      expect(executionStats.totalDocsExamined).toBeLessThan(300);
    }
  });

  it('require the permission to read the run, not to cancel it', async () => {
    const id = await started(
      service,
      await saved(service, workflow([method('0', `${remote.url}/held`)])),
    );
    await remote.next();
    const { data, errors } = await service.gql(cancelled, { id }, editor.token);
    expect(data?.runCancel?.run?.events).toBeUndefined();
    expect(JSON.stringify(errors)).toContain('FORBIDDEN');
    held.shift()?.({ body: {} });
    await ended(service, id);
  });

  longIt('of many runs are read at once, each with its own, also for a repeated run', async () => {
    const ids: number[] = [];
    for (let nth = 0; nth < 3; nth += 1) {
      ids.push(await started(service, await saved(service, fast())));
      await ended(service, ids[nth]);
    }
    const one = (more: string): string =>
      `{ runs(filter: { id: { in: [${ids.map((id) => `"${id}"`).join(', ')}] } }) { nodes { databaseId ${more} } } }`;
    const twice =
      'events(first: 2) { nodes { sequence runId } } workflow { lastRun { events(first: 2) { nodes { sequence runId } } } runs { nodes { events(first: 2) { nodes { sequence runId } } } } }';
    const { runs } = await service.data(one(twice));
    expect(runs.nodes).toHaveLength(3);
    for (const {
      databaseId,
      events,
      workflow: { lastRun, runs: below },
    } of runs.nodes) {
      const runId = Buffer.from(`Run:${databaseId}`).toString('base64url');
      expect([events, lastRun.events, ...below.nodes.map((node: any) => node.events)]).toEqual(
        Array(3).fill({
          nodes: [
            { sequence: 1, runId },
            { sequence: 2, runId },
          ],
        }),
      );
    }
    const calls = (
      await storeCalls(() => service.data(one('events(first: 2) { nodes { sequence } }')))
    ).filter((call) => call.startsWith('run_event'));
    expect(calls).toEqual(['run_event_batches.aggregate']);
  });
});
