import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { Forbidden, NotFound, Refused } from '../../platform/errors/errors';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import { eachOnce, placesIn } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { RunTriggerName } from '../runs/run.events';
import type { RunRecord } from '../runs/run.model';
import type { OpenRun, ScheduledRuns, ScheduledStart } from '../runs/queue/scheduled-runs';
import { nextFire } from '../../platform/clock/cron';
import type { ScheduleRecords } from './schedule-records';
import { RecordChanged } from '../../platform/store/collection';
import type { ScheduleRecord } from './schedule.model';
import { schedulePolicy } from './schedule.policy';
import type { TestSchedules } from './test-schedules';

declare module '../../platform/context' {
  interface Services {
    scheduleRuns: ScheduleRuns;
  }
}

/** How a schedule is started outside its due times. */
interface Firing {
  readonly trigger: Exclude<RunTriggerName, 'TEST' | 'SCHEDULE'>;
  /** Start parameters: a JSON object as text, for `${name}` in the workflow. */
  readonly parameters?: string;
  /** Null if no user starts it, as with a webhook. */
  readonly actor: Actor | null;
  /** If a run starts it: position of the new run in the chain of runs that started each other. */
  readonly depth?: number;
  /** `traceparent` of what starts it, if there is no actor. */
  readonly trace?: string;
}

/** Due schedules are checked at multiples of this interval. */
const TICK_MS = 1_000;
/**
 * Schedules fired per transaction: fewer would write the same workflows repeatedly, more would
 * delay other writers.
 */
const BATCH_SIZE = 1_000;
/** A time that is past for longer than this was missed: no process was running. */
const MISSED_MS = 60_000;

const isDueAt = (now: Date) => ({ nextFireAt: { $lte: now } });

/** Decides by the overlap policy what a due schedule does. `open` are its unfinished runs. */
function decideStart(
  { overlapPolicy, lastDueRunId }: ScheduleRecord,
  open: readonly OpenRun[],
): 'start' | 'block' | 'skip' {
  // With any policy, at most one due run waits: a schedule must not fill the queue.
  if (open.some(({ _id, state }) => _id === lastDueRunId && state === 'QUEUED')) return 'skip';
  if (open.length === 0 || overlapPolicy === 'ALLOW') return 'start';
  return overlapPolicy === 'QUEUE' ? 'block' : 'skip';
}

/**
 * Starts schedules, when they are due and on demand, and cancels their runs.
 *
 * Due schedules are started by whichever process checks first. The transaction that queues the run
 * also advances `nextFireAt`, so that no two processes fire the same time, and an unfinished
 * transaction has fired nothing.
 */
export class ScheduleRuns {
  private readonly checking: Repeating;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: ScheduleRecords;
      readonly tests: TestSchedules;
      readonly runs: ScheduledRuns;
      /** Interval for checking what is due, ms. */
      readonly tickMs?: number;
    },
  ) {
    const { core, tickMs = TICK_MS } = deps;
    this.checking = createRepeating(
      (signal) => this.fireDue(signal).catch((error: unknown) => this.logFault(error)),
      { firstMs: 0, thenMs: () => tickMs - (core.clock.now().getTime() % tickMs) },
    );
  }

  /** Starts due schedules periodically. */
  start(): void {
    this.checking.start();
  }

  /** Resolves when the current check is done. */
  stop(): Promise<void> {
    return this.checking.stop();
  }

  /** Starts all schedules that are due now; on a full disk, when there is space again. */
  async fireDue(signal?: AbortSignal): Promise<void> {
    if (this.deps.core.store.isFull()) return;
    while (signal?.aborted !== true && (await this.fireBatch()));
  }

  /**
   * Starts a schedule now, enabled or not. Resolves as soon as its run is queued.
   * @throws NotFound    SCHEDULER_NOT_FOUND
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async fire(id: number, firing: Firing): Promise<RunRecord> {
    for (let schedule = await this.deps.records.get(id); ;) {
      try {
        return await this.fireNow(schedule, firing);
      } catch (error) {
        if (error instanceof RecordChanged) {
          // It was deleted, or got another workflow, and may have been moved back since.
          schedule = await this.deps.records.get(id);
          continue;
        }
        const current = error instanceof NotFound ? await this.deps.records.byId(id) : null;
        if (current === null || current.workflowId === schedule.workflowId) throw error;
        schedule = current;
      }
    }
  }

  /**
   * Starts schedules now, enabled or not, all or none.
   * @throws BadInput    if there are too many
   * @throws NotFound    SCHEDULER_NOT_FOUND for each unknown one
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async fireAll(actor: Actor, ids: readonly number[]): Promise<RunRecord[]> {
    const { records, runs } = this.deps;
    const unique = eachOnce(ids, 'schedules');
    return runs.queueAll(actor, async (tx) => {
      const schedules = await records.getAll(unique, placesIn(ids), tx);
      const runIds = await runs.newIds(schedules.length);
      const starts = schedules.map(({ _id: scheduleId, workflowId, logging }, nth) => ({
        runId: runIds[nth],
        scheduleId,
        workflowId,
        logging,
      }));
      if (starts.length > 0) {
        await records.collection.updateEach(
          starts.map(({ scheduleId, runId }) => ({
            filter: { _id: scheduleId },
            update: { $set: { lastRunId: runId } },
          })),
          tx,
        );
      }
      return starts;
    });
  }

  /** Schedules that have a running run. */
  async running(): Promise<ScheduleRecord[]> {
    const { records, runs } = this.deps;
    return (await records.byIds(await runs.runningSchedules())).filter((record) => record !== null);
  }

  /**
   * Cancels all open runs of a schedule; succeeds if there are none.
   * @throws NotFound SCHEDULER_NOT_FOUND
   */
  async cancel(actor: Actor, id: number): Promise<ScheduleRecord> {
    const record = await this.deps.records.get(id);
    await this.deps.runs.cancelOfSchedule(actor, id);
    return record;
  }

  /**
   * Cancels the open runs of a schedule, which may be that of a test.
   * @throws NotFound  SCHEDULER_NOT_FOUND, also for tests of other users
   * @throws Forbidden if it is not a test, and the actor may not change schedules
   */
  async cancelAny(actor: Actor, id: number): Promise<void> {
    const isSaved = (await this.deps.records.byId(id)) !== null;
    if (isSaved && allows(schedulePolicy.terminate, actor)) {
      await this.cancel(actor, id);
      return;
    }
    if (isSaved && allows(schedulePolicy.read, actor))
      throw new Forbidden(`This needs ${schedulePolicy.terminate}.`);
    const { runId } = await this.deps.tests.get(actor, id);
    await this.deps.runs.cancel(actor, runId).catch((error: unknown) => {
      if (!(error instanceof Refused && error.code === 'EXECUTION_ALREADY_FINISHED')) throw error;
    });
  }

  /** @throws RecordChanged the schedule was deleted, or got another workflow, since it was read */
  private fireNow(
    { _id: id, workflowId, logging }: ScheduleRecord,
    { trigger, parameters, actor, depth, trace }: Firing,
  ): Promise<RunRecord> {
    return this.deps.runs.start(actor, workflowId, {
      scheduleId: id,
      trigger,
      logging,
      parameters,
      more: { ...(depth !== undefined && { depth }), ...(trace !== undefined && { trace }) },
      alongside: ({ _id: lastRunId }, tx) => {
        this.deps.records.collection.changeLater({ _id: id, workflowId }, { lastRunId }, tx);
        return Promise.resolve();
      },
    });
  }

  /**
   * Fires the first due schedules. Returns whether more may be due. Checks without a transaction
   * first, so that idle checks do not delay writers.
   */
  private async fireBatch(): Promise<boolean> {
    const now = this.deps.core.clock.now();
    if (!(await this.deps.records.collection.exists(isDueAt(now)))) return false;
    let hasMore = false;
    const isOpen = await this.deps.runs.queueDue(async (tx) => {
      const due = await this.deps.records.collection.find(isDueAt(now), {
        tx,
        sort: { nextFireAt: 1, _id: 1 },
        limit: BATCH_SIZE,
      });
      hasMore = due.length === BATCH_SIZE;
      return due.length === 0 ? [] : this.claimDue(due, now, tx);
    });
    return isOpen && hasMore;
  }

  /** Advances the due schedules and returns the runs to start. */
  private async claimDue(
    due: readonly ScheduleRecord[],
    now: Date,
    tx: Tx,
  ): Promise<ScheduledStart[]> {
    const { records, runs } = this.deps;
    const ids = due.map(({ _id }) => _id);
    const openOf = await runs.openOfSchedules(ids, tx);
    const fired = due.flatMap((schedule) => {
      const decision = decideStart(schedule, openOf.get(schedule._id) ?? []);
      const dueAt = decision === 'skip' ? null : this.dueTimeOf(schedule, now);
      return dueAt ? [{ schedule, dueAt, isBlocked: decision === 'block' }] : [];
    });
    // A version without overlap policies does not release blocked runs when it ends a run.
    for (const open of openOf.values()) await runs.releaseBlocked(open, tx);
    const runIds = await runs.newIds(fired.length);
    const starts = fired.map(
      ({ schedule: { _id: scheduleId, workflowId, logging }, ...timing }, nth): ScheduledStart => ({
        runId: runIds[nth],
        scheduleId,
        workflowId,
        logging,
        ...timing,
      }),
    );
    const runOf = new Map(starts.map(({ scheduleId, runId }) => [scheduleId, runId]));
    // Both write the record, so a concurrent change of `nextFireAt` makes this transaction retry.
    await records.collection.updateEach(
      due.map((schedule) => {
        const runId = runOf.get(schedule._id);
        const set = {
          nextFireAt: this.nextOf(schedule, now),
          ...(runId !== undefined && { lastRunId: runId, lastDueRunId: runId }),
        };
        return { filter: { _id: schedule._id }, update: { $set: set } };
      }),
      tx,
    );
    records.publish(ids, tx);
    return starts;
  }

  /** The due time to start a run for; null if all due times were missed and are skipped. */
  private dueTimeOf(schedule: ScheduleRecord, now: Date): Date | null {
    const { missedFires, nextFireAt } = schedule;
    const missedBefore = now.getTime() - MISSED_MS;
    if (missedFires !== 'SKIP' || nextFireAt === null || nextFireAt.getTime() >= missedBefore)
      return nextFireAt;
    const inTime = this.nextOf(schedule, new Date(missedBefore - 1));
    return inTime !== null && inTime <= now ? inTime : null;
  }

  /** Returns null for a time zone unknown to this process: other schedules must still fire. */
  private nextOf({ _id, cron, timeZone }: ScheduleRecord, after: Date): Date | null {
    try {
      return nextFire(cron, timeZone, after);
    } catch (error) {
      this.logFault(error, _id);
      return null;
    }
  }

  private logFault(error: unknown, scheduleId?: number): void {
    this.deps.core.log.error({ err: error, scheduleId }, 'due schedules could not be started');
  }
}
