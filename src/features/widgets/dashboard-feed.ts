import { createCache } from '../../platform/cache';
import type { EventBus } from '../../platform/events/bus';
import { ChangeCounter } from '../../platform/events/change-counter';
import { SharedEvents } from '../../platform/events/shared-events';
import { resolvedAfter } from '../../platform/store/lists/live-list';
import type { Store } from '../../platform/store/store';
import type { RunChanged } from '../runs/run.events';
import { RUN_TOPIC } from '../runs/run.events';
import type { WorkflowChanged } from '../workflows/workflow.events';
import { WORKFLOW_TOPIC } from '../workflows/workflow.events';
import type { RunningRun, TimelinePoint, TopWorkflow, WidgetService } from './widget.service';

declare module '../../platform/context' {
  interface Services {
    dashboard: DashboardFeed;
  }
}

export interface DashboardSnapshot {
  readonly timeline: readonly TimelinePoint[];
  readonly topWorkflows: readonly TopWorkflow[];
  readonly runningNow: readonly RunningRun[];
}

/** Later snapshots have greater numbers. */
type NumberedSnapshot = DashboardSnapshot & { readonly number: number };

/** The position before the first snapshot. */
const START = 0;
/** At most two snapshots per second for each reader. */
const PAUSE_MS = 500;
/** Midnight changes the timeline without an event. */
const CLOCK_CHECK_MS = 30_000;
/** Interval for reading changes of other processes, whose bus is not shared, ms. */
const OTHER_PROCESSES_MS = 1_000;

/**
 * Snapshots of the dashboard: one at once, then one after each change, at most two per second.
 * Equal snapshots are not sent again.
 * Readers with the same arguments share snapshots, and slow readers skip some. If other processes
 * may use the store, it is read every second.
 */
export class DashboardFeed {
  private readonly changes = new ChangeCounter();
  private readonly latest = createCache<{
    readonly moment: string;
    readonly snapshot: Promise<NumberedSnapshot>;
  }>('dashboards');
  private lastNumber = START;

  constructor(
    private readonly deps: {
      readonly bus: EventBus;
      readonly widgets: WidgetService;
      readonly store: Pick<Store, 'isExclusive'>;
    },
  ) {
    deps.bus.subscribe<RunChanged>(RUN_TOPIC, ({ test }) => {
      if (!test) this.changes.increment();
    });
    deps.bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, this.changes.increment);
  }

  /**
   * Follows the dashboard until the signal aborts.
   * @param days of the timeline
   * @param top rows of the ranking
   * @throws BadInput while iterating, if `days` or `top` is out of range
   */
  follow(days: number, top: number, signal: AbortSignal): SharedEvents<NumberedSnapshot> {
    return new SharedEvents(
      {
        channel: `dashboard ${days} ${top}`,
        start: START,
        placeOf: ({ number }) => number,
        open: (place, until) => this.read(days, top, place, until),
        pauseMs: PAUSE_MS,
      },
      signal,
    );
  }

  private async *read(
    days: number,
    top: number,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedSnapshot, void, undefined> {
    const { isExclusive } = this.deps.store;
    let lastSent = after;
    // A reader that continues from a snapshot has just received it.
    if (after > START) await resolvedAfter(signal, PAUSE_MS);
    while (!signal.aborted) {
      const [count, moment] = [this.changes.count, this.moment()];
      const snapshot = await this.snapshotAt(moment, days, top);
      if (snapshot.number > lastSent) {
        lastSent = snapshot.number;
        yield snapshot;
      }
      await resolvedAfter(signal, PAUSE_MS);
      while (!signal.aborted && this.moment() === moment)
        await this.changes.next(count, signal, isExclusive ? CLOCK_CHECK_MS : OTHER_PROCESSES_MS);
    }
  }

  /** Identifies a snapshot: changes so far, the day and, with other processes, the second. */
  private moment(): string {
    const { store, widgets } = this.deps;
    const second = store.isExclusive ? 0 : Math.floor(performance.now() / OTHER_PROCESSES_MS);
    return `${this.changes.count} ${widgets.today()} ${second}`;
  }

  /** Reads the snapshot of a moment once for all readers. Returns the previous one if equal. */
  private snapshotAt(moment: string, days: number, top: number): Promise<NumberedSnapshot> {
    const key = `${days}/${top}`;
    const previous = this.latest.get(key);
    if (previous?.moment === moment) return previous.snapshot;
    this.lastNumber += 1;
    const snapshot = reuseEqual(previous?.snapshot, this.take(this.lastNumber, days, top));
    this.latest.set(key, { moment, snapshot });
    snapshot.catch(() => this.latest.delete(key));
    return snapshot;
  }

  private async take(number: number, days: number, top: number): Promise<NumberedSnapshot> {
    const { widgets } = this.deps;
    const [timeline, topWorkflows, runningNow] = await Promise.all([
      widgets.executionsTimeline(days),
      widgets.topWorkflows(top, 'top'),
      widgets.runningNow(),
    ]);
    return { number, timeline, topWorkflows, runningNow };
  }
}

/** Returns the previous snapshot if it shows the same. */
async function reuseEqual(
  before: Promise<NumberedSnapshot> | undefined,
  latest: Promise<NumberedSnapshot>,
): Promise<NumberedSnapshot> {
  const [old, current] = await Promise.all([before?.catch(() => null), latest]);
  return old && JSON.stringify({ ...old, number: 0 }) === JSON.stringify({ ...current, number: 0 })
    ? old
    : current;
}
