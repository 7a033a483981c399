import type { Model } from 'mongoose';
import { BoundedQueue } from '../../platform/bounded-queue';
import type { Clock } from '../../platform/clock/clock';
import { Unavailable } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import type { EndRun, Ending } from './run-endings';
import { publishChange } from './run-endings';
import type { RunExecutor, StopReason } from './run-executor';
import { interruptedError } from './run.events';
import type { RunRecord } from './run.model';

export interface RunLineDependencies {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly end: EndRun;
  readonly execute: RunExecutor;
  readonly concurrent: number;
  readonly onFault: (error: unknown, runId: number) => void;
}

/** Runs that may wait, over all workflows. */
const MOST_WAITING = 1_000;
/** How long a stop waits for the run to let go. */
const STOP_MS = 5_000;
/** How long running runs may go on when the service stops, and how long they may then take to let go. */
const GRACE_MS = 1_000;
const LET_GO_MS = 4_000;

interface ActiveRun {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  stop: StopReason | null;
}

export type RunLine = ReturnType<typeof createRunLine>;

/** The runs of this process: they wait in line, are executed a few at a time, and can be stopped. */
export function createRunLine({ bus, clock, runs, end, execute, concurrent, onFault }: RunLineDependencies) {
  const active = new Map<number, ActiveRun>();
  const queue = new BoundedQueue<RunRecord>(concurrent, MOST_WAITING, work);
  let closing = false;

  /** Never rejects: a run that cannot even be ended is found by the next start. */
  async function work({ _id: id }: RunRecord): Promise<void> {
    let ended: () => void = () => undefined;
    const entry: ActiveRun = { abort: new AbortController(), ended: new Promise((resolve) => { ended = resolve; }), stop: null };
    active.set(id, entry);
    try {
      const started = await runs.findOneAndUpdate({ _id: id, state: 'QUEUED' }, { $set: { state: 'RUNNING', startedAt: clock.now() } }, { returnDocument: 'after' })
        .lean<RunRecord>();
      if (!started) return;
      publishChange(bus, started);
      const ending = await execute(started, entry.abort.signal, () => entry.stop);
      await end(id, ['RUNNING'], () => unlessCancelled(ending, entry.stop));
    } catch (error) {
      onFault(error, id);
    } finally {
      active.delete(id);
      ended();
    }
  }

  function letGo(entry: ActiveRun, reason: StopReason): Promise<void> {
    entry.stop ??= reason;
    entry.abort.abort();
    return settled(entry.ended, STOP_MS);
  }

  /** Stops a run wherever it is. */
  async function stop(id: number, reason: StopReason): Promise<void> {
    const entry = active.get(id);
    if (entry) return letGo(entry, reason);
    const ending = reason.kind === 'cancelled'
      ? { state: 'CANCELLED' as const, error: null, cancelledBy: reason.by }
      : { state: 'INTERRUPTED' as const, error: interruptedError() };
    const isEnded = await end(id, ['QUEUED'], () => ({ ...ending, steps: 0, sequence: 1 })) !== null;
    if (isEnded) queue.withdraw((run) => run._id === id);
  }

  return {
    /** @throws Unavailable stopping, or too many runs wait */
    requireRoom(): void {
      if (closing) throw new Unavailable('The service is stopping.');
      if (queue.isFull) throw new Unavailable(`${MOST_WAITING} runs are waiting already.`, 10);
    },

    add: (run: RunRecord): void => queue.add(run),

    stop,

    isActive: (id: number): boolean => active.has(id),

    /** Stops a run that is being executed: at once as far as its end is concerned. Resolves when it has let go, or takes too long. */
    async abort(id: number, reason: StopReason): Promise<void> {
      const entry = active.get(id);
      if (entry) await letGo(entry, reason);
    },

    /** Makes room: they need not wait any more. */
    withdraw: (ids: ReadonlySet<number>): void => queue.withdraw(({ _id }) => ids.has(_id)),


    /** Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED. */
    async close(graceMs = GRACE_MS): Promise<void> {
      if (closing) return queue.idle();
      closing = true;
      const waiting = queue.close();
      await settled(queue.idle(), graceMs);
      for (const entry of active.values()) {
        entry.stop ??= { kind: 'interrupted' };
        entry.abort.abort();
      }
      await settled(queue.idle(), LET_GO_MS);
      for (const { _id } of waiting) await stop(_id, { kind: 'interrupted' });
    },
  };
}

/** A run that was cancelled before its end was written is cancelled, however far it came: its end is promised by then. */
function unlessCancelled(ending: Ending, stop: StopReason | null): Ending {
  if (stop?.kind !== 'cancelled' || ending.state === 'CANCELLED') return ending;
  return { ...ending, state: 'CANCELLED', error: null, cancelledBy: stop.by };
}

/** Waits for the work, but not longer than this. */
async function settled(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([work, time]);
  clearTimeout(timer);
}
