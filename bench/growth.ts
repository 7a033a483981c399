import { appendFileSync } from 'node:fs';
import { startService } from '../test/support/service/harness';
import type { TestService } from '../test/support/service/harness';
import { growTo, KEEPING_RUNS, LOGGED_WORKFLOW, makeFirstRecords } from './growth/records';
import { listQueries } from './growth/queries';
import type { GrowthQuery } from './growth/queries';
import type { BenchResult } from './result';

const SIZES = (process.env.GROWTH_SIZES ?? '1000,10000,100000').split(',').map(Number);
const ROUNDS = 3;
/** CPU of service, store and client for one query at the largest size, ms. */
const TARGET = 30;

interface Measured {
  readonly name: string;
  /** At each size, ms; null: refused, because no index serves it in so long a list. */
  readonly cpu: (number | null)[];
}

const NESTED: readonly GrowthQuery[] = [
  {
    name: 'workflows with their versions and runs',
    document:
      '{ workflows(first: 50) { nodes { versions(first: 1) { nodes { number } } runs(first: 1) { nodes { databaseId } } } } }',
  },
  {
    name: 'workflows with how many versions and runs',
    document:
      '{ workflows(first: 50) { nodes { versions(first: 1) { totalCount } runs(first: 1) { totalCount } } } }',
  },
  {
    name: 'groups with how many users',
    document:
      '{ userGroups(first: 20) { nodes { users(first: 1) { totalCount nodes { email } } } } }',
  },
  {
    name: 'users with their sessions',
    document:
      '{ users(first: 50) { nodes { sessions(first: 1) { totalCount nodes { sessionId } } } } }',
  },
  {
    name: 'runs with their events and versions',
    document:
      '{ runs(first: 50) { nodes { durationMs workflowVersion { number } workflow { lastRun { events(afterSequence: 1000, first: 5) { nodes { sequence } } } } } } }',
  },
];

const WIDGETS: readonly GrowthQuery[] = [
  { name: 'topWorkflows', document: '{ topWorkflows(limit: 5) { executions } }' },
  { name: 'executionsTimeline', document: '{ executionsTimeline(days: 7) { executions } }' },
];

const LOGS: readonly GrowthQuery[] = [
  {
    name: 'logSearch',
    document: `{ logSearch(search: { workflowId: "${LOGGED_WORKFLOW}", text: "none" }) { nodes { elementId } } }`,
  },
];

/** Lists that are short, however many records there are. */
const SHORT_LISTS = [
  `/api/execution/log-files?connectionId=${LOGGED_WORKFLOW}`,
  `/api/execution/log-files?schedulerId=${LOGGED_WORKFLOW}`,
];

/** Answers that are as large as what they list. */
const WHOLE_LISTS = ['/api/user/all', '/api/connection/all/meta', '/api/scheduler/all'];

/** Lowest CPU time of some rounds, ms: what else the machine does only adds. */
async function cpuOf(work: () => Promise<void>): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < ROUNDS; round++) {
    const before = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(before);
    least = Math.min(least, (user + system) / 1_000);
    // A query that scans everything is measured once: its time is far above the target.
    if (least > 10 * TARGET) break;
  }
  return least;
}

/** Null: refused by the one rule about long lists, which is no failure; any other error is one. */
async function costOf(service: TestService, document: string): Promise<number | null> {
  const { errors } = await service.gql(document);
  if (errors?.[0]?.message.startsWith('This list has more than')) return null;
  return cpuOf(async () => void (await service.data(document)));
}

async function measured(
  service: TestService,
  size: number,
): Promise<{ name: string; cpu: number | null }[]> {
  const queries = [...listQueries(Math.floor(size / 2)), ...NESTED, ...WIDGETS, ...LOGS];
  const results: { name: string; cpu: number | null }[] = [];
  for (const { name, document } of queries) {
    results.push({ name: name.replace(/\d+/g, 'n'), cpu: await costOf(service, document) });
    if (process.env.GROWTH_LOG)
      appendFileSync(
        process.env.GROWTH_LOG,
        `${size}\t${results.at(-1)?.cpu?.toFixed(1) ?? 'refused'}\t${document}\n`,
      );
  }
  for (const path of [...SHORT_LISTS, ...WHOLE_LISTS])
    results.push({
      name: `GET ${path}`,
      cpu: await cpuOf(async () => void (await service.api('GET', path))),
    });
  return results;
}

/**
 * Every list with every order and filter of the schema, the widgets and the logs, at three sizes (GROWTH_SIZES=1000,100000 for others; GROWTH_LOG names a file that tells each question as it is answered): what one question costs of CPU, client and
 * embedded store in the same process. What grows with the collection and not with its answer stands out.
 */
export async function run(): Promise<BenchResult[]> {
  const service = await startService({
    env: { HYPHA_LOG_LEVEL: 'error', HYPHA_LIMITS_OPERATION_MS: '600000', ...KEEPING_RUNS },
  });
  try {
    await makeFirstRecords(service);
    const table = new Map<string, (number | null)[]>();
    let filled = 0;
    for (const size of SIZES) {
      await growTo(filled, size);
      filled = size;
      for (const { name, cpu } of await measured(service, size))
        table.set(name, [...(table.get(name) ?? []), cpu]);
    }
    return report([...table].map(([name, cpu]) => ({ name, cpu })));
  } finally {
    await service.close();
  }
}

function report(rows: readonly Measured[]): BenchResult[] {
  const last = (row: Measured): number => row.cpu.at(-1) ?? 0;
  const isWholeList = (row: Measured): boolean =>
    WHOLE_LISTS.some((path) => row.name === `GET ${path}`);
  const refused = rows.filter((row) => row.cpu.at(-1) === null);
  const over = rows.filter((row) => !isWholeList(row) && last(row) > TARGET).length;
  return [
    {
      name: `questions above ${TARGET} ms at ${(SIZES.at(-1) ?? 0).toLocaleString('en')} records, of ${rows.filter((row) => !isWholeList(row)).length}`,
      value: over,
      unit: '',
      target: { exactly: 0 },
    },
    {
      name: 'questions refused there, because no index serves them',
      value: refused.length,
      unit: '',
    },
    ...rows
      .filter((row) => row.cpu.at(-1) !== null)
      .sort((a, b) => last(b) - last(a))
      .map((row): BenchResult => ({
        name: row.name,
        value: last(row),
        unit: 'ms CPU',
        ...(isWholeList(row) ? {} : { target: { below: TARGET } }),
        detail: row.cpu
          .map(
            (cpu, index) => `${SIZES[index].toLocaleString('en')}: ${cpu?.toFixed(1) ?? 'refused'}`,
          )
          .join(', '),
      })),
  ];
}
