import { testService, unique } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(({ path }) =>
  path === '/held'
    ? new Promise(() => undefined)
    : { status: path.startsWith('/fail') ? 418 : 200 },
);
beforeEach(() => remote.forget());

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
const savedHandler = (path = '/told'): Promise<number> =>
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
const name = (of: number, named: number | null): Promise<any> => service.field(SET, { of, named });
const named = async (of: number): Promise<any> =>
  (await service.api('GET', `/api/connection/${of}/error-workflow`)).body.connectionId;
const RUN =
  'query($id: ID!) { run(id: $id) { databaseId state trigger startedBy { userId } errorOf { databaseId } errorRun { databaseId workflow { databaseId } } } }';
const shown = (id: number): Promise<any> => service.field(RUN, { id });
/** Runs the workflow and the error workflow that its failure starts. */
async function failed(workflowId: number): Promise<{ runId: number; errorRun: any }> {
  const runId = await started(service, workflowId);
  await ended(service, runId);
  const { errorRun } = await shown(runId);
  if (errorRun) await ended(service, errorRun.databaseId);
  return { runId, errorRun: errorRun && (await shown(errorRun.databaseId)) };
}
const runsOf = (workflowId: number): Promise<number> =>
  storeConnection().collection('runs').countDocuments({ workflowId });

longIt('an error workflow receives the facts of the failed run and is linked to it', async () => {
  const [failing, handler] = [await calling('/fail'), await savedHandler()];
  expect(await name(failing, handler)).toEqual({
    workflow: { errorWorkflow: { databaseId: handler } },
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
  expect(await service.body('GET', `/api/execution/${errorRun.databaseId}`)).toMatchObject({
    trigger: 'ERROR',
    errorOf: runId,
    startedBy: null,
  });
  const {
    body: { executionId },
  } = await service.api('POST', `/api/execution/${runId}/retry`);
  await ended(service, executionId);
  expect((await shown(executionId)).errorRun.workflow).toEqual({ databaseId: handler });
  expect(JSON.stringify(await service.body('GET', `/api/connection/${failing}`))).not.toContain(
    'rrorWorkflow',
  );
});

longIt(
  'an error workflow does not start for successful, cancelled or test runs, or after it is unset',
  async () => {
    const held = await calling('/held');
    const handler = await savedHandler();
    const [well, failing] = [await calling('/well'), await calling('/fail')];
    for (const id of [well, failing, held]) await name(id, handler);
    const cancelled = await started(service, held);
    while ((await remote.next()).path !== '/held');
    await service.api('POST', `/api/execution/${cancelled}/cancel`);
    expect(await ended(service, cancelled)).toMatchObject({ state: 'CANCELLED' });
    expect((await failed(well)).errorRun).toBeNull();
    const testRunStart = await service.mutate(
      'testRunStart',
      { workflowId: failing },
      'run { databaseId }',
    );
    expect(await ended(service, testRunStart.run.databaseId)).toMatchObject({ state: 'FAILED' });
    expect(await service.status('DELETE', `/api/connection/${failing}/error-workflow`)).toBe(204);
    expect((await failed(failing)).errorRun).toBeNull();
    expect(await runsOf(handler)).toBe(0);
  },
);

longIt(
  'an error workflow setting survives saves, is copied and is cleared on deletion',
  async () => {
    const [failing, handler] = [await calling('/fail'), await savedHandler()];
    expect(
      await service.body('PUT', `/api/connection/${failing}/error-workflow`, {
        body: { connectionId: handler },
      }),
    ).toMatchObject({ connectionId: handler });
    const { body } = await service.api('GET', `/api/connection/${failing}`);
    expect(await service.status('PUT', `/api/connection/${failing}`, { body })).toBe(200);
    const workflowDuplicate = await service.mutate(
      'workflowDuplicate',
      { workflowId: failing },
      'workflow { databaseId }',
    );
    const copy = workflowDuplicate.workflow.databaseId;
    expect([await named(failing), await named(copy)]).toEqual([handler, handler]);
    await service.api('DELETE', `/api/connection/${handler}`);
    expect([await named(failing), await named(copy)]).toEqual([null, null]);
    expect((await failed(failing)).errorRun).toBeNull();
  },
);

it('error workflows never form a cycle, neither when set nor when running', async () => {
  const [first, second, third] = [
    await savedHandler('/fail/1'),
    await savedHandler('/fail/2'),
    await savedHandler('/fail/3'),
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
  // A cycle written directly to the store, as an older version could, ends at the workflow that already failed.
  await storeConnection()
    .collection<any>('workflows')
    .updateOne({ _id: third }, { $set: { errorWorkflowId: first } });
  const { errorRun } = await failed(first);
  const last = (await shown(errorRun.databaseId)).errorRun;
  expect(await ended(service, last.databaseId)).toMatchObject({ state: 'FAILED' });
  expect([errorRun.errorRun.workflow.databaseId, last.workflow.databaseId]).toEqual([third, third]);
  expect((await shown(last.databaseId)).errorRun).toBeNull();
  const {
    body: { executionId },
  } = await service.api('POST', `/api/execution/${last.databaseId}/retry`);
  await ended(service, executionId);
  expect((await shown(executionId)).errorRun).toBeNull();
  expect([await runsOf(first), await runsOf(second), await runsOf(third)]).toEqual([1, 1, 2]);
});

longIt(
  'an error workflow that starts the failing one by its webhook stops with the eleventh run',
  async () => {
    const failing = await calling('/fail');
    const {
      body: { schedulerId },
    } = await service.api('POST', '/api/scheduler', {
      body: { title: unique('Again '), connectionId: failing },
    });
    const { webhook } = await service.mutate(
      'webhookCreate',
      { scheduleId: schedulerId },
      'webhook { url }',
    );
    await name(
      failing,
      await saved(service, workflow([method('0', webhook.url, { methodType: 'WEBHOOK' })])),
    );
    const codes: string[] = [];
    for (let runId: number | undefined = await started(service, failing); runId !== undefined;) {
      codes.push((await ended(service, runId)).error.code);
      const { errorRun } = await shown(runId);
      if (errorRun === null) break;
      expect((await ended(service, errorRun.databaseId)).state).toBe('SUCCEEDED');
      // The run was queued before the step got its response.
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
  'concurrent settings never close a cycle, and a chain of error workflows is limited to ten',
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
    // Build the chain from its end, its beginning and its middle.
    for (const order of [
      [9, 8, 7, 6, 5, 4, 3, 2, 1],
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

it('an error workflow receives no secrets, and long facts are truncated', async () => {
  await service.api('POST', '/api/secret', {
    body: { name: 'told', value: 'geheim-17-wort', origins: [remote.url] },
  });
  const failing = await saved(
    service,
    workflow([method('0', `${remote.url}/fail?key={%secret.told%}`, { id: 'x'.repeat(20_000) })]),
  );
  await name(failing, await savedHandler());
  const { errorRun } = await failed(failing);
  expect(errorRun).toMatchObject({ state: 'SUCCEEDED' });
  const { body } = remote.received.at(-1) ?? { body: '' };
  expect(JSON.parse(body)).toMatchObject({ run: expect.any(Number), code: 'HTTP_STATUS_ERROR' });
  expect(body).not.toContain('geheim');
  expect(JSON.parse(body).step).toBe('x'.repeat(8_192));
});

it('readers see the error workflow but only editors can set it', async () => {
  const [failing, handler] = [await calling('/fail'), await savedHandler()];
  const reader = await service.userWith(['CONNECTION:READ']);
  expect(
    await service.status('PUT', `/api/connection/${failing}/error-workflow`, {
      token: reader.token,
      body: { connectionId: handler },
    }),
  ).toBe(403);
  expect(
    await service.body('GET', `/api/connection/${failing}/error-workflow`, { token: reader.token }),
  ).toEqual({ connectionId: null, title: null });
  for (const body of [null, {}, [], { connectionId: 'x' }, { connectionId: null }])
    expect(await service.status('PUT', `/api/connection/${failing}/error-workflow`, { body })).toBe(
      400,
    );
  expect(
    await service.status('PUT', `/api/connection/${failing}/error-workflow`, {
      body: { connectionId: 987_654 },
    }),
  ).toBe(404);
});
