import type { ClientSession } from 'mongoose';
import type { Store } from '../store';

/** A stored record as the driver reads it without conversions: numbers keep their BSON type. */
export type RawRecord = Readonly<Record<string, unknown>> & { readonly _id: unknown };

/** Parts of a document may have 4 MiB, so a batch stays small. */
const READ_AT_ONCE = 100;

/** The names of all collections, sorted. */
export async function collectionNames({ connection }: Store): Promise<string[]> {
  return (await connection.listCollections())
    .map(({ name }) => name)
    .filter((name) => !name.startsWith('system.'))
    .sort();
}

export const rawCollection = ({ connection }: Store, name: string) =>
  connection.collection<RawRecord>(name);

/** All records of the store at one moment, if the store can show that. */
export class WholeStore {
  constructor(
    private readonly store: Store,
    private readonly session: ClientSession | undefined,
  ) {}

  count(collection: string): Promise<number> {
    return rawCollection(this.store, collection).countDocuments({}, { session: this.session });
  }

  /** Yields the records with these ids, or all, in the order of their ids. */
  read(collection: string, ids?: readonly unknown[]): AsyncIterable<RawRecord> {
    const filter: object = ids === undefined ? {} : { _id: { $in: ids } };
    return rawCollection(this.store, collection)
      .find(filter, {
        session: this.session,
        promoteValues: false,
        batchSize: READ_AT_ONCE,
      })
      .sort({ _id: 1 });
  }
}

/**
 * Runs `work` on the data of one moment with the embedded store. A MongoDB keeps old states for a
 * minute only: there, `work` sees changes made during it.
 */
export async function readingAll<R>(
  store: Store,
  work: (all: WholeStore) => Promise<R>,
): Promise<R> {
  if (!store.isEmbedded) return work(new WholeStore(store, undefined));
  const session = await store.connection.startSession();
  try {
    session.startTransaction();
    return await work(new WholeStore(store, session));
  } finally {
    if (session.inTransaction()) await session.abortTransaction();
    await session.endSession();
  }
}
