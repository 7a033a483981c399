import type { RunResults } from './run-results';

/** Selected iterations by the index of the loop. Loops that are missing show the newest. */
export type SelectedIterations = ReadonlyMap<string, number>;

/** Parses the URL form `1:3,1_0:0`. */
export function parseIterations(text: string | null): SelectedIterations {
  return new Map(
    (text ?? '').split(',').flatMap((part) => {
      const [, index = '', iteration = ''] = /^(\d+(?:_\d+)*):(\d{1,9})$/.exec(part) ?? [];
      return index === '' ? [] : [[index, Number(iteration)] as const];
    }),
  );
}

const isNestedIn = (index: string, loop: string): boolean => index.startsWith(`${loop}_`);

/**
 * Selects another iteration of a loop, null for the newest. Selections of nested loops are dropped.
 */
export function selectIteration(
  selected: SelectedIterations,
  loop: string,
  iteration: number | null,
): string {
  const others = [...selected].filter(([index]) => index !== loop && !isNestedIn(index, loop));
  return [...others, ...(iteration === null ? [] : [[loop, iteration] as const])]
    .map(([index, each]) => `${index}:${each}`)
    .join(',');
}

/**
 * Returns the shown iteration of a loop within these iterations of its enclosing loops, or null.
 */
export function shownIteration(
  results: RunResults,
  loop: string,
  enclosing: readonly number[],
  selected: SelectedIterations,
): number | null {
  const started = results.resultOf(loop, enclosing)?.startedIterations ?? 0;
  if (started === 0) return null;
  return Math.min(selected.get(loop) ?? started - 1, started - 1);
}

/** Returns whether `iterations` came after `others` of the same loops. */
export function isAfter(iterations: readonly number[], others: readonly number[]): boolean {
  const at = iterations.findIndex((iteration, loop) => iteration !== others[loop]);
  return at !== -1 && (iterations[at] ?? 0) > (others[at] ?? 0);
}
