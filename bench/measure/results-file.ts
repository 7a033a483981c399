import { readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { join } from 'node:path';

/** The repository: this file runs compiled, in `node_modules/.bench-*`. */
export const ROOT = join(__dirname, '../../../..');
const FILE = join(ROOT, 'bench/RESULTS.md');

/**
 * Replaces the section of bench/RESULTS.md between the two comments of a benchmark.
 * @param effort how often it was measured
 */
export function writeSection(bench: string, effort: string, lines: readonly string[]): void {
  const [beginComment, endComment] = [
    `<!-- written by \`npm run bench ${bench}\` -->`,
    `<!-- end of what \`npm run bench ${bench}\` writes -->`,
  ];
  const text = readFileSync(FILE, 'utf8');
  const [begin, end] = [text.indexOf(beginComment), text.indexOf(endComment)];
  if (begin < 0 || end < begin) throw new Error(`${FILE} has no section for ${bench}.`);
  const [processor] = cpus();
  const written = [
    beginComment,
    '',
    `Measured on ${new Date().toISOString().slice(0, 10)} with Node ${process.versions.node} on ${cpus().length} × ${processor.model.trim()}; ${effort}.`,
    '',
    ...lines,
    '',
  ].join('\n');
  writeFileSync(FILE, `${text.slice(0, begin)}${written}\n${text.slice(end)}`);
}
