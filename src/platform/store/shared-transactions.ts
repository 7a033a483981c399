import { storeFailure } from './failure';
import type { Store, Tx } from './store';

/** Maximum number of work items in one transaction; if one fails, the others run again. */
const MOST = 16;

/** `work` as for `Store.transaction`: may run again; side effects only in `afterCommit`. */
export interface SharedTransactions {
  /** Runs in a transaction that may contain other work. */
  together<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  /** Runs in a separate transaction, with no other work before its `afterCommit`. */
  alone<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
}

interface Piece {
  readonly isAlone: boolean;
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Batches work that writes the same records: first come, first served, since waiting costs less
 * than conflicts. Work that arrives during a transaction shares the next one, which saves commits.
 * A failure affects only the item that failed.
 */
export function createSharedTransactions(store: Pick<Store, 'transaction'>): SharedTransactions {
  const waiting: Piece[] = [];
  let isWorking = false;

  async function carryOut(pieces: readonly Piece[]): Promise<void> {
    let failed = -1;
    try {
      const results = await store.transaction(async (tx) => {
        failed = -1;
        const done: unknown[] = [];
        for (const [nth, { work }] of pieces.entries()) {
          try {
            done.push(await work(tx));
          } catch (error) {
            failed = nth;
            throw error;
          }
        }
        return done;
      });
      for (const [nth, { resolve }] of pieces.entries()) resolve(results[nth] as never);
    } catch (error) {
      // If the store is unavailable, retrying each item would fail too.
      if (pieces.length === 1 || storeFailure(error) !== null) {
        for (const { reject } of pieces) reject(error);
        return;
      }
      // Run the failed item again in its own transaction, in order, so that the others succeed;
      // if a write failed that was sent with the commit, each of them.
      const parts =
        failed < 0
          ? pieces.map((piece) => [piece])
          : [pieces.slice(0, failed), [pieces[failed]], pieces.slice(failed + 1)];
      for (const part of parts) if (part.length > 0) await carryOut(part);
    }
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.length > 0) await carryOut(waiting.splice(0, shared()));
    isWorking = false;
  }

  /** Number of waiting items that go into the next transaction. */
  function shared(): number {
    const alone = waiting.findIndex(({ isAlone }) => isAlone);
    return Math.max(1, Math.min(MOST, alone < 0 ? waiting.length : alone));
  }

  const add = <R>(isAlone: boolean, piece: (tx: Tx) => Promise<R>): Promise<R> =>
    new Promise<R>((resolve, reject) => {
      waiting.push({ isAlone, work: piece, resolve, reject });
      void work();
    });

  return { together: (piece) => add(false, piece), alone: (piece) => add(true, piece) };
}
