import type { Core } from '../../platform/core';
import { ChangeCounter } from '../../platform/events/change-counter';
import { resolvedAfter } from '../../platform/store/lists/live-list';
import type { ScheduledRuns } from '../runs/queue/scheduled-runs';
import { RUN_TOPIC } from '../runs/run.events';
import type { RunChanged } from '../runs/run.events';
import type { RunRecord } from '../runs/run.model';
import type { ScheduleRecords } from './schedule-records';
import type { ScheduleRecord } from './schedule.model';

declare module '../../platform/context' {
  interface Services {
    runningSchedules: RunningSchedules;
  }
}

/** A running run and the schedule that started it. */
export interface RunningScheduleRun {
  readonly run: Pick<RunRecord, '_id' | 'workflowId' | 'startedAt' | 'queuedAt'>;
  readonly schedule: ScheduleRecord;
}

/** Minimum time between two lists, ms. */
const PAUSE_MS = 250;
/** The bus may lose an event, ms. */
const COMPLETE_MS = 15_000;
/** Interval for reading changes of other processes, whose bus is not shared, ms. */
const OTHER_PROCESSES_MS = 1_000;

/** Follows which runs of schedules are running. All readers share what is read after a change. */
export class RunningSchedules {
  private readonly changes = new ChangeCounter();
  private latest: {
    readonly moment: string;
    readonly list: Promise<readonly RunningScheduleRun[]>;
  } | null = null;

  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'bus' | 'store'>;
      readonly runs: Pick<ScheduledRuns, 'running'>;
      readonly records: Pick<ScheduleRecords, 'byIds'>;
    },
  ) {
    deps.core.bus.subscribe<RunChanged>(RUN_TOPIC, this.changes.increment);
  }

  /** The complete list at once, and again after each change of its runs, until the signal aborts. */
  async *follow(
    signal: AbortSignal,
  ): AsyncGenerator<readonly RunningScheduleRun[], void, undefined> {
    const waitMs = this.deps.core.store.isExclusive ? COMPLETE_MS : OTHER_PROCESSES_MS;
    let sent: string | null = null;
    while (!signal.aborted) {
      const { count } = this.changes;
      const list = await this.listAt(`${count} ${Math.floor(performance.now() / waitMs)}`);
      const ids = list.map(({ run }) => run._id).join();
      if (ids !== sent) {
        sent = ids;
        yield list;
      }
      await resolvedAfter(signal, PAUSE_MS);
      await this.changes.next(count, signal, waitMs);
    }
  }

  private listAt(moment: string): Promise<readonly RunningScheduleRun[]> {
    if (this.latest?.moment === moment) return this.latest.list;
    const list = this.read();
    this.latest = { moment, list };
    list.catch(() => {
      if (this.latest?.list === list) this.latest = null;
    });
    return list;
  }

  private async read(): Promise<readonly RunningScheduleRun[]> {
    const { runs, records } = this.deps;
    const running = await runs.running();
    const schedules = await records.byIds(running.map(({ scheduleId = 0 }) => scheduleId));
    return running.flatMap((run, at) => {
      const schedule = schedules[at];
      return schedule ? [{ run, schedule }] : [];
    });
  }
}
