import { StoreError } from './semantics/errors';
import { Catalog } from './catalog';
import type { Claimant } from './claims';
import { isMetaKey } from './keys';
import type { Kv } from './kv';
import { Overlay } from './views';
import type { ReadView, Snapshot, WriteView } from './views';

const TRANSIENT = ['TransientTransactionError'];

export const writeConflict = (): StoreError =>
  new StoreError(
    112,
    'WriteConflict',
    'WriteConflict: another operation changed the same data; retry the transaction',
    undefined,
    TRANSIENT,
  );

export const noSuchTransaction = (txnNumber: number, state = 'is not in progress'): StoreError =>
  new StoreError(
    251,
    'NoSuchTransaction',
    `Transaction ${txnNumber} ${state}`,
    undefined,
    TRANSIENT,
  );

/** Maximum memory for the uncommitted writes of a transaction. */
const MOST_WRITTEN = 256 * 1024 * 1024;

/**
 * A multi-statement transaction: a snapshot with its own writes on top. It claims keys that it
 * writes, so that other transactions conflict at once and other writers wait. A writer that did not
 * wait is detected by value: each key must have its snapshot value when it is claimed or written,
 * and at commit.
 */
export class Transaction implements Claimant {
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

  /** @param lost keys that an earlier attempt lost; claimed before the snapshot is taken */
  constructor(
    private readonly kv: Kv,
    readonly txnNumber: number,
    lost: readonly Buffer[] = [],
  ) {
    for (const key of lost) kv.claims.take(key, this);
    try {
      this.snapshot = kv.snapshot();
    } catch (error) {
      this.endClaims();
      throw error;
    }
    this.overlay = new Overlay(this.snapshot, {
      claimed: (key, base) => {
        if (!kv.claims.take(key, this)) throw this.conflictAt(key);
        this.requireSame(kv.committed, key, base);
      },
      touched: (key, base) => {
        if (!isMetaKey(key)) this.requireSame(kv.committed, key, base);
        if (this.overlay.size > MOST_WRITTEN)
          throw new StoreError(
            257,
            'TransactionTooLarge',
            `a transaction may write ${MOST_WRITTEN} bytes at most`,
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
    const key = Catalog.keyOf(namespace);
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
      if (!this.overlay.isEmpty) await this.kv.write((view) => this.apply(view));
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
      if (!same(base, view.get(Catalog.keyOf(namespace)))) throw writeConflict();
    for (const { key, base } of this.overlay.considered())
      if (!isMetaKey(key)) this.requireSame(view, key, base);
    for (const { key, value } of this.overlay.touched()) {
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
    this.endClaims();
  }

  private endClaims(): void {
    this.kv.claims.release(this);
    this.end();
  }
}

const same = (a: Buffer | undefined, b: Buffer | undefined): boolean =>
  a === undefined || b === undefined ? a === b : a.equals(b);
