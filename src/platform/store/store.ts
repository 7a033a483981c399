import type { ClientSession, Connection, Model } from 'mongoose';
import { whileHolding } from '../time-slices';
import type { RecordSchema } from './schema';
import { mongo } from 'mongoose';

/** What the store answers where something is there already, or is not, by MongoDB's numbers. */
const CODES = {
  namespaceNotFound: 26,
  indexNotFound: 27,
  namespaceExists: 48,
  duplicateKey: 11_000,
} as const;

/** Is this that answer of the store? */
const isAnswer = (error: unknown, what: keyof typeof CODES): boolean =>
  error instanceof Error && (error as { code?: unknown }).code === CODES[what];

/** For `catch`: lets this answer pass, which is what was wanted anyway, and throws all others. */
const unless =
  (what: keyof typeof CODES) =>
  (error: unknown): void => {
    if (!isAnswer(error, what)) throw error;
  };

/** Did a transaction lose to another one, or outlive its time, so that running it again may succeed? */
const isTransient = (error: unknown): boolean =>
  error instanceof mongo.MongoServerError && error.hasErrorLabel('TransientTransactionError');

/** The largest block. What a process that stops leaves of it is never used. */
const MAX_BLOCK = 32;

/**
 * Ids that this process took ahead, so that most creations need no write for theirs. Every id of a sequence that this process uses comes
 * from one block, so its ids grow with time.
 */
export class IdBlock {
  private upcoming = 0;
  private last = -1;
  private size = 1;
  private taking: Promise<void> | null = null;

  /** @param take takes so many ids and returns the last of them */
  constructor(private readonly take: (count: number) => Promise<number>) {}

  async next(): Promise<number> {
    const [id = 0] = await this.nextMany(1);
    return id;
  }

  /** So many ids, each greater than the one before it. */
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
  private async fill(wanted: number): Promise<void> {
    while (this.upcoming > this.last) {
      this.taking ??= this.refill(wanted).finally(() => {
        this.taking = null;
      });
      await this.taking;
    }
  }

  /** Blocks grow with use: a process that makes one record leaves no gap of thirty. */
  private async refill(wanted: number): Promise<void> {
    const size = Math.max(this.size, wanted);
    const last = await this.take(size);
    [this.upcoming, this.last] = [last - size + 1, last];
    this.size = Math.min(this.size * 2, MAX_BLOCK);
  }
}

/** What the store itself keeps beside the models. */
const OWN_COLLECTIONS = ['sequences', 'leases', 'migrations'];

/**
 * The driver retries a conflicting transaction with back-off, but only for two minutes of wall time. A process that was stopped or starved
 * can use them up within one attempt, so the whole is repeated this often before the conflict is an error.
 */
const MAX_TRANSACTION_ROUNDS = 5;

/** A transaction in progress: pass `session` to every read and write that belongs to it. */
export interface Tx {
  readonly session: ClientSession;
  /**
   * Runs after the commit and before the transaction's promise resolves, in order: events, caches, files nobody names any more. Never runs
   * when the transaction aborts. Must not reject: the change is made by then.
   */
  afterCommit(work: () => void | Promise<void>): void;
}

/** The database, as the services see it. */
export class Store {
  private readonly blocks = new Map<string, IdBlock>();

  /** @param isExclusive no other process can be at this database: the embedded store */
  constructor(
    readonly connection: Connection,
    readonly isExclusive = false,
  ) {}

  /** The model of a collection; made once per connection. */
  model<T>(name: string, schema: RecordSchema<T>, collection: string): Model<T> {
    return (
      (this.connection.models[name] as Model<T> | undefined) ??
      this.connection.model<T>(name, schema, collection)
    );
  }

  /**
   * Runs `work` in one transaction, again from the start when it met a conflicting one. `work` must not have effects outside the
   * transaction except through `afterCommit`.
   */
  async transaction<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    for (let round = 1; ; round += 1) {
      try {
        return await this.transactionRound(work);
      } catch (error) {
        if (!isTransient(error) || round === MAX_TRANSACTION_ROUNDS) throw error;
      }
    }
  }

  private async transactionRound<R>(work: (tx: Tx) => Promise<R>): Promise<R> {
    let afterCommit: (() => void | Promise<void>)[] = [];
    const session = await this.connection.startSession();
    let result: R;
    try {
      result = await session.withTransaction(async () => {
        afterCommit = [];
        return whileHolding(() =>
          work({ session, afterCommit: (later) => afterCommit.push(later) }),
        );
      });
    } finally {
      await session.endSession();
    }
    for (const later of afterCommit) await later();
    return result;
  }

  /** The next id of the sequence is above `value`. */
  async startSequence(sequence: string, value: number, tx: Tx): Promise<void> {
    await this.sequences().updateOne(
      { _id: sequence },
      { $max: { value } },
      { upsert: true, session: tx.session },
    );
  }

  /**
   * The next integer id of a sequence. Inside a transaction: no gaps, and creations wait for each other. Outside: from a block that this
   * process took, so that there is nothing to wait for but once in a while; processes take turns by blocks, so such ids say who came first
   * only within a process. Lists order by time, then by id.
   */
  async nextId(sequence: string, tx?: Tx): Promise<number> {
    if (tx) return this.advance(sequence, 1, tx);
    return this.blockOf(sequence).next();
  }

  /** So many new ids for records that are made together, as `nextId` gives them outside a transaction. */
  nextIds(sequence: string, count: number): Promise<number[]> {
    return this.blockOf(sequence).nextMany(count);
  }

  private blockOf(sequence: string): IdBlock {
    const block = this.blocks.get(sequence) ?? new IdBlock((size) => this.advance(sequence, size));
    this.blocks.set(sequence, block);
    return block;
  }

  /** The last of `count` new ids. */
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
   * Creates the collections and indexes of every model known so far: none may come to be inside a transaction. `migrate` runs between the
   * two: what an earlier version stored may not fit the indexes of this one.
   */
  async prepare(migrate: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    const models = Object.values(this.connection.models);
    for (const name of OWN_COLLECTIONS) {
      await this.connection.createCollection(name).catch(unless('namespaceExists'));
    }
    for (const model of models) await model.createCollection();
    await migrate();
    for (const model of models) await model.ensureIndexes();
  }
}

/** Is this the store's answer to a taken unique value? */
export const isDuplicateKey = (error: unknown): boolean => isAnswer(error, 'duplicateKey');

/** Does `work`, whose unique index decides who is first: who comes later is told what `taken` says. */
export async function uniquely<R>(work: () => Promise<R>, taken: () => Error): Promise<R> {
  try {
    return await work();
  } catch (error) {
    throw isDuplicateKey(error) ? taken() : error;
  }
}
