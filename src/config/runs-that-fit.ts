import { totalmem } from 'node:os';

/** Default maximum of concurrent runs. */
const MOST = 24;
/** Share of the memory for runs; the rest is for the service, its store and other programs. */
const SHARE = 1 / 2;

/**
 * Returns how many runs fit into the memory, at least one. In a container, its limit counts as the
 * memory.
 */
export function runsThatFit(bytesOfRun: number, memory = memoryOfMachine()): number {
  return Math.max(1, Math.min(MOST, Math.floor((memory * SHARE) / bytesOfRun)));
}

/** Without a limit, Node returns 0 or an impossibly large number. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
