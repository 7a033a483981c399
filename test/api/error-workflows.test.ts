import { startService, unique } from '../support/harness';
import type { TestService } from '../support/harness';
import type { RemoteSystem } from '../support/remote-system';
import { remoteSystem } from '../support/remote-system';
import { longIt } from '../support/long';
import { storeConnection } from '../support/stored';
import { ended } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

/* A workflow whose remote system refuses names another one, which tells a third system what it was started with. */

let service: TestService;
let remote: RemoteSystem;
beforeAll(async () => {
  remote = await remoteSystem(({ path }) =>
    path === '/held'
      ? new Promise(() => undefined)
      : { status: path.startsWith('/fail') ? 418 : 200 },
  );
  service = await startService();
});
beforeEach(() => remote.forget());
afterAll(async () => {
  await service.close();
  await remote.close();
});

const FACTS = {
  workflow: '${workflow:integer}',
  title: '${title}',
  run: '${run:integer}',
  step: '${step}',
  code: '${code}',
  message: '${message}',
};
const calling = (path: string): Promise<number> =>
  saved(service, workflow([method('0', `${remote.url}${path}`)]));
const telling = (path = '/told'): Promise<number> =>
  saved(
    service,
    workflow([
      method('0', `${remote.url}${path}`, {
        request: {
          endpoint: `${remote.url}${path}`,
          method: 'POST',
          header: {},
          body: { type: 'object', format: 'json', data: 'raw', fields: FACTS },
        },
      }),
    ]),
  );
const SET =
  'mutation($of: ID!, $named: ID) { errorWorkflowSet(input: { workflowId: $of, errorWorkflowId: $named }) { workflow { errorWorkflow { databaseId } } userErrors { code path } } }';
const name = async (of: number, named: number | null): Promise<any> =>
  (await service.data(SET, { of, named })).errorWorkflowSet;
const named = async (of: number): Promise<any> =>
  (await service.api('GET', `/api/connection/${of}/error-workflow`)).body.connectionId;
const RUN =
  'query($id: ID!) { run(id: $id) { databaseId state trigger startedBy { userId } errorOf { databaseId } errorRun { databaseId workflow { databaseId } } } }';
const shown = async (id: number): Promise<any> => (await service.data(RUN, { id })).run;
/** Runs it to its end; answers the run that its failure started, at its end, where there is one. */
async function failed(workflowId: number): Promise<{ runId: number; errorRun: any }> {
  const runId = await started(service, workflowId);
  await ended(service, runId);
  const { errorRun } = await shown(runId);
  if (errorRun) await ended(service, errorRun.databaseId);
  return { runId, errorRun: errorRun && (await shown(errorRun.databaseId)) };
}
const runsOf = (workflowId: number): Promise<number> =>
  storeConnection().collection('runs').countDocuments({ workflowId });

longIt('is started with the facts of the run that failed, and linked to it', async () => {
  const [failing, told] = [await calling('/fail'), await telling()];
  expect(await name(failing, told)).toEqual({
    workflow: { errorWorkflow: { databaseId: told } },
    userErrors: [],
  });
  const { runId, errorRun } = await failed(failing);
  expect(errorRun).toMatchObject({
    state: 'SUCCEEDED',
    trigger: 'ERROR',
    startedBy: null,
    errorOf: { databaseId: runId },
    errorRun: null,
  });
  const { body: execution } = await service.api('GET', `/api/execution/${runId}`);
  expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toEqual({
    workflow: failing,
    title: execution.title,
    run: runId,
    step: 'm0',
    code: 'HTTP_STATUS_ERROR',
    message: execution.error.message,
  });
  expect(execution.errorExecutionId).toBe(errorRun.databaseId);
  expect((await service.api('GET', `/api/execution/${errorRun.databaseId}`)).body).toMatchObject({
    trigger: 'ERROR',
    errorOf: runId,
    startedBy: null,
  });
  // A retry that fails has failed, too; the released shape of a workflow is what it was.
  const {
    body: { executionId },
  } = await service.api('POST', `/api/execution/${runId}/retry`);
  await ended(service, executionId);
  expect((await shown(executionId)).errorRun.workflow).toEqual({ databaseId: told });
  expect(
    JSON.stringify((await service.api('GET', `/api/connection/${failing}`)).body),
  ).not.toContain('rrorWorkflow');
});

longIt(
  'is not started by a run that ends well, that somebody cancels, by a test, or once it is named no more',
  async () => {
    const held = await calling('/held');
    const told = await telling();
    const [well, failing] = [await calling('/well'), await calling('/fail')];
    for (const id of [well, failing, held]) await name(id, told);
    const cancelled = await started(service, held);
    while ((await remote.next()).path !== '/held');
    await service.api('POST', `/api/execution/${cancelled}/cancel`);
    expect(await ended(service, cancelled)).toMatchObject({ state: 'CANCELLED' });
    expect((await failed(well)).errorRun).toBeNull();
    const { testRunStart } = await service.data(
      'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } } }',
      { id: failing },
    );
    expect(await ended(service, testRunStart.run.databaseId)).toMatchObject({ state: 'FAILED' });
    expect((await service.api('DELETE', `/api/connection/${failing}/error-workflow`)).status).toBe(
      204,
    );
    expect((await failed(failing)).errorRun).toBeNull();
    expect(await runsOf(told)).toBe(0);
  },
);

longIt(
  'keeps what a client saves that knows nothing of it, goes with a copy, and is forgotten with its deletion',
  async () => {
    const [failing, told] = [await calling('/fail'), await telling()];
    expect(
      (
        await service.api('PUT', `/api/connection/${failing}/error-workflow`, {
          body: { connectionId: told },
        })
      ).body,
    ).toMatchObject({ connectionId: told });
    const { body } = await service.api('GET', `/api/connection/${failing}`);
    expect((await service.api('PUT', `/api/connection/${failing}`, { body })).status).toBe(200);
    const { workflowDuplicate } = await service.data(
      'mutation($id: ID!) { workflowDuplicate(input: { workflowId: $id }) { workflow { databaseId } } }',
      { id: failing },
    );
    const copy = workflowDuplicate.workflow.databaseId;
    expect([await named(failing), await named(copy)]).toEqual([told, told]);
    await service.api('DELETE', `/api/connection/${told}`);
    expect([await named(failing), await named(copy)]).toEqual([null, null]);
    expect((await failed(failing)).errorRun).toBeNull();
  },
);

it('never goes in a circle, neither when it is named nor when it runs', async () => {
  const [first, second, third] = [
    await telling('/fail/1'),
    await telling('/fail/2'),
    await telling('/fail/3'),
  ];
  const circle = {
    workflow: null,
    userErrors: [{ code: 'ERROR_WORKFLOW_CIRCLE', path: ['errorWorkflowId'] }],
  };
  expect(await name(first, first)).toEqual(circle);
  await name(first, second);
  await name(second, third);
  expect([await name(third, first), await name(third, second), await name(second, first)]).toEqual([
    circle,
    circle,
    circle,
  ]);
  // In a row each is started once. As if two had been named at the same moment, or by another version: it ends with those that failed already.
  await storeConnection()
    .collection<any>('workflows')
    .updateOne({ _id: third }, { $set: { errorWorkflowId: first } });
  const { errorRun } = await failed(first);
  const last = (await shown(errorRun.databaseId)).errorRun;
  expect(await ended(service, last.databaseId)).toMatchObject({ state: 'FAILED' });
  expect([errorRun.errorRun.workflow.databaseId, last.workflow.databaseId]).toEqual([third, third]);
  expect((await shown(last.databaseId)).errorRun).toBeNull();
  // A retry of one of them starts no more than that did.
  const {
    body: { executionId },
  } = await service.api('POST', `/api/execution/${last.databaseId}/retry`);
  await ended(service, executionId);
  expect((await shown(executionId)).errorRun).toBeNull();
  expect([await runsOf(first), await runsOf(second), await runsOf(third)]).toEqual([1, 1, 2]);
});

longIt.each(['starts it by its webhook', 'retries its run over REST'])(
  'that %s ends with the eleventh run',
  async (kind) => {
    const failing = await calling('/fail');
    const {
      body: { schedulerId },
    } = await service.api('POST', '/api/scheduler', {
      body: { title: unique('Again '), connectionId: failing },
    });
    const {
      webhookCreate: { webhook },
    } = await service.data(
      'mutation ($id: ID!) { webhookCreate(input: { scheduleId: $id }) { webhook { url } } }',
      { id: schedulerId },
    );
    const endpoint = `${service.url}/api/execution/\${run:integer}/retry`;
    await name(
      failing,
      await saved(
        service,
        workflow([
          kind.startsWith('starts')
            ? method('0', webhook.url, { methodType: 'WEBHOOK' })
            : method('0', endpoint, {
                request: {
                  endpoint,
                  method: 'POST',
                  header: { Authorization: service.adminToken },
                  body: null,
                },
              }),
        ]),
      ),
    );
    const codes: string[] = [];
    for (let runId: number | undefined = await started(service, failing); runId !== undefined;) {
      codes.push((await ended(service, runId)).error.code);
      const { errorRun } = await shown(runId);
      if (errorRun === null) break;
      expect((await ended(service, errorRun.databaseId)).state).toBe('SUCCEEDED');
      // It was queued before the step was answered.
      runId = (
        await storeConnection()
          .collection<any>('runs')
          .findOne({ workflowId: failing, _id: { $gt: errorRun.databaseId } })
      )?._id;
    }
    expect(codes).toEqual([
      ...Array.from({ length: 5 }, () => 'HTTP_STATUS_ERROR'),
      'RUN_TOO_DEEP',
    ]);
  },
);

longIt(
  'cannot be closed to a circle by two who name at the same time, and a row ends at ten',
  async () => {
    const ids = await Promise.all(Array.from({ length: 12 }, () => calling('/fail')));
    const at = (nth: number): number => ids[nth % 4] ?? 0;
    await Promise.all([
      name(at(0), at(1)),
      name(at(1), at(2)),
      name(at(2), at(3)),
      name(at(3), at(0)),
    ]);
    expect(
      (await Promise.all([0, 1, 2, 3].map((nth) => named(at(nth))))).filter((id) => id === null),
    ).toHaveLength(1);
    for (const id of ids) await name(id, null);
    const inRow = (nth: number) => name(ids[nth] ?? 0, ids[nth + 1] ?? 0);
    // From its end, from its beginning, and from the middle: it has ten, and each of them is started.
    for (const order of [
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
      [1, 2, 3, 4, 5, 6, 7, 8, 9],
      [1, 3, 5, 7, 9, 2, 4, 6, 8],
    ]) {
      for (const id of ids) await name(id, null);
      for (const nth of order) expect((await inRow(nth)).userErrors).toEqual([]);
      for (const nth of [0, 10])
        expect((await inRow(nth)).userErrors).toMatchObject([{ code: 'ERROR_WORKFLOW_CIRCLE' }]);
    }
    const before = await runsOf(ids[10] ?? 0);
    for (
      let run: any = await failed(ids[1] ?? 0);
      run.errorRun;
      run = await shown(run.errorRun.databaseId)
    )
      await ended(service, run.errorRun.databaseId);
    expect(await runsOf(ids[10] ?? 0)).toBe(before + 1);
  },
);

it('is told nothing that is secret, and a fact that is too long is cut', async () => {
  await service.api('POST', '/api/secret', {
    body: { name: 'told', value: 'geheim-17-wort', origins: [remote.url] },
  });
  const failing = await saved(
    service,
    workflow([method('0', `${remote.url}/fail?key={%secret.told%}`, { id: 'x'.repeat(20_000) })]),
  );
  await name(failing, await telling());
  const { errorRun } = await failed(failing);
  expect(errorRun).toMatchObject({ state: 'SUCCEEDED' });
  const { body } = remote.received.at(-1) ?? { body: '' };
  expect(JSON.parse(body)).toMatchObject({ run: expect.any(Number), code: 'HTTP_STATUS_ERROR' });
  expect(body).not.toContain('geheim');
  expect(JSON.parse(body).step).toBe('x'.repeat(8_192));
});

longIt(
  'gets in line however many wait, and is started once for each of many that fail at once',
  async () => {
    const [failing, told] = [await calling('/fail'), await telling()];
    await name(failing, told);
    const runIds = await Promise.all(Array.from({ length: 40 }, () => started(service, failing)));
    await Promise.all(runIds.map((id) => ended(service, id)));
    const errorRuns = await Promise.all(
      runIds.map(async (id) => (await shown(id)).errorRun.databaseId as number),
    );
    expect(new Set(errorRuns).size).toBe(40);
    await Promise.all(errorRuns.map((id) => ended(service, id)));
    expect(
      remote.received
        .flatMap(({ path, body }) => (path === '/told' ? [JSON.parse(body).run] : []))
        .sort((a, b) => a - b),
    ).toEqual([...runIds].sort((a, b) => a - b));
    expect(await runsOf(told)).toBe(40);
  },
);

it('is no secret: who may read workflows sees it, who may not change them does not name it', async () => {
  const [failing, told] = [await calling('/fail'), await telling()];
  const reader = await service.userWith(['CONNECTION:READ']);
  expect(
    (
      await service.api('PUT', `/api/connection/${failing}/error-workflow`, {
        token: reader.token,
        body: { connectionId: told },
      })
    ).status,
  ).toBe(403);
  expect(
    (await service.api('GET', `/api/connection/${failing}/error-workflow`, { token: reader.token }))
      .body,
  ).toEqual({ connectionId: null, title: null });
  for (const body of [null, {}, [], { connectionId: 'x' }, { connectionId: null }])
    expect(
      (await service.api('PUT', `/api/connection/${failing}/error-workflow`, { body })).status,
    ).toBe(400);
  expect(
    (
      await service.api('PUT', `/api/connection/${failing}/error-workflow`, {
        body: { connectionId: 987_654 },
      })
    ).status,
  ).toBe(404);
});
