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
  readonly note?: string;
}

const HEAD = ['case', 'peer', 'Hypha', 'peer', 'unit', 'ratio', 'range', ''] as const;

const digits = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const cellsOf = ({ title, peer, unit, ours, theirs, ratios, note = '' }: Row): string[] => [
  title,
  peer,
  digits(median(ours)),
  digits(median(theirs)),
  unit,
  median(ratios).toFixed(2),
  `${Math.min(...ratios).toFixed(2)}-${Math.max(...ratios).toFixed(2)}`,
  note,
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
