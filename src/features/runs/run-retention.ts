import { setTimeout as pause } from 'node:timers/promises';
import type { Filter } from '../../platform/store/collection';
import type { Core } from '../../platform/core';
import { createRepeating } from '../../platform/repeating';
import type { WorkflowSnapshots } from '../workflows/versions/workflow-snapshots';
import { MAX_REMOVED_EVENTS, REMOVAL_PAUSE_MS } from './events/run-event-log';
import type { RunEventLog } from './events/run-event-log';
import type { RunExchanges } from './run-exchanges';
import type { RunParameters, RunRecords } from './run-records';
import { RUNS_REMOVED_TOPIC } from './run.events';
import type { RunsRemoved } from './run.events';
import { UNFINISHED } from './run.model';
import type { RunRecord } from './run.model';
import { BOTH_KINDS } from './run.policy';

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
/** Runs removed per write, so that other writes are not delayed. */
const RUNS_AT_ONCE = 50;

type OldRun = Pick<RunRecord, '_id' | 'content' | 'lastSequence'>;

const countEvents = ({ lastSequence }: OldRun): number => lastSequence ?? 0;

/**
 * Removes runs that ended long ago, with their events, parameters, exchange and use of the snapshot;
 * counters stay.
 * Works in small batches with pauses. Several processes may do it at once: each run is removed
 * once.
 */
export class RunRetention {
  private readonly sweeping = createRepeating((signal) => this.sweep(signal), {
    firstMs: 0,
    thenMs: HOUR_MS,
  });

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: RunRecords;
      readonly snapshots: Pick<WorkflowSnapshots, 'release'>;
      readonly parameters: Pick<RunParameters, 'remove'>;
      readonly exchanges: Pick<RunExchanges, 'remove'>;
      readonly events: Pick<RunEventLog, 'removeInPieces' | 'removeOf'>;
      readonly retentionDays: number;
    },
  ) {}

  start(): void {
    this.sweeping.start();
  }

  stop(): Promise<void> {
    return this.sweeping.stop();
  }

  /** Removes old runs now. Returns how many were removed. */
  async removeOld(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (;;) {
      const batch = await this.oldest();
      if (batch.length === 0) return removed;
      for (const run of batch) {
        // All but the last part of a long log.
        const last = Math.floor((countEvents(run) - 1) / MAX_REMOVED_EVENTS) * MAX_REMOVED_EVENTS;
        await this.deps.events.removeInPieces(run._id, last, signal);
      }
      if (signal?.aborted) return removed;
      removed += await this.removeRows(batch.map(({ _id }) => _id));
      await pause(REMOVAL_PAUSE_MS);
    }
  }

  private async sweep(signal: AbortSignal): Promise<void> {
    const { log } = this.deps.core;
    try {
      const removed = await this.removeOld(signal);
      if (removed > 0) log.info({ runs: removed }, 'Removed old runs.');
    } catch (error) {
      log.error({ err: error }, 'Could not remove old runs.');
    }
  }

  /** Runs that have not ended have no `finishedAt`. */
  private filterOld(): Filter<RunRecord> {
    const { core, retentionDays } = this.deps;
    return {
      test: BOTH_KINDS,
      finishedAt: { $lte: new Date(core.clock.now().getTime() - retentionDays * DAY_MS) },
      state: { $nin: [...UNFINISHED] },
    };
  }

  /** The oldest runs, as many as one write may remove with their events. */
  private async oldest(): Promise<OldRun[]> {
    const runs = await this.deps.records.collection.find<OldRun>(this.filterOld(), {
      fields: { content: 1, lastSequence: 1 },
      sort: { finishedAt: 1, _id: 1 },
      limit: RUNS_AT_ONCE,
    });
    let events = 0;
    return runs.filter((run, nth) => {
      events += Math.min(countEvents(run), MAX_REMOVED_EVENTS);
      return nth === 0 || events <= MAX_REMOVED_EVENTS;
    });
  }

  private removeRows(ids: readonly number[]): Promise<number> {
    const { core, records, events, parameters, exchanges, snapshots } = this.deps;
    return records.transactions.alone(async (tx) => {
      const filter = { ...this.filterOld(), _id: { $in: [...ids] } };
      const old = await records.collection.find<OldRun>(filter, { tx, fields: { content: 1 } });
      await records.collection.deleteMany(filter, tx);
      const runIds = old.map(({ _id }) => _id);
      await events.removeOf(runIds, tx);
      await parameters.remove(runIds, tx);
      await exchanges.remove(runIds, tx);
      await snapshots.release(old, tx);
      tx.afterCommit(() => core.bus.publish<RunsRemoved>(RUNS_REMOVED_TOPIC, { runIds }));
      return old.length;
    });
  }
}
