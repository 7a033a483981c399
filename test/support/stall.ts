import { LoopWatch, threadTime } from './loop-watch';

/** What the machine for which the target was set takes for {@link reference}, ms. */
const REFERENCE_MS = 32;
const REFERENCE = JSON.stringify(Object.fromEntries(Array.from({ length: 20_000 }, (_, nth) => [`name-${nth}`, { nth, list: [nth] }])));

/** Work that takes what most long work does: time to make things, and memory for them. */
function reference(): number {
  const before = threadTime();
  for (let time = 0; time < 2; time += 1) JSON.stringify(JSON.parse(REFERENCE));
  return threadTime() - before;
}

/** How many times slower than that machine this one is now, as it shares its cores and its memory with others; 1 when it is not. */
function slowness(): number {
  let least = Infinity;
  for (let attempt = 0; attempt < 10 && least > REFERENCE_MS; attempt += 1) least = Math.min(least, reference());
  return Math.max(1, least / REFERENCE_MS);
}

/** Times that are asked of that machine may be so many times as long here. */
export const SLOWNESS = slowness();

/** How long nothing may hold the event loop, ms. The target of 50 is judged under the oldest Node; CI shares its cores under the newer ones. */
export const MOST_MS = (process.version.startsWith('v20.') ? 50 : 100) * SLOWNESS;

/** The longest time, ms, in which this thread worked and could do nothing else while `work` ran. What other threads and processes do does not count. */
export async function longestStall(work: () => Promise<unknown>): Promise<number> {
  const watch = new LoopWatch();
  watch.start();
  await work();
  return watch.stop().own;
}

/** The least of several measures: what else goes on only ever adds. Stops as soon as one is below `enough`. */
export function leastStall(enough: number, work: () => Promise<unknown>, attempts = 20): Promise<number> {
  return leastStallAfter(enough, async () => undefined, work, attempts);
}

/** The same for work that takes its time only once for what was prepared for it: of the preparation, nothing is measured. */
export function leastStallAfter<T>(enough: number, prepare: () => Promise<T>, work: (prepared: T) => Promise<unknown>, attempts = 20): Promise<number> {
  return leastOf(enough, attempts, async () => {
    const prepared = await prepare();
    return longestStall(() => work(prepared));
  });
}

/**
 * The least of several times, ms, that `work` measures by the clock, as it would be on the machine for which targets were set: a busy machine only
 * ever adds. Stops as soon as one is below `enough`.
 */
export function quickestMs(enough: number, work: () => Promise<number>, attempts = 20): Promise<number> {
  return leastOf(enough, attempts, async () => await work() / SLOWNESS);
}

async function leastOf(enough: number, attempts: number, measure: () => Promise<number>): Promise<number> {
  let least = Infinity;
  for (let attempt = 0; attempt < attempts && least >= enough; attempt += 1) least = Math.min(least, await measure());
  return least;
}
