import type { ClientSession, Model, mongo } from 'mongoose';

type StoredCollection = Model<unknown>['collection'];

/** A record was changed or deleted since it was read. */
export class RecordChanged extends Error {}

/**
 * Does work that trusts in records as they were read before. If one has changed since, does it again
 * with `again`, which reads them.
 */
export async function unlessChanged<R>(
  work: () => Promise<R>,
  again: () => Promise<R>,
): Promise<R> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RecordChanged)) throw error;
    return again();
  }
}

export interface LaterUpdate {
  readonly filter: object;
  readonly update: object;
  /** Inserts a record if none matches. */
  readonly upsert?: boolean;
  /** Otherwise the transaction fails with `RecordChanged` if no record matches. */
  readonly isOptional?: boolean;
}

interface Pending {
  readonly inserts: mongo.Document[];
  readonly updates: LaterUpdate[];
}

/**
 * Writes of a transaction that wait for its next other operation or its commit. The store gets them
 * in one call for each collection, inserts first, so that work that shares a transaction shares
 * calls. Ids must be new: a record is not inserted after another one with its id was updated.
 */
export class LaterWrites {
  private readonly pending = new Map<StoredCollection, Pending>();
  private readonly lastWork = new Map<string, () => Promise<void>>();
  private sending: Promise<void> = Promise.resolve();

  constructor(private readonly session: ClientSession) {}

  insert(collection: StoredCollection, document: mongo.Document): void {
    this.of(collection).inserts.push(document);
  }

  update(collection: StoredCollection, update: LaterUpdate): void {
    this.of(collection).updates.push(update);
  }

  /** @throws RecordChanged no record matched an update */
  async send(): Promise<void> {
    const pending = [...this.pending];
    this.pending.clear();
    if (pending.length > 0) this.sending = this.sending.then(() => this.sendAll(pending));
    await this.sending;
  }

  /** Runs before the commit, once for each key, however many pieces of work ask for it. */
  beforeCommit(key: string, work: () => Promise<void>): void {
    this.lastWork.set(key, work);
  }

  /** Call before the commit. @throws RecordChanged see `send` */
  async finish(): Promise<void> {
    for (const work of this.lastWork.values()) await work();
    await this.send();
  }

  private of(collection: StoredCollection): Pending {
    const pending = this.pending.get(collection) ?? { inserts: [], updates: [] };
    this.pending.set(collection, pending);
    return pending;
  }

  private async sendAll(pending: readonly (readonly [StoredCollection, Pending])[]): Promise<void> {
    const options = { session: this.session, ordered: true, ignoreUndefined: true };
    for (const [collection, { inserts, updates }] of pending) {
      if (inserts.length > 0) await collection.insertMany(inserts, options);
      for (const isOptional of [false, true]) {
        const ofKind = updates.filter((update) => (update.isOptional ?? false) === isOptional);
        if (ofKind.length === 0) continue;
        const { matchedCount, upsertedCount } = await collection.bulkWrite(
          ofKind.map(({ filter, update, upsert = false }) => ({
            updateOne: { filter, update, upsert },
          })),
          options,
        );
        if (!isOptional && matchedCount + upsertedCount < ofKind.length)
          throw new RecordChanged(`A record of ${collection.name} is not as expected.`);
      }
    }
  }
}
