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

export const MAX_DAYS = 366;
export const MAX_ROWS = 100;
/** Maximum number of running runs that are listed. */
const MAX_RUNNING = 100;

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

/** The figures of the dashboard, read from counters. */
export class WidgetService {
  constructor(
    private readonly deps: {
      readonly counters: RunCounters;
      readonly workflows: WorkflowService;
      readonly runs: RunService;
      readonly clock: Clock;
    },
  ) {}

  /** The current day, in the time zone of the counters. */
  today(): Day {
    return this.deps.counters.calendar.dayOf(this.deps.clock.now());
  }

  /** Start of a day and start of the next one, in that time zone. */
  boundsOf(day: Day): readonly [Date, Date] {
    return this.deps.counters.calendar.boundsOf(day);
  }

  /**
   * Executions and failures of the last days, including today, oldest first.
   * @throws BadInput if `days` is outside 1..366
   */
  async executionsTimeline(days: number): Promise<TimelinePoint[]> {
    requireWholeNumber('days', days, MAX_DAYS);
    const { counters, clock } = this.deps;
    const dates = counters.calendar.lastDays(clock.now(), days);
    const counts = await counters.ofDays(dates);
    return dates.map((date) => ({
      date,
      dayOfWeek: dayOfWeek(date),
      executions: 0,
      failures: 0,
      ...counts.get(date),
    }));
  }

  /**
   * The workflows with the most executions of all time. A deleted workflow leaves the ranking; its
   * executions stay in the timeline.
   * @throws BadInput if `limit` is outside 1..100; `name` is its name in the API
   */
  async topWorkflows(limit: number, name = 'limit'): Promise<TopWorkflow[]> {
    requireWholeNumber(name, limit, MAX_ROWS);
    const busiest = await this.deps.counters.busiest(limit);
    const workflows = await this.deps.workflows.byIds(busiest.map(({ workflowId }) => workflowId));
    return busiest.flatMap(({ executions, failures }, position) => {
      const workflow = workflows[position];
      if (!workflow) return [];
      const failureRate = percent(failures, executions);
      return { connectionId: workflow._id, title: workflow.title, executions, failureRate };
    });
  }

  /** Running runs without tests, oldest first, at most 100. */
  async runningNow(): Promise<RunningRun[]> {
    return (await this.deps.runs.running(MAX_RUNNING)).map(
      ({ _id, workflowId, workflowTitle, startedAt, queuedAt }) => ({
        runId: _id,
        connectionId: workflowId,
        title: workflowTitle,
        startedAt: startedAt ?? queuedAt,
      }),
    );
  }
}

/** @throws BadInput with the message of the released API */
function requireWholeNumber(name: string, value: number, max: number): void {
  if (Number.isInteger(value) && value >= 1 && value <= max) return;
  throw new BadInput('BAD_REQUEST', `'${name}' must be a positive number, ${max} at most`, {
    path: [name],
  });
}

const percent = (part: number, total: number): number =>
  total === 0 ? 0 : Math.round((part / total) * 10_000) / 100;
