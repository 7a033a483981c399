import { setTimeout as pause } from 'node:timers/promises';
import type { Model, QueryFilter } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import type { EventBus } from '../../platform/events/bus';
import { createRepeating } from '../../platform/repeating';
import type { Repeating } from '../../platform/repeating';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { WorkflowService } from '../workflows/workflow.service';
import type { RunEventLog } from './run-event-log';
import { EVENTS_AT_ONCE, PAUSE_MS, removeInPieces } from './run-event-removal';
import type { RunsRemoved } from './run.events';
import { RUNS_REMOVED_TOPIC } from './run.events';
import type { RunRecord } from './run.model';
import type { RunParameters } from './run-parameters';
import { BOTH_KINDS } from './run.policy';
import { UNFINISHED } from './run-owners';

export interface RunRetentionDependencies {
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowService, 'letGoOfSnapshots'>;
  readonly runs: Model<RunRecord>;
  readonly parameters: Pick<RunParameters, 'remove'>;
  readonly log: Pick<RunEventLog, 'removeUpTo' | 'removeOf'>;
  /** Serialises with starts and ends of runs, which write the same snapshots. */
  readonly turns: SharedTransactions;
  readonly retentionDays: number;
  readonly onRemoved: (runs: number) => void;
  readonly onFault: (error: unknown, runId: number) => void;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const HOUR_MS = 60 * 60 * 1_000;
/** Runs removed per write, so that other writes are not delayed. */
const RUNS_AT_ONCE = 50;

type Old = Pick<RunRecord, '_id' | 'content' | 'lastSequence'>;

export interface RunRetention {
  /** Runs when the service starts, then every hour. */
  readonly sweeping: Repeating;
  /** Removes old runs now. Returns how many were removed. */
  removeOld(signal?: AbortSignal): Promise<number>;
}

/**
 * Removes runs that ended long ago, with their events, parameters and use of the snapshot; counters
 * stay.
 * Works in small batches with pauses. Several processes may do it at once: each run is removed
 * once.
 */
export function createRunRetention({
  bus,
  clock,
  workflows,
  runs,
  parameters,
  log,
  turns,
  retentionDays,
  onRemoved,
  onFault,
}: RunRetentionDependencies): RunRetention {
  /** Runs that have not ended have no `finishedAt`. */
  const old = (): QueryFilter<RunRecord> => ({
    test: BOTH_KINDS,
    finishedAt: { $lte: new Date(clock.now().getTime() - retentionDays * DAY_MS) },
    state: { $nin: [...UNFINISHED] },
  });

  /** The oldest runs, as many as one write may remove with their events. */
  async function oldest(): Promise<Old[]> {
    const found = await runs
      .find(old(), { content: 1, lastSequence: 1 })
      .sort({ finishedAt: 1, _id: 1 })
      .limit(RUNS_AT_ONCE)
      .lean<Old[]>();
    let events = 0;
    return found.filter((run, nth) => {
      events += Math.min(eventsOf(run), EVENTS_AT_ONCE);
      return nth === 0 || events <= EVENTS_AT_ONCE;
    });
  }

  /** Removes a long log except for its last part. */
  async function removeLongLog(run: Old, signal: AbortSignal | undefined): Promise<void> {
    await removeInPieces(
      log,
      run._id,
      Math.floor((eventsOf(run) - 1) / EVENTS_AT_ONCE) * EVENTS_AT_ONCE,
      signal,
    );
  }

  const removeRows = (ids: readonly number[]): Promise<number> =>
    turns.alone(async (tx) => {
      const still = { ...old(), _id: { $in: [...ids] } };
      const gone = await runs.find(still, { content: 1 }, { session: tx.session }).lean<Old[]>();
      await runs.deleteMany(still, { session: tx.session });
      const goneIds = gone.map(({ _id }) => _id);
      await log.removeOf(goneIds, tx);
      await parameters.remove(goneIds, tx);
      await workflows.letGoOfSnapshots(gone, tx);
      tx.afterCommit(() => bus.publish<RunsRemoved>(RUNS_REMOVED_TOPIC, { runIds: goneIds }));
      return gone.length;
    });

  async function removeOld(signal?: AbortSignal): Promise<number> {
    let removed = 0;
    for (;;) {
      const batch = await oldest();
      if (batch.length === 0) return removed;
      for (const run of batch) await removeLongLog(run, signal);
      if (signal?.aborted) return removed;
      removed += await removeRows(batch.map(({ _id }) => _id));
      await pause(PAUSE_MS);
    }
  }

  const sweeping = createRepeating(
    async (signal) => {
      try {
        const removed = await removeOld(signal);
        if (removed > 0) onRemoved(removed);
      } catch (error) {
        onFault(error, 0);
      }
    },
    { firstMs: 0, thenMs: HOUR_MS },
  );

  return { sweeping, removeOld };
}

const eventsOf = ({ lastSequence }: Pick<RunRecord, 'lastSequence'>): number => lastSequence ?? 0;
