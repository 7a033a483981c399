import { StoreError } from './semantics/errors';

/** An open transaction with writes. */
export interface Claimant {
  /** Resolves when its writes are committed or aborted. */
  readonly ended: Promise<void>;
}

/** Keys written by open transactions; other writers must wait for them. */
export class Claims {
  private readonly holders = new Map<string, Claimant>();
  private readonly held = new Map<Claimant, string[]>();

  /** Returns false if another transaction holds the key. */
  take(key: Buffer, claimant: Claimant): boolean {
    const name = nameOf(key);
    const holder = this.holders.get(name);
    if (holder !== undefined) return holder === claimant;
    this.holders.set(name, claimant);
    const own = this.held.get(claimant);
    if (own === undefined) this.held.set(claimant, [name]);
    else own.push(name);
    return true;
  }

  /** For writes outside of transactions. @throws Blocked */
  requireFree(key: Buffer): void {
    const holder = this.holders.size === 0 ? undefined : this.holders.get(nameOf(key));
    if (holder !== undefined) throw new Blocked(holder);
  }

  release(claimant: Claimant): void {
    for (const name of this.held.get(claimant) ?? []) this.holders.delete(name);
    this.held.delete(claimant);
  }
}

/** A key is claimed by a transaction; retry when that has ended. */
export class Blocked extends StoreError {
  constructor(readonly by: Claimant) {
    super(
      112,
      'WriteConflict',
      'WriteConflict: a transaction has changed the same data and has not ended',
    );
  }
}

const nameOf = (key: Buffer): string => key.toString('latin1');
