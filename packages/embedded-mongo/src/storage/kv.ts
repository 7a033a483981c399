import { open } from 'lmdb';
import type { RootDatabase, Transaction } from 'lmdb';
import { StoreError } from '../errors';
import { DiskSpace, diskFullError } from '../directory/disk-space';
import { SpaceReport } from '../directory/space-report';
import type { SpaceLevel } from '../directory/space-report';
import { hashOfDocument } from './change-counters';
import { KeyLocks } from './key-locks';
import { collectionOf, countOf, metaKey, setCount } from './keys';
import { usedBytes } from './page-counts';
import type { PageCounts } from './page-counts';
import type { Entry, Range, ReadView, Snapshot, WriteView } from './views';
import { WriteQueue } from './write-queue';
import type { WriteOptions } from './write-queue';

/** `full`: synced to disk before the reply. `test`: no fsync; survives a crash, not a power cut. */
export type Durability = 'full' | 'test';

export interface KvOptions {
  readonly dir: string;
  readonly durability: Durability;
  /** Maximum data size in bytes. Default: limited by the disk. */
  readonly mapSize?: number;
  /** Opens the data of another process without write access. */
  readonly readOnly?: boolean;
  /** Called at the start of each write transaction; throws if the directory has a new owner. */
  readonly fence?: (view: ReadView) => void;
  /** Called when no more writes are possible until a restart. */
  readonly onFatalError?: (error: StoreError) => void;
  /** Called after each commit that can be read, with the documents that changed. */
  readonly onCommit?: (written: WrittenDocuments) => void;
  /** Where the space is reported. */
  readonly space?: SpaceReport;
  /** Called before LMDB is used, so that an exiting process can wait (see exit-guard.ts). */
  readonly enter?: () => void;
}

/** `hashOfDocument` of the documents that a commit wrote, by the id of their collection. */
export type WrittenDocuments = ReadonlyMap<number, ReadonlySet<number>>;

/**
 * Maximum number of snapshots. Each needs a slot in LMDB's reader table; when that is full, nothing
 * can be read, so some slots are reserved for other reads and backups.
 */
const MAX_SNAPSHOTS = 1_000;
const RESERVED_READERS = 64;

/**
 * The LMDB environment: a key space of bytes with views. Writers share commits (write-queue.ts).
 */
export class Kv {
  private readonly db: RootDatabase<Buffer, Buffer>;
  private readonly queue: WriteQueue;
  private closed = false;
  private snapshots = 0;
  private readonly diskSpace: DiskSpace;
  private readonly copies = new Set<Promise<void>>();
  /** Keys written by open transactions. */
  readonly locks = new KeyLocks();
  /** Changes of document counts in the current commit, by collection. */
  private readonly counts = new Map<number, number>();
  private readonly written = new Map<number, Set<number>>();
  /** View of the latest committed state. */
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
      maxReaders: MAX_SNAPSHOTS + RESERVED_READERS,
    });
    this.diskSpace = new DiskSpace(
      options.dir,
      options.mapSize,
      () => {
        // Reader slots of dead processes (such as a killed backup) prevent the reuse of pages.
        this.db.readerCheck();
        return usedBytes(this.db);
      },
      options.space ?? new SpaceReport(),
    );
    this.committed = this.viewOf(undefined);
    this.writing = {
      ...this.committed,
      lock: (key) => this.locks.requireUnlocked(key),
      put: (key, value) => {
        this.diskSpace.recordWrite(key.length + value.length);
        this.recordCount(key, 1, () => !this.db.doesExist(key));
        this.db.putSync(key, value);
      },
      remove: (key) => {
        this.diskSpace.recordRemoval();
        this.recordCount(key, -1, () => this.db.doesExist(key));
        this.db.removeSync(key);
      },
    };
    this.queue = new WriteQueue({
      view: this.writing,
      commit: (write) => this.commit(write),
      checkSpace: () => this.checkSpace(),
      fence: () => options.fence?.(this.writing),
      onFatalError: (error) => options.onFatalError?.(error),
    });
  }

  /**
   * Returns a view of the current state; must be released once.
   * @throws StoreError 24 too many, retry
   */
  snapshot(): Snapshot {
    if (this.snapshots >= MAX_SNAPSHOTS)
      throw new StoreError(
        'LockTimeout',
        `more than ${MAX_SNAPSHOTS} transactions are open; retry when some have ended`,
        undefined,
        ['TransientTransactionError'],
      );
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
   * Queues a writer; resolves when its commit is durable. A writer may throw a StoreError only
   * before it writes. Any other error rolls back the commit, and all its writers run again one by
   * one, so writers must not have side effects.
   */
  write<T>(run: (view: WriteView) => T, options: WriteOptions<T> = {}): Promise<T> {
    return this.closed ? Promise.reject(closedError()) : this.queue.add(run, options);
  }

  /** Runs a writer immediately, outside of the queue; for opening and closing only. */
  writeNow<T>(run: (view: WriteView) => T): T {
    this.enter();
    if (this.diskSpace.check() === 'exhausted') throw diskFullError(true);
    let result: { value: T } | undefined;
    this.queue.commit(() => {
      result = { value: run(this.writing) };
    });
    return (result as { value: T }).value;
  }

  /** Copies the committed state, compacted, to `targetDir` while writes continue. */
  async copyTo(targetDir: string): Promise<void> {
    this.enter();
    const copy = this.db.backup(targetDir, true);
    this.copies.add(copy);
    await copy.finally(() => this.copies.delete(copy));
  }

  /** Reports the space, and holds some of it for a full disk unless this is a short-lived use. */
  maintainSpace(holds: boolean): SpaceLevel {
    if (this.closed) return 'enough';
    const level = this.checkSpace();
    this.diskSpace.maintain(holds);
    return level;
  }

  /** Finishes queued writers and running copies and closes the environment. */
  async close(): Promise<void> {
    if (this.closed) return;
    this.queue.finish();
    this.closed = true;
    await Promise.allSettled(this.copies);
    this.enter();
    await this.db.close();
  }

  /** Used bytes, file size, and processes with an open read transaction. */
  usage(): {
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
      count: ({ start, end }, limit) => {
        enter();
        if (
          limit !== undefined &&
          [...db.getKeys({ ...options, start, end, offset: Math.max(0, limit - 1), limit: 1 })]
            .length > 0
        )
          return limit;
        return db.getKeysCount({ ...options, start, end });
      },
      range: this.options.enter === undefined ? range : (keys) => withEnter(range(keys), enter),
    };
  }

  private checkSpace(): SpaceLevel {
    this.enter();
    const level = this.diskSpace.check();
    const released = this.diskSpace.takeReleased();
    if (released > 0) this.occupy(released);
    return level;
  }

  /** Extends the file by free pages. */
  private occupy(bytes: number): void {
    const key = metaKey('reserve');
    try {
      this.db.transactionSync(() => this.db.putSync(key, Buffer.alloc(bytes)));
      this.db.transactionSync(() => this.db.removeSync(key));
    } catch {
      // Another program was faster: the space is lost.
    }
  }

  /** Tracks the documents of this commit, and how many it adds or removes. */
  private recordCount(key: Buffer, change: 1 | -1, applies: () => boolean): void {
    const collection = collectionOf(key);
    if (collection === undefined) return;
    const documents = this.written.get(collection) ?? new Set();
    this.written.set(collection, documents.add(hashOfDocument(key)));
    if (applies()) this.counts.set(collection, (this.counts.get(collection) ?? 0) + change);
  }

  private commit(write: () => void): void {
    this.enter();
    this.counts.clear();
    this.written.clear();
    this.db.transactionSync(() => {
      write();
      for (const [collection, change] of this.counts)
        if (change !== 0)
          setCount(this.writing, collection, countOf(this.writing, collection) + change);
    });
    // Reads in this event loop iteration must see the commit.
    this.db.resetReadTxn();
    if (this.written.size > 0) this.options.onCommit?.(this.written);
  }
}

/** Calls `enter` at each step, since a scan may continue in a later event loop iteration. */
function* withEnter(entries: Iterable<Entry>, enter: () => void): Iterable<Entry> {
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

/** Error of all calls after close. */
export const closedError = (): StoreError =>
  new StoreError('ShutdownInProgress', 'the embedded store is closed');
