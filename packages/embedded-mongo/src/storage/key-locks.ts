import { StoreError } from '../errors';

/** An open transaction with writes. */
export interface LockHolder {
  /** Resolves when its writes are committed or aborted. */
  readonly ended: Promise<void>;
}

/** Keys written by open transactions; other writers must wait for them. */
export class KeyLocks {
  private readonly holders = new Map<string, LockHolder>();
  private readonly keys = new Map<LockHolder, string[]>();

  /** Returns false if another transaction holds the key. */
  tryLock(key: Buffer, holder: LockHolder): boolean {
    const name = key.toString('latin1');
    const current = this.holders.get(name);
    if (current !== undefined) return current === holder;
    this.holders.set(name, holder);
    const keys = this.keys.get(holder);
    if (keys === undefined) this.keys.set(holder, [name]);
    else keys.push(name);
    return true;
  }

  /** For writes outside of transactions. @throws KeyLockedError */
  requireUnlocked(key: Buffer): void {
    const holder = this.holders.size === 0 ? undefined : this.holders.get(key.toString('latin1'));
    if (holder !== undefined) throw new KeyLockedError(holder);
  }

  release(holder: LockHolder): void {
    for (const name of this.keys.get(holder) ?? []) this.holders.delete(name);
    this.keys.delete(holder);
  }
}

/** Retry when the transaction that holds the key has ended. */
export class KeyLockedError extends StoreError {
  constructor(readonly by: LockHolder) {
    super(
      'WriteConflict',
      'WriteConflict: a transaction has changed the same data and has not ended',
    );
  }
}
