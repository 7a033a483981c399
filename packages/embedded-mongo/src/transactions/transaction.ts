import { definitionKey } from '../catalog/collection';
import { StoreError } from '../errors';
import type { LockHolder } from '../storage/key-locks';
import { isMetaKey } from '../storage/keys';
import type { Kv } from '../storage/kv';
import { Overlay } from './overlay';
import { NONE_NECESSARY } from '../directory/necessary-writes';
import type { NecessaryWrites } from '../directory/necessary-writes';
import type { ReadView, Snapshot, WriteView } from '../storage/views';

const TRANSIENT = ['TransientTransactionError'];

const writeConflict = (): StoreError =>
  new StoreError(
    'WriteConflict',
    'WriteConflict: another operation changed the same data; retry the transaction',
    undefined,
    TRANSIENT,
  );

export const noSuchTransaction = (txnNumber: number, state = 'is not in progress'): StoreError =>
  new StoreError('NoSuchTransaction', `Transaction ${txnNumber} ${state}`, undefined, TRANSIENT);

/** Maximum memory for the uncommitted writes of a transaction. */
const MAX_WRITTEN_BYTES = 256 * 1024 * 1024;

/**
 * A multi-statement transaction: a snapshot with its own writes on top. It locks keys that it
 * writes, so that other transactions conflict at once and other writers wait. A writer that did not
 * wait is detected by value: each key must have its snapshot value when it is locked or written,
 * and at commit.
 */
export class Transaction implements LockHolder {
  private readonly snapshot: Snapshot;
  private readonly overlay: Overlay;
  private readonly definitions = new Map<string, Buffer | undefined>();
  private released = false;
  private committing: Promise<void> | undefined;
  private end: () => void = () => undefined;
  readonly ended = new Promise<void>((resolve) => (this.end = resolve));
  state: 'active' | 'committing' | 'committed' | 'aborted' = 'active';
  /** Keys lost to other writers, for the next attempt. */
  readonly lost: Buffer[] = [];

  /**
   * @param lost keys that an earlier attempt lost; locked before the snapshot is taken
   */
  constructor(
    private readonly kv: Kv,
    readonly txnNumber: number,
    private readonly necessary: NecessaryWrites = NONE_NECESSARY,
    lost: readonly Buffer[] = [],
  ) {
    for (const key of lost) kv.locks.tryLock(key, this);
    try {
      this.snapshot = kv.snapshot();
    } catch (error) {
      this.releaseLocks();
      throw error;
    }
    this.overlay = new Overlay(this.snapshot, {
      locked: (key, base) => {
        if (!kv.locks.tryLock(key, this)) throw this.conflictAt(key);
        this.requireSame(kv.committed, key, base);
      },
      touched: (key, base) => {
        if (!isMetaKey(key)) this.requireSame(kv.committed, key, base);
        if (this.overlay.size > MAX_WRITTEN_BYTES)
          throw new StoreError(
            'TransactionTooLarge',
            `a transaction may write at most ${MAX_WRITTEN_BYTES} bytes`,
          );
      },
    });
  }

  /** @throws StoreError 251 the transaction has ended and its snapshot is released */
  get view(): WriteView {
    if (this.released) throw noSuchTransaction(this.txnNumber, 'is over');
    return this.overlay;
  }

  /**
   * Rejects a collection whose definition changed: new indexes lack the documents of the snapshot.
   */
  use(namespace: string): void {
    const key = definitionKey(namespace);
    const base = this.snapshot.get(key);
    if (!same(base, this.kv.committed.get(key))) throw writeConflict();
    this.definitions.set(namespace, base);
  }

  /** Repeated calls return the same promise. */
  commit(): Promise<void> {
    return (this.committing ??= this.commitOnce());
  }

  private async commitOnce(): Promise<void> {
    this.state = 'committing';
    try {
      if (!this.overlay.isEmpty)
        await this.kv.write((view) => this.apply(view), { reserve: this.necessary });
      this.state = 'committed';
    } catch (error) {
      this.state = 'aborted';
      throw error;
    } finally {
      this.release();
    }
  }

  abort(): void {
    if (this.state === 'active') this.state = 'aborted';
    if (this.state === 'aborted') this.release();
  }

  private apply(view: WriteView): void {
    for (const [namespace, base] of this.definitions)
      if (!same(base, view.get(definitionKey(namespace)))) throw writeConflict();
    for (const { key, base } of this.overlay.guardedKeys())
      if (!isMetaKey(key)) this.requireSame(view, key, base);
    for (const { key, value } of this.overlay.writtenKeys()) {
      if (value === undefined) view.remove(key);
      else view.put(key, value);
    }
  }

  private requireSame(view: ReadView, key: Buffer, base: Buffer | undefined): void {
    if (!same(base, view.get(key))) throw this.conflictAt(key);
  }

  private conflictAt(key: Buffer): StoreError {
    this.lost.push(key);
    return writeConflict();
  }

  private release(): void {
    if (this.released) return;
    this.released = true;
    this.snapshot.release();
    this.releaseLocks();
  }

  private releaseLocks(): void {
    this.kv.locks.release(this);
    this.end();
  }
}

const same = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);
