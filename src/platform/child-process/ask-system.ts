import { readdirSync, writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';

/** Lower priority than the service, but not so low that a busy machine starves the child. */
const NICENESS = 5;

/**
 * Sets OS options of a child process: lower CPU priority than the service, the first victim of the
 * OOM killer on Linux, and empty core dumps, since a heap overflow aborts the process and its
 * memory may contain secrets. Options that the system does not support are skipped.
 */
export function askSystem(): void {
  attempt(() => writeFileSync('/proc/self/oom_score_adj', '1000'));
  attempt(() => writeFileSync('/proc/self/coredump_filter', '0'));
  attempt(() => setPriority(NICENESS));
  // On Linux, priority is per thread; the garbage collection threads have already started.
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
