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
/** Maximum number of running runs that are listed. */
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

/** @throws BadInput with the message of the released API */
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
    /** The current day, in the time zone of the counters. */
    today: (): Day => calendar.dayOf(clock.now()),

    /** Start of a day and start of the next one, in that time zone. */
    boundsOf: (day: Day): readonly [Date, Date] => calendar.boundsOf(day),

    /**
     * Executions and failures of the last days, including today, oldest first.
     * @throws BadInput if `days` is outside 1..366
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
     * The workflows with the most executions of all time. A deleted workflow leaves the ranking;
     * its executions stay in the timeline.
     * @throws BadInput if `limit` is outside 1..100; `name` is its name in the API
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

    /** Running runs without tests, oldest first, at most 100. */
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
