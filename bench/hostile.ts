import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf } from '../test/engine/support/pool';
import { healthTimes, p99 } from './measure/health';
import { ordinaryWorkflow } from '../test/support/peers/hostile-remote';
import { hostileBesideOrdinary } from '../test/support/documents/hostile-runs';
import { ended } from '../test/support/service/watch';
import { saved, started } from '../test/support/documents/workflows';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';
import { megabytes, ownMegabytes } from './service/processes';
import { remoteProcess } from './service/remote-process';

const LOOK_MS = 100;
const BETWEEN_MS = 20;
const WARM_UP = 20;
/** When a service is idle, and when it is again. */
const REST_MS = 60_000;

/** Hostile workflows of every kind concurrently with ordinary ones, with default settings, so that endless loops end at the limit of iterations: checks the ends of all runs and measures memory and time. */
export async function run(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, 'hostile/remote.js')),
  ]);
  const alone = (): number => megabytes(service.pid).resident;
  const together = (): number =>
    childrenOf(service.pid).reduce((sum, pid) => sum + megabytes(pid).resident, alone());
  const most = { alone: 0, together: 0 };
  let looking: NodeJS.Timeout | undefined;
  try {
    for (let nth = 0; nth < WARM_UP; nth += 1)
      await ended(service, await started(service, await saved(service, ordinaryWorkflow(remote))));
    await pause(REST_MS);
    const idle = ownMemory(service.pid);
    looking = setInterval(() => {
      most.alone = Math.max(most.alone, alone());
      most.together = Math.max(most.together, together());
    }, LOOK_MS);
    const working = hostileBesideOrdinary(service, remote, 6);
    const before = performance.now();
    const times = await healthTimes(service.url, working, () => pause(BETWEEN_MS));
    const ends = await working;
    const seconds = (performance.now() - before) / 1_000;
    clearInterval(looking);
    await pause(REST_MS);
    const after = ownMemory(service.pid);
    const wrong = ends.filter(({ expected, got }) => got !== expected);
    const ofKind = (isOrdinary: boolean): string =>
      `${ends.filter(({ expected, got }) => (expected === 'SUCCEEDED') === isOrdinary && got === expected).length} of ${ends.filter(({ expected }) => (expected === 'SUCCEEDED') === isOrdinary).length}`;
    return [
      {
        name: 'runs that ended otherwise than they should',
        value: wrong.length,
        unit: `of ${ends.length}`,
        target: { exactly: 0 },
        judged: true,
        detail: `hostile ${ofKind(false)}, ordinary ${ofKind(true)}; ${Math.round(seconds)} s${wrong.map(({ name, got }) => `; ${name}: ${got}`).join('')}`,
      },
      {
        name: 'most memory of the service and its processes',
        value: most.together,
        unit: 'MB',
        target: { below: 4000 },
      },
      {
        name: 'most memory of the service alone',
        value: most.alone,
        unit: 'MB',
        target: { below: 400 },
      },
      {
        name: 'memory a minute later, of that when idle',
        value: after.together / idle.together,
        unit: '',
        target: { below: 1.3 },
        judged: true,
        detail: `${describeMemory(after)}; when idle ${describeMemory(idle)}`,
      },
      {
        name: '/healthz during the runs, 99th percentile',
        value: p99(times),
        unit: 'ms',
        target: { below: 100 },
        detail: `slowest ${Math.round(times.at(-1) ?? 0)}`,
      },
    ];
  } finally {
    clearInterval(looking);
    await service.close();
    remote.close();
  }
}

interface OwnMemory {
  readonly alone: number;
  readonly together: number;
  readonly processes: number;
}

/** Of the service and the processes of runs, 10^6 bytes. */
function ownMemory(pid: number): OwnMemory {
  const children = childrenOf(pid);
  const alone = ownMegabytes(pid);
  return {
    alone,
    together: children.reduce((sum, child) => sum + ownMegabytes(child), alone),
    processes: children.length,
  };
}

const describeMemory = ({ alone, together, processes }: OwnMemory): string =>
  `${Math.round(together)} MB, ${Math.round(alone)} of it the service, the rest ${processes} processes`;
