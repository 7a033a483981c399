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
    /**
     * Follows the dashboard until the signal aborts. Arguments: days of the timeline, rows of the
     * ranking.
     */
    dashboard: DashboardFeed;
  }
}

export type DashboardFeed = ReturnType<typeof createDashboardFeed>;

export interface DashboardSnapshot {
  readonly timeline: readonly TimelinePoint[];
  readonly topWorkflows: readonly TopWorkflow[];
  readonly runningNow: readonly RunningRun[];
}

/** Later snapshots have greater numbers. */
type NumberedSnapshot = DashboardSnapshot & { readonly number: number };

/** The position before the first snapshot. */
const NOTHING_SEEN = 0;
/** Maximum number of argument pairs whose latest snapshot is kept. */
const MOST_SHARED = 100;

/** At most two snapshots per second for each reader. */
const PAUSE_MS = 500;
/** Midnight changes the timeline without an event. */
const LOOK_AT_CLOCK_MS = 30_000;
/** Interval for reading changes of other processes, whose bus is not shared, ms. */
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

  /** Resolves when there is a change after the given number, on abort, or on timeout. */
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
 * Snapshots of the dashboard: one at once, then one after each change, at most two per second.
 * Equal snapshots are not sent again.
 * Readers with the same arguments share snapshots, and slow readers skip some. If other processes
 * may use the store, it is read every second.
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

  /**
   * Reads the snapshot after a change once for all readers. Returns the previous one if nothing is
   * new.
   */
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

  /** Key of a snapshot: known changes, the day and, with other processes, the second. */
  const moment = (): string =>
    `${changes.number} ${widgets.today()}${store.isExclusive ? '' : ` ${Math.floor(performance.now() / OTHERS_MS)}`}`;

  async function* read(
    days: number,
    top: number,
    after: number,
    signal: AbortSignal,
  ): AsyncGenerator<NumberedSnapshot, void, undefined> {
    let told = after;
    // A reader that continues from a snapshot has just received it.
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

  /** @throws BadInput while iterating, if `days` or `top` is out of range */
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

/** Returns the previous snapshot if it shows the same. */
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
