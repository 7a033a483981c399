import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '../../../platform/core';
import { storeFailure } from '../../../platform/store/failure';
import { RunClaim } from '../leases/run-claim';
import { RunLost } from '../leases/run-leases';
import type { RunLeases } from '../leases/run-leases';
import { settledWithin } from '../../../platform/queues';
import type { ActiveRun, StopReason } from '../queue/active-runs';
import type { QueuedRun, RunQueue } from '../queue/run-queue';
import type { RunRecords } from '../run-records';
import type { RunErrorCode } from '../run-error-codes';
import { interruptedError } from '../run.events';
import type { Interruption } from '../run.events';
import type { RunRecord } from '../run.model';
import type { Ending, RunEndings } from './run-endings';
import type { RunSeat, StepPlace } from './run-engine';
import type { RunExecutor, RunSupervisor, SeatOrFailure } from './run-executor';

/** Retry interval for storing the end of a run while the store is unavailable, ms. */
const WRITE_AGAIN_MS = 1_000;
/** When the service stops: time for running runs to finish, then time for them to abort, ms. */
const GRACE_MS = 1_000;
const ABORT_MS = 4_000;
/** Tests ended per transaction when the service stops. */
const ENDED_AT_ONCE = 25;
/** Maximum time for that, ms; other tests are ended by the next start or by another process. */
const END_TESTS_MS = 2_000;

export interface RunWorkerDependencies {
  readonly core: Pick<Core, 'store' | 'log'>;
  readonly records: Pick<RunRecords, 'publishChange' | 'transactions'>;
  readonly queue: RunQueue;
  readonly leases: RunLeases;
  readonly endings: RunEndings;
  readonly executor: RunExecutor;
  /** Notified of each run that starts. Never rejects. */
  readonly starts: { runStarted(run: RunRecord): Promise<void> };
}

/**
 * Executes the queued runs of this process: each reserves an engine process, is claimed, executed
 * and ended.
 */
export class RunWorker {
  /** Test runs that still waited for a process when the service stopped. */
  private readonly testsLeft: number[] = [];

  constructor(private readonly deps: RunWorkerDependencies) {}

  start(): void {
    this.deps.queue.process((run) => this.work(run));
  }

  /**
   * Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED.
   * Queued runs stay queued, except tests.
   */
  async stop(graceMs = GRACE_MS): Promise<void> {
    const { queue } = this.deps;
    if (queue.isClosing) return queue.idle();
    const waiting = queue.close();
    for (const entry of queue.active.all()) if (entry.isWaiting) entry.abort.abort();
    await settledWithin(queue.idle(), graceMs);
    for (const entry of queue.active.all()) entry.interrupt();
    await settledWithin(queue.idle(), ABORT_MS);
    const tests = waiting.filter(({ test }) => test).map(({ _id }) => _id);
    await this.endTests([...this.testsLeft, ...tests]);
  }

  /** Never rejects: a run that cannot be ended is recovered when its lease expires. */
  private async work(queued: QueuedRun): Promise<void> {
    const { core, queue, leases } = this.deps;
    const { _id: id, test } = queued;
    const entry = queue.active.begin(id);
    // Claim the run only when a process is ready, so that a slow start costs only time.
    const seat = await this.seatFor(entry);
    entry.isWaiting = false;
    queue.leave(id);
    let resumed: RunRecord | null = null;
    try {
      if (seat) resumed = await this.perform(queued, entry, seat);
      else if (queue.isClosing && test) this.testsLeft.push(id);
    } catch (error) {
      core.log.error({ err: error, runId: id }, 'Could not execute or end a run.');
    } finally {
      if (seat && 'release' in seat) seat.release();
      leases.release(id);
      queue.active.end(id);
      if (resumed) queue.offer(resumed);
    }
  }

  /** Returns null if the run was withdrawn or the service is stopping. */
  private async seatFor(entry: ActiveRun): Promise<SeatOrFailure | null> {
    const { core, queue } = this.deps;
    const { signal } = entry.abort;
    try {
      // The log of the run could not be stored.
      while (core.store.isFull() && !queue.isClosing)
        await pause(WRITE_AGAIN_MS, undefined, { ref: false, signal });
      return this.releasedAtEnd(await this.deps.executor.reserve(signal), entry);
    } catch (failure) {
      return signal.aborted || this.deps.queue.isClosing ? null : { failure };
    }
  }

  /** Its process takes the next run while the end of this one is stored. */
  private releasedAtEnd(seat: RunSeat, entry: ActiveRun): RunSeat {
    let isReleased = false;
    const release = (): void => {
      if (isReleased) return;
      isReleased = true;
      seat.release();
      this.deps.queue.mark(entry, 'ended');
    };
    return {
      execute: (task, supervision) => seat.execute(task, supervision).finally(release),
      release,
    };
  }

  /** Returns the run if it is queued again to go on. */
  private async perform(
    queued: QueuedRun,
    entry: ActiveRun,
    seat: SeatOrFailure,
  ): Promise<RunRecord | null> {
    const { core, leases, endings, executor } = this.deps;
    using claim = this.claimOf(queued, entry);
    try {
      const begun = await this.untilStored(() => claim.begin());
      const ending = await executor.execute(begun, this.supervise(begun, claim, entry), seat);
      const isUntouched = ending.state === 'INTERRUPTED' && !entry.hasSent;
      if (isUntouched && !claim.isBegun && !begun.test) return null;
      return await this.untilStored(async () => {
        const run = await claim.write();
        const interruption =
          run.journalKey === undefined ? null : interruptionOf(ending, entry.stop);
        const settled =
          (isUntouched ? await endings.requeue(leases.filterUnsent(run)) : null) ??
          (interruption && (await endings.resume(leases.filterOwned(run), interruption))) ??
          (await endings.endHeld(run, () => unlessCancelled(ending, entry.stop)));
        if (!settled) throw new RunLost(`Run ${run._id} was taken over or ended.`);
        return settled.state === 'QUEUED' ? settled : null;
      });
    } catch (error) {
      if (!(error instanceof RunLost)) throw error;
      // Without a claim, it was cancelled or taken by another process before it began.
      if (!claim.isWritten) return null;
      core.log.warn(
        { runId: queued._id },
        'The lease of a run was not renewed in time. Another process has taken over or ended the run.',
      );
      return null;
    }
  }

  private claimOf(queued: QueuedRun, entry: ActiveRun): RunClaim {
    const { core, records, leases, queue, starts } = this.deps;
    return new RunClaim(
      {
        core,
        records,
        leases,
        onClaimed(run) {
          entry.markClaimed(true);
          records.publishChange(run);
          void starts.runStarted(run);
        },
        // Its other runs would be claimed and given back, too.
        onTooMany: () => queue.setFull(queued),
      },
      queued,
    );
  }

  private supervise(
    { _id: id, test }: RunRecord,
    claim: RunClaim,
    entry: ActiveRun,
  ): RunSupervisor {
    const { queue, leases } = this.deps;
    const interruptIfLost = async (work: () => Promise<void>): Promise<void> => {
      try {
        await work();
      } catch (error) {
        if (error instanceof RunLost) entry.interrupt();
        throw error;
      }
    };
    const untilStored: RunSupervisor['untilStored'] = (work) => this.untilStored(work);
    const requireOwn = (): Promise<void> =>
      interruptIfLost(() => untilStored(async () => leases.require(await claim.write())));
    const markSent = async (place: StepPlace | null): Promise<void> => {
      const isClaimed = claim.isBegun;
      const run = await claim.write(place);
      if (isClaimed) await (test ? leases.require(run) : leases.markSent(run, place));
    };
    return {
      signal: entry.abort.signal,
      stopReason: () => entry.stop,
      requireOwn,
      untilStored,
      durably: (write) => interruptIfLost(() => untilStored(() => requireOwn().then(write))),
      isHeld: () => !claim.isWritten || leases.isHeld(id),
      beforeFirstSend: (place) => {
        entry.hasSent = true;
        queue.mark(entry, 'storing');
        return interruptIfLost(() => untilStored(() => markSent(place))).finally(() =>
          queue.mark(entry, 'executing'),
        );
      },
    };
  }

  /** Retries while the store is unavailable, so that the run is not lost. */
  private async untilStored<R>(write: () => Promise<R>): Promise<R> {
    for (;;) {
      try {
        return await write();
      } catch (error) {
        if (this.deps.queue.isClosing || storeFailure(error) === null) throw error;
        await pause(WRITE_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  /** Ends queued tests: after a restart, no user watches them. */
  private async endTests(ids: readonly number[]): Promise<void> {
    const { core, endings } = this.deps;
    const error = interruptedError('waiting');
    const until = performance.now() + END_TESTS_MS;
    for (let at = 0; at < ids.length && performance.now() < until; at += ENDED_AT_ONCE) {
      await core.store.transaction(async (tx) => {
        for (const _id of ids.slice(at, at + ENDED_AT_ONCE))
          await endings.endWithin(
            { _id, state: 'QUEUED' },
            { state: 'INTERRUPTED', error, steps: 0, sequence: 1 },
            tx,
          );
      });
    }
  }
}

/** Why a run has not come to its end; null if it has, or was cancelled. */
function interruptionOf({ state, error }: Ending, stop: StopReason | null): Interruption | null {
  if (stop?.kind === 'cancelled') return null;
  if (error?.code === ('RUN_CRASHED' satisfies RunErrorCode)) return 'crashed';
  const isStopped = error?.code === ('RUN_INTERRUPTED' satisfies RunErrorCode);
  return state === 'INTERRUPTED' && isStopped ? 'stopped' : null;
}

/** A run that is cancelled before its end is stored ends as CANCELLED, however far it came. */
function unlessCancelled(ending: Ending, stop: StopReason | null): Ending {
  if (stop?.kind !== 'cancelled' || ending.state === 'CANCELLED') return ending;
  return { ...ending, state: 'CANCELLED', error: null, cancelledBy: stop.by };
}
