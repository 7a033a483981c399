import type { Clock } from '../clock/clock';
import type { Logger } from '../log/logger';
import { withLease } from './lease';
import type { Lease } from './lease';
import type { Store } from './store';

/** Brings what an earlier version stored into the form this one reads. */
export interface Migration {
  /** What it does, for the log and for whoever reads that it failed. */
  readonly name: string;
  /**
   * Runs before the indexes of this version are made. A process that dies leaves it half done, and the next start runs it again from the
   * beginning: what is done already must not be done twice. Transactions are not needed; other processes may serve meanwhile.
   */
  readonly run: (work: MigrationWork) => Promise<void>;
}

/** What a migration works with. */
export interface MigrationWork {
  readonly store: Store;
  /** Tells the operator what he should look at: logged as a warning and kept with the record of the migration. */
  readonly tell: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  /** To be called now and then by what takes long. @throws Error another process may be at it by now */
  readonly requireLease: () => void;
}

/** By number, from 1. A number is given once and never changes: stores remember which they have seen. */
export type Migrations = Readonly<Record<number, Migration>>;

/** What a store remembers of a migration. */
export interface MigrationRecord {
  readonly _id: number;
  readonly name: string;
  readonly finishedAt: Date;
  readonly milliseconds: number;
  readonly told: readonly { readonly message: string; readonly detail: Readonly<Record<string, unknown>> }[];
}

export interface MigrationDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}

/**
 * Runs every migration the store has not seen, in order, one process at a time, and records each. On an empty store they find nothing to
 * do. Call when the collections are there, before the indexes are.
 * @throws Error with a sentence for the operator: one failed, or a later version of Hypha has changed the store
 */
export async function migrate({ store, clock, log }: MigrationDependencies, migrations: Migrations): Promise<void> {
  const records = store.connection.collection<MigrationRecord>('migrations');
  const pending = async (): Promise<[number, Migration][]> => {
    const seen = await records.find({}, { projection: { name: 1 } }).toArray();
    const later = seen.find(({ _id }) => migrations[_id] === undefined);
    if (later) throw new Error(`A later version of Hypha has changed this store (migration ${later._id}, ${later.name}). Start that version, or restore a backup.`);
    const known = new Set(seen.map(({ _id }) => _id));
    return Object.entries(migrations).map(([number, migration]): [number, Migration] => [Number(number), migration]).filter(([number]) => !known.has(number));
  };

  const run = async (number: number, { name, run }: Migration, lease: Lease): Promise<void> => {
    const startedAt = clock.now();
    const told: MigrationRecord['told'][number][] = [];
    const tell = (message: string, detail: Readonly<Record<string, unknown>>): void => {
      log.warn({ migration: number, ...detail }, message);
      told.push({ message, detail });
    };
    try {
      await run({ store, tell, requireLease: lease.require });
      lease.require();
    } catch (error) {
      throw new Error(`Migration ${number} (${name}) failed: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    }
    const finishedAt = clock.now();
    const milliseconds = finishedAt.getTime() - startedAt.getTime();
    await records.insertOne({ _id: number, name, finishedAt, milliseconds, told });
    log.info({ migration: number, name, milliseconds }, 'migrated');
  };

  if ((await pending()).length === 0) return;
  await withLease({ store, clock, log }, 'migrations', async (lease) => {
    for (const [number, migration] of await pending()) await run(number, migration, lease);
  });
}
