import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock/clock';
import type { Logger } from '../log/logger';
import { isKnownDead, processName } from './process-name';
import { isDuplicateKey } from './store';
import type { Store } from './store';

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
