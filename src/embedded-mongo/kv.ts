import { open } from 'lmdb';
import type { RootDatabase, Transaction } from 'lmdb';
import { Claims } from './claims';
import { countOf, setCount } from './counts';
import { collectionOf } from './keys';
import { StoreError } from './semantics/errors';
import { Room } from './room';
import type { Entry, Range, ReadView, Snapshot, WriteView } from './views';
import { WriteQueue } from './write-queue';
import type { WriteOptions } from './write-queue';

export type { WriteOptions } from './write-queue';

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

/**
 * How many states may be held at once. LMDB has a place for each in its table of readers; when that is full nothing can be read any
 * more, so the last places are kept for the reads outside transactions and for backups.
 */
const MOST_SNAPSHOTS = 1_000;
const OTHER_READERS = 64;

/**
 * The LMDB environment: one key space of bytes, and the views on it. Its writers wait in a queue and share a commit (write-queue.ts).
 */
export class Kv {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private readonly queue: WriteQueue;
  private closed = false;
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
    this.queue = new WriteQueue({
      view: this.writing,
      commit: (write) => this.commit(write),
      isFull: () => {
        this.enter();
        return this.room.isFull();
      },
      fence: () => options.fence?.(this.writing),
      broken: (error) => options.broken?.(error),
    });
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
    return this.closed ? Promise.reject(closedError()) : this.queue.add(run, options);
  }

  /** Runs one writer at once, outside the queue: for opening and closing only. */
  writeNow<T>(run: (view: WriteView) => T): T {
    let result: { value: T } | undefined;
    this.queue.commit(() => {
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
    this.queue.finish();
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
  facts(): {
    readonly usedBytes: number;
    readonly fileBytes: number;
    readonly readers: readonly number[];
  } {
    this.enter();
    const { pageSize, lastPageNumber } = this.db.getStats() as PageCounts & {
      readonly lastPageNumber: number;
    };
    const readers = [
      ...String((this.db as unknown as { readerList(): string }).readerList()).matchAll(
        /^ *(\d+) [0-9a-f]+ /gm,
      ),
    ].map(([, pid]) => Number(pid));
    return { usedBytes: usedBytes(this.db), fileBytes: pageSize * (lastPageNumber + 1), readers };
  }

  private viewOf(transaction: Transaction | undefined): ReadView {
    const { db, enter } = this;
    const options = transaction === undefined ? undefined : { transaction };
    const range = ({ start, end, reverse }: Range): Iterable<Entry> =>
      reverse
        ? db.getRange({
            ...options,
            start: end,
            end: start,
            exclusiveStart: true,
            inclusiveEnd: true,
            reverse: true,
          })
        : db.getRange({ ...options, start, end });
    return {
      get: (key) => {
        enter();
        return db.get(key, options);
      },
      count: ({ start, end }, most) => {
        enter();
        if (
          most !== undefined &&
          [...db.getKeys({ ...options, start, end, offset: Math.max(0, most - 1), limit: 1 })]
            .length > 0
        )
          return most;
        return db.getKeysCount({ ...options, start, end });
      },
      range: this.options.enter === undefined ? range : (asked) => entering(range(asked), enter),
    };
  }

  /** Documents that come or go in this commit. */
  private counted(key: Buffer, change: 1 | -1, applies: () => boolean): void {
    const collection = collectionOf(key);
    if (collection !== undefined && applies())
      this.counts.set(collection, (this.counts.get(collection) ?? 0) + change);
  }

  private commit(write: () => void): void {
    this.enter();
    this.counts.clear();
    this.db.transactionSync(() => {
      write();
      for (const [collection, change] of this.counts)
        if (change !== 0)
          setCount(this.writing, collection, countOf(this.writing, collection) + change);
    });
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
  const { pageSize, treeBranchPageCount, treeLeafPageCount, overflowPages } =
    db.getStats() as PageCounts;
  return pageSize * (treeBranchPageCount + treeLeafPageCount + overflowPages);
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
  new StoreError(
    24,
    'LockTimeout',
    `more than ${MOST_SNAPSHOTS} transactions are open; retry when some have ended`,
    undefined,
    ['TransientTransactionError'],
  );

/** The answer to everything that comes after close. */
export const closedError = (): StoreError =>
  new StoreError(91, 'ShutdownInProgress', 'the embedded store is closed');
