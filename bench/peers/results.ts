import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';
import { shownValue } from '../measure/report';
import type { BenchResult } from '../result';
import { ROOT } from './installed';
import type { Effort } from './requests';

const FILE = join(ROOT, 'bench/RESULTS.md');
const [BEGIN, END] = [
  '<!-- written by `npm run bench peers` -->',
  '<!-- end of what `npm run bench peers` writes -->',
];

/** Replaces the section of bench/RESULTS.md between the two comments. */
export function writeResults(
  table: readonly string[],
  runs: readonly BenchResult[],
  { restarts, rounds }: Pick<Effort, 'restarts' | 'rounds'>,
): void {
  const text = readFileSync(FILE, 'utf8');
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error(`${FILE} has no section for the peers.`);
  const [processor] = cpus();
  const written = [
    BEGIN,
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} × ${processor.model.trim()}; ${restarts} restarts, ${rounds} round(s) each.`,
    '',
    ...table,
    '',
    '| what | figure | |',
    '|---|---|---|',
    ...runs.map(
      ({ name, value, unit, detail = '' }) =>
        `| ${name} | ${shownValue(value)} ${unit} | ${detail} |`,
    ),
    '',
  ].join('\n');
  writeFileSync(FILE, `${text.slice(0, begin)}${written}\n${text.slice(end)}`);
}
