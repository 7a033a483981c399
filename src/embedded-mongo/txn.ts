import { StoreError } from './semantics/errors';
import { Catalog } from './catalog';
import { isMetaKey } from './keys';
import type { Kv } from './kv';
import { Overlay } from './views';
import type { ReadView, Snapshot, WriteView } from './views';

const TRANSIENT = ['TransientTransactionError'];

export const writeConflict = (): StoreError =>
  new StoreError(112, 'WriteConflict', 'WriteConflict: another operation changed the same data; retry the transaction', undefined, TRANSIENT);

export const noSuchTransaction = (txnNumber: number, state = 'is not in progress'): StoreError =>
  new StoreError(251, 'NoSuchTransaction', `Transaction ${txnNumber} ${state}`, undefined, TRANSIENT);

/**
 * A multi-statement transaction: reads a snapshot with its own writes over it. Every key it writes must still have the value it had
 * in the snapshot, checked when it is written (so that a conflict shows early) and again at commit. No lock is held between commands.
 */
export class Transaction {
  private readonly snapshot: Snapshot;
  private readonly overlay: Overlay;
  private readonly definitions = new Map<string, Buffer | undefined>();
  private released = false;
  private committing: Promise<void> | undefined;
  state: 'active' | 'committing' | 'committed' | 'aborted' = 'active';

  constructor(private readonly kv: Kv, readonly txnNumber: number) {
    this.snapshot = kv.snapshot();
    this.overlay = new Overlay(this.snapshot, (key, base) => {
      if (!isMetaKey(key) && !same(base, kv.committed.get(key))) throw writeConflict();
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
    for (const [namespace, base] of this.definitions) requireSame(view, Catalog.keyOf(namespace), base);
    for (const { key, base } of this.overlay.touched()) if (!isMetaKey(key)) requireSame(view, key, base);
    for (const { key, value } of this.overlay.touched()) {
      if (value === undefined) view.remove(key);
      else view.put(key, value);
    }
  }

  private release(): void {
    if (this.released) return;
    this.released = true;
    this.snapshot.release();
  }
}

function requireSame(view: ReadView, key: Buffer, base: Buffer | undefined): void {
  if (!same(base, view.get(key))) throw writeConflict();
}

const same = (a: Buffer | undefined, b: Buffer | undefined): boolean => (a === undefined || b === undefined ? a === b : a.equals(b));
