import { setTimeout as pause } from 'node:timers/promises';
import type { EventBus } from '../../platform/events/bus';
import { storeFailure } from '../../platform/store/failure';
import type { RunEngine, RunSeat } from './execution/run-engine';
import { settledWithin } from './settled-within';
import type { Ending, RunEndings } from './run-endings';
import { publishChange } from './run-endings';
import type { Keeping, RunExecutor, StopReason } from './run-executor';
import type { RunRecord } from './run.model';
import { RunLost } from './run-owners';
import type { RunOwners } from './run-owners';

export interface ActiveRun {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  /** Resolves with whether this process executes the run. */
  readonly claimed: Promise<boolean>;
  stop: StopReason | null;
  /** The run has a slot but no process yet; in the store it is QUEUED. */
  isWaiting: boolean;
  /** A request was sent, or may have been. */
  hasSent: boolean;
}

export interface ActiveRunsDependencies {
  readonly bus: EventBus;
  readonly engine: Pick<RunEngine, 'reserve'>;
  readonly owners: RunOwners;
  readonly endings: RunEndings;
  readonly execute: RunExecutor;
  readonly isClosing: () => boolean;
  /** Called when the run no longer waits: it is claimed next, or was withdrawn. */
  readonly onBegun: (runId: number) => void;
  readonly onFault: (error: unknown, runId: number) => void;
  /** Called when another process has taken over or ended a run of this process. */
  readonly onLost: (runId: number) => void;
}

/** Maximum time a stop waits for the run to end, ms. */
export const STOP_MS = 5_000;
/** Retry interval for storing the end of a run while the store is unavailable, ms. */
const WRITE_AGAIN_MS = 1_000;

/**
 * The runs that have a slot in this process: each reserves an engine process, is claimed, executed
 * and ended.
 */
export function createActiveRuns({
  bus,
  engine,
  owners,
  endings,
  execute,
  isClosing,
  onBegun,
  onFault,
  onLost,
}: ActiveRunsDependencies) {
  const active = new Map<number, ActiveRun>();
  /** Test runs that still waited for a process when the service stopped. */
  const testsLeft: number[] = [];

  /** Returns null if the run was withdrawn or the service is stopping. */
  async function seatFor({
    abort: { signal },
  }: ActiveRun): Promise<RunSeat | { readonly failure: unknown } | null> {
    try {
      return await engine.reserve(signal);
    } catch (failure) {
      return signal.aborted || isClosing() ? null : { failure };
    }
  }

  /** Never rejects: a run that cannot be ended is recovered when its lease expires. */
  async function work({ _id: id, test }: Pick<RunRecord, '_id' | 'test'>): Promise<void> {
    let ended: () => void = () => undefined;
    let claimed: (isOurs: boolean) => void = () => undefined;
    const entry: ActiveRun = {
      abort: new AbortController(),
      ended: new Promise((resolve) => {
        ended = resolve;
      }),
      claimed: new Promise((resolve) => {
        claimed = resolve;
      }),
      stop: null,
      isWaiting: true,
      hasSent: false,
    };
    active.set(id, entry);
    // Claim the run only when a process is ready, so that a slow start costs only time.
    const seat = await seatFor(entry);
    entry.isWaiting = false;
    onBegun(id);
    try {
      const run = seat && (await owners.claim(id));
      claimed(run !== null);
      if (run && seat) await perform(run, entry, seat);
      else if (!seat && isClosing() && test) testsLeft.push(id);
    } catch (error) {
      onFault(error, id);
    } finally {
      if (seat && 'release' in seat) seat.release();
      claimed(false);
      owners.release(id);
      active.delete(id);
      ended();
    }
  }

  async function perform(
    run: RunRecord,
    entry: ActiveRun,
    seat: RunSeat | { readonly failure: unknown },
  ): Promise<void> {
    publishChange(bus, run);
    const ending = await execute(run, keepingOf(run, entry), seat);
    const isUntouched = ending.state === 'INTERRUPTED' && !entry.hasSent;
    const settle = async (): Promise<RunRecord | null> =>
      (isUntouched ? await endings.requeue(owners.asUnsent(run)) : null) ??
      endings.end(owners.as(run), () => unlessCancelled(ending, entry.stop));
    if ((await untilStored(settle)) === null) onLost(run._id);
  }

  function keepingOf(run: RunRecord, entry: ActiveRun): Keeping {
    const own = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (error instanceof RunLost) interrupt(entry);
        throw error;
      }
    };
    const requireOwn = (): Promise<void> => own(() => owners.require(run));
    return {
      signal: entry.abort.signal,
      stopReason: () => entry.stop,
      requireOwn,
      isHeld: () => owners.isHeld(run._id),
      beforeFirstSend(place) {
        entry.hasSent = true;
        return run.test ? requireOwn() : own(() => untilStored(() => owners.markSent(run, place)));
      },
    };
  }

  /** Retries while the store is unavailable, so that the run is not lost. */
  async function untilStored<R>(write: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (isClosing() || storeFailure(error) === null) throw error;
        await pause(WRITE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  function interrupt(entry: ActiveRun): void {
    entry.stop ??= { kind: 'interrupted' };
    entry.abort.abort();
  }

  function letGo(entry: ActiveRun, reason: StopReason): Promise<void> {
    entry.stop ??= reason;
    entry.abort.abort();
    return settledWithin(entry.ended, STOP_MS);
  }

  /** Returns whether this process executes the run. */
  async function abort(id: number, reason: StopReason): Promise<boolean> {
    const entry = active.get(id);
    if (!entry) return false;
    const lettingGo = letGo(entry, reason);
    if (!(await entry.claimed)) return false;
    await lettingGo;
    return true;
  }

  return { active, testsLeft, work, interrupt, letGo, abort };
}

/** A run that is cancelled before its end is stored ends as CANCELLED, however far it came. */
function unlessCancelled(ending: Ending, stop: StopReason | null): Ending {
  if (stop?.kind !== 'cancelled' || ending.state === 'CANCELLED') return ending;
  return { ...ending, state: 'CANCELLED', error: null, cancelledBy: stop.by };
}
