import type { RunFacts } from './run-facts';

/** Selected iterations by the index of the loop. Loops that are missing show the newest. */
export type ChosenTurns = ReadonlyMap<string, number>;

/** Parses the URL form `1:3,1_0:0`. */
export function readTurns(text: string | null): ChosenTurns {
  return new Map(
    (text ?? '').split(',').flatMap((part) => {
      const [, index = '', turn = ''] = /^(\d+(?:_\d+)*):(\d{1,9})$/.exec(part) ?? [];
      return index === '' ? [] : [[index, Number(turn)] as const];
    }),
  );
}

const isWithin = (index: string, loop: string): boolean => index.startsWith(`${loop}_`);

/**
 * Selects another iteration of a loop, null for the newest. Selections of nested loops are dropped.
 */
export function withTurn(chosen: ChosenTurns, loop: string, turn: number | null): string {
  const kept = [...chosen].filter(([index]) => index !== loop && !isWithin(index, loop));
  return [...kept, ...(turn === null ? [] : [[loop, turn] as const])]
    .map(([index, each]) => `${index}:${each}`)
    .join(',');
}

/**
 * Returns the shown iteration of a loop within these iterations of its enclosing loops, or null.
 */
export function shownTurn(
  facts: RunFacts,
  loop: string,
  around: readonly number[],
  chosen: ChosenTurns,
): number | null {
  const begun = facts.at(loop, around)?.begun ?? 0;
  if (begun === 0) return null;
  return Math.min(chosen.get(loop) ?? begun - 1, begun - 1);
}
