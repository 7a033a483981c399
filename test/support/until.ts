const MAX_WAIT_MS = 60_000;

/** Waits until the condition holds; only a hang takes longer than `maxMs`. */
export async function until<T>(
  read: () => T | Promise<T>,
  maxMs = MAX_WAIT_MS,
): Promise<NonNullable<T>> {
  for (const end = Date.now() + maxMs; ;) {
    if (Date.now() > end) throw new Error('The condition did not hold in time.');
    const value = await read();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
