import { setTimeout as pause } from 'node:timers/promises';
import type { Core } from '../../../platform/core';
import { createOnDemand } from '../../../platform/on-demand';
import { createRepeating } from '../../../platform/repeating';
import type { Collection } from '../../../platform/store/collection';
import { schemaOf } from '../../../platform/store/schema';
import type { Tx } from '../../../platform/store/store';
import { REMOVAL_PAUSE_MS } from '../events/run-event-log';
import type { RunEventLog } from '../events/run-event-log';
import { RUN_LOGS_GONE_TOPIC } from '../run.events';
import type { RunLogsGone } from '../run.events';
import { ALL_LOGS, runCollection } from '../run.model';
import type { RunRecord } from '../run.model';
import { ENDED_BADLY, testsGoneAt } from './logged-runs';

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

const HOUR_MS = 60 * 60 * 1_000;
const DAY_MS = 24 * HOUR_MS;
const RUNS_AT_ONCE = 50;
/** Maximum number of events of a log that is removed in one piece, with others. */
const SHORT_LOG = 20;
/** Logs checked between two pauses. */
const LOGS_AT_ONCE = 20;
/** Pause before the events of gone logs are removed, ms. */
const GATHER_MS = 200;

type Logged = Pick<RunRecord, '_id' | 'logOf' | 'lastSequence'>;

/** Runs of which a number keep their log. */
interface LogLimit {
  readonly limit: number;
  readonly state: RunRecord['state'] | { readonly $in: RunRecord['state'][] };
}

/**
 * Keeps the logs of the runs of a workflow that ended last. A run loses its log in one write and
 * its events after that, in pieces, so that no log with gaps can be read.
 * Interrupted removals are continued. A surplus log stays surplus, so any process may remove it,
 * more than once.
 */
export class LogRetention {
  private readonly runs: Collection<RunRecord>;
  private readonly ends: Collection<LogEndsRecord>;
  private readonly successes: LogLimit;
  private readonly failures: LogLimit;
  private readonly stopping = new AbortController();
  /** Removes the events of gone logs. */
  private readonly removal = createOnDemand(
    async () => {
      // Logs that go in the meantime are removed together.
      await pause(GATHER_MS, undefined, { ref: false });
      if (!this.stopping.signal.aborted) await this.removeEvents(this.stopping.signal);
    },
    (error) => this.report(error),
  );
  private readonly sweeping = createRepeating(
    (signal) => this.removeSurplus(signal).catch((error: unknown) => this.report(error)),
    { firstMs: 0, thenMs: HOUR_MS },
  );

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly events: Pick<RunEventLog, 'removeInPieces' | 'removeOf'>;
      /** Number of runs per log key that keep their log: successful ones, and others. */
      readonly keep: { readonly successes: number; readonly failures: number };
    },
  ) {
    const { core, keep } = deps;
    this.runs = runCollection(core.store);
    this.ends = core.store.collection<LogEndsRecord>('LogEnds', endsSchema, 'run_log_ends');
    this.successes = { limit: keep.successes, state: 'SUCCEEDED' };
    this.failures = { limit: keep.failures, state: { $in: [...ENDED_BADLY] } };
  }

  /**
   * Call in the transaction that ends a run: decides before the commit whether it keeps its log, and
   * which others lose theirs. Returns the changed run.
   */
  async runEnded(run: RunRecord, tx: Tx): Promise<RunRecord> {
    const { logOf } = run;
    if (logOf === undefined) return run;
    // It never started: its empty log must not displace another one.
    if (run.startedAt === null) {
      await this.runs.updateOne(
        { _id: run._id },
        { $set: { logGone: logOf }, $unset: { logOf: 1 } },
        tx,
      );
      const { logOf: _, ...without } = run;
      return { ...without, logGone: logOf };
    }
    const kind = run.state === 'SUCCEEDED' ? this.successes : this.failures;
    tx.later.beforeCommit(`logs ${kind === this.successes} ${logOf}`, () =>
      this.takeSurplusOf(logOf, kind, tx),
    );
    return run;
  }

  private async takeSurplusOf(logOf: string, kind: LogLimit, tx: Tx): Promise<void> {
    const expiresAt = new Date(this.deps.core.clock.now().getTime() + DAY_MS);
    this.ends.updateLater(
      {
        filter: { _id: logOf },
        update: { $inc: { ends: 1 }, $set: { expiresAt } },
        upsert: true,
      },
      tx,
    );
    const surplusRuns = await this.surplus(logOf, kind, tx);
    if (surplusRuns.length === 0) return;
    await this.takeLogs(surplusRuns, tx);
    tx.afterCommit(() => void this.removal.run());
  }

  /**
   * Removes all surplus logs now, for example after the limit was lowered, of old tests, or after a
   * crash.
   */
  async removeSurplus(signal?: AbortSignal): Promise<void> {
    await this.takeLogsOfOldTests(signal);
    await this.takeSurplus(signal);
    await this.removeEvents(signal);
  }

  start(): void {
    this.sweeping.start();
  }

  async stop(): Promise<void> {
    this.stopping.abort();
    await Promise.all([this.sweeping.stop(), this.removal.idle()]);
  }

  private async surplus(logOf: string, { limit, state }: LogLimit, tx?: Tx): Promise<Logged[]> {
    return this.runs.find<Logged>(
      { logOf, state },
      {
        tx,
        fields: { logOf: 1 },
        sort: { finishedAt: -1, _id: -1 },
        skip: limit,
        limit: RUNS_AT_ONCE,
      },
    );
  }

  private async takeLogs(of: readonly Logged[], tx?: Tx): Promise<void> {
    for (const logOf of new Set(of.map((run) => run.logOf))) {
      const ids = of.filter((run) => run.logOf === logOf).map(({ _id }) => _id);
      await this.runs.updateMany(
        { _id: { $in: ids }, logOf },
        { $set: { logGone: logOf, eventsGoing: true }, $unset: { logOf: 1 } },
        tx,
      );
    }
    const publish = (): void =>
      this.deps.core.bus.publish<RunLogsGone>(RUN_LOGS_GONE_TOPIC, {
        runIds: of.map(({ _id }) => _id),
      });
    if (tx) tx.afterCommit(publish);
    else publish();
  }

  /** Marks the surplus of each log as gone, ordered by log key. */
  private async takeSurplus(signal: AbortSignal | undefined): Promise<void> {
    let last = '';
    for (let checked = 1; !signal?.aborted; checked += 1) {
      const next = await this.runs.findOne<Logged>(
        { logOf: { $gt: last } },
        { fields: { logOf: 1 }, sort: { logOf: 1 } },
      );
      if (next?.logOf === undefined) return;
      const key = next.logOf;
      for (const kind of [this.successes, this.failures])
        await this.takeAll(() => this.surplus(key, kind), signal);
      last = key;
      if (checked % LOGS_AT_ONCE === 0) await pause(REMOVAL_PAUSE_MS);
    }
  }

  private takeLogsOfOldTests(signal: AbortSignal | undefined): Promise<void> {
    const old = async (): Promise<Logged[]> =>
      this.runs.find<Logged>(
        {
          logOf: { $exists: true },
          test: true,
          queuedAt: { $lte: testsGoneAt(this.deps.core.clock.now()) },
          finishedAt: { $ne: null },
        },
        {
          fields: { logOf: 1 },
          sort: { queuedAt: -1, _id: -1 },
          hint: ALL_LOGS,
          limit: RUNS_AT_ONCE,
        },
      );
    return this.takeAll(old, signal);
  }

  private async takeAll(
    find: () => Promise<Logged[]>,
    signal: AbortSignal | undefined,
  ): Promise<void> {
    for (let runs = await find(); runs.length > 0 && !signal?.aborted; runs = await find()) {
      await this.takeLogs(runs);
      await pause(REMOVAL_PAUSE_MS);
    }
  }

  private async removeEvents(signal: AbortSignal | undefined): Promise<void> {
    for (;;) {
      const runs = await this.runs.find<Logged>(
        { eventsGoing: true },
        { fields: { lastSequence: 1 }, limit: RUNS_AT_ONCE },
      );
      // The logs of short runs go together: two commits for each would cost more than the runs.
      const isShort = ({ lastSequence }: Logged): boolean => (lastSequence ?? 0) <= SHORT_LOG;
      const shortIds = runs.filter(isShort).map(({ _id }) => _id);
      if (shortIds.length > 0) {
        await this.deps.events.removeOf(shortIds);
        await this.markRemoved(shortIds);
      }
      for (const { _id, lastSequence } of runs.filter((run) => !isShort(run))) {
        if (!(await this.deps.events.removeInPieces(_id, lastSequence ?? 0, signal))) return;
        await this.markRemoved([_id]);
      }
      if (runs.length < RUNS_AT_ONCE) return;
    }
  }

  private async markRemoved(ids: number[]): Promise<void> {
    await this.runs.updateMany({ _id: { $in: ids } }, { $unset: { eventsGoing: 1 } });
  }

  private report(error: unknown): void {
    this.deps.core.log.error({ err: error }, 'Could not remove surplus logs of runs.');
  }
}
