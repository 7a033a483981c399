import { LRUCache } from 'lru-cache';
import type { EventBus } from '../../platform/events/bus';
import { SharedEvents } from '../../platform/events/shared-events';
import type { Store } from '../../platform/store/store';
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

/** The later one has the greater number. */
type NumberedSnapshot = DashboardSnapshot & { readonly number: number };

/** The place before the first snapshot. */
const NOTHING_SEEN = 0;
/** Pairs of days and rows of which the latest snapshot is kept. */
const MOST_SHARED = 100;

/** At most two snapshots a second for each reader. */
const PAUSE_MS = 500;
/** Midnight moves the timeline without any event. */
const LOOK_AT_CLOCK_MS = 30_000;
/** How often the store is asked for what other processes changed, whose bus is not ours. */
const OTHERS_MS = 1_000;

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
 * snapshot, and a slow one skips those it was too slow for. Where other processes may be at the store, it is asked each second whether
 * there is anything new. What shows the same is not told again.
 */
export function createDashboardFeed({
  bus,
  widgets,
  store,
}: {
  bus: EventBus;
  widgets: WidgetService;
  store: Pick<Store, 'isExclusive'>;
}) {
  const changes = new Changes();
  bus.subscribe<RunChanged>(RUN_TOPIC, ({ test }) => {
    if (!test) changes.happened();
  });
  bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, changes.happened);
  const shared = new LRUCache<
    string,
    { readonly at: string; readonly snapshot: Promise<NumberedSnapshot> }
  >({ max: MOST_SHARED });
  let taken = 0;

  /** The snapshot after a change is taken once, however many ask for it. One that shows nothing new is the one before. */
  function snapshotAt(at: string, days: number, top: number): Promise<NumberedSnapshot> {
    const key = `${days}/${top}`;
    const known = shared.get(key);
    if (known?.at === at) return known.snapshot;
    taken += 1;
    const snapshot = sameOrNew(known?.snapshot, take(taken, days, top));
    shared.set(key, { at, snapshot });
    snapshot.catch(() => shared.delete(key));
    return snapshot;
  }

  async function take(number: number, days: number, top: number): Promise<NumberedSnapshot> {
    const [timeline, topWorkflows, runningNow] = await Promise.all([
      widgets.executionsTimeline(days),
      widgets.topWorkflows(top, 'top'),
      widgets.runningNow(),
    ]);
    return { number, timeline, topWorkflows, runningNow };
  }

  /** What another look is taken for: what we heard of, the day, and the second where we do not hear of everything. */
  const moment = (): string =>
    `${changes.number} ${widgets.today()}${store.isExclusive ? '' : ` ${Math.floor(performance.now() / OTHERS_MS)}`}`;

  async function* read(
    days: number,
    top: number,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedSnapshot, void, undefined> {
    let told = after;
    // Whoever goes on from a snapshot was told it just now.
    if (after > NOTHING_SEEN) await pause(signal);
    while (!signal.aborted) {
      const [number, look] = [changes.number, moment()];
      const snapshot = await snapshotAt(look, days, top);
      if (snapshot.number > told) {
        told = snapshot.number;
        yield snapshot;
      }
      await pause(signal);
      while (!signal.aborted && moment() === look)
        await changes.after(number, signal, store.isExclusive ? LOOK_AT_CLOCK_MS : OTHERS_MS);
    }
  }

  /** @throws BadInput while iterating: `days` or `top` out of range */
  return (days: number, top: number, signal: AbortSignal): SharedEvents<NumberedSnapshot> =>
    new SharedEvents(
      {
        channel: `dashboard ${days} ${top}`,
        start: NOTHING_SEEN,
        placeOf: ({ number }) => number,
        open: (place, until) => read(days, top, place, until),
        pauseMs: PAUSE_MS,
      },
      signal,
    );
}

/** The one before where it shows the same. */
async function sameOrNew(
  before: Promise<NumberedSnapshot> | undefined,
  taken: Promise<NumberedSnapshot>,
): Promise<NumberedSnapshot> {
  const [old, now] = await Promise.all([before?.catch(() => null), taken]);
  return old && JSON.stringify({ ...old, number: 0 }) === JSON.stringify({ ...now, number: 0 })
    ? old
    : now;
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
