import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock/clock';
import type { Logger } from '../log/logger';
import { isDuplicateKey } from './store';
import type { Store } from './store';
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

/** Duration of a lease without renewal, ms: how long others wait for a process that died. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
const LOOK_AGAIN_MS = 250;

interface LeaseRecord {
  readonly _id: string;
  /** Host name, and name of the process. */
  readonly holder: string;
  readonly until: Date;
}

export interface Lease {
  /** @throws Error the lease was not renewed in time; another process may hold it */
  readonly require: () => void;
}

interface LeaseDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Runs `work` while this process holds the lease `name`; waits while another process holds it. The
 * lease of a process that died ends after LEASE_MS, on this machine at once. With an
 * exclusive store there is no wait.
 */
export async function withLease<R>(
  { store, clock, log }: LeaseDependencies,
  name: string,
  work: (lease: Lease) => Promise<R>,
): Promise<R> {
  const leases = store.connection.collection<LeaseRecord>('leases');
  const holder = `${hostname()} ${processName()}`;
  const until = (): Date => new Date(clock.now().getTime() + LEASE_MS);

  const take = async (): Promise<boolean> => {
    try {
      const free = store.isExclusive ? { _id: name } : { _id: name, until: { $lt: clock.now() } };
      await leases.updateOne(free, { $set: { holder, until: until() } }, { upsert: true });
      return true;
    } catch (error) {
      // Held by another process: the filter matched nothing, so the upsert hit its record.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  for (let hasLogged = false; !(await take()); hasLogged = true) {
    const other = (await leases.findOne({ _id: name }))?.holder;
    if (other !== undefined && isKnownDead(other.split(' ').at(-1) ?? '')) {
      await leases.deleteOne({ _id: name, holder: other });
      continue;
    }
    if (!hasLogged)
      log.warn({ lease: name, holder: other }, 'another process does this now; waiting for it');
    await pause(LOOK_AGAIN_MS);
  }
  let lost: unknown = null;
  const renewing = setInterval(() => {
    leases.updateOne({ _id: name, holder }, { $set: { until: until() } }).then(
      ({ matchedCount }) => {
        if (matchedCount === 0) lost = new Error('another process took it');
      },
      (error: unknown) => {
        lost = error;
      },
    );
  }, RENEW_MS);
  try {
    return await work({
      require: () => {
        if (lost !== null) throw new Error(`The lease ${name} was lost.`, { cause: lost });
      },
    });
  } finally {
    clearInterval(renewing);
    await leases.deleteOne({ _id: name, holder });
  }
}
