import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import type { RunRecord } from './run.model';

export interface BlockedRunsDependencies {
  readonly runs: Model<RunRecord>;
  /** Called after the commit, with a run that may start now. */
  readonly onReleased: (run: RunRecord) => void;
}

/** A run of a schedule that has not ended. */
export type OpenRun = Pick<RunRecord, '_id' | 'state' | 'isBlocked' | 'openOfSchedule'>;

export type BlockedRuns = ReturnType<typeof createBlockedRuns>;

/**
 * Runs that wait until the other runs of their schedule have ended. Adding or ending a run of a
 * schedule writes the schedule in the same transaction, so that two processes cannot decide from
 * different sets of open runs.
 */
export function createBlockedRuns({ runs, onReleased }: BlockedRunsDependencies) {
  /** Runs of schedules that have not ended, the oldest first. */
  const findOpen = (scheduleIds: readonly number[], tx: Tx): Promise<OpenRun[]> =>
    runs
      .find(
        { openOfSchedule: { $in: [...scheduleIds] } },
        { state: 1, isBlocked: 1, openOfSchedule: 1 },
        { session: tx.session },
      )
      .sort({ _id: 1 })
      .lean<OpenRun[]>();

  /** Releases the blocked run of a schedule if no other run of the schedule is open. */
  async function release(open: readonly OpenRun[], tx: Tx): Promise<void> {
    const [first] = open;
    if (first === undefined || open.some(({ isBlocked }) => isBlocked !== true)) return;
    const released = await runs
      .findOneAndUpdate(
        { _id: first._id, isBlocked: true },
        { $unset: { isBlocked: 1 } },
        { session: tx.session, returnDocument: 'after' },
      )
      .lean<RunRecord>();
    if (released) tx.afterCommit(() => onReleased(released));
  }

  return {
    findOpen,
    release,

    /** Call in the transaction that ends a run, with the run as it was before. */
    async ended({ openOfSchedule }: RunRecord, tx: Tx): Promise<void> {
      if (openOfSchedule !== undefined) await release(await findOpen([openOfSchedule], tx), tx);
    },
  };
}
