import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { HOSTILE_INPUTS } from './inputs/hostile-inputs';
import type { BenchResult } from './result';

const MEGABYTE = 1e6;
const LARGEST_BYTES = 9.8e6;
const SMALL_BYTES = 64 * 1024;

interface Amplification {
  readonly name: string;
  readonly inputBytes: number;
  readonly grownBytes: number;
  readonly outcome: string;
}

/** What hostile inputs build when each is read in a process without a limit. */
export async function run(): Promise<BenchResult[]> {
  const large = await amplifications(LARGEST_BYTES);
  const small = await amplifications(SMALL_BYTES);
  return [
    ...large.map(({ name, inputBytes, grownBytes, outcome }) => ({
      name,
      value: grownBytes / MEGABYTE,
      unit: 'MB',
      detail: `of ${(inputBytes / MEGABYTE).toFixed(2)} MB; ${outcome}`,
    })),
    {
      name: 'most that an input of 64 KiB builds, in the process of the service',
      value: most(small).grownBytes / MEGABYTE,
      unit: 'MB',
      target: { below: 40 },
      detail: most(small).name,
    },
  ];
}

const most = (all: readonly Amplification[]): Amplification =>
  all.reduce((a, b) => (b.grownBytes > a.grownBytes ? b : a));

async function amplifications(bytes: number): Promise<Amplification[]> {
  const all: Amplification[] = [];
  for (const { name } of HOSTILE_INPUTS) {
    const child = fork(join(__dirname, 'inputs/amplification.js'), [name, String(bytes)], {
      execArgv: ['--expose-gc', '--max-old-space-size=4000'],
    });
    const [measured] = (await once(child, 'message')) as [Omit<Amplification, 'name'>];
    all.push({ name, ...measured });
    child.kill();
  }
  return all;
}
