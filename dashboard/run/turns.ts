import type { RunFacts } from './run-facts';

/** Which turn of which loop is looked at, by the index of the loop. Of a loop that is not in it: the newest. */
export type ChosenTurns = ReadonlyMap<string, number>;

/** `1:3,1_0:0` as the address has it. */
export function readTurns(text: string | null): ChosenTurns {
  return new Map(
    (text ?? '').split(',').flatMap((part) => {
      const [, index = '', turn = ''] = /^(\d+(?:_\d+)*):(\d{1,9})$/.exec(part) ?? [];
      return index === '' ? [] : [[index, Number(turn)] as const];
    }),
  );
}

const isWithin = (index: string, loop: string): boolean => index.startsWith(`${loop}_`);

/** The same with another turn of a loop, null for the newest. What was chosen of the loops in it was of another turn. */
export function withTurn(chosen: ChosenTurns, loop: string, turn: number | null): string {
  const kept = [...chosen].filter(([index]) => index !== loop && !isWithin(index, loop));
  return [...kept, ...(turn === null ? [] : [[loop, turn] as const])]
    .map(([index, each]) => `${index}:${each}`)
    .join(',');
}

/** The turn of a loop that is shown, in these turns of the loops around it. Null: it has none. */
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
