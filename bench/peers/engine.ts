import { join } from 'node:path';
import { childrenOf } from '../../test/engine/support/pool';
import { saved, started, workflow } from '../../test/support/documents/workflows';
import { p99 } from '../measure/health';
import { inTurn, median } from '../measure/in-turn';
import type { BenchResult } from '../result';
import { chain } from '../runs/chain';
import { allSucceeded } from '../runs/ended-runs';
import { RUNS, runTogether, STEPS } from '../runs/many-runs';
import { startProbedService } from '../service/probed-service';
import type { ProbedService } from '../service/probed-service';
import { processorMs } from '../service/processes';
import { remoteProcess } from '../service/remote-process';
import type { Effort } from './requests';
import { isInstalled } from './installed';
import { firstMessage, forked } from './servers';
import type { Row } from './table';

const SEQUENTIAL_STEPS = 1_000;
/** Runs that compile the code of all contenders, before the first that is measured. */
const WARM_UP = 4;
const WARM_ROUNDS = 4;

/** Of a run, ms. */
interface Took {
  readonly wall: number;
  readonly cpu: number;
}
type Contenders = Record<string, () => Promise<Took>>;

const OURS = { plain: '1,000 sequential HTTP steps', logged: 'the same, logged' } as const;
const PEER_NAMES: Readonly<Record<string, string>> = {
  undici: 'bare undici loop',
  'node-red': 'Node-RED 4',
};

/** A run of sequential HTTP requests: the service with its run process next to a bare client and Node-RED. */
export async function measureEngine(effort: Pick<Effort, 'restarts' | 'rounds'>): Promise<Row[]> {
  const remote = await remoteProcess(join(__dirname, '../runs/remote.js'));
  const rounds: Record<string, Took>[] = [];
  try {
    for (let restart = 0; restart < effort.restarts; restart += 1)
      rounds.push(...(await startMeasured(remote.url, effort.rounds)));
  } finally {
    remote.close();
  }
  const rowOf = (ours: string, peer: string, of: keyof Took, unit: string): Row => {
    const values = (name: string): number[] => rounds.map(({ [name]: took }) => took[of]);
    return {
      title: OURS[ours as keyof typeof OURS],
      peer: PEER_NAMES[peer],
      unit,
      ours: values(ours),
      theirs: values(peer),
      ratios: values(peer).map((value, round) => value / values(ours)[round]),
    };
  };
  return Object.keys(PEER_NAMES)
    .filter((peer) => peer in rounds[0])
    .flatMap((peer) =>
      Object.keys(OURS).flatMap((ours) => [
        rowOf(ours, peer, 'cpu', 'ms CPU'),
        rowOf(ours, peer, 'wall', 'ms'),
      ]),
    );
}

/** Starts all contenders and measures them in turn. Returns what each took in each round. */
async function startMeasured(remoteUrl: string, rounds: number): Promise<Record<string, Took>[]> {
  const service = await startProbedService();
  const peers = Object.keys(PEER_NAMES)
    .filter((name) => name !== 'node-red' || isInstalled('node-red'))
    .map((name) => ({ name, child: forked(`servers/${name}.js`) }));
  try {
    await Promise.all(peers.map(({ child }) => firstMessage(child)));
    const id = await saved(service, workflow(chain(remoteUrl, SEQUENTIAL_STEPS)));
    const contenders: Contenders = {
      plain: () => runOf(service, id, false),
      logged: () => runOf(service, id, true),
    };
    for (const { name, child } of peers)
      contenders[name] = async () => {
        const before = processorMs(child.pid ?? 0);
        child.send([remoteUrl, SEQUENTIAL_STEPS]);
        const wall = await firstMessage<number>(child);
        return { wall, cpu: processorMs(child.pid ?? 0) - before };
      };
    const measures = await inTurn(contenders, { warmUp: WARM_UP, rounds: 2 * rounds });
    return Array.from({ length: rounds }, (_, round) =>
      Object.fromEntries(
        Object.entries(measures).map(([name, [...took]]) => [
          name,
          meanOf(took.slice(2 * round, 2 * round + 2)),
        ]),
      ),
    );
  } finally {
    for (const { child } of peers) child.disconnect();
    await service.close();
  }
}

const meanOf = (took: readonly Took[]): Took => ({
  wall: took.reduce((sum, { wall }) => sum + wall, 0) / took.length,
  cpu: took.reduce((sum, { cpu }) => sum + cpu, 0) / took.length,
});

async function runOf(service: ProbedService, workflowId: number, logging: boolean): Promise<Took> {
  const pids = [service.pid, ...childrenOf(service.pid)];
  const cpu = (): number => pids.reduce((sum, pid) => sum + processorMs(pid), 0);
  const before = cpu();
  const [{ duration }] = await allSucceeded(service, [await started(service, workflowId, logging)]);
  return { wall: duration, cpu: cpu() - before };
}

/** Many concurrent runs, on a service that has just started and on a warm one, and the time of a query of `me` during them. */
export async function measureRuns(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, '../runs/remote.js')),
  ]);
  try {
    const id = await saved(service, workflow(chain(remote.url, STEPS)));
    const rounds = [];
    for (let nth = 0; nth <= WARM_ROUNDS; nth += 1) rounds.push(await roundWithMe(service, id));
    const [fresh, ...warm] = rounds;
    const resultsOf = (phase: string, of: readonly (typeof fresh)[]): BenchResult[] => [
      {
        name: `${RUNS} runs of ${STEPS} steps at once, ${phase}`,
        value: median(of.map(({ stepsPerSecond }) => stepsPerSecond)),
        unit: 'steps/s',
        detail: `CPU of the service ${median(of.map(({ cpu }) => cpu))} ms`,
      },
      {
        name: `p99 of \`me\` during the burst, ${phase}`,
        value: median(of.map(({ times }) => p99(times))),
        unit: 'ms',
        detail: `of ${of.reduce((sum, { times }) => sum + times.length, 0)} requests`,
      },
    ];
    return [...resultsOf('fresh service', [fresh]), ...resultsOf('warm service', warm)];
  } finally {
    await service.close();
    remote.close();
  }
}

async function roundWithMe(service: ProbedService, workflowId: number) {
  let isOver = false;
  const runs = runTogether(service, workflowId).finally(() => {
    isOver = true;
  });
  const times: number[] = [];
  while (!isOver) {
    const before = performance.now();
    await service.data('{ me { id email } }');
    times.push(performance.now() - before);
  }
  return { ...(await runs), times: times.toSorted((left, right) => left - right) };
}
