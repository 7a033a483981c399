import type { ClientSession } from 'mongoose';
import type { CommitChanges } from './commits/commit-notes';
import type { LaterWrites } from './later-writes';

/** A transaction in progress: pass `session` to every read and write that belongs to it. */
export interface Tx {
  readonly session: ClientSession;
  /** Sent before the next other operation of a `Collection`, and before the commit. */
  readonly later: LaterWrites;
  /** What other processes have to know of the commit. */
  readonly changed: CommitChanges;
  /**
   * Runs after the commit, in order, before the promise of the transaction resolves: events,
   * caches, deletion of unreferenced files. Never runs if the transaction aborts. Must not reject:
   * the change is already committed.
   */
  afterCommit(work: () => void | Promise<void>): void;
}
