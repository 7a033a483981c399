import { readFileSync, readlinkSync } from 'node:fs';

/** A process, told apart from every other one of this machine, also of those that had its number before. */
export interface ProcessIdentity {
  readonly pid: number;
  /** Start time of the process and the namespaces it lives in; empty where the system does not tell (then only the pid counts). */
  readonly started: string;
  readonly boot: string;
  readonly pidNamespace: string;
}

export function processIdentity(pid: number): ProcessIdentity {
  return {
    pid,
    started: processFields(pid)[19] ?? '',
    boot: quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()),
    pidNamespace: quietly(() => readlinkSync('/proc/self/ns/pid')),
  };
}

/** Lives, or lived, where this process can look: the same run of the machine, the same namespace. */
export function isLocal({ boot, pidNamespace }: ProcessIdentity): boolean {
  const own = processIdentity(process.pid);
  return boot === own.boot && pidNamespace === own.pidNamespace;
}

/** For a process that is local. */
export function isRunning({ pid, started }: ProcessIdentity): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
  }
  return processIdentity(pid).started === started && !isAwaitingBurial(pid);
}

/** A killed process stands in the table until its parent asks for it, which some never do: the first process of a container, say. */
function isAwaitingBurial(pid: number): boolean {
  return ['Z', 'X'].includes(processFields(pid)[0] ?? '');
}

/** What /proc/<pid>/stat says after the command name, which may itself hold spaces and parentheses. Empty when it cannot be read. */
function processFields(pid: number): readonly string[] {
  return quietly(() => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1) ?? '').split(
    ' ',
  );
}

function quietly(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}
