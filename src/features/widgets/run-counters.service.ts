import type { Collection } from '../../platform/store/collection';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import { calendarIn, daysOfMonth } from './calendar';
import type { Calendar, Day } from './calendar';

/** Numbers of ended and of failed runs: per workflow for all time, and per day in total. */
interface RunCounterRecord {
  /** `workflow/12` or `day/2026-05-04` */
  readonly _id: string;
  /** `deleted`: that of a deleted workflow, which is not ranked. */
  readonly kind: 'workflow' | 'deleted' | 'day';
  readonly workflowId: number | null;
  readonly executions: number;
  readonly failures: number;
  /** Total duration, ms. */
  readonly executionsMs: number;
}

const runCounterSchema = schemaOf<RunCounterRecord>({
  _id: String,
  kind: String,
  workflowId: orNull(Number),
  executions: Number,
  failures: Number,
  executionsMs: Number,
});
runCounterSchema.index({ kind: 1, executions: -1, workflowId: 1 });

interface CountedRun {
  readonly workflowId: number;
  /** Decides which day it counts for. */
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly failed: boolean;
}

type RunCount = Pick<RunCounterRecord, 'executions' | 'failures'>;

/**
 * Counters of all runs that ever ended. They are written when a run ends, so that widgets never
 * scan runs, and later deletions do not change them.
 */
export class RunCounters {
  readonly calendar: Calendar;
  private readonly counters: Collection<RunCounterRecord>;

  constructor(store: Store, timeZone: string) {
    this.calendar = calendarIn(timeZone);
    this.counters = store.collection('RunCounter', runCounterSchema, 'run_counters');
  }

  /** Counts a run, in the transaction that ends it. */
  count({ workflowId, startedAt, durationMs, failed }: CountedRun, tx: Tx): void {
    const increment = (
      _id: string,
      identity: Pick<RunCounterRecord, 'kind' | 'workflowId'>,
    ): void => {
      const update = {
        $inc: { executions: 1, failures: failed ? 1 : 0, executionsMs: durationMs },
        $setOnInsert: identity,
      };
      this.counters.updateLater({ filter: { _id }, update, upsert: true }, tx);
    };
    increment(`workflow/${workflowId}`, { kind: 'workflow', workflowId });
    increment(`day/${this.calendar.dayOf(startedAt)}`, { kind: 'day', workflowId: null });
  }

  /** Counts by day; days without runs are missing. */
  async ofDays(days: readonly Day[]): Promise<Map<Day, RunCount>> {
    const rows = await this.counters.find({ _id: { $in: days.map((day) => `day/${day}`) } });
    return new Map(
      rows.map(({ _id, executions, failures }) => [
        _id.slice('day/'.length),
        { executions, failures },
      ]),
    );
  }

  /** Ended runs of the month of a moment so far, and the start of that month and of the next one. */
  async ofMonth(moment: Date): Promise<{ from: Date; to: Date; executions: number }> {
    const { calendar } = this;
    const days = daysOfMonth(calendar.dayOf(moment));
    const counts = await this.ofDays(days);
    const executions = [...counts.values()].reduce((sum, count) => sum + count.executions, 0);
    const [from] = calendar.boundsOf(days[0] ?? '');
    const [, to] = calendar.boundsOf(days.at(-1) ?? '');
    return { from, to, executions };
  }

  /** The number of existing workflows that `busiest` ranks. */
  async countWorkflows(): Promise<number> {
    return this.counters.count({ kind: 'workflow' });
  }

  /** Of all runs that ever ended. */
  async totals(): Promise<RunCount & Pick<RunCounterRecord, 'executionsMs'>> {
    const days = await this.counters.find({ kind: 'day' });
    const sum = (field: 'executions' | 'failures' | 'executionsMs'): number =>
      days.reduce((total, day) => total + (day[field] ?? 0), 0);
    return {
      executions: sum('executions'),
      failures: sum('failures'),
      executionsMs: sum('executionsMs'),
    };
  }

  /** Removes a deleted workflow from the ranking; its runs are still counted. */
  async retire(workflowId: number, tx: Tx): Promise<void> {
    await this.counters.upsert(
      { _id: `workflow/${workflowId}` },
      {
        $set: { kind: 'deleted' },
        $setOnInsert: { workflowId, executions: 0, failures: 0, executionsMs: 0 },
      },
      tx,
    );
  }

  /** Existing workflows by their number of runs, busiest first. */
  async busiest(limit: number, skip = 0): Promise<(RunCount & { readonly workflowId: number })[]> {
    const rows = await this.counters.find(
      { kind: 'workflow' },
      { sort: { executions: -1, workflowId: 1 }, skip, limit },
    );
    return rows.map(({ workflowId, executions, failures }) => ({
      workflowId: workflowId ?? 0,
      executions,
      failures,
    }));
  }
}
