import type { Domain } from '../../src/domain';
import type { RunRecord } from '../../src/features/runs/run.model';
import type { OverlapPolicyName } from '../../src/features/schedules/schedule-options';
import type { ScheduleRecord } from '../../src/features/schedules/schedule.model';
import { unique } from '../support/harness';
import { remoteSystem } from '../support/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../support/remote-system';
import { twoProcesses } from '../support/two-processes';
import type { TwoProcesses } from '../support/two-processes';
import { method, workflow } from '../support/workflows';

/* Two processes at one store. They look for what is due only when a test tells them to, and runs wait for the remote system until it answers. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const BY_HAND = { leaseMs: 30_000, skewMs: 10_000, beatMs: HOUR_MS, lookMs: HOUR_MS };

let processes: TwoProcesses;
let remote: RemoteSystem;
let answers: ((given: RemoteAnswer) => void)[];
let workflowId: number;

beforeAll(async () => {
  answers = [];
  remote = await remoteSystem(() => new Promise((resolve) => answers.push(resolve)));
  processes = await twoProcesses({ left: { runLeases: BY_HAND }, right: { runLeases: BY_HAND } });
  workflowId = (
    await processes.left.services.workflows.save(processes.admin, null, {
      document: workflow([method('0', `${remote.url}/`)]),
    })
  ).record._id;
  processes.clock.forward(MINUTE_MS - (processes.clock.now().getTime() % MINUTE_MS));
});
afterAll(async () => {
  for (const answer of answers) answer({});
  await processes.close();
  await remote.close();
});

const made = (overlapPolicy?: OverlapPolicyName): Promise<ScheduleRecord> =>
  processes.left.services.schedules.create(processes.admin, {
    title: unique('Overlap '),
    workflowId,
    cron: '0 * * * * ?',
    timeZone: 'UTC',
    ...(overlapPolicy && { overlapPolicy }),
  });

/** The runs of a schedule, the oldest first. */
async function runsOf({ _id: scheduleId }: ScheduleRecord): Promise<readonly RunRecord[]> {
  const page = await processes.right.services.runs.page(
    processes.admin,
    { scheduleId },
    { first: 100 },
    { includeTest: false, orderBy: [{ field: 'queuedAt', direction: 'asc' }] },
  );
  return page.nodes;
}

const statesOf = async (schedule: ScheduleRecord): Promise<string[]> =>
  (await runsOf(schedule)).map(({ state }) => state);

/** Lets the next minute come and both processes look for what is due, several times. */
async function passMinute(): Promise<void> {
  const { left, right, clock } = processes;
  clock.forward(MINUTE_MS);
  await Promise.all(
    [left, right, left, right].map(({ services }: Domain) => services.scheduleRuns.fireDue()),
  );
}

/** The remote system gets a request, which it does not answer yet. */
const requested = async (): Promise<void> => void (await remote.next());

/** Answers the oldest request, and waits until its run has ended. */
async function endRun({ _id }: RunRecord): Promise<void> {
  answers.shift()?.({});
  for await (const { event } of await processes.left.services.runEvents.follow(
    processes.admin,
    _id,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'RunFinished') return;
}

const remove = ({ _id }: ScheduleRecord): Promise<unknown> =>
  processes.left.services.schedules.remove(processes.admin, _id);

it('leaves times out while a run has not ended, which is the policy of new schedules', async () => {
  const schedule = await made();
  expect(schedule.overlapPolicy).toBe('SKIP');
  await passMinute();
  await requested();
  for (let minute = 0; minute < 3; minute += 1) await passMinute();
  const [first] = await runsOf(schedule);
  expect(await statesOf(schedule)).toEqual(['RUNNING']);
  await endRun(first);
  expect(await statesOf(schedule)).toEqual(['SUCCEEDED']);
  await passMinute();
  await requested();
  expect(await statesOf(schedule)).toEqual(['SUCCEEDED', 'RUNNING']);
  await endRun((await runsOf(schedule))[1]);
  await remove(schedule);
});

it('queues one run that starts when the others have ended, and leaves later times out', async () => {
  const { right, clock } = processes;
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  await passMinute();
  const due = clock.now();
  await passMinute();
  await passMinute();
  const [first, second] = await runsOf(schedule);
  expect(await statesOf(schedule)).toEqual(['RUNNING', 'QUEUED']);
  expect([second?.dueAt, right.services.runs.waitOf(second)]).toEqual([
    due,
    { reason: 'OTHER_RUNS', message: expect.any(String) },
  ]);
  await endRun(first);
  await requested();
  expect(await statesOf(schedule)).toEqual(['SUCCEEDED', 'RUNNING']);
  await endRun(second);
  expect(await statesOf(schedule)).toEqual(['SUCCEEDED', 'SUCCEEDED']);
  await remove(schedule);
});

it('starts another run while the first goes on where that is allowed', async () => {
  const schedule = await made('ALLOW');
  for (let minute = 0; minute < 3; minute += 1) {
    await passMinute();
    await requested();
  }
  expect(await statesOf(schedule)).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
  for (const run of await runsOf(schedule)) await endRun(run);
  await remove(schedule);
});

it.each(['SKIP', 'QUEUE'] as const)(
  'always starts what is asked for, and counts it as a run that has not ended: %s',
  async (overlapPolicy) => {
    const { left, right, admin } = processes;
    const schedule = await made(overlapPolicy);
    const byHand = await right.services.scheduleRuns.fire(schedule._id, {
      trigger: 'MANUAL',
      actor: admin,
    });
    await requested();
    await passMinute();
    const webhook = await left.services.scheduleRuns.fire(schedule._id, {
      trigger: 'WEBHOOK',
      parameters: '{}',
      actor: null,
    });
    await requested();
    const waits = overlapPolicy === 'QUEUE' ? ['QUEUED'] : [];
    expect((await statesOf(schedule)).sort()).toEqual([...waits, 'RUNNING', 'RUNNING']);
    await endRun(byHand);
    expect((await statesOf(schedule)).sort()).toEqual([...waits, 'RUNNING', 'SUCCEEDED']);
    await endRun(webhook);
    if (overlapPolicy === 'QUEUE') {
      await requested();
      await endRun((await runsOf(schedule)).find(({ trigger }) => trigger === 'SCHEDULE')!);
    }
    expect(new Set(await statesOf(schedule))).toEqual(new Set(['SUCCEEDED']));
    await remove(schedule);
  },
);

it('ends a run that waits for another one when the schedule is terminated, before anything of it starts', async () => {
  const { left, admin } = processes;
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  await passMinute();
  expect(await statesOf(schedule)).toEqual(['RUNNING', 'QUEUED']);
  const before = remote.received.length;
  await left.services.scheduleRuns.cancel(admin, schedule._id);
  answers.splice(0);
  expect(await statesOf(schedule)).toEqual(['CANCELLED', 'CANCELLED']);
  expect([(await runsOf(schedule))[1]?.startedAt, remote.received.length]).toEqual([null, before]);
  await remove(schedule);
});

it('does not start a run that waits when another process looks for runs to take', async () => {
  const { right, admin } = processes;
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  await passMinute();
  void right.services.runRecovery.takeUp();
  // A run that is queued later is taken up later.
  const later = await right.services.scheduleRuns.fire(schedule._id, {
    trigger: 'MANUAL',
    actor: admin,
  });
  await requested();
  const statesBy = async (trigger: string): Promise<string[]> =>
    (await runsOf(schedule)).filter((run) => run.trigger === trigger).map(({ state }) => state);
  expect([await statesBy('SCHEDULE'), await statesBy('MANUAL')]).toEqual([
    ['RUNNING', 'QUEUED'],
    ['RUNNING'],
  ]);
  const [first, waiting] = (await runsOf(schedule)).filter(({ trigger }) => trigger === 'SCHEDULE');
  for (const run of [first, later]) await endRun(run);
  await requested();
  await endRun(waiting);
  await remove(schedule);
});

it('runs one at a time, and each of them, when a run ends while the next time is due', async () => {
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  for (let round = 1; round <= 5; round += 1) {
    const running = (await runsOf(schedule)).find(({ state }) => state === 'RUNNING');
    await Promise.all([endRun(running!), passMinute()]);
    await requested();
    expect(await statesOf(schedule)).toEqual([
      ...Array<string>(round).fill('SUCCEEDED'),
      'RUNNING',
    ]);
  }
  await endRun((await runsOf(schedule)).at(-1)!);
  await remove(schedule);
});
