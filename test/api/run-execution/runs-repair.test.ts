import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended, socketOf } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise((resolve) => {
        letGo = () => resolve({});
      })
    : { status },
);
let status = 418;
let letGo: () => void = () => undefined;
beforeEach(() => {
  status = 418;
  remote.forget();
});

const calling = (path: string): Promise<number> =>
  saved(service, workflow([method('0', `${remote.url}${path}`)]));
const failed = async (workflowId: number, logging = false): Promise<number> => {
  const runId = await started(service, workflowId, logging);
  expect(await ended(service, runId)).toMatchObject({ state: 'FAILED' });
  return runId;
};
const paths = (): string[] => remote.received.map(({ path }) => path);
const RETRY =
  'mutation($id: ID!) { runRetry(input: { id: $id }) { run { databaseId state trigger logging test retryOf { databaseId } startedBy { userId } } userErrors { code path } } }';
const retry = (id: number): Promise<any> => service.field(RETRY, { id });
const retryOverRest = (id: number, token?: string) =>
  service.api('POST', `/api/execution/${id}/retry`, { token });

async function retryAll(filter: object): Promise<any> {
  const { job, userErrors } = await service.mutate(
    'runsRetry',
    { filter },
    'job { databaseId kind } userErrors { code path }',
  );
  expect([job.kind, userErrors]).toEqual(['RUNS_RETRY', []]);
  return resultOf(job.databaseId);
}
async function resultOf(jobId: number): Promise<any> {
  const client = socketOf(service);
  let last: any;
  for await (const { data } of client.iterate<any>({
    query:
      'subscription($id: ID!) { jobProgress(jobId: $id) { state percent result error { code message } } }',
    variables: { id: jobId },
  }))
    last = data?.jobProgress;
  await client.dispose();
  expect(last).toMatchObject({ state: 'SUCCEEDED', percent: 100, error: null });
  return last.result;
}

describe('runRetry', () => {
  it('runs the version of the original run and links every retry to the original', async () => {
    const workflowId = await calling('/first');
    const first = await failed(workflowId, true);
    await service.api('PUT', `/api/connection/${workflowId}`, {
      body: workflow([method('0', `${remote.url}/second`)]),
    });
    const { run, userErrors } = await retry(first);
    expect([run, userErrors]).toEqual([
      {
        databaseId: expect.any(Number),
        state: 'QUEUED',
        trigger: 'RETRY',
        logging: true,
        test: false,
        retryOf: { databaseId: first },
        startedBy: { userId: 1 },
      },
      [],
    ]);
    expect(await ended(service, run.databaseId)).toMatchObject({ state: 'FAILED' });
    status = 200;
    const { status: accepted, body, headers } = await retryOverRest(run.databaseId);
    expect([accepted, headers.get('location'), body]).toEqual([
      202,
      `${service.url}/api/execution/${body.executionId}`,
      expect.objectContaining({ trigger: 'RETRY', retryOf: first, connectionId: workflowId }),
    ]);
    expect(await ended(service, body.executionId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(paths()).toEqual(['/first', '/first', '/first']);
    const data = await service.data(
      `query($ids: [ID!]!, $id: ID!) { nodes(ids: $ids) { ... on Run { databaseId retryOf { databaseId } retries(first: 1) { totalCount nodes { databaseId } } } }
      workflow(id: $id) { lastRun { databaseId } runs { totalCount } } }`,
      {
        ids: await Promise.all(
          [first, run.databaseId].map(
            async (id) =>
              (await service.field('query($id: ID!) { run(id: $id) { id } }', { id })).id,
          ),
        ),
        id: workflowId,
      },
    );
    expect(data.nodes).toEqual([
      {
        databaseId: first,
        retryOf: null,
        retries: { totalCount: 2, nodes: [{ databaseId: body.executionId }] },
      },
      {
        databaseId: run.databaseId,
        retryOf: { databaseId: first },
        retries: { totalCount: 0, nodes: [] },
      },
    ]);
    expect(data.workflow).toEqual({
      lastRun: { databaseId: body.executionId },
      runs: { totalCount: 3 },
    });
    const auditEvents = await service.field(
      '{ auditEvents(first: 1, filter: { action: { eq: RUN_START } }) { nodes { after } } }',
    );
    expect(auditEvents.nodes[0].after).toMatchObject({ workflowId, retryOf: first });
  });

  it('retries a successful run', async () => {
    status = 200;
    const runId = await started(service, await calling('/well'));
    await ended(service, runId);
    expect(await ended(service, (await retry(runId)).run.databaseId)).toMatchObject({
      state: 'SUCCEEDED',
    });
    expect(paths()).toEqual(['/well', '/well']);
  });

  it('rejects a running, an unknown and a removed run', async () => {
    const workflowId = await calling('/held');
    const runId = await started(service, workflowId);
    await remote.next();
    expect(await retry(runId)).toEqual({
      run: null,
      userErrors: [{ code: 'EXECUTION_NOT_FINISHED', path: ['id'] }],
    });
    letGo();
    await ended(service, runId);
    expect(await retry(987_654)).toEqual({
      run: null,
      userErrors: [{ code: 'EXECUTION_NOT_FOUND', path: ['id'] }],
    });
    await service.api('DELETE', `/api/connection/${workflowId}`);
    expect(await retry(runId)).toEqual({
      run: null,
      userErrors: [{ code: 'RUN_NOT_REPEATABLE', path: ['id'] }],
    });
    // Earlier versions removed the snapshot when the run ended.
    const old = await failed(await calling('/old'));
    await storeConnection()
      .collection<any>('runs')
      .updateOne({ _id: old }, { $set: { 'content.id': '0'.repeat(24) } });
    expect((await retryOverRest(old)).body).toMatchObject({ message: 'RUN_NOT_REPEATABLE' });
    const sealed = await failed(await calling('/sealed'));
    await storeConnection()
      .collection<any>('runs')
      .updateOne({ _id: sealed }, { $set: { hasParameters: true } });
    expect((await retryOverRest(sealed)).status).toBe(410);
    expect(paths()).toEqual(['/held', '/old', '/sealed']);
  });

  it('retries a test as a test of a saved workflow', async () => {
    const workflowId = await calling('/tested');
    const start =
      'mutation($input: TestRunStartInput!) { testRunStart(input: $input) { run { databaseId } } }';
    const { run } = await service.field(start, { input: { workflowId: String(workflowId) } });
    await ended(service, run.databaseId);
    const again = (await retry(run.databaseId)).run;
    expect(again).toMatchObject({
      test: true,
      trigger: 'TEST',
      retryOf: { databaseId: run.databaseId },
    });
    await ended(service, again.databaseId);
    const { run: unsaved } = await service.field(start, {
      input: { workflow: { title: 'Not saved' } },
    });
    await ended(service, unsaved.databaseId);
    expect(await retry(unsaved.databaseId)).toMatchObject({
      run: null,
      userErrors: [{ code: 'RUN_NOT_REPEATABLE' }],
    });
    const other = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
    expect((await retryOverRest(run.databaseId, other.token)).status).toBe(404);
  });
});

describe('runsRetry', () => {
  it('retries failed runs without a later success, once each and oldest first', async () => {
    const [workflowId, other] = [await calling('/many'), await calling('/other')];
    const runIds = [await failed(workflowId), await failed(workflowId), await failed(workflowId)];
    const runOfDeleted = await failed(other);
    await service.api('DELETE', `/api/connection/${other}`);
    const again = (await retry(runIds[0])).run.databaseId;
    await ended(service, again);
    status = 200;
    await ended(service, await started(service, workflowId));
    const mended = (await retry(runIds[1])).run.databaseId;
    await ended(service, mended);
    const filter = { workflow: { in: [String(workflowId), String(other)] } };
    const result = await retryAll(filter);
    expect(result).toEqual({
      runIds: [expect.any(Number), expect.any(Number)],
      notRepeatable: [runOfDeleted],
      more: false,
    });
    const retried = await Promise.all(
      result.runIds.map(async (id: number) => [
        (await ended(service, id)).state,
        (await service.api('GET', `/api/execution/${id}`)).body.retryOf,
      ]),
    );
    expect(retried).toEqual([
      ['SUCCEEDED', runIds[0]],
      ['SUCCEEDED', runIds[2]],
    ]);
    expect(await retryAll(filter)).toEqual({
      runIds: [],
      notRepeatable: [runOfDeleted],
      more: false,
    });
  });

  longIt('skips any number of runs that can no longer be retried', async () => {
    const [workflowId, other] = [await calling('/behind'), await calling('/before')];
    const runOfDeleted = await failed(other);
    const runs = storeConnection().collection<any>('runs');
    const record = await runs.findOne<any>({ _id: runOfDeleted });
    await runs.insertMany(
      Array.from({ length: 1_200 }, (_, nth) => ({ ...record, _id: 400_000 + nth })),
    );
    await service.api('DELETE', `/api/connection/${other}`);
    const runId = await failed(workflowId);
    const sealed = await failed(workflowId);
    await runs.updateOne({ _id: sealed }, { $set: { hasParameters: true } });
    status = 200;
    const { runIds, notRepeatable, more } = await retryAll({
      workflow: { in: [String(workflowId), String(other)] },
    });
    expect([runIds.length, notRepeatable.length, notRepeatable[0], more]).toEqual([
      1,
      1_000,
      runOfDeleted,
      false,
    ]);
    expect((await service.api('GET', `/api/execution/${runIds[0]}`)).body.retryOf).toBe(runId);
    expect(await ended(service, runIds[0])).toMatchObject({ state: 'SUCCEEDED' });
    await runs.deleteMany({ _id: { $gte: 400_000, $lt: 401_200 } });
    expect(
      (await retryAll({ workflow: { in: [String(workflowId), String(other)] } })).notRepeatable,
    ).toEqual([runOfDeleted, sealed]);
  });

  it('is available over REST', async () => {
    const workflowId = await calling('/rest');
    const [one, other] = [await failed(workflowId), await failed(workflowId)];
    status = 200;
    const ask = (body: unknown, token?: string) =>
      service.api('POST', '/api/execution/retry', { body, token });
    const {
      status: accepted,
      body,
      headers,
    } = await ask({
      executionIds: [one, String(other)],
      connectionIds: [workflowId],
      codes: ['HTTP_STATUS_ERROR'],
      from: 0,
      until: Date.now() + 60_000,
    });
    expect([accepted, headers.get('location')]).toEqual([
      202,
      `${service.url}/api/job/${body.jobId}`,
    ]);
    const { runIds } = await resultOf(body.jobId);
    expect(
      await Promise.all(runIds.map(async (id: number) => (await ended(service, id)).state)),
    ).toEqual(['SUCCEEDED', 'SUCCEEDED']);
    for (const bad of [
      null,
      [],
      { codes: ['NONE'] },
      { executionIds: 'x' },
      { from: 1e300 },
      {},
      { executionIds: null },
      { connectionId: [workflowId] },
      { codes: ['HTTP_STATUS_ERROR'], code: 'x' },
      { connectionIds: Array.from({ length: 101 }, () => 1) },
    ])
      expect((await ask(bad)).status).toBe(400);
    expect((await ask({}, (await service.userWith(['CONNECTION:READ'])).token)).status).toBe(403);
    // An unset GraphQL variable is no condition.
    const runsRetry = await service.field(
      'mutation($id: ID) { runsRetry(input: { filter: { workflow: { eq: $id }, and: [{}] } }) { job { id } userErrors { code path } } }',
    );
    expect(runsRetry).toEqual({
      job: null,
      userErrors: [{ code: 'BAD_REQUEST', path: ['filter'] }],
    });
  });

  longIt('retries more runs than one user may queue and leaves room for others', async () => {
    const workflowId = await calling('/full');
    const model = await failed(workflowId);
    const runs = storeConnection().collection<any>('runs');
    const record = await runs.findOne<any>({ _id: model });
    await runs.insertMany(
      Array.from({ length: 1_000 }, (_, nth) => ({ ...record, _id: 500_000 + nth })),
    );
    await storeConnection()
      .collection<any>('workflow_versions')
      .updateOne({ 'content.id': record.content.id }, { $inc: { kept: 1_000 } });
    status = 200;
    const result = await retryAll({ workflow: { eq: String(workflowId) } });
    expect([result.runIds.length, result.more]).toEqual([1_000, true]);
    const other = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
    expect(
      await service.status('POST', `/api/connection/${workflowId}/execution`, {
        token: other.token,
      }),
    ).toBe(202);
    expect(await runs.countDocuments({ retryOf: { $gt: 0 }, workflowId })).toBe(1_000);
  });
});
