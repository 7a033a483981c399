import type { Config } from '../../config/config';
import type { Store, Tx } from '../../platform/store/store';
import { calendarIn } from './calendar';
import type { Day } from './calendar';
import type { RunCounterRecord } from './run-counter.model';
import { runCounterSchema } from './run-counter.model';

export interface CountedRun {
  readonly workflowId: number;
  /** Decides which day it counts for. */
  readonly startedAt: Date;
  readonly failed: boolean;
}

export interface Count {
  readonly executions: number;
  readonly failures: number;
}

export type RunCounters = ReturnType<typeof createRunCounters>;

/**
 * Counters of all runs that ever ended. They are written when a run ends, so that widgets never
 * scan runs, and later deletions do not change them.
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

    /** Counts a run, in the transaction that ends it. */
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

    /** Counts by day; days without runs are missing. */
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

    /** Removes a deleted workflow from the ranking; its runs are still counted. */
    async retire(workflowId: number, tx: Tx): Promise<void> {
      await counters.updateOne(
        { _id: `workflow/${workflowId}` },
        { $set: { kind: 'deleted' }, $setOnInsert: { workflowId, executions: 0, failures: 0 } },
        { upsert: true, session: tx.session },
      );
    },

    /** Existing workflows by their number of runs, busiest first. */
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
