import { globalId } from '../../src/platform/graphql/schema/ids';
import { testService } from '../support/service/harness';
import { holdingRemote } from '../support/peers/remote-system';
import { ended, socketOf } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const service = testService();
const remote = openForTests(holdingRemote);

const QUERY = `subscription($days: Int! = 1, $top: Int! = 5) { dashboard(days: $days, top: $top) {
  timeline { date executions failures } topWorkflows { workflowId executions failureRate } runningNow { runId workflowId title startedAt run { databaseId state startedBy { user { databaseId } } } workflow { databaseId } } } }`;

async function* dashboard(
  token = service.adminToken,
  variables: Record<string, unknown> = {},
): AsyncGenerator<any> {
  const client = socketOf(service, token);
  try {
    for await (const { data, errors } of client.iterate<any>({ query: QUERY, variables })) {
      if (errors)
        throw Object.assign(new Error(errors[0]?.message), { code: errors[0]?.extensions?.code });
      yield data.dashboard;
    }
  } finally {
    await client.dispose();
  }
}

async function waitForSnapshot(
  snapshots: AsyncGenerator<any>,
  holds: (snapshot: any) => boolean,
): Promise<any> {
  for (;;) {
    const { value } = await snapshots.next();
    if (holds(value)) return value;
  }
}

it('the dashboard subscription sends a snapshot and then follows a run from start to end', async () => {
  const document = workflow([method('0', `${remote.url}/held`)]);
  const id = await saved(service, document);
  const snapshots = dashboard();
  const first = (await snapshots.next()).value;
  expect(first).toMatchObject({ timeline: [{ executions: 0 }], topWorkflows: [], runningNow: [] });
  const runId = await started(service, id);
  await remote.next();
  const running = await waitForSnapshot(snapshots, ({ runningNow }) => runningNow.length > 0);
  expect(running.runningNow).toEqual([
    {
      runId: globalId('Run', runId),
      workflowId: globalId('Workflow', id),
      title: document.title,
      startedAt: expect.any(String),
      run: { databaseId: runId, state: 'RUNNING', startedBy: { user: { databaseId: 1 } } },
      workflow: { databaseId: id },
    },
  ]);
  remote.release();
  const after = await waitForSnapshot(snapshots, ({ timeline }) => timeline[0].executions > 0);
  expect(after).toMatchObject({
    timeline: [{ executions: 1, failures: 0 }],
    topWorkflows: [{ workflowId: globalId('Workflow', id), executions: 1 }],
    runningNow: [],
  });
  await snapshots.return(undefined);
});

it('the dashboard subscription does not count test runs', async () => {
  const snapshots = dashboard();
  const before = (await snapshots.next()).value;
  const { body } = await service.api('POST', '/api/connection/execution/test', {
    body: workflow([]),
  });
  await ended(service, body.runId);
  await ended(service, await started(service, await saved(service, workflow([]))));
  const after = await waitForSnapshot(
    snapshots,
    ({ timeline }) => timeline[0].executions > before.timeline[0].executions,
  );
  expect(after.timeline[0].executions).toBe(before.timeline[0].executions + 1);
  await snapshots.return(undefined);
});

it('the dashboard subscription requires DASHBOARD:READ and rejects ranges out of bounds', async () => {
  const { token } = await service.userWith(['CONNECTION:READ']);
  await expect(dashboard(token).next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(dashboard(service.adminToken, { days: 0 }).next()).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
  });
  await expect(dashboard(service.adminToken, { top: 101 }).next()).rejects.toMatchObject({
    code: 'BAD_USER_INPUT',
    message: expect.stringContaining("'top'") as string,
  });
});
