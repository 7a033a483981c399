import type { Domain } from '../../../src/domain';
import type { Actor } from '../../../src/platform/access/actor';
import { Conflict } from '../../../src/platform/errors/errors';
import { movingClock } from '../../support/service/moving-clock';
import type { MovingClock } from '../../support/service/moving-clock';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* One test of a workflow at a time across two processes that share nothing but the store. */

const HOUR_MS = 3_600_000;
/** The length of a lease plus the tolerance for clock differences. */
const OVER_MS = 41_000;
const BY_HAND = {
  leaseMs: 30_000,
  skewMs: 10_000,
  beatMs: HOUR_MS,
  lookMs: HOUR_MS,
  queueMs: HOUR_MS,
};

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
  // The status is not compared: REST uses 409.
  expect(error).toBeInstanceOf(Conflict);
  expect(error).toMatchObject({ code: 'CONCURRENT_TEST_IS_FORBIDDEN' });
}

async function schedulesAt({ services }: Domain): Promise<Set<number>> {
  const runIds = new Set<number>();
  for await (const shown of services.scheduleOverview.all(processes.admin))
    if (shown.kind === 'test') runIds.add(shown.schedule.runId);
  return runIds;
}

it('a saved workflow that one process tests cannot be tested by another, saved or from an editor', async () => {
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

it('exactly one of many test starts in two processes succeeds', async () => {
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
  'a workflow can be tested again, without its schedule, after the process of a test that %s is gone',
  async (state) => {
    const { left, right } = processes;
    const one = documentOf();
    if (state === 'waits') {
      for (let place = 0; place < 2; place += 1) {
        await left.services.runs.run(processes.admin, await savedAt(left), { logging: false });
        await remote.next();
      }
    }
    const { run, schedule } = await testAt(left, one);
    if (state === 'goes on') await remote.next();
    expect((await left.services.runs.byId(processes.admin, run._id))?.state).toBe(
      state === 'waits' ? 'QUEUED' : 'RUNNING',
    );
    rightClock.forward(OVER_MS);
    await refused(testAt(right, one));
    expect(await right.services.runRecovery.recover()).toBe(state === 'waits' ? 3 : 1);
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
