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
import { isResumable } from '../run-continuation';
import { MAX_IDLE } from '../run-journals';
import type { RunJournals } from '../run-journals';
import { openStepError, resumedEvent } from '../run.events';
import type { FinalState, Interruption } from '../run.events';
import { FAILURES } from '../run.model';
import type { RunRecord } from '../run.model';
import type { EventRow, StepPlace } from './run-engine';

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

type EndChanges = ReturnType<typeof changesOf> & Pick<RunRecord, 'journalUntil' | 'hasOpenStep'>;

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
      readonly journals: Pick<RunJournals, 'endOf' | 'mark' | 'end'>;
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
    // The record of a run with a journal changes while it runs.
    if (run.journalKey !== undefined) return this.end(leases.filterOwned(run), ending);
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
    return this.settle(
      before,
      await this.afterItsEvents(before, ending, tx),
      tx,
      (changes, removed) => collection.change(before._id, changes, tx, { removed }),
    );
  }

  /** @param write writes the changes of the run, and returns the changed run */
  private async settle(
    before: RunRecord,
    input: Ending,
    tx: Tx,
    write: (
      changes: EndChanges,
      removed: readonly (typeof OPEN_FIELDS)[number][],
    ) => Promise<RunRecord>,
  ): Promise<RunRecord> {
    const { clock, records, exchanges, journals, events, logs, effects } = this.deps;
    const hasJournal = isResumable(before);
    const open = hasJournal ? (await journals.endOf(before._id, tx)).open : null;
    const ending = atOpenStep(open, preferCancelled(before, input));
    const { state, error, steps, exchange, rest = [], sequence, cancelledBy } = ending;
    const { _id: id } = before;
    const journalUntil = hasJournal ? await journals.end(id, FAILURES.includes(state), tx) : null;
    const changes = {
      ...changesOf(before, ending, clock.now()),
      ...(journalUntil && { journalUntil }),
      ...(journalUntil && open && { hasOpenStep: true }),
    };
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
    this.releaseAfterCommit(run, tx);
    return run;
  }

  /** The run is not held any more, and its change is published, after the commit. */
  private releaseAfterCommit(run: RunRecord, tx: Tx): void {
    const { records, leases } = this.deps;
    tx.afterCommit(() => {
      leases.release(run._id);
      records.publishChange(run);
    });
  }

  /** The process that a run ended with does not know what the processes before it executed. */
  private async afterItsEvents(
    { _id: id, state, resumes }: RunRecord,
    ending: Ending,
    tx: Tx,
  ): Promise<Ending> {
    if (resumes === undefined) return ending;
    const { events } = this.deps;
    const steps = Math.max(ending.steps, await events.countFinishedSteps(id, tx));
    if (state !== 'QUEUED') return { ...ending, steps };
    return { ...ending, steps, sequence: (await events.lastSequence(id, tx)) + 1 };
  }

  /**
   * Puts a run that has sent nothing back into the queue and removes its events, since it starts
   * over.
   * @param filter from `RunLeases.filterUnsent`
   * @returns null if no run matches
   */
  requeue(filter: Filter<RunRecord>): Promise<RunRecord | null> {
    const { records, events } = this.deps;
    return records.transactions.together(async (tx) => {
      const run = await records.collection.findOneAndUpdate(filter, { $set: QUEUED_AGAIN }, { tx });
      if (!run) return null;
      await events.removeOf([run._id], tx);
      this.releaseAfterCommit(run, tx);
      return run;
    });
  }

  /**
   * Puts a run with a journal back into the queue, so that it goes on where it was.
   * @param filter for a running run that no other process has taken
   * @returns null if no run matches, it keeps no journal, a step may have sent something and its
   *   answer is not known, or it was queued again too often without anything new
   */
  resume(filter: Filter<RunRecord>, reason: Interruption): Promise<RunRecord | null> {
    const { records, clock, events, journals } = this.deps;
    return records.transactions.together(async (tx) => {
      const before = await records.collection.findOne({ $and: [filter, RESUMABLE] }, { tx });
      if (!before) return null;
      const { _id: id, resumes = 0 } = before;
      const end = await journals.endOf(id, tx);
      if (end.open !== null || end.idle >= MAX_IDLE) return null;
      await journals.mark(id, end, tx);
      const last = await events.lastSequence(id, tx);
      // A run without events begins with `RunStarted`.
      if (last > 0)
        events.append(
          before,
          [],
          {
            ...resumedEvent(reason, await events.lastStep(id, tx)),
            runId: id,
            sequence: last + 1,
            at: clock.now(),
          },
          tx,
        );
      const run = await records.collection.change(
        id,
        { ...QUEUED_AGAIN, resumes: resumes + (last > 0 ? 1 : 0) },
        tx,
      );
      this.releaseAfterCommit(run, tx);
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

/** Fields of a run that is put back into the queue. */
const QUEUED_AGAIN = {
  state: 'QUEUED',
  startedAt: null,
  owner: null,
  leaseUntil: null,
  unsent: false,
} as const;

/** Runs that another process may go on with. */
const RESUMABLE: Filter<RunRecord> = {
  state: 'RUNNING',
  test: false,
  cancelRequested: false,
  journalKey: { $exists: true },
  journalFull: { $exists: false },
};

/** A run that lost its process during a call that must not be sent twice is interrupted there. */
function atOpenStep(open: StepPlace | null, ending: Ending): Ending {
  const isLost = ending.state === 'INTERRUPTED' || ending.error?.code === 'RUN_CRASHED';
  return open && isLost ? { ...ending, state: 'INTERRUPTED', error: openStepError(open) } : ending;
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
