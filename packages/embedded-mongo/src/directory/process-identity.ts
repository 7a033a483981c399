import { readFileSync, readlinkSync } from 'node:fs';

/** Identifies a process on this machine, even if its pid was used before. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time; empty if unknown, like the other fields (then only the pid counts). */
  readonly started: string;
  readonly boot: string;
  readonly pidNamespace: string;
}

export function processIdentity(pid: number): ProcessIdentity {
  return {
    pid,
    started: processFields(pid)[19] ?? '',
    boot: orEmpty(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: orEmpty(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** Returns whether this process can check it: same boot, same pid namespace. */
export function isLocal({ boot, pidNamespace }: ProcessIdentity): boolean {
  const own = processIdentity(process.pid);
  return boot === own.boot && pidNamespace === own.pidNamespace;
}

/** For local processes only. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return processIdentity(pid).started === started && !isZombie(pid);
}

/** A killed process keeps its pid until its parent waits for it, which some never do. */
const isZombie = (pid: number): boolean => ['Z', 'X'].includes(processFields(pid)[0] ?? '');

/** Returns the fields of /proc/<pid>/stat after the command name; empty if unreadable. */
const processFields = (pid: number): readonly string[] =>
  orEmpty(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(' ');

function orEmpty(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
