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

/** What the writes of one transaction may take in memory until they are committed. */
const MOST_WRITTEN = 256 * 1024 * 1024;

/**
 * A multi-statement transaction: reads a snapshot with its own writes over it. What it writes it claims, so that another transaction
 * conflicts at once and a writer outside waits until this one has ended. One that was not there to be kept out, or has waited enough,
 * shows in the values: every key must still have the one it had in the snapshot, when it is claimed or written and again at commit.
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
  /** What this transaction lost to another writer, for its next try. */
  readonly lost: Buffer[] = [];

  /** `lost`: what an earlier try was too late for is claimed before the snapshot is taken, so that nobody can be faster again. */
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

  /** @throws StoreError 251 once the transaction is over: its snapshot is gone, and a reader may still be under way. */
  get view(): WriteView {
    if (this.released) throw noSuchTransaction(this.txnNumber, 'is over');
    return this.overlay;
  }

  /** A collection whose definition changed after the snapshot cannot be read or written: its new indexes miss the snapshot's documents. */
  use(namespace: string): void {
    const key = Catalog.keyOf(namespace);
    const base = this.snapshot.get(key);
    if (!same(base, this.kv.committed.get(key))) throw writeConflict();
    this.definitions.set(namespace, base);
  }

  /** Asked again, it answers when the first commit is durable. */
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
