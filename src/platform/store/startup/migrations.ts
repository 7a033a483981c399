import type { Clock } from '../../clock/clock';
import type { Logger } from '../../log/logger';
import { withLease } from '../lease';
import type { Lease } from '../lease';
import type { Store } from '../store';
import { ForeignProcess } from './foreign-process';

/** Converts what an earlier version stored. */
export interface Migration {
  /** What it does, for the log and for the error if it fails. */
  readonly name: string;
  /**
   * Runs before the indexes of this version are built. If the process dies, the next start runs it
   * again from the beginning, so it must be idempotent. Transactions are not needed; other
   * processes may serve at the same time.
   */
  readonly run: (work: MigrationWork) => Promise<void>;
}

interface MigrationWork {
  readonly store: Store;
  /** Logs a warning for the operator and keeps it with the record of the migration. */
  readonly report: (message: string, detail: Readonly<Record<string, unknown>>) => void;
  /** Long migrations call this between batches. @throws Error if another process has taken over */
  readonly requireLease: () => void;
}

/** How this version stores its data. */
export interface StoreLayout {
  /** The number from which migrations count. Stores created at a lower one are refused. */
  readonly version: number;
  /** By number, from `version + 1`. Never change a number: stores record which ones have run. */
  readonly migrations: Readonly<Record<number, Migration>>;
  /** Fills a new store. */
  readonly create: (store: Store) => Promise<void>;
}

/** A row of the collection `migrations`. The one with the lowest number records the creation of the store. */
export interface MigrationRecord {
  readonly _id: number;
  readonly name: string;
  readonly finishedAt: Date;
  readonly milliseconds: number;
  readonly reports: readonly {
    readonly message: string;
    readonly detail: Readonly<Record<string, unknown>>;
  }[];
}

type Recorded = Pick<MigrationRecord, '_id' | 'name'>;

interface MigrationDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Logger;
}

/** Returns why this version cannot use a store with these records, or null. */
export function incompatibility(
  records: readonly Recorded[],
  { version, migrations }: Pick<StoreLayout, 'version' | 'migrations'>,
): string | null {
  if (records.some(({ _id }) => _id < version))
    return 'An unreleased version of Hypha created this store. Start with a new data directory.';
  const later = records.find(({ _id }) => _id !== version && migrations[_id] === undefined);
  return later === undefined
    ? null
    : `A later version of Hypha has changed this store (migration ${later._id}, ${later.name}). Start that version, or restore a backup.`;
}

/** Returns the migrations that these records do not list, in order. */
export function pendingMigrations(
  records: readonly Recorded[],
  { migrations }: Pick<StoreLayout, 'migrations'>,
): [number, Migration][] {
  const done = new Set(records.map(({ _id }) => _id));
  return Object.entries(migrations)
    .map(([number, migration]): [number, Migration] => [Number(number), migration])
    .filter(([number]) => !done.has(number));
}

/** Returns the highest number of a layout. */
export const layoutOf = ({ version, migrations }: StoreLayout): number =>
  Math.max(version, ...Object.keys(migrations).map(Number));

/**
 * Returns the migrations that the store has had; none of a new one.
 * @param others the other processes at the store, for the message
 * @throws ForeignProcess this version cannot use the store
 */
export async function readMigrations(
  { connection }: Store,
  layout: StoreLayout,
  others: readonly string[] = [],
): Promise<Recorded[]> {
  const rows = connection.collection<MigrationRecord>('migrations');
  const records = await rows.find({}, { projection: { name: 1 } }).toArray();
  const problem = incompatibility(records, layout);
  if (problem === null) return records;
  const users = others.length === 0 ? '' : ` These processes use it: ${others.join('; ')}.`;
  throw new ForeignProcess(problem + users);
}

/**
 * Creates a new store, or runs its pending migrations in order, one process at a time. Call after
 * the collections and before the indexes are created.
 * @throws Error with a message for the operator: a migration failed, or the store is incompatible
 */
export async function migrate(
  { store, clock, log }: MigrationDependencies,
  layout: StoreLayout,
): Promise<void> {
  const rows = store.connection.collection<MigrationRecord>('migrations');
  const create = async (): Promise<void> => {
    await layout.create(store);
    const row = { milliseconds: 0, finishedAt: clock.now(), reports: [] };
    const names = pendingMigrations([], layout).map(([_id, { name }]) => ({ _id, name }));
    await rows.insertMany(
      [{ _id: layout.version, name: 'created' }, ...names].map((record) => ({ ...record, ...row })),
    );
  };

  const run = async (number: number, { name, run }: Migration, lease: Lease): Promise<void> => {
    const startedAt = clock.now();
    const reports: MigrationRecord['reports'][number][] = [];
    const report = (message: string, detail: Readonly<Record<string, unknown>>): void => {
      log.warn({ migration: number, ...detail }, message);
      reports.push({ message, detail });
    };
    try {
      await run({ store, report, requireLease: lease.require });
      lease.require();
    } catch (error) {
      throw new Error(
        `Migration ${number} (${name}) failed: ${error instanceof Error ? error.message : String(error)}`,
        { cause: error },
      );
    }
    const finishedAt = clock.now();
    const milliseconds = finishedAt.getTime() - startedAt.getTime();
    await rows.insertOne({ _id: number, name, finishedAt, milliseconds, reports });
    log.info({ migration: number, name, milliseconds }, 'migrated');
  };

  const before = await readMigrations(store, layout);
  if (before.length > 0 && pendingMigrations(before, layout).length === 0) return;
  await withLease({ store, clock, log }, 'migrations', async (lease) => {
    const records = await readMigrations(store, layout);
    if (records.length === 0) return create();
    for (const [number, migration] of pendingMigrations(records, layout))
      await run(number, migration, lease);
  });
}
