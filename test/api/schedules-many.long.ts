import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { ScheduleRecord } from '../../src/features/schedules/schedule.model';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { twoProcesses } from '../support/two-processes';
import type { TwoProcesses } from '../support/two-processes';
import { method, workflow } from '../support/workflows';

/* Ten thousand schedules: what looking for what is due costs, and how long it takes to queue them when all are due at the same minute. */

jest.setTimeout(120_000);

const COUNT = 10_000;
const WORKFLOWS = 100;
/** Of processor time, which other tests beside it lengthen least. A machine with nothing else to do needs 5,000 of the clock's for the second, as is aimed at. */
const [TICK_MS, QUEUED_MS] = [20, 15_000];
const HOUR_MS = 3_600_000;

let processes: TwoProcesses;
let remote: RemoteSystem;
let answer: () => void = () => undefined;
let first: ScheduleRecord;
beforeAll(async () => {
  const leases = { leaseMs: 30_000, skewMs: 10_000, beatMs: HOUR_MS, lookMs: HOUR_MS };
  processes = await twoProcesses({ env: { HYPHA_RUN_CONCURRENT: '1' }, left: { runLeases: leases }, right: { runLeases: leases } });
  const { left: { services }, admin, clock, connections } = processes;
  clock.forward(HOUR_MS - (clock.now().getTime() % HOUR_MS));
  // The only place is taken: what is measured is the way into the line.
  remote = await remoteSystem(() => new Promise((resolve) => { answer = () => resolve({}); }));
  const { record: hanging } = await services.workflows.save(admin, null, { document: workflow([method('0', remote.url)]) });
  await services.runs.run(admin, hanging._id, { logging: false });
  await remote.next();
  const ids: number[] = [];
  for (let nth = 0; nth < WORKFLOWS; nth += 1) ids.push((await services.workflows.save(admin, null, { document: workflow([]) })).record._id);
  first = await services.schedules.create(admin, { title: 'The first', workflowId: ids[0], cron: '0 0 * * * ?', timeZone: 'Europe/Berlin' });
  await connections.left.collection<any>('schedules').insertMany(Array.from({ length: COUNT - 1 }, (_, nth) => ({
    ...first, _id: 100_000 + nth, title: `Schedule ${nth}`, titleKey: `schedule ${nth}`, workflowId: ids[nth % WORKFLOWS],
    cron: `0 0 ${nth % 2 === 0 ? '*' : '0-23'} * * ?`, timeZone: ['Europe/Berlin', 'America/New_York', 'UTC'][nth % 3],
  })));
});
afterAll(async () => {
  const closing = processes.close();
  answer();
  await closing;
  await remote.close();
});

it('a look at which nothing is due costs little, and all that are due at one minute are queued in seconds, without holding anything up', async () => {
  const { left, clock, connections } = processes;
  const looks: number[] = [];
  for (let nth = 0; nth < 20; nth += 1) {
    const from = process.cpuUsage();
    await left.services.schedules.fireDue();
    const { user, system } = process.cpuUsage(from);
    looks.push((user + system) / 1_000);
  }
  expect(looks.sort((a, b) => a - b)[10]).toBeLessThan(TICK_MS);
  clock.forward(HOUR_MS);
  const delays = monitorEventLoopDelay({ resolution: 5 });
  delays.enable();
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  await left.services.schedules.fireDue();
  const took = performance.now() - from;
  const { user, system } = process.cpuUsage(cpu);
  delays.disable();
  process.stderr.write(`a look ${looks[10]?.toFixed(1)} ms of processor time; ${COUNT} due at once queued in ${took.toFixed(0)} ms, ${((user + system) / 1_000).toFixed(0)} ms of processor time, the longest hold ${(delays.max / 1e6).toFixed(0)} ms\n`);
  const runs = connections.right.collection('runs');
  expect(await runs.countDocuments({ trigger: 'SCHEDULE', dueAt: first.nextFireAt })).toBe(COUNT);
  expect(await connections.right.collection('schedules').countDocuments({ nextFireAt: { $lte: clock.now() } })).toBe(0);
  expect((user + system) / 1_000).toBeLessThan(QUEUED_MS);
});
