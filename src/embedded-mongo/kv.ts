import { open } from 'lmdb';
import type { RootDatabase, Transaction } from 'lmdb';
import { Claims } from './claims';
import { countOf, setCount } from './counts';
import { collectionOf } from './keys';
import { StoreError } from './semantics/errors';
import { Room, isDiskError, isFatal, outOfSpace, writeRefused } from './room';
import { Slice } from './slice';
import type { Entry, Range, ReadView, Snapshot, WriteView } from './views';

/** `full`: on the disk before the reply. `test`: no fsync; survives the end of the process but not a power cut. */
export type Durability = 'full' | 'test';

export interface KvOptions {
  readonly dir: string;
  readonly durability: Durability;
  /** The most the data may take, in bytes; without it, what the disk has. */
  readonly mapSize?: number;
  /** For a look at the data of another process: nothing can be written. */
  readonly readOnly?: boolean;
  /** Called at the start of every write transaction; throws when the directory has a new owner. */
  readonly fence?: (view: ReadView) => void;
  /** Called when nothing can be written any more until the process starts again. */
  readonly broken?: (error: StoreError) => void;
  /** Called before anything native, so that a process that exits can wait for it (see exit-handshake.ts). */
  readonly enter?: () => void;
}

export interface WriteOptions<T> {
  /** Alone in its commit. */
  readonly exclusive?: boolean;
  /** Makes room rather than taking it: let through when the disk is nearly full. */
  readonly frees?: boolean;
  /** Writes what open transactions have claimed as well; they then cannot be committed. */
  readonly impatient?: boolean;
  /** Runs right after the commit, before any later writer: the place for changes in memory. */
  readonly committed?: (result: T) => void;
}

interface Job {
  readonly run: (view: WriteView) => unknown;
  readonly exclusive: boolean;
  readonly frees: boolean;
  readonly impatient: boolean;
  readonly committed?: (result: unknown) => void;
  readonly resolve: (result: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * How many states may be held at once. LMDB has a place for each in its table of readers; when that is full nothing can be read any
 * more, so the last places are kept for the reads outside transactions and for backups.
 */
const MOST_SNAPSHOTS = 1_000;
/** How long writers are refused after the disk has refused one. */
const NEXT_TRY_MS = 1_000;
const OTHER_READERS = 64;

type Outcome = { readonly result: unknown } | { readonly error: unknown };

/**
 * The LMDB environment: one key space of bytes, a queue of writers that share a commit, and the views on it.
 *
 * All writes of one turn of the event loop go into one synchronous transaction with one fsync. lmdb's own asynchronous
 * transactions are not used: they end the process when the disk is full.
 */
export class Kv {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private queue: Job[] = [];
  private scheduled = false;
  private closed = false;
  private trouble: { readonly error: StoreError; readonly until: number } | undefined;
  private snapshots = 0;
  private readonly room: Room;
  private readonly copies = new Set<Promise<void>>();
  /** What open transactions have written. */
  readonly claims = new Claims();
  private readonly counts = new Map<number, number>();
  /** The last committed state, always current. */
  readonly committed: ReadView;
  private readonly writing: WriteView;
  private readonly enter: () => void;

  constructor(private readonly options: KvOptions) {
    this.enter = options.enter ?? (() => undefined);
    this.db = open<Buffer, Buffer>({
      path: options.dir,
      noSubdir: false,
      readOnly: options.readOnly === true,
      keyEncoding: 'binary',
      encoding: 'binary',
      cache: false,
      overlappingSync: false,
      noSync: options.durability === 'test',
      maxDbs: 1,
      maxReaders: MOST_SNAPSHOTS + OTHER_READERS,
    });
    this.room = new Room(options.dir, options.mapSize, () => {
      this.forgetDeadReaders();
      return usedBytes(this.db);
    });
    this.committed = this.viewOf(undefined);
    this.writing = {
      ...this.committed,
      claim: (key) => this.claims.requireFree(key),
      put: (key, value) => {
        this.room.wrote(key.length + value.length);
        this.counted(key, 1, () => !this.db.doesExist(key));
        this.db.putSync(key, value);
      },
      remove: (key) => {
        this.counted(key, -1, () => this.db.doesExist(key));
        this.db.removeSync(key);
      },
    };
  }

  /** The state of this moment, unchanged by later writes; to be released once. @throws StoreError 24 when too many are held, worth a retry. */
  snapshot(): Snapshot {
    if (this.snapshots >= MOST_SNAPSHOTS) throw tooManySnapshots();
    this.enter();
    const transaction = this.db.useReadTransaction();
    this.snapshots++;
    const release = (): void => {
      this.enter();
      this.snapshots--;
      transaction.done();
    };
    return { ...this.viewOf(transaction), release };
  }

  /**
   * Queues a writer; the promise settles after its commit is durable. A writer that throws a StoreError must not have written yet.
   * Any other failure takes the whole commit back, and the writers of that turn are run again one by one, so writers must not have
   * effects outside the view.
   */
  write<T>(run: (view: WriteView) => T, options: WriteOptions<T> = {}): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (this.closed) {
        reject(closedError());
        return;
      }
      this.queue.push({
        run,
        exclusive: options.exclusive === true,
        frees: options.frees === true,
        impatient: options.impatient === true,
        committed: options.committed as Job['committed'],
        resolve: resolve as Job['resolve'],
        reject,
      });
      this.schedule();
    });
  }

  /** Runs one writer at once, outside the queue: for opening and closing only. */
  writeNow<T>(run: (view: WriteView) => T): T {
    let result: { value: T } | undefined;
    this.commit(() => {
      result = { value: run(this.writing) };
    });
    return (result as { value: T }).value;
  }

  /** A compacted copy of the committed state in `targetDir`, taken while writes go on. */
  async copyTo(targetDir: string): Promise<void> {
    this.enter();
    const copy = this.db.backup(targetDir, true);
    this.copies.add(copy);
    await copy.finally(() => this.copies.delete(copy));
  }

  /** Finishes the queued writers and running copies and closes the environment. */
  async close(): Promise<void> {
    if (this.closed) return;
    while (this.queue.length > 0) this.drain();
    this.closed = true;
    await Promise.allSettled(this.copies);
    this.enter();
    await this.db.close();
  }

  /**
   * What a reader may still look at is kept for it. One whose process was killed, such as a backup, would have the file grow without
   * end: it is forgotten when the room for writes is looked at, which they ask for.
   */
  private forgetDeadReaders(): void {
    this.db.readerCheck();
  }

  /** Bytes in use, the size of the file, and the processes that have a state of the data open. */
  facts(): { readonly usedBytes: number; readonly fileBytes: number; readonly readers: readonly number[] } {
    this.enter();
    const { pageSize, lastPageNumber } = this.db.getStats() as PageCounts & { readonly lastPageNumber: number };
    const readers = [...String((this.db as unknown as { readerList(): string }).readerList()).matchAll(/^ *(\d+) [0-9a-f]+ /gm)].map(([, pid]) => Number(pid));
    return { usedBytes: usedBytes(this.db), fileBytes: pageSize * (lastPageNumber + 1), readers };
  }

  private viewOf(transaction: Transaction | undefined): ReadView {
    const { db, enter } = this;
    const options = transaction === undefined ? undefined : { transaction };
    const range = ({ start, end, reverse }: Range): Iterable<Entry> =>
      reverse
        ? db.getRange({ ...options, start: end, end: start, exclusiveStart: true, inclusiveEnd: true, reverse: true })
        : db.getRange({ ...options, start, end });
    return {
      get: (key) => {
        enter();
        return db.get(key, options);
      },
      count: ({ start, end }, most) => {
        enter();
        if (most !== undefined && [...db.getKeys({ ...options, start, end, offset: Math.max(0, most - 1), limit: 1 })].length > 0) return most;
        return db.getKeysCount({ ...options, start, end });
      },
      range: this.options.enter === undefined ? range : (asked) => entering(range(asked), enter),
    };
  }

  private schedule(): void {
    if (this.scheduled) return;
    this.scheduled = true;
    setImmediate(() => this.drain());
  }

  /** Everything that waits, unless it takes long: then what is left comes after others have had their turn. */
  private drain(): void {
    this.scheduled = false;
    const slice = new Slice();
    while (this.queue.length > 0 && !this.closed) {
      this.runGroup(this.nextGroup());
      if (slice.isOver() && this.queue.length > 0) {
        this.schedule();
        return;
      }
    }
  }

  private nextGroup(): Job[] {
    const size = this.queue[0].exclusive ? 1 : this.queue.findIndex((job) => job.exclusive);
    return this.queue.splice(0, size === -1 ? this.queue.length : size);
  }

  /** A group whose time is over is committed as far as it has come; its other writers wait for the next one. */
  private runGroup(group: readonly Job[]): void {
    let outcomes: Outcome[];
    try {
      outcomes = this.commitGroup(group);
    } catch (error) {
      const refusal = this.refusalOf(error);
      if (refusal === undefined && group.length > 1) for (const job of group) this.runGroup([job]);
      else for (const job of group) job.reject(refusal ?? error);
      return;
    }
    this.queue.unshift(...group.slice(outcomes.length));
    outcomes.forEach((outcome, index) => settle(group[index], outcome));
  }

  /**
   * The answer to writers when the disk does not take what is written. Nothing of it was acknowledged, what was is on the disk; the
   * next try is left to a writer a little later, so that a disk in trouble is not asked all the time.
   */
  private refusalOf(error: unknown): StoreError | undefined {
    const known = this.trouble?.error;
    if (known !== undefined && error === known) return known;
    if (!isDiskError(error)) return undefined;
    this.trouble = { error: writeRefused(error.message), until: performance.now() + NEXT_TRY_MS };
    if (isFatal(error)) this.options.broken?.(this.trouble.error);
    return this.trouble.error;
  }

  private commitGroup(group: readonly Job[]): Outcome[] {
    const outcomes: Outcome[] = [];
    this.enter();
    const full = this.room.isFull();
    const slice = new Slice();
    this.commit(() => {
      this.options.fence?.(this.writing);
      for (const job of group) {
        outcomes.push(full && !job.frees ? { error: outOfSpace() } : runJob(job, this.writing));
        if (slice.isOver()) break;
      }
    });
    return outcomes;
  }

  /** Documents that come or go in this commit. */
  private counted(key: Buffer, change: 1 | -1, applies: () => boolean): void {
    const collection = collectionOf(key);
    if (collection !== undefined && applies()) this.counts.set(collection, (this.counts.get(collection) ?? 0) + change);
  }

  private commit(write: () => void): void {
    if (this.trouble !== undefined && performance.now() < this.trouble.until) throw this.trouble.error;
    this.enter();
    this.counts.clear();
    this.db.transactionSync(() => {
      write();
      for (const [collection, change] of this.counts) if (change !== 0) setCount(this.writing, collection, countOf(this.writing, collection) + change);
    });
    this.trouble = undefined;
    // Reads of this turn must see the commit they were answered after.
    this.db.resetReadTxn();
  }
}

interface PageCounts {
  readonly pageSize: number;
  readonly treeBranchPageCount: number;
  readonly treeLeafPageCount: number;
  readonly overflowPages: number;
}

function usedBytes(db: RootDatabase<Buffer, Buffer>): number {
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } = db.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
}

/** A StoreError is the writer's answer; anything else is not expected and must undo what was written. */
function runJob(job: Job, view: WriteView): Outcome {
  let dirty = false;
  const watched: WriteView = {
    ...view,
    claim: (key) => {
      if (!job.impatient) view.claim(key);
    },
    put: (key, value) => {
      dirty = true;
      view.put(key, value);
    },
    remove: (key) => {
      dirty = true;
      view.remove(key);
    },
  };
  try {
    return { result: job.run(watched) };
  } catch (error) {
    if (error instanceof StoreError && !dirty) return { error };
    throw error;
  }
}

function settle(job: Job, outcome: Outcome): void {
  if ('error' in outcome) {
    job.reject(outcome.error);
    return;
  }
  job.committed?.(outcome.result);
  job.resolve(outcome.result);
}

/** A scan may go on in a later turn of the event loop, so each step enters anew. */
function* entering(entries: Iterable<Entry>, enter: () => void): Iterable<Entry> {
  enter();
  const steps = entries[Symbol.iterator]();
  let step = steps.next();
  try {
    while (step.done !== true) {
      yield step.value;
      enter();
      step = steps.next();
    }
  } finally {
    enter();
    if (step.done !== true) steps.return?.();
  }
}

const tooManySnapshots = (): StoreError =>
  new StoreError(24, 'LockTimeout', `more than ${MOST_SNAPSHOTS} transactions are open; retry when some have ended`, undefined, ['TransientTransactionError']);

/** The answer to everything that comes after close. */
export const closedError = (): StoreError => new StoreError(91, 'ShutdownInProgress', 'the embedded store is closed');
