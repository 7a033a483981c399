import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Below the service, and not so low that a busy machine leaves nothing. */
const NICENESS = 5;

/**
 * What a child asks of its system. The service comes first: it gets the processor when both want it, and when the machine runs out of memory,
 * Linux takes a child. A full heap ends it with an abort, and no file of its memory, secrets included, is to be left of that. What a system
 * does not offer is left.
 */
export function askSystem(): void {
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'));
  attempt(() => writeFileSync('/proc/self/coredump_filter', '0'));
  attempt(() => setPriority(NICENESS));
  // Linux counts it for each thread, and those that collect garbage have been started by now.
  attempt(() =>
    readdirSync('/proc/self/task').forEach((thread) => setPriority(Number(thread), NICENESS)),
  );
}

function attempt(favour: () => void): void {
  try {
    favour();
  } catch {
    // Not here.
  }
}
