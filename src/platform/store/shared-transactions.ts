import { storeFailure } from './failure';
import type { Store, Tx } from './store';

/** Pieces of work that share a transaction at most: when one of them fails, the others are done again. */
const MOST = 16;

/** `work` is as for `Store.transaction`: it may be run again, and has no effects outside the transaction but through `afterCommit`. */
export interface SharedTransactions {
  /** In a transaction that others may share. */
  together<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
  /** In one of its own: nobody else's work is between it and what it does after the commit. */
  alone<R>(work: (tx: Tx) => Promise<R>): Promise<R>;
}

interface Piece {
  readonly isAlone: boolean;
  readonly work: (tx: Tx) => Promise<unknown>;
  readonly resolve: (result: never) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * For work that touches the same records: one after the other, first come, first served, since taking turns costs less than conflicting. What
 * comes while a transaction is under way shares the next one, so that many need one commit. What fails, fails alone.
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
      // A store that fails would fail each of them.
      if (failed < 0 || pieces.length === 1 || storeFailure(error) !== null) {
        for (const { reject } of pieces) reject(error);
        return;
      }
      // It failed beside the others: what becomes of it alone counts, in its place.
      for (const part of [pieces.slice(0, failed), [pieces[failed]], pieces.slice(failed + 1)])
        if (part.length > 0) await carryOut(part);
    }
  }

  async function work(): Promise<void> {
    if (isWorking) return;
    isWorking = true;
    while (waiting.length > 0) await carryOut(waiting.splice(0, shared()));
    isWorking = false;
  }

  /** How many of those that wait share the next transaction. */
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
