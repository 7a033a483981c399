import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { healthTimes, p99 } from './measure/health';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import type { BenchResult } from './result';
import { processorMs } from './service/processes';
import { startProbedService } from './service/probed-service';
import { remoteProcess } from './service/remote-process';

const SCHEDULES = 10_000;
const WORKFLOWS = 100;
const MADE_AT_ONCE = 20;
const HOUR_MS = 3_600_000;
/** Making them takes this long at most. */
const MAKING_MINUTES = 2;
const MINUTE_MS = 60_000;
/** Without anything that is due. */
const QUIET_MS = 10_000;
const QUEUED =
  'query($after: DateTime!) { runs(first: 1, filter: { state: { eq: QUEUED }, queuedAt: { gte: $after } }) { totalCount nodes { queuedAt } } }';

/** Ten thousand schedules in a service of its own: what they cost while none is due, and how long it takes until all are in line that are due at one minute. */
export async function run(): Promise<BenchResult[]> {
  const hours = String(HOUR_MS);
  const [service, remote] = await Promise.all([
    startProbedService({
      HYPHA_RUN_CONCURRENT: '1',
      HYPHA_STEP_TIMEOUT: hours,
      HYPHA_OUTBOUND_TIMEOUT: hours,
    }),
    remoteProcess(join(__dirname, 'runs/remote.js')),
  ]);
  try {
    // The only place is taken: what is measured is the way into the line.
    await started(service, await saved(service, workflow([method('0', `${remote.url}/never`)])));
    const ids: number[] = [];
    for (let nth = 0; nth < WORKFLOWS; nth += 1) ids.push(await saved(service, workflow([])));
    const due = new Date(Math.ceil(Date.now() / MINUTE_MS + MAKING_MINUTES) * MINUTE_MS);
    for (let made = 0; made < SCHEDULES; made += MADE_AT_ONCE) {
      const fields = Array.from(
        { length: MADE_AT_ONCE },
        (_, nth) =>
          `s${nth}: scheduleCreate(input: { title: "Schedule ${made + nth}", workflowId: "${ids[(made + nth) % WORKFLOWS]}", cron: "0 ${due.getUTCMinutes()} * * * ?", timeZone: "UTC" }) { schedule { id } userErrors { code } }`,
      );
      await service.data(`mutation { ${fields.join(' ')} }`);
    }
    if (Date.now() + QUIET_MS > due.getTime())
      throw new Error('Making the schedules took too long to measure anything.');
    const idle = processorMs(service.pid);
    await pause(QUIET_MS);
    const quiet = (processorMs(service.pid) - idle) / (QUIET_MS / 1_000);
    await pause(due.getTime() - Date.now());
    const lastQueued = (async (): Promise<string> => {
      for (;;) {
        const {
          runs: {
            totalCount,
            nodes: [last],
          },
        } = await service.data(QUEUED, { after: due });
        if (totalCount >= SCHEDULES) return last.queuedAt;
        await pause(250);
      }
    })();
    const times = await healthTimes(service.url, lastQueued, () => pause(20));
    return [
      {
        name: `${SCHEDULES} schedules of which none is due, processor time a second`,
        value: quiet,
        unit: 'ms',
        detail: 'of the whole service',
      },
      {
        name: 'all due at one minute are in line',
        value: (Date.parse(await lastQueued) - due.getTime()) / 1_000,
        unit: 's',
        target: { below: 5 },
        detail: 'after it, the last of them',
      },
      {
        name: '/healthz during the runs, 99th percentile',
        value: p99(times),
        unit: 'ms',
        detail: `${times.length} times; slowest ${Math.round(times.at(-1) ?? 0)}`,
      },
    ];
  } finally {
    await service.close();
    remote.close();
  }
}
