import type { Domain } from '../../../src/domain';
import type { RunRecord } from '../../../src/features/runs/run.model';
import type { OverlapPolicyName } from '../../../src/features/schedules/schedule-options';
import type { ScheduleRecord } from '../../../src/features/schedules/schedule.model';
import { unique } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two processes at one store. They look for due schedules only on request, and runs wait for the remote system. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const BY_HAND = {
  leaseMs: 30_000,
  skewMs: 10_000,
  beatMs: HOUR_MS,
  lookMs: HOUR_MS,
  queueMs: HOUR_MS,
};

let processes: TwoProcesses;
let remote: RemoteSystem;
let answers: ((answer: RemoteAnswer) => void)[];
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

/** Advances the clock by a minute and lets both processes look for due schedules several times. */
async function passMinute(): Promise<void> {
  const { left, right, clock } = processes;
  clock.forward(MINUTE_MS);
  await Promise.all(
    [left, right, left, right].map(({ services }: Domain) => services.scheduleRuns.fireDue()),
  );
}

const requested = async (): Promise<void> => void (await remote.next());

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

it('the default overlap policy skips due times while a run has not ended', async () => {
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

it('the queue policy queues one run that starts after the others, and skips later times', async () => {
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

it('the allow policy starts another run while the first is running', async () => {
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
  'a run on demand always starts and counts as a run that has not ended: %s',
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

it('terminating a schedule ends a run that waits for another one before it starts', async () => {
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

it('a run that waits for another one is not started when another process claims runs', async () => {
  const { right, admin } = processes;
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  await passMinute();
  void right.services.sharedQueue.takeUp();
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

it('runs of one schedule execute one at a time when a run ends while the next time is due', async () => {
  const schedule = await made('QUEUE');
  await passMinute();
  await requested();
  for (let round = 1; round <= 3; round += 1) {
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
