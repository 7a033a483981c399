import type { ChangeCounts } from '@hypha/embedded-mongo';
import { isDeepStrictEqual } from 'node:util';
import type { ClientSession, Connection, Model } from 'mongoose';
import { Collection } from './collection';
import type { CommitFeed } from './commits/commit-feed';
import { CommitChanges } from './commits/commit-notes';
import { COMMIT_INDEXES, COMMITS } from './commits/commit-slots';
import { storeFailure } from './failure';
import { NEVER_FULL } from './full-disk';
import type { StorageState } from './full-disk';
import { LaterWrites } from './later-writes';
import { RecordMemory } from './record-memory';
import type { RecordSchema } from './schema';
import type { Tx } from './transaction';
import { mongo } from 'mongoose';

export type { Tx } from './transaction';

type IndexDescription = mongo.IndexDescription;
type IndexDescriptionInfo = mongo.IndexDescriptionInfo;

/** MongoDB error codes. */
const CODES = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  duplicateKey: 11_000,
} as const;

const isAnswer = (error: unknown, codeName: keyof typeof CODES): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === CODES[codeName];

/** For `catch`: ignores this error and rethrows all others. */
const unless =
  (codeName: keyof typeof CODES) =>
  (error: unknown): void => {
    if (!isAnswer(error, codeName)) throw error;
  };

/** Returns whether the transaction lost a conflict or timed out, so that a retry may succeed. */
const isTransient = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.hasErrorLabel('TransientTransactionError');

/** Maximum block size. The unused rest of a block is lost when the process ends. */
const MAX_BLOCK = 32;

/**
 * Ids reserved by this process in blocks, so that most inserts need no extra write. Each sequence
 * has one block per process, so the ids of a process increase with time.
 */
export class IdBlock {
  private upcoming = 0;
  private last = -1;
  private size = 1;
  private taking: Promise<void> | null = null;

  /** @param take reserves `count` ids and returns the last of them */
  constructor(private readonly take: (count: number) => Promise<number>) {}

  async next(): Promise<number> {
    const [id = 0] = await this.nextMany(1);
    return id;
  }

  /** Returns `count` ids in ascending order. */
  async nextMany(count: number): Promise<number[]> {
    const ids: number[] = [];
    while (ids.length < count) {
      await this.fill(count - ids.length);
      // Another caller may have used up the block before this one continues.
      while (ids.length < count && this.upcoming <= this.last) ids.push(this.upcoming++);
    }
    return ids;
  }

  /** Resolves when there is an id. Concurrent callers share one block, so the loop checks again. */
  private async fill(count: number): Promise<void> {
    while (this.upcoming > this.last) {
      this.taking ??= this.refill(count).finally(() => {
        this.taking = null;
      });
      await this.taking;
    }
  }

  /** Blocks grow with use: a process that makes one record leaves no gap of thirty. */
  private async refill(count: number): Promise<void> {
    const size = Math.max(this.size, count);
    const last = await this.take(size);
    [this.upcoming, this.last] = [last - size + 1, last];
    this.size = Math.min(this.size * 2, MAX_BLOCK);
  }
}

/** Collections that are read often and written rarely. */
const REMEMBERED: ReadonlySet<string> = new Set([
  'aggregators',
  'api_tokens',
  'categories',
  'components',
  'connectors',
  'directory_state',
  'groups',
  'invokers',
  'masking_rules',
  'notifications',
  'permissions',
  'schedules',
  'sessions',
  'templates',
  'users',
  'webhooks',
  'widgets',
  'workflows',
]);

/**
 * Collections whose lists change all the time, of which single records are read often: by all
 * subscribers of a run.
 */
const REMEMBERED_BY_ID: ReadonlySet<string> = new Set(['runs']);

/**
 * Collections that are not remembered by processes at the store of another: their records are
 * compared with parts that are always read from the store, and must not be older than these.
 */
const READ_TOGETHER: ReadonlySet<string> = new Set(['schedules', 'workflows']);

/** Collections of the store without a model. */
const OWN_COLLECTIONS = ['fingerprints', 'leases', 'migrations', 'processes', 'sequences', COMMITS];

/**
 * The driver retries conflicting transactions for two minutes of wall time. A process that was
 * suspended may use that up in one attempt, so the whole call is repeated this often.
 */
const MAX_TRANSACTION_ROUNDS = 5;

/**
 * Reads of a transaction see one state of the database, and what it writes survives the loss of the
 * primary: https://www.mongodb.com/docs/manual/core/transactions/
 */
const CONCERNS = { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' } } as const;

export class Store {
  /** Transactions of this process since its start. */
  readonly transactions = { committed: 0, failed: 0 };
  private readonly blocks = new Map<string, IdBlock>();
  /** Whether this process runs the store, and may share it. */
  readonly isEmbedded: boolean;
  private readonly memory: RecordMemory | null;

  /**
   * @param isExclusive no other process of the service can use this database: an embedded store
   *   that is not shared
   * @param changes counts of the commits of the embedded store
   * @param feed tells of the commits of other processes, unless the store is exclusive
   */
  constructor(
    readonly connection: Connection,
    readonly isExclusive = false,
    changes: ChangeCounts | null = null,
    private readonly storage: StorageState = NEVER_FULL,
    readonly feed: CommitFeed | null = null,
  ) {
    this.isEmbedded = changes !== null;
    const counts = changes ?? feed?.counts;
    this.memory = counts ? new RecordMemory(counts) : null;
  }

  /**
   * Resolves when reads from memory are as new as the store was at the time of the call.
   * @throws MongoError the store does not answer
   */
  async catchUp(): Promise<void> {
    // The counts of an embedded store are never late.
    if (!this.isEmbedded) await this.feed?.catchUp();
  }

  /** Whether only deletes, sign-in, sign-out and reads are served, since the disk is full. */
  isFull(): boolean {
    return this.storage.isFull();
  }

  /** Returns the records of a collection, and creates its model on the first call. */
  collection<R>(name: string, schema: RecordSchema<R>, collection: string): Collection<R> {
    const { connection } = this;
    const existing = connection.models[name] as Model<R> | undefined;
    const isNoted = REMEMBERED.has(collection) && !READ_TOGETHER.has(collection);
    const isRemembered = this.isEmbedded ? REMEMBERED.has(collection) : isNoted;
    const lists = isRemembered ? this.memory : null;
    const isCountedById = this.isEmbedded && REMEMBERED_BY_ID.has(collection);
    return new Collection(existing ?? connection.model<R>(name, schema, collection), {
      memory: isCountedById ? this.memory : lists,
      listMemory: lists,
      transactions: isNoted && this.feed ? this : null,
    });
  }

  /**
   * Runs `work` in a transaction and repeats it after conflicts. `work` must not have side effects
   * outside the transaction except in `afterCommit`.
   */
  async transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    for (let round = 1; ; round += 1) {
      try {
        return await this.transactionRound(work);
      } catch (error) {
        if (isTransient(error) && round < MAX_TRANSACTION_ROUNDS) continue;
        this.transactions.failed += 1;
        throw error;
      }
    }
  }

  private async transactionRound<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    let afterCommit: (() => void | Promise<void>)[] = [];
    const changed = new CommitChanges();
    let attempts = 0;
    const commit = async (note: (session: ClientSession) => Promise<void>): Promise<R> => {
      const session = await this.connection.startSession();
      try {
        return await session.withTransaction(async () => {
          // Another process may have changed what was remembered.
          if ((attempts += 1) > 1) await this.catchUp();
          afterCommit = [];
          changed.clear();
          const later = new LaterWrites(session);
          const tx = { session, later, changed, afterCommit: (one) => afterCommit.push(one) } as Tx;
          const done = await work(tx);
          await later.finish();
          await note(session);
          return done;
        }, CONCERNS);
      } finally {
        await session.endSession();
      }
    };
    const result = await (this.feed
      ? this.feed.within(changed, commit).catch(async (error: unknown) => {
          // What fails may be done again, with records as they are now.
          if (storeFailure(error) === null) await this.catchUp().catch(() => undefined);
          throw error;
        })
      : commit(() => Promise.resolve()));
    this.transactions.committed += 1;
    for (const later of afterCommit) await later();
    return result;
  }

  /** Ensures that the next id of the sequence is greater than `value`. */
  async startSequence(sequence: string, value: number, tx: Tx): Promise<void> {
    await this.sequences().updateOne(
      { _id: sequence },
      { $max: { value } },
      { upsert: true, session: tx.session },
    );
  }

  /**
   * Returns the next integer id of a sequence. Inside a transaction: no gaps, but concurrent
   * inserts wait for each other. Outside: from a block reserved by this process, mostly without a
   * write; ids then reflect the order of creation within one process only. Lists order by time,
   * then by id.
   */
  async nextId(sequence: string, tx?: Tx): Promise<number> {
    if (tx) return this.advance(sequence, 1, tx);
    return this.blockOf(sequence).next();
  }

  /** Returns `count` new ids for records created together; see `nextId` outside a transaction. */
  nextIds(sequence: string, count: number): Promise<number[]> {
    return this.blockOf(sequence).nextMany(count);
  }

  private blockOf(sequence: string): IdBlock {
    const block = this.blocks.get(sequence) ?? new IdBlock((size) => this.advance(sequence, size));
    this.blocks.set(sequence, block);
    return block;
  }

  /** Returns the last of `count` new ids. */
  private async advance(sequence: string, count: number, tx?: Tx): Promise<number> {
    const counter = await this.sequences().findOneAndUpdate(
      { _id: sequence },
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after', session: tx?.session },
    );
    if (!counter) throw new Error(`The sequence ${sequence} gave no id.`);
    return counter.value;
  }

  private sequences() {
    return this.connection.collection<{ _id: string; value: number }>('sequences');
  }

  /**
   * Creates the collections and indexes of all models, which cannot be created in a transaction.
   * `migrate` runs between the two, since data of an earlier version may violate the new indexes.
   */
  async prepare(migrate: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const models = Object.values(this.connection.models);
    const missing = new Set([
      ...OWN_COLLECTIONS,
      ...models.map(({ collection }) => collection.name),
    ]);
    const present = await this.connection.listCollections();
    for (const { name } of present) missing.delete(name);
    for (const name of missing)
      await this.connection.createCollection(name).catch(unless('namespaceExists'));
    await migrate();
    if (this.feed) {
      await this.connection.collection(COMMITS).createIndexes(COMMIT_INDEXES);
      await this.feed.start();
    }
    const listed: readonly Listed[] = await this.connection.listCollections();
    const indexes = new Map(listed.map((collection) => [collection.name, collection.indexes]));
    await Promise.all(models.map(createMissingIndexes(indexes)));
  }
}

/** What `listCollections` tells of a collection; only the embedded store names its indexes. */
interface Listed {
  readonly name: string;
  readonly indexes?: readonly IndexDescriptionInfo[];
}

/** Creates the indexes of a model in one step, and does nothing where all exist. */
const createMissingIndexes =
  (listed: ReadonlyMap<string, Listed['indexes']>) =>
  async ({ collection, schema }: Model<unknown>): Promise<void> => {
    const present = listed.get(collection.name) ?? (await collection.indexes());
    const missing = schema
      .indexes()
      .map(([key, { background: _, ...options }]) => ({ key, ...options }) as IndexDescription)
      .filter((description) => !present.some((index) => isIndex(index, description)));
    if (missing.length > 0) await collection.createIndexes(missing);
  };

/** The order of the fields of a key matters. */
const isIndex = (present: IndexDescriptionInfo, { key, ...options }: IndexDescription): boolean =>
  JSON.stringify(present.key) === JSON.stringify(key) &&
  Object.entries(options).every(([name, value]) =>
    isDeepStrictEqual(present[name as keyof IndexDescriptionInfo], value),
  );

/** Returns whether the error is a violation of a unique index. */
export const isDuplicateKey = (error: unknown): boolean => isAnswer(error, 'duplicateKey');

/** Runs `work`; replaces a violation of a unique index by the error `takenError()`. */
export async function uniquely<R>(work: () => Promise<R>, takenError: () => Error): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicateKey(error) ? takenError() : error;
  }
}
