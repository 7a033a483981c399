/**
 * The longest time, ms, in which this thread could do nothing else while `work` ran. Time in which the machine gave the processor to
 * somebody else does not count: of each gap, no more than what this process used in it.
 */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let used = process.cpuUsage();
  let running = true;
  const look = (): void => {
    const now = performance.now();
    const { user, system } = process.cpuUsage(used);
    longest = Math.max(longest, Math.min(now - last, (user + system) / 1_000));
    last = now;
    used = process.cpuUsage();
    if (running) setImmediate(look);
  };
  setImmediate(look);
  await work();
  look();
  running = false;
  return longest;
}

/** The least of several measures: what else goes on only ever adds. Stops as soon as one is below `enough`. */
export function leastStall(enough: number, work: () => Promise<unknown>, attempts = 20): Promise<number> {
  return leastStallAfter(enough, async () => undefined, work, attempts);
}

/** The same for work that takes its time only once for what was prepared for it: of the preparation, nothing is measured. */
export async function leastStallAfter<T>(enough: number, prepare: () => Promise<T>, work: (prepared: T) => Promise<unknown>, attempts = 20): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && least >= enough; attempt += 1) {
    const prepared = await prepare();
    least = Math.min(least, await longestStall(() => work(prepared)));
  }
  return least;
}
