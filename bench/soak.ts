import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { childrenOf } from '../test/engine/support/pool';
import { median } from './measure/in-turn';
import type { BenchResult } from './result';
import { count, GOING } from './runs/ended-runs';
import {
  descriptors,
  ownMegabytes,
  proportionalMegabytes,
  titleOf,
  treeOf,
} from './service/processes';
import { startProbedService } from './service/probed-service';
import type { ProbedService } from './service/probed-service';
import { remoteProcess } from './service/remote-process';
import { startWork } from './soak/work';

const MINUTES = Number(process.env.HYPHA_BENCH_SOAK_MINUTES ?? 30);
const [KILL_MS, LOOK_MS] = [20_000, 250];
/** Within which all runs have ended after the last was started. */
const END_MS = 120_000;
/** What the number of descriptors may differ by: processes of runs, and sockets to other systems, come and go. */
const FEW_DESCRIPTORS = 8;

interface Sample {
  /** Of the process of the service, 10^6 bytes, without the cache of the store's file. */
  readonly memory: number;
  readonly descriptors: number;
  /** Of all processes, 10^6 bytes. */
  readonly proportional: number;
}

/** Webhooks, schedules and logged runs for half an hour, while processes of runs are killed and the disk is slow: does every run end, and does nothing grow? */
export async function run(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService({ HYPHA_LIMITS_WEBHOOK_CALLS: '1000000' }, undefined, [
      join(__dirname, 'soak/slow-store.js'),
    ]),
    remoteProcess(join(__dirname, 'runs/remote.js')),
  ]);
  try {
    const work = await startWork(service, remote.url);
    const disturbed = await Promise.race([disturb(service), work.working.then(never)]);
    await work.stop();
    const end = Date.now() + END_MS;
    while (Date.now() < end && (await going(service)) > 0) await pause(LOOK_MS);
    const lost: string[] = [];
    for (const { name, workflowId, accepted } of work.sources) {
      const stored = await count(service, { workflow: { eq: String(workflowId) } });
      if (stored < accepted) lost.push(`${name}: ${accepted} accepted, ${stored} stored`);
    }
    return resultsOf(disturbed, {
      lost,
      accepted: work.sources.reduce((sum, { accepted }) => sum + accepted, 0),
      all: await count(service, {}),
      going: await going(service),
      succeeded: await count(service, { state: { eq: 'SUCCEEDED' } }),
    });
  } finally {
    await service.close();
    remote.close();
  }
}

const going = (service: ProbedService): Promise<number> => count(service, { state: { in: GOING } });

function never(): never {
  throw new Error('The work ended before its time.');
}

/** Kills a process of a run every now and then, and looks at what the service holds: its memory after a collection, which the heap's slack would hide. */
async function disturb(service: ProbedService) {
  const { pid } = service;
  const samples: Sample[] = [];
  const end = performance.now() + MINUTES * 60_000;
  let kills = 0;
  while (performance.now() < end) {
    await pause(KILL_MS);
    await service.memory();
    samples.push({
      memory: ownMegabytes(pid),
      descriptors: descriptors(pid),
      proportional: treeOf(pid).reduce((sum, each) => sum + proportionalMegabytes(each), 0),
    });
    kills += killOne(pid);
  }
  return { samples, kills };
}

/** Returns the number of killed processes. */
function killOne(pid: number): number {
  const children = childrenOf(pid).filter((child) => titleOf(child).startsWith('hypha run'));
  if (children.length === 0) return 0;
  process.kill(children[Math.floor(Math.random() * children.length)], 'SIGKILL');
  return 1;
}

interface Ends {
  readonly lost: readonly string[];
  readonly accepted: number;
  readonly all: number;
  readonly going: number;
  readonly succeeded: number;
}

function resultsOf(
  { samples, kills }: Awaited<ReturnType<typeof disturb>>,
  { lost, accepted, all, going: notEnded, succeeded }: Ends,
): BenchResult[] {
  const fifth = (nth: number, of: keyof Sample): number =>
    median(
      samples
        .slice((samples.length * nth) / 5, (samples.length * (nth + 1)) / 5)
        .map((sample) => sample[of]),
    );
  const fifths = (of: keyof Sample): string =>
    `medians of the fifths of the time: ${[0, 1, 2, 3, 4].map((nth) => Math.round(fifth(nth, of))).join(', ')}`;
  const failed = all - succeeded - notEnded;
  return [
    {
      name: 'accepted runs that are not stored',
      value: lost.length,
      unit: '',
      target: { exactly: 0 },
      judged: true,
      detail: [`${accepted} accepted, ${all} with those of schedules`, ...lost].join('; '),
    },
    {
      name: `runs that have not ended ${END_MS / 1_000} s after the last start`,
      value: notEnded,
      unit: `of ${all}`,
      target: { exactly: 0 },
      judged: true,
    },
    {
      name: 'runs that did not succeed, beyond one for each killed process',
      value: Math.max(0, failed - kills),
      unit: `of ${all}`,
      target: { exactly: 0 },
      judged: true,
      detail: `${failed} did not succeed, ${kills} processes were killed`,
    },
    {
      name: 'memory of the service in the last fifth, of that in the second',
      value: fifth(4, 'memory') / fifth(1, 'memory'),
      unit: 'x',
      target: { below: 1.1 },
      judged: true,
      detail: `${fifths('memory')} MB`,
    },
    {
      name: 'descriptors of the service more in the last fifth than in the second',
      value: fifth(4, 'descriptors') - fifth(1, 'descriptors'),
      unit: '',
      target: { below: FEW_DESCRIPTORS },
      judged: true,
      detail: fifths('descriptors'),
    },
    {
      name: 'memory of all processes, proportional',
      value: fifth(4, 'proportional'),
      unit: 'MB',
      detail: fifths('proportional'),
    },
  ];
}
