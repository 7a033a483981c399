import type { Clock } from '../../platform/clock/clock';
import { BadInput } from '../../platform/errors/errors';
import type { RunService } from '../runs/run.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { dayOfWeek } from './calendar';
import type { Day, DayOfWeek } from './calendar';
import type { RunCounters } from './run-counters.service';

declare module '../../platform/context' {
  interface Services {
    widgets: WidgetService;
  }
}

export type WidgetService = ReturnType<typeof createWidgetService>;

export const MOST_DAYS = 366;
export const MOST_ROWS = 100;
/** Running runs that are listed one by one. */
const MOST_RUNNING = 100;

export interface TimelinePoint {
  readonly date: Day;
  readonly dayOfWeek: DayOfWeek;
  readonly executions: number;
  readonly failures: number;
}

export interface TopWorkflow {
  readonly connectionId: number;
  readonly title: string;
  readonly executions: number;
  /** Percent, two decimals. */
  readonly failureRate: number;
}

export interface RunningRun {
  readonly runId: number;
  readonly connectionId: number;
  readonly title: string;
  readonly startedAt: Date;
}

/** @throws BadInput in the words of the released line */
function requireWholeNumber(name: string, value: number, most: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= most) return;
  throw new BadInput('BAD_REQUEST', `'${name}' must be a positive number, ${most} at most`, {
    path: [name],
  });
}

/** The figures of the dashboard, read from counters. */
export function createWidgetService({
  counters,
  workflows,
  runs,
  clock,
}: {
  counters: RunCounters;
  workflows: WorkflowService;
  runs: RunService;
  clock: Clock;
}) {
  const { calendar } = counters;

  return {
    /** The day it is now, where the figures are counted. */
    today: (): Day => calendar.dayOf(clock.now()),

    /** When a day begins there, and when the next one does. */
    boundsOf: (day: Day): readonly [Date, Date] => calendar.boundsOf(day),

    /**
     * Executions and failures of the last days, today included, the oldest first.
     * @throws BadInput `days` outside 1..366
     */
    async executionsTimeline(days: number): Promise<TimelinePoint[]> {
      requireWholeNumber('days', days, MOST_DAYS);
      const list = calendar.lastDays(clock.now(), days);
      const counts = await counters.ofDays(list);
      return list.map((date) => ({
        date,
        dayOfWeek: dayOfWeek(date),
        executions: 0,
        failures: 0,
        ...counts.get(date),
      }));
    },

    /**
     * The workflows with the most executions of all time. A deleted workflow leaves the ranking; its executions stay in the timeline.
     * @throws BadInput `limit` outside 1..100, under the name the caller knows it by
     */
    async topWorkflows(limit: number, name = 'limit'): Promise<TopWorkflow[]> {
      requireWholeNumber(name, limit, MOST_ROWS);
      const busiest = await counters.busiest(limit);
      const found = await workflows.byIds(busiest.map((count) => count.workflowId));
      return busiest.flatMap(({ executions, failures }, position) => {
        const workflow = found[position];
        return workflow
          ? [
              {
                connectionId: workflow._id,
                title: workflow.title,
                executions,
                failureRate: percent(failures, executions),
              },
            ]
          : [];
      });
    },

    /** Runs that go on now, the oldest first, 100 at most; test runs apart. */
    async runningNow(): Promise<RunningRun[]> {
      return (await runs.running(MOST_RUNNING)).map(
        ({ _id, workflowId, workflowTitle, startedAt, queuedAt }) => ({
          runId: _id,
          connectionId: workflowId,
          title: workflowTitle,
          startedAt: startedAt ?? queuedAt,
        }),
      );
    },
  };
}

const percent = (part: number, whole: number): number =>
  whole === 0 ? 0 : Math.round((part / whole) * 10_000) / 100;
