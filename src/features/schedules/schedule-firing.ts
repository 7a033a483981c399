import type { Model } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import { createRepeating } from '../../platform/repeating';
import type { Tx } from '../../platform/store/store';
import type { RunService } from '../runs/run.service';
import type { OpenRun } from '../runs/blocked-runs';
import type { ScheduledStart } from '../runs/runs-of-schedules';
import { nextFire } from './cron';
import type { NoteSchedules } from './schedule.events';
import type { ScheduleRecord } from './schedule.model';

export interface ScheduleFiringDependencies {
  readonly clock: Clock;
  readonly note: NoteSchedules;
  readonly schedules: Model<ScheduleRecord>;
  readonly runs: Pick<RunService, 'queueDue' | 'newIds' | 'openOfSchedules' | 'releaseBlocked'>;
  /** How often is looked for what is due, ms: at each multiple of it, since that is when something is due. */
  readonly tickMs?: number;
  readonly onFault: (error: unknown, scheduleId: number) => void;
}

const TICK_MS = 1_000;
/** Fired in one transaction: fewer would write the workflows of many schedules again and again, more would keep others waiting who write. */
const AT_ONCE = 1_000;
/** A time that is past for longer was missed: nobody was there. */
const MISSED_MS = 60_000;

/** Decides by the overlap policy of a schedule what a time that is due starts. `open` are its runs that have not ended. */
function decideStart(
  { overlapPolicy, lastDueRunId }: ScheduleRecord,
  open: readonly OpenRun[],
): 'start' | 'block' | 'skip' {
  // However the policy is, at most one run that was due waits: a schedule must not fill the queue.
  if (open.some(({ _id, state }) => _id === lastDueRunId && state === 'QUEUED')) return 'skip';
  if (open.length === 0 || overlapPolicy === 'ALLOW') return 'start';
  return overlapPolicy === 'QUEUE' ? 'block' : 'skip';
}

const dueAt = (now: Date) => ({ nextFireAt: { $lte: now } });

/**
 * Starts what is due, whichever process looks first: the transaction that queues the run moves `nextFireAt` on from the time that is due, so
 * that no two can fire it, and a process that stood still in the middle of it has fired nothing.
 */
export function createScheduleFiring({
  clock,
  note,
  schedules,
  runs,
  tickMs = TICK_MS,
  onFault,
}: ScheduleFiringDependencies) {
  /** A zone that this process does not know any more must not keep the others from firing. */
  function nextOf({ _id, cron, timeZone }: ScheduleRecord, now: Date): Date | null {
    try {
      return nextFire(cron, timeZone, now);
    } catch (error) {
      onFault(error, _id);
      return null;
    }
  }

  /** The time that it is started for; null: all that were due were missed, and are left out. */
  function timeOf(schedule: ScheduleRecord, now: Date): Date | null {
    const { missedFires, nextFireAt } = schedule;
    const missedBefore = now.getTime() - MISSED_MS;
    if (missedFires !== 'SKIP' || nextFireAt === null || nextFireAt.getTime() >= missedBefore)
      return nextFireAt;
    const inTime = nextOf(schedule, new Date(missedBefore - 1));
    return inTime !== null && inTime <= now ? inTime : null;
  }

  /** Answers what is to be started, and whether more may be due. */
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
    // A version without overlap policies releases nothing when it ends a run.
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
    // Whoever moved one on since it was read makes this transaction start again: both write it.
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

  /** Answers whether more may be due. A look at which nothing is takes no turn among those who write. */
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
    /** Starts everything that is due now. */
    fireDue: (): Promise<void> => fireDue(),

    /** From now on what is due is started. */
    firing: createRepeating(
      (signal) => fireDue(signal).catch((error: unknown) => onFault(error, 0)),
      { firstMs: 0, thenMs: () => tickMs - (clock.now().getTime() % tickMs) },
    ),
  };
}
