import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { BadInput, Refused } from '../../../platform/errors/errors';
import type { Filter } from '../../../platform/store/collection';
import { LARGEST_PAGE } from '../../../platform/store/lists/keyset';
import { workflowOfKey } from '../../workflows/testing/test-key.service';
import { runNotFound } from '../run-records';
import type { RunRecords } from '../run-records';
import type { PublishedRunEvent, RunStateName } from '../run.events';
import type { RunRecord } from '../run.model';

/** Runs whose log an actor may read. */
export class LoggedRuns {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly events: {
        read(runId: number, afterSequence: number, limit: number): Promise<PublishedRunEvent[]>;
      };
    },
  ) {}

  hasLog(run: RunRecord): boolean {
    return hasLog(run, this.deps.clock.now());
  }
  async get(actor: Actor, runId: number): Promise<RunRecord> {
    const run = await this.deps.records.findVisible(actor, runId);
    if (!run) throw runNotFound(runId);
    if (!this.hasLog(run)) throw noLog(run);
    // The events may have been removed since the run was read.
    const gap = gapIn(run, 0, await this.deps.events.read(runId, 0, 1));
    if (gap) throw gap;
    return run;
  }

  /**
   * Returns the result of `read` if the log still exists afterwards: logs are removed in pieces, so
   * that reads during a removal have gaps.
   */
  async read<T>(actor: Actor, runId: number, read: (run: RunRecord) => Promise<T>): Promise<T> {
    const run = await this.get(actor, runId);
    const [outcome] = await Promise.allSettled([read(run)]);
    const after = await this.deps.records.get(runId);
    if (!this.hasLog(after)) throw noLog(after);
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  }

  /** Returns those of the runs whose log can be read. */
  async withLog(runIds: readonly number[]): Promise<ReadonlySet<number>> {
    const runs = await this.deps.records.collection.find<
      Pick<RunRecord, '_id' | 'logOf' | 'test' | 'queuedAt'>
    >({ _id: { $in: [...runIds] } }, { fields: { logOf: 1, test: 1, queuedAt: 1 } });
    const now = this.deps.clock.now();
    return new Set(runs.filter((run) => hasLog(run, now)).map(({ _id }) => _id));
  }

  async stillHasLog(runId: number): Promise<boolean> {
    const run = await this.deps.records.find(runId);
    return run !== null && this.hasLog(run);
  }
}

/** Maximum age of the log of a test, ms. */
export const TEST_LOG_MS = 7 * 24 * 60 * 60 * 1000;

/** Tests queued up to this time have no log, even if it is not removed yet. */
export const testsGoneAt = (now: Date): Date => new Date(now.getTime() - TEST_LOG_MS);

/** Whether the log of a run can be read, also while it is running. */
export const hasLog = (
  { logOf, test, queuedAt }: Pick<RunRecord, 'logOf' | 'test' | 'queuedAt'>,
  now: Date,
): boolean => logOf !== undefined && !(test && queuedAt <= testsGoneAt(now));

/** The same as a filter for runs with `logOf`. */
export const logThere = (now: Date): Filter<RunRecord> & Record<string, unknown> => ({
  $or: [{ test: false }, { queuedAt: { $gt: testsGoneAt(now) } }],
});

/** Log key of the current or removed log of a run. */
export const logKeyOf = ({
  logOf,
  logGone,
}: Pick<RunRecord, 'logOf' | 'logGone'>): string | undefined => logOf ?? logGone;

/** The workflow of a log: for the test of a draft, the saved workflow. */
export const workflowOfLog = (run: Pick<RunRecord, 'logOf' | 'logGone' | 'workflowId'>): number =>
  workflowOfKey(logKeyOf(run) ?? '') ?? run.workflowId;

/** Final states other than success: the number of their logs is limited separately. */
export const ENDED_BADLY: readonly RunStateName[] = ['FAILED', 'CANCELLED', 'INTERRUPTED'];

function noLog({ _id, logOf, logGone }: Pick<RunRecord, '_id' | 'logOf' | 'logGone'>): Refused {
  const isGone = logOf !== undefined || logGone !== undefined;
  return new Refused(
    'RUN_LOG_GONE',
    isGone
      ? `The log of run ${_id} has been removed: the newest of each workflow are kept, those of tests for 7 days.`
      : `Run ${_id} has no log: it was started without logging.`,
  );
}

export const eventsGone = (runId: number): Refused =>
  new Refused('RUN_LOG_GONE', `The events of run ${runId} are no longer kept.`);

/**
 * Part of a list: at most `first` entries, after the element with this id or the file with this
 * name.
 */
export interface LogPage {
  readonly first: number;
  readonly after?: string | null;
}

export function requireCount(first: number): void {
  if (Number.isInteger(first) && first >= 1 && first <= LARGEST_PAGE) return;
  throw new BadInput('BAD_REQUEST', `\`first\` is from 1 to ${LARGEST_PAGE}.`, { path: ['first'] });
}

/**
 * Runs older than a run, in a list with the newest first. The bound on `queuedAt` limits the index
 * scan.
 */
export const olderThan = ({
  _id,
  queuedAt,
}: Pick<RunRecord, '_id' | 'queuedAt'>): Record<string, unknown> => ({
  queuedAt: { $lte: queuedAt },
  $or: [{ queuedAt: { $lt: queuedAt } }, { _id: { $lt: _id } }],
});

export function requireSequence(afterSequence: number): void {
  if (Number.isInteger(afterSequence) && afterSequence >= 0) return;
  throw new BadInput(
    'BAD_REQUEST',
    '`afterSequence` must be 0 or more: the sequence of the last event that you received.',
    { path: ['afterSequence'] },
  );
}

/**
 * Returns RUN_LOG_GONE if events after a sequence are missing: the first must be the next one, and
 * there may be none only if the run has none after it or has not ended.
 * Read the run before its events: once it has ended, all of them are stored.
 */
export function gapIn(
  { _id, lastSequence }: Pick<RunRecord, '_id' | 'lastSequence'>,
  after: number,
  [first]: readonly PublishedRunEvent[],
): Refused | null {
  const isGapless = first
    ? first.sequence === after + 1
    : lastSequence === null || lastSequence <= after;
  return isGapless ? null : eventsGone(_id);
}
