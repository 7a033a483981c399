/** Written to stderr by a child process before it ends itself for this reason. */
export const OUT_OF_MEMORY = 'The process took more memory than it may: out of memory.';
export const STALLED = 'The process does not come back.';

/** Matches the messages of V8 (heap limit) and of the guard (total memory). */
const FULL_MEMORY = /out of memory|allocation failed/i;

/** Returns whether stderr shows that the process exceeded its memory limit. */
export const saysOutOfMemory = (lastWords: string): boolean => FULL_MEMORY.test(lastWords);
