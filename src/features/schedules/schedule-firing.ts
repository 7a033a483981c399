import type { Model } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import { createRepeating } from '../../platform/repeating';
import type { Tx } from '../../platform/store/store';
import type { OpenRun, ScheduledRuns, ScheduledStart } from '../runs/queue/scheduled-runs';
import { nextFire } from './cron';
import type { NoteSchedules } from './schedule.events';
import type { ScheduleRecord } from './schedule.model';

export interface ScheduleFiringDependencies {
  readonly clock: Clock;
  readonly note: NoteSchedules;
  readonly schedules: Model<ScheduleRecord>;
  readonly runs: Pick<ScheduledRuns, 'queueDue' | 'newIds' | 'openOfSchedules' | 'releaseBlocked'>;
  /**
   * Interval for checking what is due, ms; checks are made at its multiples, when schedules are
   * due.
   */
  readonly tickMs?: number;
  readonly onFault: (error: unknown, scheduleId: number) => void;
}

const TICK_MS = 1_000;
/**
 * Schedules fired per transaction: fewer would write the same workflows repeatedly, more would
 * delay other writers.
 */
const AT_ONCE = 1_000;
/** A time that is past for longer than this, ms, was missed: no process was running. */
const MISSED_MS = 60_000;

/**
 * Decides by the overlap policy what a due schedule does. `open` are its runs that have not ended.
 */
function decideStart(
  { overlapPolicy, lastDueRunId }: ScheduleRecord,
  open: readonly OpenRun[],
): 'start' | 'block' | 'skip' {
  // With any policy, at most one due run waits: a schedule must not fill the queue.
  if (open.some(({ _id, state }) => _id === lastDueRunId && state === 'QUEUED')) return 'skip';
  if (open.length === 0 || overlapPolicy === 'ALLOW') return 'start';
  return overlapPolicy === 'QUEUE' ? 'block' : 'skip';
}

const dueAt = (now: Date) => ({ nextFireAt: { $lte: now } });

/**
 * Starts due schedules, in whichever process checks first. The transaction that queues the run also
 * advances `nextFireAt`, so that no two processes fire the same time, and an unfinished transaction
 * has fired nothing.
 */
export function createScheduleFiring({
  clock,
  note,
  schedules,
  runs,
  tickMs = TICK_MS,
  onFault,
}: ScheduleFiringDependencies) {
  /** Returns null for a time zone unknown to this process: other schedules must still fire. */
  function nextOf({ _id, cron, timeZone }: ScheduleRecord, now: Date): Date | null {
    try {
      return nextFire(cron, timeZone, now);
    } catch (error) {
      onFault(error, _id);
      return null;
    }
  }

  /** The due time to start a run for; null if all due times were missed and are left out. */
  function timeOf(schedule: ScheduleRecord, now: Date): Date | null {
    const { missedFires, nextFireAt } = schedule;
    const missedBefore = now.getTime() - MISSED_MS;
    if (missedFires !== 'SKIP' || nextFireAt === null || nextFireAt.getTime() >= missedBefore)
      return nextFireAt;
    const inTime = nextOf(schedule, new Date(missedBefore - 1));
    return inTime !== null && inTime <= now ? inTime : null;
  }

  /** Returns the runs to start, and whether more schedules may be due. */
  async function claim(
    now: Date,
    tx: Tx,
  ): Promise<{ readonly starts: readonly ScheduledStart[]; readonly more: boolean }> {
    const due = await schedules
      .find(dueAt(now), null, { session: tx.session })
      .sort({ nextFireAt: 1, _id: 1 })
      .limit(AT_ONCE)
      .lean<ScheduleRecord[]>();
    if (due.length === 0) return { starts: [], more: false };
    const openOf = await runs.openOfSchedules(
      due.map(({ _id }) => _id),
      tx,
    );
    const fired = due.flatMap((schedule) => {
      const decision = decideStart(schedule, openOf.get(schedule._id) ?? []);
      const dueTime = decision === 'skip' ? null : timeOf(schedule, now);
      return dueTime ? [{ ...schedule, dueTime, isBlocked: decision === 'block' }] : [];
    });
    // A version without overlap policies does not release blocked runs when it ends a run.
    for (const open of openOf.values()) await runs.releaseBlocked(open, tx);
    const ids = await runs.newIds(fired.length);
    const runOf = new Map(fired.map(({ _id }, nth) => [_id, ids[nth]]));
    const starts = fired.map(
      ({ _id: scheduleId, workflowId, logging, dueTime, isBlocked }, nth): ScheduledStart => ({
        runId: ids[nth],
        scheduleId,
        workflowId,
        logging,
        dueAt: dueTime,
        isBlocked,
      }),
    );
    const moved = due.map((schedule) => {
      const runId = runOf.get(schedule._id);
      return {
        _id: schedule._id,
        set: {
          nextFireAt: nextOf(schedule, now),
          ...(runId !== undefined && { lastRunId: runId, lastDueRunId: runId }),
        },
      };
    });
    // Both write the record, so a concurrent change of `nextFireAt` makes this transaction retry.
    await schedules.bulkWrite(
      moved.map(({ _id, set }) => ({ updateOne: { filter: { _id }, update: { $set: set } } })),
      { session: tx.session },
    );
    note(
      due.map(({ _id }) => _id),
      tx,
    );
    return { starts, more: due.length === AT_ONCE };
  }

  /**
   * Returns whether more may be due. Checks without a transaction first, so that idle checks do not
   * delay writers.
   */
  async function fireSome(): Promise<boolean> {
    const now = clock.now();
    if ((await schedules.exists(dueAt(now))) === null) return false;
    let isMore = false;
    const isOpen = await runs.queueDue(async (tx) => {
      const { starts, more } = await claim(now, tx);
      isMore = more;
      return starts;
    });
    return isOpen && isMore;
  }

  async function fireDue(signal?: AbortSignal): Promise<void> {
    while (signal?.aborted !== true && (await fireSome()));
  }

  return {
    /** Starts all schedules that are due now. */
    fireDue: (): Promise<void> => fireDue(),

    /** Starts due schedules periodically. */
    firing: createRepeating(
      (signal) => fireDue(signal).catch((error: unknown) => onFault(error, 0)),
      { firstMs: 0, thenMs: () => tickMs - (clock.now().getTime() % tickMs) },
    ),
  };
}
