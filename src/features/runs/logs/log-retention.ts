import { setTimeout as pause } from 'node:timers/promises';
import type { Model } from 'mongoose';
import type { Clock } from '../../../platform/clock/clock';
import type { EventBus } from '../../../platform/events/bus';
import { createRepeating } from '../../../platform/repeating';
import type { Repeating } from '../../../platform/repeating';
import { schemaOf } from '../../../platform/store/schema';
import type { Store, Tx } from '../../../platform/store/store';
import type { RunEventLog } from '../run-event-log';
import type { RunLogsGone } from '../run.events';
import { RUN_LOGS_GONE_TOPIC } from '../run.events';
import { PAUSE_MS, removeInPieces } from '../run-event-removal';
import { ENDED_BADLY, testsGoneAt } from '../run-log.rules';
import { ALL_LOGS } from '../run.model';
import type { RunRecord } from '../run.model';

/**
 * Written by all ending runs with the same log: concurrent ends conflict, so one retries and sees
 * the other.
 */
interface LogEndsRecord {
  /** Log key, as in `logOf` of runs. */
  readonly _id: string;
  readonly ends: number;
  /** Not needed after the transaction. */
  readonly expiresAt: Date;
}

const endsSchema = schemaOf<LogEndsRecord>({ _id: String, ends: Number, expiresAt: Date });
endsSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export interface LogRetentionDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly runs: Model<RunRecord>;
  readonly log: Pick<RunEventLog, 'removeUpTo'>;
  /** Number of runs per log key that keep their log: successful ones, and others. */
  readonly keep: { readonly successes: number; readonly failures: number };
  readonly onFault: (error: unknown, runId: number) => void;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Runs per write. */
const RUNS_AT_ONCE = 50;
/** Logs checked between two pauses. */
const LOGS_AT_ONCE = 20;

type Logged = Pick<RunRecord, '_id' | 'logOf' | 'lastSequence'>;

export interface LogRetention {
  /**
   * Call in the transaction that ends a run: decides whether it keeps its log, and which others
   * lose theirs. Returns the changed run.
   */
  ended(run: RunRecord, tx: Tx): Promise<RunRecord>;
  /**
   * Removes all surplus logs, for example after the limit was lowered, of old tests, or after a
   * crash.
   */
  removeSurplus(signal?: AbortSignal): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Keeps the logs of the runs of a workflow that ended last. A run loses its log in one write and
 * its events after that, in pieces, so that no log with gaps can be read.
 * Interrupted removals are continued. A surplus log stays surplus, so any process may remove it,
 * more than once.
 */
export function createLogRetention({
  store,
  bus,
  clock,
  runs,
  log,
  keep,
  onFault,
}: LogRetentionDependencies): LogRetention {
  const ends = store.model<LogEndsRecord>('LogEnds', endsSchema, 'run_log_ends');

  const KINDS = [
    { most: keep.successes, state: 'SUCCEEDED' },
    { most: keep.failures, state: { $in: [...ENDED_BADLY] } },
  ] as const;

  /** Surplus runs, newest first. */
  const surplus = (
    logOf: string,
    { most, state }: (typeof KINDS)[number],
    tx?: Tx,
  ): Promise<Logged[]> =>
    runs
      .find({ logOf, state }, { logOf: 1 }, { session: tx?.session })
      .sort({ finishedAt: -1, _id: -1 })
      .skip(most)
      .limit(RUNS_AT_ONCE)
      .lean<Logged[]>();

  /** Marks the logs of these runs as gone. */
  async function takeLogs(of: readonly Logged[], tx?: Tx): Promise<void> {
    for (const logOf of new Set(of.map((run) => run.logOf))) {
      const ids = of.filter((run) => run.logOf === logOf).map(({ _id }) => _id);
      await runs.updateMany(
        { _id: { $in: ids }, logOf },
        { $set: { logGone: logOf, eventsGoing: true }, $unset: { logOf: 1 } },
        { session: tx?.session },
      );
    }
    const publish = (): void =>
      bus.publish<RunLogsGone>(RUN_LOGS_GONE_TOPIC, { runIds: of.map(({ _id }) => _id) });
    if (tx) tx.afterCommit(publish);
    else publish();
  }

  async function ended(run: RunRecord, tx: Tx): Promise<RunRecord> {
    const { logOf } = run;
    if (logOf === undefined) return run;
    // It never started: its empty log must not displace another one.
    if (run.startedAt === null) {
      await runs.updateOne(
        { _id: run._id },
        { $set: { logGone: logOf }, $unset: { logOf: 1 } },
        { session: tx.session },
      );
      const { logOf: _, ...without } = run;
      return { ...without, logGone: logOf };
    }
    await ends.updateOne(
      { _id: logOf },
      { $inc: { ends: 1 }, $set: { expiresAt: new Date(clock.now().getTime() + DAY_MS) } },
      { upsert: true, session: tx.session },
    );
    const gone = await surplus(logOf, run.state === 'SUCCEEDED' ? KINDS[0] : KINDS[1], tx);
    if (gone.length === 0) return run;
    await takeLogs(gone, tx);
    tx.afterCommit(wake);
    return run;
  }

  /** Marks the surplus of each log as gone, ordered by log key. */
  async function takeSurplus(signal: AbortSignal | undefined): Promise<void> {
    let last = '';
    for (let looked = 1; !signal?.aborted; looked += 1) {
      const next = await runs
        .findOne({ logOf: { $gt: last } }, { logOf: 1 })
        .sort({ logOf: 1 })
        .lean<Logged>();
      if (next?.logOf === undefined) return;
      last = next.logOf;
      for (const kind of KINDS) {
        for (
          let found = await surplus(last, kind);
          found.length > 0 && !signal?.aborted;
          found = await surplus(last, kind)
        ) {
          await takeLogs(found);
          await pause(PAUSE_MS);
        }
      }
      if (looked % LOGS_AT_ONCE === 0) await pause(PAUSE_MS);
    }
  }

  async function takeOldTests(signal: AbortSignal | undefined): Promise<void> {
    const old = (): Promise<Logged[]> =>
      runs
        .find(
          {
            logOf: { $exists: true },
            test: true,
            queuedAt: { $lte: testsGoneAt(clock.now()) },
            finishedAt: { $ne: null },
          },
          { logOf: 1 },
        )
        .sort({ queuedAt: -1, _id: -1 })
        .hint(ALL_LOGS)
        .limit(RUNS_AT_ONCE)
        .lean<Logged[]>();
    for (let found = await old(); found.length > 0 && !signal?.aborted; found = await old()) {
      await takeLogs(found);
      await pause(PAUSE_MS);
    }
  }

  async function removeEvents(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const going = await runs
        .find({ eventsGoing: true }, { lastSequence: 1 })
        .limit(RUNS_AT_ONCE)
        .lean<Logged[]>();
      for (const { _id, lastSequence } of going) {
        if (!(await removeInPieces(log, _id, lastSequence ?? 0, signal))) return;
        await runs.updateOne({ _id }, { $unset: { eventsGoing: 1 } });
      }
      if (going.length < RUNS_AT_ONCE) return;
    }
  }

  const stopping = new AbortController();
  let removing: Promise<void> | null = null;
  let isWanted = false;

  /** Removes the events of gone logs; a call during a removal starts another one after it. */
  function wake(): void {
    isWanted = true;
    removing ??= removeWanted();
  }

  async function removeWanted(): Promise<void> {
    try {
      while (isWanted && !stopping.signal.aborted) {
        isWanted = false;
        await removeEvents(stopping.signal);
      }
    } catch (error) {
      onFault(error, 0);
    }
    removing = null;
  }

  async function removeSurplus(signal?: AbortSignal): Promise<void> {
    await takeOldTests(signal);
    await takeSurplus(signal);
    await removeEvents(signal);
  }

  const sweeping: Repeating = createRepeating(
    (signal) => removeSurplus(signal).catch((error: unknown) => onFault(error, 0)),
    { firstMs: 0, thenMs: HOUR_MS },
  );

  return {
    ended,
    removeSurplus,
    start: () => sweeping.start(),
    async stop() {
      stopping.abort();
      await Promise.all([sweeping.stop(), removing]);
    },
  };
}
