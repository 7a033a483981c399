import { mkdtempSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { busyLoops } from './measure/busy-loops';
import { p99 } from './measure/health';
import { inTurn, median } from './measure/in-turn';
import { shownValue } from './measure/report';
import { writeSection } from './measure/results-file';
import { installPeers, isInstalled } from './peers/installed';
import type { BenchResult } from './result';
import { started } from './short-runs/contenders';
import type { Contender, Took } from './short-runs/contenders';

const effort = (variable: string, fallback: number): number =>
  Number(process.env[variable] ?? fallback);
const [WARM_UP, ROUNDS] = [2, effort('HYPHA_BENCH_ROUNDS', 3)];
const BUSY = Math.max(1, cpus().length >> 1);

/** What is aimed at, runs a second. */
const AIMS: Readonly<Record<string, number>> = { 'Hypha, log off': 220, 'Hypha, log on': 140 };
const ME_MS = 100;
const BUSY_SHARE = 0.4;

/** From the call of a webhook to the end of its run of one GET, next to a handler that was written for it and to Node-RED. */
export async function run(): Promise<BenchResult[]> {
  installPeers();
  const dir = mkdtempSync(join(tmpdir(), 'hypha-short-runs-'));
  const contenders = await started(dir);
  try {
    const idle = await measured(contenders, WARM_UP);
    const endLoops = busyLoops(BUSY);
    const busy = await measured(contenders, 1).finally(endLoops);
    const rows = Object.keys(idle).map((name) => rowOf(name, idle[name], busy[name]));
    const results = rows.flatMap(resultsOf);
    const isComplete = ['express', 'node-red'].every(isInstalled) && !process.env.HYPHA_BENCH_RUNS;
    if (isComplete) writeTable(rows);
    await contenders.allEnded();
    return results;
  } finally {
    await contenders.close();
    rmSync(dir, { recursive: true, force: true });
  }
}

const measured = ({ of }: { of: Record<string, Contender> }, warmUp: number) =>
  inTurn(of, { warmUp, rounds: ROUNDS });

interface Row {
  readonly name: string;
  readonly rate: number;
  readonly rates: readonly number[];
  readonly busyRate: number;
  readonly cpu: number;
  readonly commands: number | null;
  readonly commits: number | null;
  /** The 99th percentile of `me` meanwhile, ms; null if nobody asked. */
  readonly me: number | null;
  readonly busyMe: number | null;
}

function rowOf(name: string, idle: readonly Took[], busy: readonly Took[]): Row {
  const middle = (rounds: readonly Took[], of: (took: Took) => number): number =>
    median(rounds.map(of));
  const perRun = (of: 'commands' | 'commits'): number | null =>
    idle[0].store ? middle(idle, ({ store, runs }) => (store?.[of] ?? 0) / runs) : null;
  const rate = ({ runs, wallMs }: Took): number => (runs * 1_000) / wallMs;
  const me = (rounds: readonly Took[]): number | null => {
    const times = rounds.flatMap(({ meTimes }) => meTimes).toSorted((left, right) => left - right);
    return times.length > 0 ? p99(times) : null;
  };
  return {
    name,
    rate: middle(idle, rate),
    rates: idle.map(rate),
    busyRate: middle(busy, rate),
    cpu: middle(idle, ({ cpuMs, runs }) => cpuMs / runs),
    commands: perRun('commands'),
    commits: perRun('commits'),
    me: me(idle),
    busyMe: me(busy),
  };
}

function resultsOf(row: Row): BenchResult[] {
  const { name, rate, rates, busyRate, cpu, commands, commits, me, busyMe } = row;
  const isOurs = commands !== null;
  const range = `${Math.round(Math.min(...rates))} to ${Math.round(Math.max(...rates))}`;
  const store = isOurs
    ? `; ${shownValue(commands)} store commands, ${shownValue(commits ?? 0)} commits a run`
    : '';
  return [
    {
      name: `${name}: runs a second`,
      value: rate,
      unit: '1/s',
      detail: `${range}; ${shownValue(cpu)} ms CPU a run${store}`,
      ...(name in AIMS && { target: { atLeast: AIMS[name] } }),
    },
    {
      name: `${name}: of that with ${BUSY} busy loop(s)`,
      value: busyRate / rate,
      unit: 'x',
      detail: `${Math.round(busyRate)} a second`,
      ...(name in AIMS && { target: { atLeast: BUSY_SHARE } }),
    },
    ...(me === null
      ? []
      : [
          {
            name: `${name}: p99 of \`me\``,
            value: me,
            unit: 'ms',
            detail: `${shownValue(busyMe ?? 0)} ms with ${BUSY} busy loop(s)`,
            target: { below: ME_MS },
          },
        ]),
  ];
}

function writeTable(rows: readonly Row[]): void {
  const cell = (value: number | null): string => (value === null ? '' : shownValue(value));
  writeSection('short-runs', `median of ${ROUNDS} rounds`, [
    `| | runs/s | ms CPU/run | store commands/run | commits/run | p99 of \`me\`, ms | runs/s, ${BUSY} busy loop(s) | of the idle rate | p99 of \`me\`, ms |`,
    '|---|---|---|---|---|---|---|---|---|',
    ...rows.map(
      ({ name, rate, cpu, commands, commits, me, busyRate, busyMe }) =>
        `| ${[name, ...[rate, cpu, commands, commits, me, busyRate, busyRate / rate, busyMe].map(cell)].join(' | ')} |`,
    ),
  ]);
}
