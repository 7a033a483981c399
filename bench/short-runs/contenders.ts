import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { method, saved, workflow } from '../../test/support/documents/workflows';
import { wallMs } from '../measure/in-turn';
import { isInstalled } from '../peers/installed';
import { firstMessage } from '../peers/servers';
import { count, GOING } from '../runs/ended-runs';
import { scheduled, webhookOf } from '../runs/schedules';
import { startProbedService } from '../service/probed-service';
import { treeProcessorMs } from '../service/processes';
import type { StoreWork } from '../service/store-thread';
import type { CallOrder, CallReport } from './load';

const [RUNS, IN_FLIGHT] = [Number(process.env.HYPHA_BENCH_RUNS ?? 300), 16];
/** Between two requests of `me`, and between two questions whether all runs have ended. */
const [ME_EVERY_MS, LOOK_MS] = [20, 10];

/** What a round of runs took. */
export interface Took {
  readonly runs: number;
  readonly wallMs: number;
  /** User and system time of all processes of the server. */
  readonly cpuMs: number;
  /** Of a server that counts it. */
  readonly store: StoreWork | null;
  /** How long `me` took each time, if somebody asked. */
  readonly meTimes: readonly number[];
}
export type Contender = () => Promise<Took>;

const program = (name: string, ...args: readonly string[]) =>
  fork(join(__dirname, `${name}.js`), args, { env: { ...process.env, NODE_ENV: 'production' } });

/** Starts all servers, and the process that calls them. */
export async function started(dir: string) {
  const load = program('load');
  const remoteUrl = await firstMessage<string>(load);
  const peers = Object.entries({
    express: program('express', remoteUrl, join(dir, 'express')),
    'node-red': program('node-red', remoteUrl),
  }).filter(([name, child]) => isInstalled(name) || !child.kill('SIGKILL'));
  const service = await startProbedService({ HYPHA_LIMITS_WEBHOOK_CALLS: '1000000' });
  const call = async (url: string): Promise<void> => {
    load.send({ url, calls: RUNS, inFlight: IN_FLIGHT } satisfies CallOrder);
    const report = await firstMessage<CallReport>(load);
    if ('failure' in report) throw new Error(report.failure);
  };
  const id = await saved(service, workflow([method('0', remoteUrl)]));
  const webhook = async (logging: boolean): Promise<string> =>
    webhookOf(service, await scheduled(service, { workflowId: String(id), logging }));
  const [plain, logged] = [await webhook(false), await webhook(true)];
  let rounds = 0;
  const ours =
    (url: string, asksMe = false): Contender =>
    async () => {
      const [before, cpu] = [await service.storeWork(), treeProcessorMs(service.pid)];
      let isOver = false;
      const meTimes: number[] = [];
      const asking = (async () => {
        while (asksMe && !isOver) {
          meTimes.push(await wallMs(() => service.data('{ me { id email } }')));
          await pause(ME_EVERY_MS);
        }
      })();
      const took = await wallMs(async () => {
        await call(url);
        while ((await count(service, { state: { in: GOING } })) > 0) await pause(LOOK_MS);
      });
      isOver = true;
      await asking;
      rounds += 1;
      const after = await service.storeWork();
      return {
        runs: RUNS,
        wallMs: took,
        cpuMs: treeProcessorMs(service.pid) - cpu,
        store: {
          commands: after.commands - before.commands,
          commits: after.commits - before.commits,
        },
        meTimes,
      };
    };
  const of: Record<string, Contender> = {
    'Hypha, log off': ours(plain),
    'Hypha, log on': ours(logged),
    'Hypha, log off, while `me` is asked': ours(plain, true),
  };
  for (const [name, child] of peers) {
    const url = await firstMessage<string>(child);
    of[TITLES[name]] = async () => {
      const cpu = treeProcessorMs(child.pid ?? 0);
      const took = await wallMs(() => call(url));
      return {
        runs: RUNS,
        wallMs: took,
        cpuMs: treeProcessorMs(child.pid ?? 0) - cpu,
        store: null,
        meTimes: [],
      };
    };
  }
  return {
    of,
    /** @throws Error a run of Hypha ended otherwise than well, or is missing */
    async allEnded(): Promise<void> {
      const ended = await count(service, { state: { eq: 'SUCCEEDED' } });
      if (ended !== rounds * RUNS)
        throw new Error(`${rounds * RUNS} runs were called, ${ended} succeeded.`);
    },
    async close(): Promise<void> {
      await service.close();
      const children = [load, ...peers.map(([, child]) => child)];
      const exits = children.map((child) => once(child, 'exit'));
      for (const child of children) child.disconnect();
      await Promise.all(exits);
    },
  };
}

const TITLES: Readonly<Record<string, string>> = {
  express: 'Express handler, one record',
  'node-red': 'Node-RED 4, no record',
};
