import { totalmem } from 'node:os';

/** Most runs at once, where nothing else is said. */
const MOST = 24;
/** Of the memory: the rest is for the service, its store and everything else on the machine. */
const SHARE = 1 / 2;

/** How many runs at once the memory has room for, each with all it may take; at least one. A container's limit is its memory. */
export function runsThatFit(bytesOfRun: number, memory = memoryOfMachine()): number {
  return Math.max(1, Math.min(MOST, Math.floor((memory * SHARE) / bytesOfRun)));
}

/** Without a limit, Node says 0 or a number that no machine has. */
function memoryOfMachine(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}
