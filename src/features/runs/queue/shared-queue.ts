import type { Core } from '../../../platform/core';
import { createOnDemand } from '../../../platform/on-demand';
import { createRepeating } from '../../../platform/repeating';
import type { Repeating } from '../../../platform/repeating';
import type { Filter } from '../../../platform/store/collection';
import type { RunLeases } from '../leases/run-leases';
import type { RunRecords } from '../run-records';
import { RUN_QUEUED_TOPIC } from '../run.events';
import type { RunQueued } from '../run.events';
import type { RunRecord } from '../run.model';
import { BOTH_KINDS } from '../run.policy';
import type { QueuedRun, RunQueue } from './run-queue';

/**
 * A run queued for longer than this, ms, was left by the process that queued it, or waits for a slot
 * there: any process may take it.
 */
const LEFT_MS = 1_000;
const READ_AT_ONCE = 1_000;

/** Fields of a `QueuedRun`. */
const QUEUED_FIELDS = { workflowId: 1, startedBy: 1, test: 1, trigger: 1 } as const;

/** Runs that any process may take. Tests belong to the process that started them, if it executes runs. */
const FREE: readonly Filter<RunRecord>[] = [
  { test: false, state: 'QUEUED', isBlocked: { $exists: false } },
  { test: true, state: 'QUEUED', owner: null },
];

/** Keeps the queue of this process like that of the store, from which other processes take runs too. */
export class SharedQueue {
  private readonly looking: Repeating | null;
  private readonly announced = new Set<number>();
  private readonly taking = createOnDemand(
    () => this.takeAnnounced(),
    (error) => this.report(error),
  );
  private unsubscribe = (): void => undefined;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: Pick<RunRecords, 'collection'>;
      readonly leases: RunLeases;
      readonly queue: RunQueue;
    },
  ) {
    const { queueMs } = deps.leases.times;
    this.looking = deps.core.store.isExclusive
      ? null
      : createRepeating(() => this.look(), { firstMs: queueMs, thenMs: queueMs });
  }

  start(): void {
    this.looking?.start();
    this.unsubscribe = this.deps.core.bus.subscribe<RunQueued>(RUN_QUEUED_TOPIC, ({ runId }) => {
      this.announced.add(runId);
      void this.taking.run();
    });
  }

  async stop(): Promise<void> {
    this.unsubscribe();
    await Promise.all([this.looking?.stop(), this.taking.idle()]);
  }

  /** Queues the runs that waited when the last process stopped. */
  async takeUp(): Promise<void> {
    await this.offerQueued().catch((error: unknown) => this.report(error));
  }

  /**
   * Queues runs that wait in the store only. Counts first: reading thousands of runs that are already
   * queued would cost a hundred times as much.
   */
  async takeUpLeft(): Promise<void> {
    const { core, records, queue } = this.deps;
    const queued = await records.collection.count({ test: BOTH_KINDS, state: 'QUEUED' });
    const blocked = await records.collection.count({ isBlocked: true });
    if (queued - blocked === queue.ids.length) return;
    await this.offerQueued({ queuedAt: { $lte: new Date(core.clock.now().getTime() - LEFT_MS) } });
  }

  private async look(): Promise<void> {
    for (const work of [
      () => this.withdrawBegun(),
      () => this.takeUpLeft(),
      () => this.countElsewhere(),
    ])
      await work().catch((error: unknown) => this.report(error));
  }

  /** Removes runs from the queue that other processes have begun or ended. */
  private async withdrawBegun(): Promise<void> {
    const { records, queue } = this.deps;
    const { ids } = queue;
    if (ids.length === 0) return;
    const begun = await records.collection.find<Pick<RunRecord, '_id'>>(
      { _id: { $in: ids }, state: { $ne: 'QUEUED' } },
      { fields: { _id: 1 } },
    );
    queue.withdraw(new Set(begun.map(({ _id }) => _id)));
  }

  private async countElsewhere(): Promise<void> {
    const { records, leases, queue } = this.deps;
    queue.setElsewhere(
      await records.collection.find<QueuedRun>(leases.filterElsewhere(), { fields: QUEUED_FIELDS }),
    );
  }

  /** Takes runs that processes have queued which execute none. */
  private async takeAnnounced(): Promise<void> {
    const ids = [...this.announced];
    this.announced.clear();
    await this.offerQueued({ _id: { $in: ids } });
  }

  /**
   * Offers stored runs in queue order, also without free slots: the runs of one user must not hide
   * those of others.
   */
  private async offerQueued(filter: Filter<RunRecord> = {}): Promise<void> {
    for (const free of FREE) {
      const queued = this.deps.records.collection.each<QueuedRun>(
        { ...filter, ...free },
        { fields: QUEUED_FIELDS, sort: { queuedAt: 1, _id: 1 }, batchSize: READ_AT_ONCE },
      );
      for await (const run of queued) this.deps.queue.offer(run);
    }
  }

  private report(error: unknown): void {
    this.deps.core.log.error({ err: error }, 'Could not look into the queue of runs.');
  }
}
