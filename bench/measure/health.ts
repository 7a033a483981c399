/**
 * How long `/healthz` took, ms, each time it was asked while the work went on, the quickest first.
 * @param between called between two questions
 */
export async function healthTimes(
  url: string,
  work: Promise<unknown>,
  between: () => Promise<unknown> = () => Promise.resolve(),
): Promise<number[]> {
  let isOver = false;
  void work
    .finally(() => {
      isOver = true;
    })
    .catch(() => undefined);
  const times: number[] = [];
  while (!isOver) {
    const before = performance.now();
    const answer = await fetch(`${url}/healthz`);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`/healthz answered ${answer.status}.`);
    times.push(performance.now() - before);
    await between();
  }
  return times.toSorted((left, right) => left - right);
}

/** The time within which 99 of 100 were answered. */
export const p99 = (sorted: readonly number[]): number =>
  sorted[Math.floor(sorted.length * 0.99)] ?? Infinity;
