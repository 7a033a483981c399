import { randomUUID } from 'node:crypto';
import { isLocal, isRunning, processIdentity } from '@hypha/embedded-mongo';

/**
 * Returns a unique name for this process: `boot/namespace/pid/start/random`. Processes on the same
 * machine can determine from it whether this process still runs.
 */
export function processName(): string {
  const { boot, pidNamespace, pid, started } = processIdentity(process.pid);
  return [boot, pidNamespace, pid, started, randomUUID()].join('/');
}

/** Returns whether the named process has ended; false for processes on other machines. */
export function isKnownDead(name: string): boolean {
  const [boot = '', pidNamespace = '', pid, started = ''] = name.split('/');
  const identity = { boot, pidNamespace, pid: Number(pid), started };
  return (
    boot !== '' &&
    pidNamespace !== '' &&
    started !== '' &&
    isLocal(identity) &&
    !isRunning(identity)
  );
}
