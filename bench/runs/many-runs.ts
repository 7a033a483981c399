import { join } from 'node:path';
import { saved, started, workflow } from '../../test/support/documents/workflows';
import { wallMs } from '../measure/in-turn';
import type { BenchResult } from '../result';
import { startProbedService } from '../service/probed-service';
import type { ProbedService } from '../service/probed-service';
import { processorMs } from '../service/processes';
import { remoteProcess } from '../service/remote-process';
import { chain } from './chain';
import { allSucceeded } from './ended-runs';

export const [RUNS, STEPS] = [50, 200];
const ROUNDS = 12;

export interface Took {
  /** Until all were asked for, ms. */
  readonly asking: number;
  readonly stepsPerSecond: number;
  /** Of the service, ms: processes of runs come and go. */
  readonly cpu: number;
}

/** Many runs asked for one after the other, while those before them go on. The first rounds start the processes. */
export async function manyRuns(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, 'remote.js')),
  ]);
  try {
    const id = await saved(service, workflow(chain(remote.url, STEPS)));
    const rounds: Took[] = [];
    for (let nth = 0; nth < ROUNDS; nth += 1) rounds.push(await runTogether(service, id));
    const [cold, ...warm] = rounds;
    const best = warm.toSorted((left, right) => right.stepsPerSecond - left.stepsPerSecond)[0];
    const quickest = Math.min(...warm.map(({ asking }) => asking));
    const detail = ({ stepsPerSecond, asking, cpu }: Took): string =>
      `${Math.round(stepsPerSecond)}/s, asked for in ${Math.round(asking)} ms, CPU of the service ${cpu} ms`;
    return [
      {
        name: `steps a second, ${RUNS} runs of ${STEPS} steps at once`,
        value: best.stepsPerSecond,
        unit: '1/s',
        target: { atLeast: 2_500 },
        detail: `best of ${warm.length}; each: ${warm.map(detail).join('; ')}; with cold processes: ${detail(cold)}`,
      },
      {
        name: `${RUNS} workflowRun in a row have answered`,
        value: quickest,
        unit: 'ms',
        target: { below: 500 },
        detail: `best of ${warm.length}`,
      },
    ];
  } finally {
    await service.close();
    remote.close();
  }
}

export async function runTogether(service: ProbedService, workflowId: number): Promise<Took> {
  const before = processorMs(service.pid);
  const ids: number[] = [];
  const asking = await wallMs(async () => {
    while (ids.length < RUNS) ids.push(await started(service, workflowId));
  });
  const runs = await allSucceeded(service, ids);
  const seconds =
    (Math.max(...runs.map(({ endTime }) => endTime)) -
      Math.min(...runs.map(({ queuedTime }) => queuedTime))) /
    1_000;
  return {
    asking,
    stepsPerSecond: (RUNS * STEPS) / seconds,
    cpu: processorMs(service.pid) - before,
  };
}
