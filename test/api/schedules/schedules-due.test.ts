import { unique } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';
import type { Domain } from '../../../src/domain';
import type { RunEvent } from '../../../src/engine';
import type { RunRecord } from '../../../src/features/runs/run.model';
import type {
  ScheduleRecord,
  ScheduleChange,
} from '../../../src/features/schedules/schedule.model';

/* Two processes at one store, which look for due schedules only on request. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const BY_HAND = {
  leaseMs: 30_000,
  skewMs: 10_000,
  beatMs: HOUR_MS,
  lookMs: HOUR_MS,
  queueMs: HOUR_MS,
};
const EVERY_HOUR = '0 0 * * * ?';

let processes: TwoProcesses;
let remote: RemoteSystem;
let answers: ((answer: RemoteAnswer) => void)[];
let workflowId: number;

beforeAll(async () => {
  answers = [];
  remote = await remoteSystem(({ path }) =>
    path === '/held' ? new Promise((resolve) => answers.push(resolve)) : {},
  );
  processes = await twoProcesses({
    env: { HYPHA_RUN_CONCURRENT: '2' },
    left: { runLeases: BY_HAND },
    right: { runLeases: BY_HAND },
  });
  workflowId = await savedWorkflow('/');
  // Due times are full hours.
  processes.clock.forward(HOUR_MS - (processes.clock.now().getTime() % HOUR_MS));
});
beforeEach(() => remote.forget());
afterAll(async () => {
  for (const answer of answers) answer({});
  await processes.close();
  await remote.close();
});

const savedWorkflow = async (path: string): Promise<number> =>
  (
    await processes.left.services.workflows.save(processes.admin, null, {
      document: workflow([method('0', `${remote.url}${path}`)]),
    })
  ).record._id;
const made = (more: ScheduleChange = {}): Promise<ScheduleRecord> =>
  processes.left.services.schedules.create(processes.admin, {
    title: unique('Due '),
    workflowId,
    cron: EVERY_HOUR,
    timeZone: 'UTC',
    ...more,
  });
const read = async (id: number): Promise<ScheduleRecord> => {
  await processes.catchUp();
  return (await processes.right.services.scheduleRecords.byId(id))!;
};
const fire = ({ services }: Domain = processes.left): Promise<void> =>
  services.scheduleRuns.fireDue();
const runsOf = async (scheduleId: number): Promise<readonly RunRecord[]> =>
  (
    await processes.right.services.runs.page(
      processes.admin,
      { scheduleId },
      { first: 100 },
      { includeTest: false, orderBy: [{ field: 'queuedAt', direction: 'desc' }] },
    )
  ).nodes;
const waitForEvent = async (
  kind: RunEvent['kind'],
  { _id }: Pick<RunRecord, '_id'>,
  { services }: Domain = processes.left,
): Promise<void> => {
  for await (const { event } of await services.runEvents.follow(
    processes.admin,
    _id,
    0,
    new AbortController().signal,
  ))
    if (event.kind === kind) return;
};
const ended = (run: Pick<RunRecord, '_id'>, at?: Domain): Promise<void> =>
  waitForEvent('RunFinished', run, at);

it('a schedule fires once for each due time, regardless of the number of processes', async () => {
  const { left, right, clock } = processes;
  const schedules = await Promise.all(Array.from({ length: 5 }, () => made()));
  for (const { nextFireAt } of schedules)
    expect(nextFireAt).toEqual(new Date(clock.now().getTime() + HOUR_MS));
  clock.forward(HOUR_MS - 1);
  await Promise.all([fire(left), fire(right)]);
  expect(await Promise.all(schedules.map(async ({ _id }) => (await runsOf(_id)).length))).toEqual([
    0, 0, 0, 0, 0,
  ]);
  for (let hour = 1; hour <= 2; hour += 1) {
    clock.forward(hour === 1 ? 1 : HOUR_MS);
    await Promise.all([fire(left), fire(right), fire(left), fire(right)]);
    for (const { _id } of schedules) {
      const runs = await runsOf(_id);
      expect(runs).toHaveLength(hour);
      expect(runs[0]).toMatchObject({
        trigger: 'SCHEDULE',
        startedBy: null,
        test: false,
        logging: false,
        scheduleId: _id,
      });
      await ended(runs[0]);
      const schedule = await read(_id);
      expect(schedule).toMatchObject({
        lastRunId: runs[0]?._id,
        lastDueRunId: runs[0]?._id,
        nextFireAt: new Date(clock.now().getTime() + HOUR_MS),
        version: 1,
      });
    }
  }
  for (const { _id } of schedules) await left.services.schedules.remove(processes.admin, _id);
});

it('a schedule catches up once for missed times or skips them, except those of the last minute', async () => {
  const { clock, left, admin } = processes;
  const [once, skipping, inTime] = [
    await made(),
    await made({ missedFires: 'SKIP' }),
    await made({ missedFires: 'SKIP', cron: '0 30 0/1 * * ?' }),
  ];
  clock.forward(7 * HOUR_MS + 30 * MINUTE_MS);
  await fire();
  const counts = async (): Promise<number[]> =>
    Promise.all([once, skipping, inTime].map(async ({ _id }) => (await runsOf(_id)).length));
  expect(await counts()).toEqual([1, 0, 1]);
  expect((await runsOf(inTime._id))[0]).toMatchObject({ dueAt: clock.now() });
  for (const { _id } of [once, skipping])
    expect((await read(_id)).nextFireAt).toEqual(new Date(clock.now().getTime() + 30 * MINUTE_MS));
  await ended((await runsOf(once._id))[0]);
  // A delay of a minute does not count as missed.
  clock.forward(31 * MINUTE_MS);
  await fire();
  expect(await counts()).toEqual([2, 1, 1]);
  for (const { _id } of [once, skipping, inTime]) await left.services.schedules.remove(admin, _id);
  clock.forward(29 * MINUTE_MS);
});

it('a schedule does not fire again for a time that a clock correction repeats', async () => {
  const { clock, left, right, admin } = processes;
  clock.forward(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  const { _id } = await made();
  clock.forward(HOUR_MS);
  await fire(left);
  const [first] = await runsOf(_id);
  await ended(first ?? { _id: 0 });
  clock.forward(-HOUR_MS / 2);
  await fire(right);
  clock.forward(HOUR_MS / 2);
  await Promise.all([fire(left), fire(right)]);
  expect(await runsOf(_id)).toHaveLength(1);
  clock.forward(HOUR_MS);
  await fire(right);
  const runs = await runsOf(_id);
  expect(runs.map(({ dueAt }) => dueAt?.getTime())).toEqual([
    clock.now().getTime(),
    clock.now().getTime() - HOUR_MS,
  ]);
  await ended(runs[0] ?? { _id: 0 }, right);
  await left.services.schedules.remove(admin, _id);
});

it('a disabled schedule fires only on demand, and skips the missed times when enabled', async () => {
  const { clock, left, right, admin } = processes;
  const { _id } = await made({ enabled: false });
  clock.forward(3 * HOUR_MS);
  await fire();
  expect([await runsOf(_id), (await read(_id)).nextFireAt]).toEqual([[], null]);
  const run = await right.services.scheduleRuns.fire(_id, {
    trigger: 'WEBHOOK',
    parameters: '{"ticket":7}',
    actor: null,
  });
  expect(run).toMatchObject({
    trigger: 'WEBHOOK',
    startedBy: null,
    scheduleId: _id,
    hasParameters: true,
  });
  await ended(run, right);
  await left.services.schedules.enableAll(admin, [_id], true);
  await fire();
  expect(await runsOf(_id)).toHaveLength(1);
  clock.forward(HOUR_MS);
  await fire();
  expect(await runsOf(_id)).toHaveLength(2);
  await ended((await runsOf(_id))[0]);
  await left.services.schedules.remove(admin, _id);
});

it('a schedule has at most one queued run and is queued even if the queue is long', async () => {
  const { clock, left, right, admin } = processes;
  const held = await savedWorkflow('/held');
  const going = await Promise.all(
    [1, 2, 3, 4].map((nth) =>
      (nth < 3 ? left : right).services.runs.run(admin, held, { logging: false }),
    ),
  );
  for (let nth = 0; nth < going.length; nth += 1) await remote.next();
  const { _id } = await made();
  for (let hour = 0; hour < 3; hour += 1) {
    clock.forward(HOUR_MS);
    await fire(hour % 2 === 0 ? left : right);
    expect(await runsOf(_id)).toMatchObject([{ state: 'QUEUED' }]);
  }
  for (const answer of answers.splice(0)) answer({});
  await ended((await runsOf(_id))[0], left);
  clock.forward(HOUR_MS);
  await fire(right);
  const runs = await runsOf(_id);
  expect(runs).toHaveLength(2);
  await ended(runs[0], right);
  await left.services.schedules.remove(admin, _id);
});

longIt(
  'a terminated schedule ends its queued runs, and none of them starts in the free slots',
  async () => {
    const { left, admin } = processes;
    const { _id } = await made({ workflowId: await savedWorkflow('/held'), enabled: false });
    for (let nth = 0; nth < 12; nth += 1)
      await left.services.scheduleRuns.fire(_id, { trigger: 'MANUAL', actor: admin });
    for (let nth = 0; nth < 2; nth += 1) await remote.next();
    await left.services.scheduleRuns.cancel(admin, _id);
    const runs = await runsOf(_id);
    expect(runs.map(({ state }) => state)).toEqual(Array(12).fill('CANCELLED'));
    expect([
      runs.filter(({ startedAt }) => startedAt !== null).length,
      remote.received.length,
    ]).toEqual([2, 2]);
    for (const answer of answers.splice(0)) answer({});
    await left.services.schedules.remove(admin, _id);
  },
);

it('a schedule that is concurrently deleted, moved or disabled fires completely or not at all', async () => {
  const { clock, left, right, admin } = processes;
  const schedules = await Promise.all(Array.from({ length: 6 }, () => made()));
  clock.forward(HOUR_MS);
  await Promise.all([
    fire(left),
    ...schedules.map(({ _id }, nth) =>
      nth % 2 === 0
        ? right.services.schedules.remove(admin, _id)
        : right.services.schedules.update(admin, _id, { enabled: false }),
    ),
  ]);
  await fire(right);
  for (const [nth, { _id }] of schedules.entries()) {
    const runs = await runsOf(_id);
    expect(runs.length).toBeLessThanOrEqual(1);
    for (const run of runs) await ended(run);
    if (nth % 2 === 1)
      expect(await read(_id)).toMatchObject({
        enabled: false,
        nextFireAt: null,
        lastRunId: runs[0]?._id ?? null,
      });
  }
});

it('a schedule counts a run of a dead process as failed and keeps it', async () => {
  const { clock, left, right, admin } = processes;
  const held = await savedWorkflow('/held');
  const { _id } = await made({ workflowId: held });
  clock.forward(HOUR_MS);
  await fire(left);
  await remote.next();
  const [going] = await runsOf(_id);
  // A write after the clock moves would renew the lease.
  if (going) await waitForEvent('StepStarted', going);
  clock.forward(MINUTE_MS);
  expect(await right.services.runRecovery.recover()).toBe(1);
  const [run] = await runsOf(_id);
  expect(run).toMatchObject({ state: 'INTERRUPTED', error: { code: 'RUN_INTERRUPTED' } });
  // Its duration is not counted: the service was down for some of it.
  expect(await read(_id)).toMatchObject({
    lastSuccess: null,
    lastFailure: { runId: run?._id },
    executions: 0,
    executionsMs: 0,
  });
  expect(await right.services.widgets.topWorkflows(100)).toContainEqual(
    expect.objectContaining({ connectionId: held, executions: 1, failureRate: 100 }),
  );
  for (const answer of answers.splice(0)) answer({});
  await left.services.schedules.remove(admin, _id);
});

it('a schedule fires once for a repeated and for a skipped time of a daylight saving change', async () => {
  const { clock, left, right, admin } = processes;
  /** The next last Sunday of a month at 01:00 in London, when Berlin changes its clocks. */
  const changeIn = (month: number): number => {
    const of = (year: number): number => {
      const last = new Date(Date.UTC(year, month + 1, 0, 1));
      return last.getTime() - last.getUTCDay() * 24 * HOUR_MS;
    };
    const year = clock.now().getUTCFullYear();
    return of(year) - 2 * HOUR_MS > clock.now().getTime() ? of(year) : of(year + 1);
  };
  const { _id } = await made({
    cron: '0 30 2 * * ?',
    timeZone: 'Europe/Berlin',
    missedFires: 'SKIP',
  });
  const firedAround = async (change: number): Promise<(number | undefined)[]> => {
    clock.forward(change - 2 * HOUR_MS - clock.now().getTime());
    await fire(left);
    const before = (await runsOf(_id)).length;
    for (let quarter = 1; quarter <= 16; quarter += 1) {
      clock.forward(HOUR_MS / 4);
      await Promise.all([fire(left), fire(right)]);
      for (const run of await runsOf(_id)) if (run.finishedAt === null) await ended(run);
    }
    const runs = await runsOf(_id);
    return runs
      .slice(0, runs.length - before)
      .map(({ dueAt }) => ((dueAt?.getTime() ?? 0) - change) / (HOUR_MS / 2));
  };
  // Clocks go back: 02:30 occurs twice.
  expect(await firedAround(changeIn(9))).toEqual([-1]);
  // Clocks go forward: a skipped time is due at the change.
  expect(await firedAround(changeIn(2))).toEqual([0]);
  await left.services.schedules.remove(admin, _id);
});
