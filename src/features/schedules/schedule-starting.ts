import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { NotFound } from '../../platform/errors/errors';
import { eachOnce, placesIn } from '../../platform/store/records';
import type { RunRecord } from '../runs/run.model';
import type { ScheduledRuns } from '../runs/queue/scheduled-runs';
import type { RunTriggerName } from '../runs/run.events';
import type { ScheduleReads } from './schedule-reads';
import type { ScheduleRecord } from './schedule.model';
import { scheduleNotFound } from './schedule.rules';

export interface ScheduleStartingDependencies {
  readonly schedules: Model<ScheduleRecord>;
  readonly reads: ScheduleReads;
  readonly runs: Pick<
    ScheduledRuns,
    'start' | 'queueAll' | 'newIds' | 'runningSchedules' | 'cancelOfSchedule'
  >;
}

export type ScheduleStarting = ReturnType<typeof createScheduleStarting>;

/** How a schedule is started outside its due times. */
export interface Firing {
  readonly trigger: Exclude<RunTriggerName, 'TEST' | 'SCHEDULE'>;
  /** Start parameters: a JSON object as text, for `${name}` in the workflow. */
  readonly parameters?: string;
  /** Null if no user starts it, as with a webhook. */
  readonly actor: Actor | null;
  /** If a run starts it: position of the new run in the chain of runs that started each other. */
  readonly depth?: number;
}

/** Starts schedules outside their due times, enabled or not, and cancels their runs. */
export function createScheduleStarting({ schedules, reads, runs }: ScheduleStartingDependencies) {
  /** @throws NotFound also if the schedule gets another workflow in the meantime */
  const runNow = (
    { _id: id, workflowId, logging }: ScheduleRecord,
    { trigger, parameters, actor, depth }: Firing,
  ): Promise<RunRecord> =>
    runs.start(actor, workflowId, {
      scheduleId: id,
      trigger,
      logging,
      parameters,
      ...(depth !== undefined && { more: { depth } }),
      async alongside({ _id: lastRunId }, tx) {
        const { matchedCount } = await schedules.updateOne(
          { _id: id, workflowId },
          { $set: { lastRunId } },
          { session: tx.session },
        );
        if (matchedCount === 0) throw scheduleNotFound(id);
      },
    });

  return {
    /**
     * Starts a schedule now. Resolves as soon as its run is queued.
     * @throws NotFound    SCHEDULER_NOT_FOUND
     * @throws TooLarge    if the parameters are too large
     * @throws Unavailable if the service is stopping or too many runs are queued
     */
    async fire(id: number, firing: Firing): Promise<RunRecord> {
      for (let schedule = await reads.get(id); ;) {
        try {
          return await runNow(schedule, firing);
        } catch (error) {
          const now = error instanceof NotFound ? await reads.byId(id) : null;
          if (now === null || now.workflowId === schedule.workflowId) throw error;
          schedule = now;
        }
      }
    },

    /**
     * Starts schedules now, all or none.
     * @throws BadInput    if there are too many
     * @throws NotFound    SCHEDULER_NOT_FOUND for each unknown one
     * @throws Unavailable if the service is stopping or too many runs are queued
     */
    async fireAll(actor: Actor, ids: readonly number[]): Promise<RunRecord[]> {
      const unique = eachOnce(ids, 'schedules');
      return runs.queueAll(actor, async (tx) => {
        const records = await reads.everyOne(unique, placesIn(ids), tx);
        const runIds = await runs.newIds(records.length);
        const starts = records.map(({ _id: scheduleId, workflowId, logging }, nth) => ({
          runId: runIds[nth],
          scheduleId,
          workflowId,
          logging,
        }));
        if (starts.length > 0) {
          await schedules.bulkWrite(
            starts.map(({ scheduleId, runId }) => ({
              updateOne: { filter: { _id: scheduleId }, update: { $set: { lastRunId: runId } } },
            })),
            { session: tx.session },
          );
        }
        return starts;
      });
    },

    /**
     * Cancels all open runs of a schedule; succeeds if there are none.
     * @throws NotFound SCHEDULER_NOT_FOUND
     */
    async stopRuns(actor: Actor, id: number): Promise<ScheduleRecord> {
      const record = await reads.get(id);
      await runs.cancelOfSchedule(actor, id);
      return record;
    },

    async running(): Promise<ScheduleRecord[]> {
      return (await reads.byIds(await runs.runningSchedules())).filter((record) => record !== null);
    },
  };
}
