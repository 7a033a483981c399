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

/** What two runs that end write both, where they have the same log: so one of them starts again and sees the other. */
interface LogEndsRecord {
  /** Whose log it is, as `logOf` of runs names it. */
  readonly _id: string;
  readonly ends: number;
  /** It says nothing that is needed later. */
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
  /** How many runs of one log keep it: of those that ended well, and of the others. */
  readonly keep: { readonly successes: number; readonly failures: number };
  readonly onFault: (error: unknown, runId: number) => void;
}

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
/** Of one write. */
const RUNS_AT_ONCE = 50;
/** Logs that are looked at from one pause to the next. */
const LOGS_AT_ONCE = 20;

type Logged = Pick<RunRecord, '_id' | 'logOf' | 'lastSequence'>;

export interface LogRetention {
  /** Of a run that has ended: whether it keeps its log, and which others lose theirs by it. In the transaction that ends it. Answers the run as it is then. */
  ended(run: RunRecord, tx: Tx): Promise<RunRecord>;
  /** Removes what is too much now, whatever has left it: a smaller number than before, tests of long ago, a process that died. */
  removeSurplus(signal?: AbortSignal): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

/**
 * Keeps the logs of the runs of a workflow that ended last. A run loses its log at once, in one write, and its events after that, a piece at a time:
 * nobody reads a log with holes, and whoever finds a run that is half done goes on with it. What is too much once stays so, so that it does not matter
 * who removes it, nor how often.
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

  /** Those that are too much, the newest of them first. */
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

  /** They have no log from now on. */
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
    // It did nothing that a log could tell, and must not take the place of one that did.
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

  /** Of each log what is too much, by the names of the logs. */
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

  /** Removes the events that are to be removed by now; what comes while it is at it, after that. */
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
