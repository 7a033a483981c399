import { CASES } from './peers/cases';
import { installPeers } from './peers/installed';
import { measureRequests } from './peers/requests';
import { markdownTable } from './peers/table';
import type { BenchResult } from './result';

const numberOf = (variable: string, fallback: number): number =>
  Number(process.env[variable] ?? fallback);

/** Hypha next to other servers: `bench/RESULTS.md` describes how they are compared. */
export async function run(): Promise<BenchResult[]> {
  installPeers(['mercurius', 'graphql-yoga', '@apollo/server', 'express', 'node-red']);
  const wanted = process.env.HYPHA_BENCH_CASES?.split(',') ?? Object.keys(CASES);
  const requests = Object.keys(CASES).filter((name) => wanted.includes(name));
  const rows = await measureRequests(requests, {
    restarts: numberOf('HYPHA_BENCH_RESTARTS', 3),
    rounds: numberOf('HYPHA_BENCH_ROUNDS', 1),
    measureMs: numberOf('HYPHA_BENCH_MEASURE_MS', 500),
    warmUpMs: numberOf('HYPHA_BENCH_WARM_UP_MS', 1_000),
  });
  console.log(['', ...markdownTable(rows), ''].join('\n'));
  return [];
}
