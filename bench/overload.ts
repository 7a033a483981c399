import { setTimeout as pause } from 'node:timers/promises';
import { remoteSystem } from '../test/support/peers/remote-system';
import type { RemoteSystem } from '../test/support/peers/remote-system';
import { ended } from '../test/support/service/watch';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import { busyLoops } from './measure/busy-loops';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';
import type { ProbedService } from './service/probed-service';

const BUSY_LOOPS = 8;
const RUNS = 60;
const ANSWER_MS = 200;
/** Shorter and longer than the lease of a run, 30 s. */
const SHORT_STOP_MS = 5_000;
const LONG_STOP_MS = 45_000;
/** When runs are begun, and some of them go on. */
const BEGUN_MS = 3_000;
/** Nothing may be RUNNING without a process for longer. */
const MINUTE_MS = 60_000;

interface Phase {
  readonly name: string;
  readonly wrong: readonly string[];
  readonly interrupted: number;
}

/** Runs on a machine that is busy otherwise, with a service process that is stopped in between: does each of them end as what it did, and is none executed twice? */
export async function run(): Promise<BenchResult[]> {
  const endLoops = busyLoops(BUSY_LOOPS);
  const remote = await remoteSystem(() => pause(ANSWER_MS, {}));
  const service = await startProbedService({
    HYPHA_OUTBOUND_ALLOW: '127.0.0.1',
    HYPHA_STEP_TIMEOUT: '600000',
  });
  try {
    const phases = [
      await phase('overload alone', service, remote, 0),
      await phase('and stopped for 5 s', service, remote, SHORT_STOP_MS),
      await phase('and stopped for 45 s', service, remote, LONG_STOP_MS),
    ];
    await pause(MINUTE_MS);
    const { runs } = await service.data(
      '{ runs(first: 100, filter: { state: { in: [QUEUED, RUNNING] } }) { nodes { databaseId } } }',
    );
    return [
      ...phases.map(({ name, wrong, interrupted }): BenchResult => ({
        name: `${name}: runs that did not end as what they did`,
        value: wrong.length,
        unit: `of ${RUNS}`,
        target: { exactly: 0 },
        judged: true,
        detail: [`${interrupted} interrupted`, ...wrong].join('; '),
      })),
      {
        name: 'steps that were executed more than once',
        value: repeated(remote),
        unit: '',
        target: { exactly: 0 },
        judged: true,
      },
      {
        name: 'runs that have not ended a minute later',
        value: runs.nodes.length,
        unit: '',
        target: { exactly: 0 },
        judged: true,
      },
    ];
  } finally {
    process.kill(service.pid, 'SIGCONT');
    await service.close();
    await remote.close();
    endLoops();
  }
}

/** @param stopMs how long the process of the service is stopped while runs go on; 0 for not at all */
async function phase(
  name: string,
  service: ProbedService,
  remote: RemoteSystem,
  stopMs: number,
): Promise<Phase> {
  const ids: number[] = [];
  for (let nth = 0; nth < RUNS; nth += 1) {
    const path = `${remote.url}/${encodeURIComponent(name)}/${nth}`;
    ids.push(
      await started(
        service,
        await saved(
          service,
          workflow([method('0', `${path}/first`), method('1', `${path}/second`)]),
        ),
      ),
    );
  }
  await pause(BEGUN_MS);
  if (stopMs > 0) {
    process.kill(service.pid, 'SIGSTOP');
    await pause(stopMs);
    process.kill(service.pid, 'SIGCONT');
  }
  const ends = await Promise.all(ids.map((id) => ended(service, id)));
  const isInterrupted = (one: any): boolean =>
    stopMs === LONG_STOP_MS && one.state === 'INTERRUPTED' && one.error.index !== null;
  return {
    name,
    wrong: ends
      .filter((one) => one.state !== 'SUCCEEDED' && !isInterrupted(one))
      .map(({ state, error }) => `${state} ${error?.code ?? ''}`),
    interrupted: ends.filter(isInterrupted).length,
  };
}

function repeated(remote: RemoteSystem): number {
  const paths = remote.received.map(({ path }) => path);
  return paths.length - new Set(paths).size;
}
