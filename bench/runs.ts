import type { BenchResult } from './result';
import { longLoop } from './runs/long-loop';
import { manyRuns } from './runs/many-runs';
import { sequentialSteps } from './runs/sequential-steps';
import { slowPeers } from './runs/slow-peers';

const PARTS = { sequentialSteps, manyRuns, longLoop, slowPeers };

/** What runs take in a whole service, each in its process. `RUNS_OF=manyRuns` measures one part. */
export async function run(): Promise<BenchResult[]> {
  const results: BenchResult[] = [];
  for (const [name, part] of Object.entries(PARTS))
    if (name.includes(process.env.RUNS_OF ?? '')) results.push(...(await part()));
  return results;
}
