import { randomUUID } from 'node:crypto';
import { isLocal, isRunning, processIdentity } from '../../embedded-mongo/process-identity';

/**
 * A name for this process among all that share a database, another one at each call: `boot/namespace/pid/start/random`. Who lives on the same
 * machine can tell from it whether the process is still there.
 */
export function processName(): string {
  const { boot, pidNamespace, pid, started } = processIdentity(process.pid);
  return [boot, pidNamespace, pid, started, randomUUID()].join('/');
}

/** Is the process of this name gone, as far as this one can see? Of a process elsewhere nothing is known. */
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
