import { LRUCache } from 'lru-cache';
import type { EventBus } from '../../platform/events/bus';
import type { RunChanged } from '../runs/run.events';
import { RUN_TOPIC } from '../runs/run.events';
import type { WorkflowChanged } from '../workflows/workflow.events';
import { WORKFLOW_TOPIC } from '../workflows/workflow.events';
import type { RunningRun, TimelinePoint, TopWorkflow, WidgetService } from './widget.service';

declare module '../../platform/context' {
  interface Services {
    /** Follows the dashboard: days of the timeline, rows of the ranking, until the signal aborts. */
    dashboard: DashboardFeed;
  }
}

export type DashboardFeed = ReturnType<typeof createDashboardFeed>;

/** What a dashboard shows. */
export interface DashboardSnapshot {
  readonly timeline: readonly TimelinePoint[];
  readonly topWorkflows: readonly TopWorkflow[];
  readonly runningNow: readonly RunningRun[];
}

/** Pairs of days and rows of which the latest snapshot is kept. */
const MOST_SHARED = 100;

/** At most two snapshots a second for each reader. */
const PAUSE_MS = 500;
/** Midnight moves the timeline without any event. */
const LOOK_AT_CLOCK_MS = 30_000;

/** Counts changes and wakes those who wait for the next one. */
class Changes {
  private count = 0;
  private readonly waiting = new Set<() => void>();

  get number(): number {
    return this.count;
  }

  readonly happened = (): void => {
    this.count += 1;
    for (const wake of [...this.waiting]) wake();
  };

  /** Resolves when there was a change after the given number, the signal aborted, or the time is over. */
  after(number: number, signal: AbortSignal, ms: number): Promise<void> {
    if (this.count !== number || signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const done = (): void => {
        clearTimeout(timer);
        this.waiting.delete(done);
        signal.removeEventListener('abort', done);
        resolve();
      };
      const timer = setTimeout(done, ms).unref();
      this.waiting.add(done);
      signal.addEventListener('abort', done, { once: true });
    });
  }
}

/**
 * Snapshots of the dashboard: one at once, one after each change, at most two a second. Readers with the same arguments share each
 * snapshot, and a slow one skips those it was too slow for.
 */
export function createDashboardFeed({ bus, widgets }: { bus: EventBus; widgets: WidgetService }) {
  const changes = new Changes();
  bus.subscribe<RunChanged>(RUN_TOPIC, ({ test }) => {
    if (!test) changes.happened();
  });
  bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, changes.happened);
  const shared = new LRUCache<string, { readonly at: string; readonly snapshot: Promise<DashboardSnapshot> }>({ max: MOST_SHARED });

  /** The snapshot after a change is taken once, however many ask for it. */
  function snapshotAt(at: string, days: number, top: number): Promise<DashboardSnapshot> {
    const key = `${days}/${top}`;
    const known = shared.get(key);
    if (known?.at === at) return known.snapshot;
    const snapshot = take(days, top);
    shared.set(key, { at, snapshot });
    snapshot.catch(() => shared.delete(key));
    return snapshot;
  }

  async function take(days: number, top: number): Promise<DashboardSnapshot> {
    const [timeline, topWorkflows, runningNow] = await Promise.all([widgets.executionsTimeline(days), widgets.topWorkflows(top, 'top'), widgets.runningNow()]);
    return { timeline, topWorkflows, runningNow };
  }

  /** @throws BadInput `days` or `top` out of range */
  return async function* follow(days: number, top: number, signal: AbortSignal): AsyncGenerator<DashboardSnapshot, void, undefined> {
    while (!signal.aborted) {
      const [number, today] = [changes.number, widgets.today()];
      yield await snapshotAt(`${number} ${today}`, days, top);
      await pause(signal);
      while (!signal.aborted && changes.number === number && widgets.today() === today) await changes.after(number, signal, LOOK_AT_CLOCK_MS);
    }
  };
}

function pause(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, PAUSE_MS);
    signal.addEventListener('abort', done, { once: true });
  });
}
