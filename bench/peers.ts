import { CASES } from './peers/cases';
import { measureEngine, measureRuns } from './peers/engine';
import { writeSection } from './measure/results-file';
import { installPeers } from './peers/installed';
import { measureRequests } from './peers/requests';
import { measureSockets } from './peers/sockets';
import { markdownTable } from './peers/table';
import { shownValue } from './measure/report';
import type { BenchResult } from './result';

const REQUESTS = Object.keys(CASES);
const ALL = [...REQUESTS, 'events', 'connect', 'engine', 'runs'];

const numberOf = (variable: string, fallback: number): number =>
  Number(process.env[variable] ?? fallback);

const EFFORT = {
  restarts: numberOf('HYPHA_BENCH_RESTARTS', 2),
  rounds: numberOf('HYPHA_BENCH_ROUNDS', 1),
  measureMs: numberOf('HYPHA_BENCH_MEASURE_MS', 500),
  startMs: numberOf('HYPHA_BENCH_START_MS', 4_000),
  warmUpMs: numberOf('HYPHA_BENCH_WARM_UP_MS', 1_000),
};

/** @throws Error `HYPHA_BENCH_CASES` names an unknown case */
function readCases(): readonly string[] {
  const names = process.env.HYPHA_BENCH_CASES?.split(',') ?? ALL;
  const unknown = names.filter((name) => !ALL.includes(name));
  if (unknown.length > 0)
    throw new Error(`Unknown cases: ${unknown.join(', ')}. There are ${ALL.join(', ')}.`);
  return names;
}

/** Hypha next to other servers, as described in bench/RESULTS.md, which a complete run updates. */
export async function run(): Promise<BenchResult[]> {
  const cases = readCases();
  const requests = REQUESTS.filter((name) => cases.includes(name));
  const sockets = ['events', 'connect'].filter((name) => cases.includes(name));
  installPeers();
  const rows = [
    ...(requests.length > 0 ? await measureRequests(requests, EFFORT) : []),
    ...(sockets.length > 0 ? await measureSockets(sockets, EFFORT) : []),
    ...(cases.includes('engine') ? await measureEngine(EFFORT) : []),
  ];
  const lines = markdownTable(rows);
  console.log(['', ...lines, ''].join('\n'));
  const runs = cases.includes('runs') ? await measureRuns() : [];
  if (cases.length === ALL.length)
    writeSection('peers', `${EFFORT.restarts} restarts, ${EFFORT.rounds} round(s) each`, [
      ...lines,
      '',
      '| what | figure | |',
      '|---|---|---|',
      ...runs.map(
        ({ name, value, unit, detail = '' }) =>
          `| ${name} | ${shownValue(value)} ${unit} | ${detail} |`,
      ),
    ]);
  return runs;
}
