import type { Config } from '../../config/config';
import type { Store, Tx } from '../../platform/store/store';
import { calendarIn } from './calendar';
import type { Day } from './calendar';
import type { RunCounterRecord } from './run-counter.model';
import { runCounterSchema } from './run-counter.model';

/** A run that has ended. */
export interface CountedRun {
  readonly workflowId: number;
  /** The moment that decides on which day it counts. */
  readonly startedAt: Date;
  readonly failed: boolean;
}

export interface Count {
  readonly executions: number;
  readonly failures: number;
}

export type RunCounters = ReturnType<typeof createRunCounters>;

/**
 * Figures over all runs that ever ended. They are written with the end of each run, so widgets never scan runs, and nothing that is
 * deleted later changes them.
 */
export function createRunCounters({
  store,
  config,
}: {
  store: Store;
  config: Pick<Config, 'timeZone'>;
}) {
  const counters = store.model<RunCounterRecord>('RunCounter', runCounterSchema, 'run_counters');
  const calendar = calendarIn(config.timeZone);

  return {
    calendar,

    /** Counts a run, in the transaction in which it ends. */
    async count({ workflowId, startedAt, failed }: CountedRun, tx: Tx): Promise<void> {
      const one = (_id: string, identity: Pick<RunCounterRecord, 'kind' | 'workflowId'>) => ({
        updateOne: {
          filter: { _id },
          update: { $inc: { executions: 1, failures: failed ? 1 : 0 }, $setOnInsert: identity },
          upsert: true,
        },
      });
      await counters.bulkWrite(
        [
          one(`workflow/${workflowId}`, { kind: 'workflow', workflowId }),
          one(`day/${calendar.dayOf(startedAt)}`, { kind: 'day', workflowId: null }),
        ],
        { session: tx.session },
      );
    },

    /** The counts of days; days without runs are missing. */
    async ofDays(days: readonly Day[]): Promise<Map<Day, Count>> {
      const rows = await counters
        .find({ _id: { $in: days.map((day) => `day/${day}`) } })
        .lean<RunCounterRecord[]>();
      return new Map(
        rows.map(({ _id, executions, failures }) => [
          _id.slice('day/'.length),
          { executions, failures },
        ]),
      );
    },

    /** A workflow is deleted: its runs are counted on, and it is ranked no more. */
    async retire(workflowId: number, tx: Tx): Promise<void> {
      await counters.updateOne(
        { _id: `workflow/${workflowId}` },
        { $set: { kind: 'deleted' }, $setOnInsert: { workflowId, executions: 0, failures: 0 } },
        { upsert: true, session: tx.session },
      );
    },

    /** Workflows that are there by their number of runs, the busiest first. */
    async busiest(limit: number): Promise<(Count & { workflowId: number })[]> {
      const rows = await counters
        .find({ kind: 'workflow' })
        .sort({ executions: -1, workflowId: 1 })
        .limit(limit)
        .lean<RunCounterRecord[]>();
      return rows.map(({ workflowId, executions, failures }) => ({
        workflowId: workflowId ?? 0,
        executions,
        failures,
      }));
    },
  };
}
