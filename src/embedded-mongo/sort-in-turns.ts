/** Elements that are sorted or merged between two pauses: a millisecond or two of work. */
const RUN = 1_000;

/** Sorts as `Array.prototype.sort` does, ties in the given order, and yields where the caller may pause. */
export function* sortInTurns<T>(items: readonly T[], order: (a: T, b: T) => number): Generator<undefined, readonly T[]> {
  let runs: Array<readonly T[]> = [];
  for (let at = 0; at < items.length; at += RUN) {
    runs.push(items.slice(at, at + RUN).sort(order));
    yield undefined;
  }
  while (runs.length > 1) {
    const merged: Array<readonly T[]> = [];
    for (let at = 0; at < runs.length; at += 2) merged.push(at + 1 < runs.length ? yield* merge(runs[at], runs[at + 1], order) : runs[at]);
    runs = merged;
  }
  return runs[0] ?? [];
}

function* merge<T>(a: readonly T[], b: readonly T[], order: (a: T, b: T) => number): Generator<undefined, readonly T[]> {
  const all: T[] = [];
  for (let inA = 0, inB = 0; inA < a.length || inB < b.length;) {
    const fromA = inB >= b.length || (inA < a.length && order(a[inA], b[inB]) <= 0);
    all.push(fromA ? a[inA++] : b[inB++]);
    if (all.length % RUN === 0) yield undefined;
  }
  return all;
}
