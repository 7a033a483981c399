import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject } from '../json';

/**
 * Returns for each entry of `before` its position in `now`, or -1. Steps and bindings are matched
 * by id; other lists by position, after skipping equal entries at the start and end.
 */
export function* alignLists(
  before: readonly unknown[],
  now: readonly unknown[],
  turn: Turn,
): Steps<number[]> {
  const ids = yield* positionsById(now, turn);
  const byId = ids && (yield* alignedById(before, ids, turn));
  if (byId) return byId;
  const shorter = Math.min(before.length, now.length);
  let [start, end] = [0, 0];
  while (start < shorter && looksSame(before[start], now[start])) {
    start += 1;
    if (turn.over) yield;
  }
  while (
    end < shorter - start &&
    looksSame(before[before.length - 1 - end], now[now.length - 1 - end])
  ) {
    end += 1;
    if (turn.over) yield;
  }
  return before.map((_, at) => {
    const fromEnd = before.length - at;
    if (fromEnd <= end) return now.length - fromEnd;
    return at < now.length - end ? at : -1;
  });
}

/** Returns null if an entry has no id, or an id occurs twice. */
function* positionsById(
  list: readonly unknown[],
  turn: Turn,
): Steps<ReadonlyMap<string, number> | null> {
  const positions = new Map<string, number>();
  for (const [position, entry] of list.entries()) {
    if (turn.over) yield;
    const id = idOf(entry);
    if (id === null || positions.has(id)) return null;
    positions.set(id, position);
  }
  return positions;
}

function* alignedById(
  before: readonly unknown[],
  ids: ReadonlyMap<string, number>,
  turn: Turn,
): Steps<number[] | null> {
  const seen = new Set<string>();
  const aligned: number[] = [];
  for (const entry of before) {
    if (turn.over) yield;
    const id = idOf(entry);
    if (id === null || seen.has(id)) return null;
    seen.add(id);
    aligned.push(ids.get(id) ?? -1);
  }
  return aligned;
}

const idOf = (entry: unknown): string | null =>
  isJsonObject(entry) && typeof entry.id === 'string' ? entry.id : null;

/** Maximum number of fields compared per entry. */
const FEW = 5;

/** Heuristic: a wrong result makes the inverse longer, but not incorrect. */
function looksSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  let looked = 0;
  for (const name in one) {
    if ((looked += 1) > FEW) return true;
    const [left, right] = [
      (one as Record<string, unknown>)[name],
      (other as Record<string, unknown>)[name],
    ];
    if (left !== right && (typeof left !== 'object' || typeof right !== 'object')) return false;
  }
  return true;
}
