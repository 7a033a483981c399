import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '../../../platform/core';
import { createRepeating } from '../../../platform/repeating';
import type { Repeating } from '../../../platform/repeating';
import { isDuplicateKey } from '../../../platform/store/store';
import type { RunEventLog } from '../events/run-event-log';
import type { RunEndings } from '../execution/run-endings';
import type { RunQueue } from '../queue/run-queue';
import type { SharedQueue } from '../queue/shared-queue';
import type { RunRecords } from '../run-records';
import { interruptedError, RUN_CANCEL_TOPIC } from '../run.events';
import type { RunCancelAsked } from '../run.events';
import type { Orphan, RunLeases } from './run-leases';

/** Attempts to end a run: a returning process may store events during an attempt. */
const MAX_ATTEMPTS = 3;
/** Retry interval after a failed renewal, ms: far below the lease time. */
const RENEW_AGAIN_MS = 1_000;

/**
 * Renews the leases of this process, ends runs of dead processes, and queues runs that no process
 * executes.
 */
export class RunRecovery {
  private repeating: Repeating[] = [];
  private unsubscribe = (): void => undefined;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: RunRecords;
      readonly leases: RunLeases;
      readonly endings: Pick<RunEndings, 'end' | 'requeue' | 'resume'>;
      readonly events: Pick<RunEventLog, 'lastSequence' | 'countFinishedSteps' | 'lastStep'>;
      readonly queue: RunQueue;
      readonly shared: Pick<SharedQueue, 'takeUpLeft'>;
    },
  ) {}

  /**
   * Settles the runs of dead processes and starts the periodic checks. Call before serving clients.
   * Returns the number of interrupted runs.
   */
  async recover(): Promise<number> {
    const { core } = this.deps;
    const interrupted = await this.settleOrphans().catch((error: unknown) => {
      // The periodic checks repeat it. Records can be deleted only once the service has started.
      if (!core.store.isFull()) throw error;
      this.report(error);
      return 0;
    });
    if (this.repeating.length === 0) this.startChecks();
    return interrupted;
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await Promise.all([...this.repeating.map((one) => one.stop()), this.checking]);
  }

  private startChecks(): void {
    const { core, leases, queue } = this.deps;
    const { beatMs, lookMs } = leases.times;
    const every = (ms: number, work: (signal: AbortSignal) => Promise<void>): Repeating =>
      createRepeating(work, { firstMs: ms, thenMs: ms });
    this.repeating = [
      every(beatMs, (signal) => this.renewLeases(signal)),
      every(beatMs, () => this.checkOthers()),
      ...(core.store.isExclusive ? [] : [every(lookMs, () => this.checkCancelled())]),
    ];
    for (const one of this.repeating) one.start();
    this.unsubscribe = core.bus.subscribe<RunCancelAsked>(RUN_CANCEL_TOPIC, ({ runId }) => {
      if (queue.active.has(runId)) void this.checkCancelled();
    });
  }

  /** Retries until it succeeds, independently of the other checks. */
  private async renewLeases(signal: AbortSignal): Promise<void> {
    const { leases, queue } = this.deps;
    for (let isReported = false; ; isReported = true) {
      try {
        for (const id of await leases.renew()) {
          const entry = queue.active.get(id);
          if (entry) entry.interrupt();
          else leases.release(id);
        }
        return;
      } catch (error) {
        if (!isReported) this.report(error);
        if (signal.aborted) return;
        await pause(RENEW_AGAIN_MS, undefined, { ref: false });
      }
    }
  }

  private async checkOthers(): Promise<void> {
    for (const work of [() => this.settleOrphans(), () => this.deps.shared.takeUpLeft()])
      await work().catch((error: unknown) => this.report(error));
  }

  /** Cancels runs at the request of other processes. */
  private checkCancelled(): Promise<void> {
    const { leases, queue } = this.deps;
    this.checking ??= leases
      .findCancelled(queue.active.unstoppedIds())
      .then((ids) => {
        for (const id of ids) void queue.active.get(id)?.stopFor({ kind: 'cancelled', by: null });
      })
      .catch((error: unknown) => this.report(error))
      .finally(() => {
        this.checking = null;
      });
    return this.checking;
  }

  private async settleOrphans(): Promise<number> {
    const settled = { requeued: 0, resumed: 0, interrupted: 0 };
    for (const orphan of await this.deps.leases.findOrphans()) {
      const outcome = await this.settleOrphan(orphan);
      if (outcome) settled[outcome] += 1;
    }
    if (settled.requeued > 0)
      this.deps.core.log.warn(
        { runs: settled.requeued },
        'Runs of a process that has ended had sent nothing and were queued again.',
      );
    if (settled.resumed > 0)
      this.deps.core.log.warn(
        { runs: settled.resumed },
        'Runs of a process that has ended were queued again and go on where they were.',
      );
    return settled.interrupted;
  }

  /**
   * Each change compares owner, fence and lease with the values read, so that an owner that returns
   * in between keeps its run.
   */
  private async settleOrphan(
    { run, isDead }: Orphan,
    attempts = MAX_ATTEMPTS,
  ): Promise<'requeued' | 'resumed' | 'interrupted' | null> {
    const { leases, endings, events } = this.deps;
    const lease = { leaseUntil: run.leaseUntil };
    if (
      run.state === 'RUNNING' &&
      (await endings.requeue({ $and: [leases.filterUnsent(run), lease] }))
    )
      return 'requeued';
    const reason = run.state === 'QUEUED' ? 'waiting' : isDead ? 'died' : 'silent';
    try {
      if (await endings.resume({ $and: [leases.filterOwned(run), lease] }, reason))
        return 'resumed';
      const ended = await endings.end(
        { ...leases.filterOwned(run), ...lease },
        async ({ _id, firstSend }, tx) => {
          const place = (await events.lastStep(_id, tx)) ?? (firstSend?.index ? firstSend : null);
          return {
            state: 'INTERRUPTED',
            error: interruptedError(reason, place),
            steps: await events.countFinishedSteps(_id, tx),
            sequence: (await events.lastSequence(_id, tx)) + 1,
          };
        },
      );
      return ended && 'interrupted';
    } catch (error) {
      if (attempts <= 1 || !isDuplicateKey(error)) throw error;
      return this.settleOrphan({ run, isDead }, attempts - 1);
    }
  }

  private report(error: unknown): void {
    this.deps.core.log.error({ err: error }, 'Could not check the leases of runs.');
  }
}
