import type { DashboardSnapshot } from '../../src/features/widgets/dashboard-feed';
import type { ListChange } from '../../src/platform/store/lists/live-list';
import { twoProcesses } from '../support/service/two-processes';
import type { TwoProcesses } from '../support/service/two-processes';
import { workflow } from '../support/documents/workflows';

/* The two processes share a database, but not an event bus. */

const DAY_MS = 86_400_000;

let processes: TwoProcesses;
let leaving: AbortController;

beforeEach(async () => {
  leaving = new AbortController();
  processes = await twoProcesses({ env: { HYPHA_RUN_RETENTION: '10' } });
});
afterEach(async () => {
  leaving.abort();
  await processes.close();
});

const options = () => ({ includeTest: false, most: 100, signal: leaving.signal });
const actor = () => Promise.resolve(processes.admin);

async function next<T>(changes: AsyncGenerator<ListChange<T>, void>): Promise<ListChange<T>> {
  const { value } = await changes.next();
  if (!value) throw new Error('The list has ended.');
  return value;
}

it('a workflow list reports workflows that another process saved and deleted', async () => {
  const { left, right, admin } = processes;
  const changes = right.services.workflowLists.changes(actor, {}, options());
  expect(await next(changes)).toEqual({ changed: [], removedIds: [] });
  const { record } = await left.services.workflows.save(admin, null, { document: workflow([]) });
  expect(await next(changes)).toMatchObject({
    changed: [{ _id: record._id, title: record.title }],
    removedIds: [],
  });
  await left.services.workflowDeletion.remove(admin, record._id);
  expect(await next(changes)).toEqual({ changed: [], removedIds: [record._id] });
});

it('a run list reports runs that ended in another process and were removed by it', async () => {
  const { left, right, admin, clock } = processes;
  const { record } = await left.services.workflows.save(admin, null, { document: workflow([]) });
  const changes = right.services.runs.changes(actor, { workflowId: record._id }, options());
  await next(changes);
  const { _id: runId } = await left.services.runs.run(admin, record._id, { logging: false });
  for (let state: string | undefined; state !== 'SUCCEEDED';) {
    const {
      changed: [run],
      removedIds,
    } = await next(changes);
    expect([run?._id, removedIds]).toEqual([runId, []]);
    state = run?.state;
  }
  clock.forward(11 * DAY_MS);
  await left.services.runRetention.removeOld();
  expect(await next(changes)).toEqual({ changed: [], removedIds: [runId] });
});

it('a workflow list sends only the newest state to a slow reader', async () => {
  const { left, admin } = processes;
  const changes = left.services.workflowLists.changes(actor, {}, options());
  await next(changes);
  const {
    record: { _id: id },
  } = await left.services.workflows.save(admin, null, { document: workflow([]) });
  for (const title of ['one', 'two', 'three'])
    await left.services.workflows.save(admin, id, { document: workflow([], [], { title }) });
  const { record: deleted } = await left.services.workflows.save(admin, null, {
    document: workflow([]),
  });
  await left.services.workflowDeletion.remove(admin, deleted._id);
  expect(await next(changes)).toMatchObject({
    changed: [{ _id: id, title: 'three' }],
    removedIds: [],
  });
});

it('a dashboard shows the runs of another process and sends nothing while nothing changes', async () => {
  const { left, right, admin } = processes;
  const snapshots = right.services.dashboard.follow(1, 5, leaving.signal)[Symbol.asyncIterator]();
  const next = async () => (await snapshots.next()).value as DashboardSnapshot | undefined;
  expect(await next()).toMatchObject({
    timeline: [{ executions: 0 }],
    topWorkflows: [],
    runningNow: [],
  });
  const seen: unknown[] = [];
  let reads = 0;
  processes.connections.right.getClient().on('commandStarted', ({ command }) => {
    if (command.find === 'run_counters') reads += 1;
  });
  const following = (async () => {
    for (;;) {
      const snapshot = await next();
      if (!snapshot) return;
      seen.push(snapshot);
      if (snapshot.timeline[0]?.executions === 1) return;
    }
  })();
  // Two polls find no change, and nothing is sent.
  while (reads < 4)
    await new Promise((resolve) =>
      processes.connections.right.getClient().once('commandSucceeded', resolve),
    );
  expect(seen).toEqual([]);
  const { record } = await left.services.workflows.save(admin, null, { document: workflow([]) });
  await left.services.runs.run(admin, record._id, { logging: false });
  await following;
  expect(seen.at(-1)).toMatchObject({
    timeline: [{ executions: 1, failures: 0 }],
    topWorkflows: [{ connectionId: record._id, executions: 1 }],
    runningNow: [],
  });
  expect(new Set(seen.map((snapshot) => JSON.stringify(snapshot))).size).toBe(seen.length);
});
