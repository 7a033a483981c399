import { median } from '../measure/in-turn';

/** A peer next to Hypha in one case. */
export interface Row {
  readonly title: string;
  readonly peer: string;
  /** What is compared, e.g. `CPU of a request, µs`. */
  readonly unit: string;
  /** Of each restart. */
  readonly ours: readonly number[];
  readonly theirs: readonly number[];
  /** Of each round: above 1, Hypha is better. */
  readonly ratios: readonly number[];
  /** The same while somebody writes. */
  readonly ratiosWithWriter?: readonly number[];
  readonly note?: string;
}

const HEAD = [
  'case',
  'peer',
  'Hypha',
  'peer',
  'unit',
  'ratio',
  'range',
  'aim',
  'with a writer',
  'aim',
  '',
] as const;

const AIMS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  '`me`': { 'Mercurius + JIT': 1.15, 'Apollo standalone': 1.15 },
  '`users`, flat, 100': { 'Mercurius + JIT': 1.3, 'Apollo standalone': 1.3 },
  '`users`, nested, 100 in 10 groups': { 'Mercurius + JIT': 4 },
  '`users`, nested, 100 in a group each': { 'Mercurius + JIT': 1.5 },
  '`workflows`, 50 with 10 steps': { 'Mercurius + JIT': 2 },
  '5,000 different documents': { 'Mercurius + JIT': 0.9 },
  '`userDetailChange` of 64 users': { 'Mercurius + JIT': 1.25 },
  '`GET /api/user/all`, 1,000 users': { 'Express + lean mongoose': 2 },
  '`GET /api/user/{id}`': { 'Fastify + lean mongoose': 1.2 },
  'connecting a socket': { 'stock graphql-ws': 1 },
  'the same, with a subscription': { 'stock graphql-ws': 1 },
  'a run event to 1,000 sockets': { 'stock graphql-ws': 2.5, 'bare ws': 0.85 },
  '1,000 sequential HTTP steps': { 'bare undici loop': 0.8 },
  'the same, logged': { 'bare undici loop': 0.8 },
};

const AIMS_WITH_WRITER: typeof AIMS = {
  '`me`': { 'Mercurius + JIT': 1.25 },
  '`users`, flat, 100': { 'Mercurius + JIT': 2.5 },
  '`users`, nested, 100 in 10 groups': { 'Mercurius + JIT': 4 },
  '`users`, nested, 100 in a group each': { 'Mercurius + JIT': 4 },
  '`workflows`, 50 with 10 steps': { 'Mercurius + JIT': 4 },
};

/** The ratio that is aimed at; of runs, that of their duration. */
const aimOf = ({ title, peer, unit }: Row): string =>
  unit === 'ms CPU' ? '' : String(AIMS[title]?.[peer] ?? '');

const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const cellsOf = (row: Row): string[] => [
  row.title,
  row.peer,
  digits(median(row.ours)),
  digits(median(row.theirs)),
  row.unit,
  median(row.ratios).toFixed(2),
  `${Math.min(...row.ratios).toFixed(2)}-${Math.max(...row.ratios).toFixed(2)}`,
  aimOf(row),
  row.ratiosWithWriter?.length ? median(row.ratiosWithWriter).toFixed(2) : '',
  String(AIMS_WITH_WRITER[row.title]?.[row.peer] ?? ''),
  row.note ?? '',
];

/** Returns the lines of a Markdown table, with aligned columns. */
export function markdownTable(rows: readonly Row[]): string[] {
  const cells = [[...HEAD], ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...cells.map((line) => line[column].length)));
  const lines = cells.map(
    (line) => `| ${line.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`,
  );
  lines.splice(1, 0, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  return lines;
}
