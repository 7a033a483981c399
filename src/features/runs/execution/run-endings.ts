import type { AggregatedValue, RecordedExchange } from '../../../engine';
import type { RunError } from '../../../engine/events';
import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { unlessChanged } from '../../../platform/store/collection';
import type { Filter } from '../../../platform/store/collection';
import type { Tx } from '../../../platform/store/store';
import type { RunEventLog } from '../events/run-event-log';
import type { RunLeases } from '../leases/run-leases';
import type { LogRetention } from '../logs/log-retention';
import type { RunExchanges } from '../run-exchanges';
import type { RunRecords } from '../run-records';
import type { FinalState } from '../run.events';
import type { RunRecord } from '../run.model';
import type { EventRow } from './run-engine';

export interface Ending {
  readonly state: FinalState;
  readonly error: RunError | null;
  readonly steps: number;
  /** Number of warnings in its events; missing: unknown. */
  readonly warnings?: number;
  readonly values?: readonly AggregatedValue[];
  /** What the step that ended it sent and received. */
  readonly exchange?: RecordedExchange;
  /** Last events, which are not stored yet. */
  readonly rest?: readonly EventRow[];
  /** Sequence of the `RunFinished` event: one more than that of the last other event. */
  readonly sequence: number;
  readonly cancelledBy?: Actor | null;
}

/** Called within the transaction, with the current record of the run. */
type EndingOf = (run: RunRecord, tx: Tx) => Ending | Promise<Ending>;

/**
 * Writes what else changes when a run ends, in the same transaction.
 * @param before the run as it was before its end
 */
export type EndEffect = (run: RunRecord, tx: Tx, before: RunRecord) => void | Promise<unknown>;

/** Fields of open runs only. */
const OPEN_FIELDS = ['openOfSchedule', 'isBlocked'] as const;

/**
 * Ends runs: final state, last events and all effects, in one transaction, so that a run ends and
 * is counted exactly once.
 */
export class RunEndings {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly exchanges: Pick<RunExchanges, 'write'>;
      readonly leases: Pick<RunLeases, 'release' | 'filterOwned'>;
      readonly events: RunEventLog;
      readonly logs: Pick<LogRetention, 'runEnded'>;
      /** In order. */
      readonly effects: readonly EndEffect[];
    },
  ) {}

  /**
   * Ends a run that this process holds. It is read only if it has changed since it was claimed.
   * Returns null if another process holds it.
   */
  async endHeld(run: RunRecord, ending: () => Ending): Promise<RunRecord | null> {
    const { records, leases } = this.deps;
    return unlessChanged(
      () =>
        records.transactions.together((tx) =>
          this.settle(run, ending(), tx, (changes, removed) => {
            const { _id, state, owner, fence, cancelRequested, openOfSchedule, logOf } = run;
            records.collection.changeLater(
              { _id, state, owner, fence, cancelRequested, openOfSchedule, logOf },
              changes,
              tx,
              { removed },
            );
            const changed = { ...run, ...changes };
            for (const field of removed) delete changed[field];
            return Promise.resolve(changed);
          }),
        ),
      () => this.end(leases.filterOwned(run), ending),
    );
  }

  /** Returns null if no run matches `filter`: it has ended, or another process holds it. */
  end(filter: Filter<RunRecord>, ending: Ending | EndingOf): Promise<RunRecord | null> {
    return this.deps.records.transactions.together((tx) => this.endWithin(filter, ending, tx));
  }

  async endWithin(
    filter: Filter<RunRecord>,
    input: Ending | EndingOf,
    tx: Tx,
  ): Promise<RunRecord | null> {
    const { collection } = this.deps.records;
    const before = await collection.findOne(filter, { tx });
    if (!before) return null;
    const ending = typeof input === 'function' ? await input(before, tx) : input;
    return this.settle(before, ending, tx, (changes, removed) =>
      collection.change(before._id, changes, tx, { removed }),
    );
  }

  /** @param write writes the changes of the run, and returns the changed run */
  private async settle(
    before: RunRecord,
    input: Ending,
    tx: Tx,
    write: (
      changes: ReturnType<typeof changesOf>,
      removed: readonly (typeof OPEN_FIELDS)[number][],
    ) => Promise<RunRecord>,
  ): Promise<RunRecord> {
    const { clock, records, exchanges, leases, events, logs, effects } = this.deps;
    const ending = preferCancelled(before, input);
    const { state, error, steps, exchange, rest = [], sequence, cancelledBy } = ending;
    const { _id: id } = before;
    const changes = changesOf(before, ending, clock.now());
    const changed = await write(changes, before.openOfSchedule === undefined ? [] : OPEN_FIELDS);
    if (exchange && state === 'FAILED') await exchanges.write(id, exchange, tx);
    const run = await logs.runEnded(changed, tx);
    const { finishedAt, durationMs } = changes;
    events.append(
      run,
      rest,
      { kind: 'RunFinished', runId: id, sequence, at: finishedAt, state, error, steps, durationMs },
      tx,
    );
    for (const effect of effects) await effect(run, tx, before);
    if (cancelledBy) await records.auditCancel(cancelledBy, run, state, tx);
    tx.afterCommit(() => {
      leases.release(id);
      records.publishChange(run);
    });
    return run;
  }

  /**
   * Puts a run that has sent nothing back into the queue and removes its events, since it starts
   * over.
   * @param filter from `RunLeases.filterUnsent`
   * @returns null if no run matches
   */
  requeue(filter: Filter<RunRecord>): Promise<RunRecord | null> {
    const { records, leases, events } = this.deps;
    const set = {
      state: 'QUEUED',
      startedAt: null,
      owner: null,
      leaseUntil: null,
      unsent: false,
    } as const;
    return records.transactions.together(async (tx) => {
      const run = await records.collection.findOneAndUpdate(filter, { $set: set }, { tx });
      if (!run) return null;
      await events.removeOf([run._id], tx);
      tx.afterCommit(() => {
        leases.release(run._id);
        records.publishChange(run);
      });
      return run;
    });
  }

  /**
   * Asks the process that executes a run to cancel it; the run then ends as CANCELLED even if that
   * process dies. Returns false if it is not running.
   */
  async requestCancel(id: number, by: Actor | null, tx: Tx): Promise<boolean> {
    const { records } = this.deps;
    const before = await records.collection.findOneAndUpdate(
      { _id: id, state: 'RUNNING' },
      { $set: { cancelRequested: true } },
      { tx, before: true },
    );
    if (before && by && !before.cancelRequested)
      await records.auditCancel(by, before, 'CANCELLED', tx);
    return before !== null;
  }
}

function changesOf(
  { startedAt }: Pick<RunRecord, 'startedAt'>,
  { state, error, steps, warnings = 0, values = [], sequence }: Ending,
  finishedAt: Date,
) {
  return {
    state,
    error,
    steps,
    finishedAt,
    durationMs: startedAt ? finishedAt.getTime() - startedAt.getTime() : 0,
    lastSequence: sequence,
    owner: null,
    leaseUntil: null,
    ...(warnings > 0 && { warnings }),
    ...(state === 'SUCCEEDED' && values.length > 0 && { values }),
  };
}

/**
 * A run whose cancellation was requested before its end was stored ends as CANCELLED, however far
 * it came.
 */
const preferCancelled = ({ cancelRequested }: RunRecord, ending: Ending): Ending =>
  cancelRequested && ending.state !== 'CANCELLED'
    ? { ...ending, state: 'CANCELLED', error: null }
    : ending;
