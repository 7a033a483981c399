/** What a child process writes to stderr before it ends itself for that reason. */
export const OUT_OF_MEMORY = 'The process took more memory than it may: out of memory.';
export const STALLED = 'The process does not come back.';

/** V8 says it of its heap, and the guard of all memory. */
const FULL_MEMORY = /out of memory|allocation failed/i;

/** Did the process end because it took more memory than it may? */
export const saysOutOfMemory = (lastWords: string): boolean => FULL_MEMORY.test(lastWords);
