import type { Domain } from '../../src/domain';
import type { Actor } from '../../src/platform/access/actor';
import { systemActor } from '../../src/platform/access/actor';
import { Conflict } from '../../src/platform/errors/errors';
import { movingClock } from '../support/moving-clock';
import type { MovingClock } from '../support/moving-clock';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { twoProcesses } from '../support/two-processes';
import type { TwoProcesses } from '../support/two-processes';
import { method, workflow } from '../support/workflows';

/* One test of a workflow at a time, whichever process is asked: two of them at one store, which know nothing of each other but what stands there. */

const HOUR_MS = 3_600_000;
/** As long as a lease lasts, with what clocks may differ. */
const OVER_MS = 41_000;
const BY_HAND = { leaseMs: 30_000, skewMs: 10_000, beatMs: HOUR_MS, lookMs: HOUR_MS };

let rightClock: MovingClock;
let processes: TwoProcesses;
let remote: RemoteSystem;
let letGo: (() => void)[];

beforeEach(async () => {
  letGo = [];
  remote = await remoteSystem(() => new Promise((resolve) => letGo.push(() => resolve({}))));
  rightClock = movingClock();
  processes = await twoProcesses({
    env: { HYPHA_RUN_CONCURRENT: '2' },
    left: { runLeases: BY_HAND },
    right: { runLeases: BY_HAND, clock: rightClock },
  });
});
afterEach(async () => {
  answerAll();
  await processes.close();
  await remote.close();
});

function answerAll(): void {
  for (const answer of letGo.splice(0)) answer();
}

/** What is tested: the whole document, as an editor sends it. */
const documentOf = (more: object = {}): object => ({
  ...workflow([method('0', remote.url)]),
  ...more,
});
const testAt = ({ services }: Domain, document: object, actor: Actor = processes.admin) =>
  services.testRuns.startContent(actor, { document });

async function savedAt({ services }: Domain): Promise<number> {
  return (await services.workflows.save(processes.admin, null, { document: documentOf() })).record
    ._id;
}

async function untilEnded({ services }: Domain, runId: number): Promise<string | undefined> {
  let state: string | undefined;
  for await (const { event } of await services.runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  ))
    state = event.kind === 'RunFinished' ? event.state : undefined;
  return state;
}

async function refused(starting: Promise<unknown>): Promise<void> {
  const error: unknown = await starting.catch((reason: unknown) => reason);
  // What each door makes of it, 409 in REST, is its own matter.
  expect(error).toBeInstanceOf(Conflict);
  expect(error).toMatchObject({ code: 'CONCURRENT_TEST_IS_FORBIDDEN' });
}

/** The runs of the schedules that a process shows. */
async function schedulesAt({ services }: Domain): Promise<Set<number>> {
  const runIds = new Set<number>();
  for await (const shown of services.scheduleOverview.all(processes.admin))
    if (shown.kind === 'test') runIds.add(shown.schedule.runId);
  return runIds;
}

it('a saved workflow that one process tests is not tested by the other one, as it is or as it stands in an editor', async () => {
  const { left, right, admin } = processes;
  const id = await savedAt(left);
  const { _id: runId } = await left.services.testRuns.start(admin, id);
  await remote.next();
  await refused(right.services.testRuns.start(admin, id));
  await refused(testAt(right, documentOf({ connectionId: id })));
  expect(await schedulesAt(right)).toEqual(new Set([runId]));
  answerAll();
  expect(await untilEnded(left, runId)).toBe('SUCCEEDED');
  const { run } = await testAt(right, documentOf({ connectionId: id }));
  await remote.next();
  await refused(left.services.testRuns.start(admin, id));
  answerAll();
  expect(await untilEnded(right, run._id)).toBe('SUCCEEDED');
});

it('nor is what is not saved, by its title and its user', async () => {
  const { left, right } = processes;
  const one = documentOf({ title: 'The same everywhere' });
  const { run } = await testAt(left, one);
  await remote.next();
  await refused(testAt(right, { ...one, title: ' the SAME everywhere ' }));
  const other: Actor = {
    ...systemActor('somebody else'),
    userId: 4_711,
    grants: processes.admin.grants,
  };
  const [otherTitle, otherUser] = [
    await testAt(right, { ...one, title: 'Another one' }),
    await testAt(right, one, other),
  ];
  expect(await schedulesAt(left)).toEqual(
    new Set([run._id, otherTitle.run._id, otherUser.run._id]),
  );
});

it('of many starts at both, one is let through', async () => {
  const { left, right } = processes;
  const one = documentOf();
  const starts = await Promise.allSettled([left, right, left, right].map((at) => testAt(at, one)));
  expect(starts.map(({ status }) => status).sort()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
    'rejected',
  ]);
  expect((await schedulesAt(right)).size).toBe(1);
});

it.each(['goes on', 'waits'])(
  'when the process of a test that %s is gone, its schedule goes with it, and the workflow may be tested again',
  async (how) => {
    const { left, right } = processes;
    const one = documentOf();
    if (how === 'waits') {
      for (let place = 0; place < 2; place += 1) {
        await left.services.runs.run(processes.admin, await savedAt(left), { logging: false });
        await remote.next();
      }
    }
    const { run, schedule } = await testAt(left, one);
    if (how === 'goes on') await remote.next();
    expect((await left.services.runs.byId(processes.admin, run._id))?.state).toBe(
      how === 'waits' ? 'QUEUED' : 'RUNNING',
    );
    // It gives no sign any more.
    rightClock.forward(OVER_MS);
    await refused(testAt(right, one));
    expect(await right.services.runRecovery.recover()).toBe(how === 'waits' ? 3 : 1);
    expect(await schedulesAt(right)).toEqual(new Set());
    await expect(
      right.services.scheduleOverview.get(processes.admin, schedule._id),
    ).rejects.toMatchObject({ code: 'SCHEDULER_NOT_FOUND' });
    const again = await testAt(right, one);
    await remote.next();
    expect(await schedulesAt(left)).toEqual(new Set([again.run._id]));
    await refused(testAt(left, one));
  },
);
