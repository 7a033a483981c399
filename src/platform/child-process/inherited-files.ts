import { closeSync, fstatSync, readdirSync, writeFileSync, writeSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * Environment for a child process. Only the named variables are passed on: the others include
 * passwords, keys and addresses of stores.
 */
export function passedEnvironment(names: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}

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

/** Highest of the three standard descriptors (stderr). */
const STANDARD = 2;

const NOTHING = Buffer.alloc(0);

/**
 * Closes files that this process inherited from the service with write access: liblmdb opens its
 * data file without O_CLOEXEC. Call before the child opens files of its own. Files open for reading
 * stay open: newer versions of Node read CA certificates in a thread.
 */
export function closeInheritedFiles(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > STANDARD && isWritableFile(descriptor)) closeSync(descriptor);
}

/** Returns an empty list if the system has no `/dev/fd`. */
function openDescriptors(): number[] {
  try {
    return readdirSync('/dev/fd').map(Number);
  } catch {
    return [];
  }
}

/**
 * Returns false if the descriptor is closed (that of the directory listing is) or not writable:
 * an empty write fails with EBADF.
 */
function isWritableFile(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isFile() && writeSync(descriptor, NOTHING) === 0;
  } catch {
    return false;
  }
}
