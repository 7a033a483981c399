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
  /** Resolves when it is known whether this process executes the run. */
  readonly claimed: Promise<boolean>;
  stop: StopReason | null;
  /** The run has a slot and waits for its process: in the store it is QUEUED. */
  isWaiting: boolean;
  /** Something was sent, or may have been. */
  hasSent: boolean;
}

export interface ActiveRunsDependencies {
  readonly bus: EventBus;
  readonly engine: Pick<RunEngine, 'reserve'>;
  readonly owners: RunOwners;
  readonly endings: RunEndings;
  readonly execute: RunExecutor;
  readonly isClosing: () => boolean;
  /** The run waits no more: it is claimed next, or was withdrawn. */
  readonly onBegun: (runId: number) => void;
  readonly onFault: (error: unknown, runId: number) => void;
  /** Another process has taken over or ended a run of this one. */
  readonly onLost: (runId: number) => void;
}

/** How long a stop waits for the run to let go. */
export const STOP_MS = 5_000;
/** From one try to write the end of a run to the next, while the store does not take it. */
const WRITE_AGAIN_MS = 1_000;

/** The runs that have a slot in this process: each waits for a process of its own, is claimed, executed, and brought to its end. */
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
  /** Tests that waited for their processes when the service was stopped. */
  const testsLeft: number[] = [];

  /** Null: the run was withdrawn meanwhile, or the service is stopping. */
  async function seatFor({
    abort: { signal },
  }: ActiveRun): Promise<RunSeat | { readonly failure: unknown } | null> {
    try {
      return await engine.reserve(signal);
    } catch (failure) {
      return signal.aborted || isClosing() ? null : { failure };
    }
  }

  /** Never rejects: a run that cannot even be ended is found when its lease is over. */
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
    // It is begun when a process is ready for it: a slow start, however slow, costs time alone.
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

  /** A store that does not take a write now takes it later: that is no reason to lose a run. */
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

  /** True: this process executes it. */
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

/** A run that was cancelled before its end was written is cancelled, however far it came: its end is promised by then. */
function unlessCancelled(ending: Ending, stop: StopReason | null): Ending {
  if (stop?.kind !== 'cancelled' || ending.state === 'CANCELLED') return ending;
  return { ...ending, state: 'CANCELLED', error: null, cancelledBy: stop.by };
}
