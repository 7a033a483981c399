import type { BenchResult, Target } from '../result';

type Aimed = BenchResult & { readonly target: Target };

const isAimed = (result: BenchResult): result is Aimed => result.target !== undefined;

function isReached({ value, target }: Aimed): boolean {
  if ('atLeast' in target) return value >= target.atLeast;
  return 'below' in target ? value < target.below : value === target.exactly;
}

/** The results that say that something is wrong, whatever machine measured them. */
export const missed = (results: readonly BenchResult[]): BenchResult[] =>
  results.filter(isAimed).filter((each) => each.judged === true && !isReached(each));

const thousands = (value: number): string => value.toLocaleString('en');

export function shownTarget(target: Target): string {
  if ('atLeast' in target) return `>= ${thousands(target.atLeast)}`;
  return 'below' in target ? `< ${thousands(target.below)}` : thousands(target.exactly);
}

/** A figure as people read it, with three digits at least. */
export const shownValue = (value: number): string =>
  Math.abs(value) >= 100 || Number.isInteger(value)
    ? thousands(Math.round(value))
    : value.toPrecision(3);

/** A figure that missed its target looks different from it, however near it is. */
function measured(result: Aimed): string {
  const shown = shownValue(result.value);
  const isLegible =
    isReached({ ...result, value: Number(shown.replaceAll(',', '')) }) === isReached(result);
  return `${isLegible ? shown : String(result.value)} ${result.unit}`.trim();
}

const HEAD = ['target', 'measured', 'reached', ''] as const;

function row(result: Aimed): readonly [string, string, string, string] {
  return [
    shownTarget(result.target),
    measured(result),
    isReached(result) ? 'yes' : result.judged ? 'NO' : 'no',
    result.name,
  ];
}

/** The end of a benchmark, a line each: every target, what was measured, and whether it was reached; nothing where there are no targets. */
export function table(results: readonly BenchResult[]): string[] {
  const rows = [HEAD, ...results.filter(isAimed).map(row)];
  if (rows.length === 1) return [];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((cells) => cells[column].length)));
  return rows.map(([target, value, reached, name]) =>
    `${target.padStart(widths[0])}  ${value.padStart(widths[1])}  ${reached.padEnd(widths[2])}  ${name}`.trimEnd(),
  );
}
