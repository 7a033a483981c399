import { join } from 'node:path';
import { Agent } from 'undici';
import { childrenOf } from '../../test/engine/support/pool';
import { saved, started, workflow } from '../../test/support/documents/workflows';
import { inTurn, median, round } from '../measure/in-turn';
import type { BenchResult } from '../result';
import { startProbedService } from '../service/probed-service';
import type { ProbedService } from '../service/probed-service';
import { processorMs } from '../service/processes';
import { remoteProcess } from '../service/remote-process';
import { bareChain, chain } from './chain';
import { allSucceeded } from './ended-runs';

const STEPS = 1_000;
const [WARM_UP, ROUNDS] = [6, 11];

/** Of a thousand steps, ms. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}

/** One run of many steps in a warm process against a bare client in this one: the same requests to a server in a third. */
export async function sequentialSteps(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, 'remote.js')),
  ]);
  const agent = new Agent();
  try {
    const id = await saved(service, workflow(chain(remote.url, STEPS)));
    const measures = await inTurn(
      {
        bare: () => bare(agent, remote.url),
        plain: () => run(service, id, false),
        logged: () => run(service, id, true),
      },
      { warmUp: WARM_UP, rounds: ROUNDS },
    );
    const detail = ({ wall, cpu }: Took): string =>
      `${Math.round(wall)} ms, ${Math.round(cpu)} of CPU`;
    const typical = (of: readonly Took[]): Took => ({
      wall: median(of.map(({ wall }) => wall)),
      cpu: median(of.map(({ cpu }) => cpu)),
    });
    const row = (name: string, of: readonly Took[]): BenchResult => ({
      name: `rate of a bare client that ${name} reaches`,
      value: median(of.map(({ wall }, nth) => measures.bare[nth].wall / wall)),
      unit: 'x',
      target: { atLeast: 0.7 },
      judged: true,
      detail: `better 0.8; ${detail(typical(of))}; bare ${detail(typical(measures.bare))}; median of ${ROUNDS} rounds; of CPU ${round(median(of.map(({ cpu }, nth) => measures.bare[nth].cpu / cpu)))}`,
    });
    return [
      row(`a run of ${STEPS} steps`, measures.plain),
      row('the same run, logged,', measures.logged),
    ];
  } finally {
    await agent.destroy();
    await service.close();
    remote.close();
  }
}

async function bare(agent: Agent, origin: string): Promise<Took> {
  const [before, from] = [process.cpuUsage(), performance.now()];
  await bareChain(agent, origin, STEPS);
  const { user, system } = process.cpuUsage(before);
  return { wall: performance.now() - from, cpu: (user + system) / 1_000 };
}

/** Processor time: of the process of the run alone. */
async function run(service: ProbedService, workflowId: number, logging: boolean): Promise<Took> {
  const children = childrenOf(service.pid);
  const cpu = (): number => children.reduce((sum, pid) => sum + processorMs(pid), 0);
  const before = cpu();
  const [{ duration }] = await allSucceeded(service, [await started(service, workflowId, logging)]);
  return { wall: duration, cpu: cpu() - before };
}
