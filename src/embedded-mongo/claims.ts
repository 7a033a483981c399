import { StoreError } from './semantics/errors';

/** A transaction that has written and has not ended. */
export interface Claimant {
  /** Resolves when its writes are committed or given up. */
  readonly ended: Promise<void>;
}

/** What open transactions have written: others leave it alone until they have ended. */
export class Claims {
  private readonly holders = new Map<string, Claimant>();
  private readonly held = new Map<Claimant, string[]>();

  /** False when another transaction was faster. */
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

  /** For a writer outside transactions. @throws Blocked */
  requireFree(key: Buffer): void {
    const holder = this.holders.size === 0 ? undefined : this.holders.get(nameOf(key));
    if (holder !== undefined) throw new Blocked(holder);
  }

  release(claimant: Claimant): void {
    for (const name of this.held.get(claimant) ?? []) this.holders.delete(name);
    this.held.delete(claimant);
  }
}

/** A writer met what a transaction has written; it is worth another try when that has ended. */
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
