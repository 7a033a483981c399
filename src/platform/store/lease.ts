import { randomUUID } from 'node:crypto';
import { hostname } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock } from '../clock/clock';
import type { Logger } from '../log/logger';
import { isDuplicateKey } from './store';
import type { Store } from './store';

/** How long a lease holds without being renewed, ms: how long others wait for a process that died. */
const LEASE_MS = 30_000;
const RENEW_MS = 5_000;
const LOOK_AGAIN_MS = 250;

interface LeaseRecord {
  readonly _id: string;
  /** Host and process, for people, and what nobody else has. */
  readonly holder: string;
  readonly until: Date;
}

/** A lease while it is held. */
export interface Lease {
  /** @throws Error it could not be renewed in time and may be another process's by now */
  readonly require: () => void;
}

export interface LeaseDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Runs `work` while this process, of all that share the database, holds the lease `name`; waits for it as long as another one renews it.
 * A process that dies is waited for until its lease ends; where no other process can be at the store, not at all.
 */
export async function withLease<R>(
  { store, clock, log }: LeaseDependencies,
  name: string,
  work: (lease: Lease) => Promise<R>,
): Promise<R> {
  const leases = store.connection.collection<LeaseRecord>('leases');
  const holder = `${hostname()} ${process.pid} ${randomUUID()}`;
  const until = (): Date => new Date(clock.now().getTime() + LEASE_MS);

  const take = async (): Promise<boolean> => {
    try {
      const free = store.isExclusive ? { _id: name } : { _id: name, until: { $lt: clock.now() } };
      await leases.updateOne(free, { $set: { holder, until: until() } }, { upsert: true });
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false; // somebody holds it: the filter met nothing, and the insert met his record
      throw error;
    }
  };

  for (let told = false; !(await take()); told = true) {
    if (!told)
      log.warn(
        { lease: name, holder: (await leases.findOne({ _id: name }))?.holder },
        'another process does this now; waiting for it',
      );
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
