import type { ScheduleRecord } from '../../../src/features/schedules/schedule.model';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

const COUNT = 2_000;
const WORKFLOWS = 100;
const HOUR_MS = 3_600_000;

let processes: TwoProcesses;
let remote: RemoteSystem;
let answer: () => void = () => undefined;
let first: ScheduleRecord;
beforeAll(async () => {
  const leases = {
    leaseMs: 30_000,
    skewMs: 10_000,
    beatMs: HOUR_MS,
    lookMs: HOUR_MS,
    queueMs: HOUR_MS,
  };
  processes = await twoProcesses({
    env: { HYPHA_RUN_CONCURRENT: '1' },
    left: { runLeases: leases },
    right: { runLeases: leases },
  });
  const {
    left: { services },
    admin,
    clock,
    connections,
  } = processes;
  clock.forward(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  // The only slot is taken, so that the runs stay queued.
  remote = await remoteSystem(
    () =>
      new Promise((resolve) => {
        answer = () => resolve({});
      }),
  );
  const { record: hanging } = await services.workflows.save(admin, null, {
    document: workflow([method('0', remote.url)]),
  });
  await services.runs.run(admin, hanging._id, { logging: false });
  await remote.next();
  const ids: number[] = [];
  for (let nth = 0; nth < WORKFLOWS; nth += 1)
    ids.push((await services.workflows.save(admin, null, { document: workflow([]) })).record._id);
  first = await services.schedules.create(admin, {
    title: 'The first',
    workflowId: ids[0],
    cron: '0 0 * * * ?',
    timeZone: 'Europe/Berlin',
  });
  await connections.left.collection<any>('schedules').insertMany(
    Array.from({ length: COUNT - 1 }, (_, nth) => ({
      ...first,
      _id: 100_000 + nth,
      title: `Schedule ${nth}`,
      titleKey: `schedule ${nth}`,
      workflowId: ids[nth % WORKFLOWS],
      cron: `0 0 ${nth % 2 === 0 ? '*' : '0-23'} * * ?`,
      timeZone: ['Europe/Berlin', 'America/New_York', 'UTC'][nth % 3],
    })),
  );
});
afterAll(async () => {
  const closing = processes.close();
  answer();
  await closing;
  await remote.close();
});

it('2,000 schedules that are due at the same minute are queued once each, and not before', async () => {
  const { left, clock, connections } = processes;
  const runs = connections.right.collection('runs');
  await left.services.scheduleRuns.fireDue();
  expect(await runs.countDocuments({ trigger: 'SCHEDULE' })).toBe(0);
  clock.forward(HOUR_MS);
  await left.services.scheduleRuns.fireDue();
  expect(await runs.countDocuments({ trigger: 'SCHEDULE', dueAt: first.nextFireAt })).toBe(COUNT);
  expect(
    await connections.right
      .collection('schedules')
      .countDocuments({ nextFireAt: { $lte: clock.now() } }),
  ).toBe(0);
});
