import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { SealBroken } from '../../platform/crypto/sealed';
import { BadInput, Refused } from '../../platform/errors/errors';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { JobInHand } from '../../platform/jobs/jobs';
import { SharedTimeSlice } from '../../platform/event-loop';
import { MOST_AT_ONCE } from '../../platform/store/records';
import { allOf } from '../../platform/store/lists/filter';
import { pageOf } from '../../platform/store/lists/keyset';
import type { PageRequest } from '../../platform/store/lists/keyset';
import type { Page } from '../../platform/store/lists/page';
import { pagesOf } from '../../platform/store/lists/pages-of';
import type { Tx } from '../../platform/store/store';
import type { JobService } from '../jobs/job.service';
import type { HeldSnapshot } from '../workflows/versions/workflow-snapshots';
import type { WorkflowSnapshots } from '../workflows/versions/workflow-snapshots';
import type { RunStarter } from './queue/run-starter';
import type { RunJournals } from './run-journals';
import { notRepeatable, runNotFound } from './run-records';
import type { RunParameters, RunRecords, SealedParameters } from './run-records';
import { continuingFields, firstOf, requireContinuation, retryFields } from './run-continuation';
import type { RetryFrom } from './run-continuation';
import { FAILURES, UNFINISHED } from './run.model';
import type { RunRecord } from './run.model';
import { maySee, requireListVisible, runPolicy, visibleRuns } from './run.policy';
import type { TestRuns } from './test-runs';

/** Runs read per batch. */
const RUNS_AT_ONCE = 200;
/** Maximum characters of the parameters of one job: they are in memory together. */
const MAX_PARAMETERS = 64 * 1024 * 1024;
/** Progress of the job, in percent, when all runs are read. */
const READ_PERCENT = 80;

interface RunsRetried {
  readonly runIds: readonly number[];
  /**
   * Runs that cannot be repeated, since their workflow version or parameters are gone: at most the
   * oldest MOST_AT_ONCE.
   */
  readonly notRepeatable: readonly number[];
  /** Whether there are more runs than one job takes. */
  readonly more: boolean;
}

/** A run that can be repeated, with its parameters if it has some. */
interface Candidate {
  readonly run: RunRecord;
  readonly json: string | undefined;
}

interface PreparedRetry {
  readonly run: RunRecord;
  readonly id: number;
  readonly parameters?: SealedParameters;
}

/**
 * Retries ended runs: the same content and parameters, with the current credentials and secrets.
 */
export class RunRetries {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly journals: Pick<RunJournals, 'toContinue' | 'begin'>;
      readonly jobs: Pick<JobService, 'start'>;
      readonly snapshots: Pick<WorkflowSnapshots, 'canHoldAgain' | 'holdAgain' | 'holdAllAgain'>;
      readonly parameters: Pick<RunParameters, 'find' | 'seal'>;
      readonly starter: RunStarter;
      readonly tests: TestRuns;
    },
  ) {}

  /**
   * Retries a run: the same version with the same parameters. A retry of a retry is linked to the
   * first run; the retry of a test is a test.
   * `logging` records requests and responses in its events; missing: as the run. `from` other than
   * `START` continues it there with the answers that are kept.
   * @throws NotFound    EXECUTION_NOT_FOUND, also for tests of other users
   * @throws Refused     EXECUTION_NOT_FINISHED; RUN_NOT_REPEATABLE if the workflow, the version or
   * the parameters are gone, or if it cannot be continued
   * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async retry(
    actor: Actor,
    id: number,
    { logging, from }: { readonly logging?: boolean | null; readonly from?: RetryFrom | null } = {},
  ): Promise<RunRecord> {
    const { clock, records, journals, snapshots, starter, tests } = this.deps;
    const run = await records.get(id);
    if (run.test && !maySee(actor, run)) throw runNotFound(id);
    if (UNFINISHED.includes(run.state))
      throw new Refused('EXECUTION_NOT_FINISHED', `Run ${id} has not ended: ${run.state}.`, {
        path: ['id'],
      });
    const json = await this.parametersOf(run);
    if (json === null) throw notRepeatable(run);
    const begin = requireContinuation(run, from ?? 'START', clock.now());
    const journal = begin && (await journals.toContinue(run, begin));
    const retry = {
      more: { ...retryFields(run), ...(begin && continuingFields(run)) },
      parameters: json,
      async hold(newId: number, tx: Tx): Promise<HeldSnapshot> {
        const held = await snapshots.holdAgain(run, { id: newId, test: run.test }, tx);
        if (!held) throw notRepeatable(run);
        return held;
      },
    };
    if (run.test) return tests.retry(actor, run, retry);
    const started = await starter.start(
      actor,
      { ...retry, trigger: 'RETRY', logging: logging ?? run.logging },
      async ({ _id }, tx) => {
        if (journal !== null) await journals.begin(_id, journal, tx);
      },
    );
    return started.run;
  }

  /**
   * Retries runs in the background, all or none: of the runs that match the filter, failed or were
   * interrupted, and have no retry that succeeded or is open, the oldest MOST_AT_ONCE.
   * @throws Forbidden   for actors who may not see these runs
   * @throws BadInput    if the filter is invalid, or has no condition
   * @throws Unavailable if too many jobs are queued
   */
  async retryAll(actor: Actor, filter: Record<string, unknown>): Promise<JobRecord> {
    if (Object.keys(filter).length === 0)
      throw new BadInput(
        'BAD_REQUEST',
        'Give at least one condition: without one, all failed runs would be retried.',
        { path: ['filter'] },
      );
    requireListVisible(actor, { includeTest: false });
    // Reject filters without an index before a job is created.
    const page = await this.failures(actor, filter, null);
    await page.pageInfo;
    const { jobs, records } = this.deps;
    return jobs.start(actor, 'runs-retry', runPolicy.start, async (job) => {
      const { candidates, unrepeatableIds, more } = await this.findCandidates(actor, filter, job);
      await job.progress(READ_PERCENT, `${candidates.length} found.`);
      const retries = await this.prepare(candidates);
      await records.transactions.alone(async (tx) => {
        const queued = await this.queue(actor, retries, tx);
        const result: RunsRetried = {
          runIds: queued.runIds,
          notRepeatable: [...unrepeatableIds, ...queued.unrepeatableIds].slice(0, MOST_AT_ONCE),
          more,
        };
        await job.succeed(result, tx);
      });
    });
  }

  retriesOf(
    actor: Actor,
    runIds: readonly number[],
    page: PageRequest,
  ): Promise<Page<RunRecord>[]> {
    return pagesOf(this.deps.records.collection, 'retryOf', runIds, {
      ...page,
      within: visibleRuns(actor, { includeTest: true }),
      orderBy: [{ field: 'queuedAt', direction: 'desc' }],
    });
  }

  /** Returns undefined if it was started without, null if they are gone. */
  private async parametersOf(run: RunRecord): Promise<string | null | undefined> {
    if (!run.hasParameters) return undefined;
    return this.deps.parameters.find(run._id).catch((error: unknown) => {
      if (error instanceof SealBroken) return null;
      throw error;
    });
  }

  private failures(
    actor: Actor,
    filter: Record<string, unknown>,
    after: string | null,
  ): Promise<Page<RunRecord>> {
    return pageOf(this.deps.records.collection, {
      first: RUNS_AT_ONCE,
      after,
      filter: allOf([filter, { state: { $in: [...FAILURES] } }]),
      within: visibleRuns(actor, { includeTest: false }),
      orderBy: [{ field: 'queuedAt', direction: 'asc' }],
    });
  }

  /** Returns which of these first runs have a retry that succeeded or has not ended. */
  private async findRetried(firsts: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
    const retries = await this.deps.records.collection.find<Pick<RunRecord, '_id' | 'retryOf'>>(
      {
        test: false,
        retryOf: { $in: [...firsts] },
        state: { $in: [...UNFINISHED, 'SUCCEEDED'] },
      },
      { tx, fields: { retryOf: 1 } },
    );
    return new Set(retries.map(firstOf));
  }

  /**
   * Failed runs without such a retry, oldest first; of a run and its retries, only the first found.
   */
  private async *runsToRetry(
    actor: Actor,
    filter: Record<string, unknown>,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly run: RunRecord; readonly isThere: boolean }, void, undefined> {
    const yieldedIds = new Set<number>();
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const page: Page<RunRecord> = await this.failures(actor, filter, after);
      const nodes = await page.nodes;
      const retried = await this.findRetried([...new Set(nodes.map(firstOf))]);
      const areThere = await this.deps.snapshots.canHoldAgain(nodes);
      for (const [nth, run] of nodes.entries()) {
        const first = firstOf(run);
        if (retried.has(first) || yieldedIds.has(first)) continue;
        yieldedIds.add(first);
        yield { run, isThere: areThere[nth] === true };
      }
      const { hasNextPage, endCursor } = await page.pageInfo;
      if (!hasNextPage) return;
      after = endCursor;
    }
  }

  private async findCandidates(
    actor: Actor,
    filter: Record<string, unknown>,
    { progress, signal }: JobInHand,
  ) {
    const [candidates, unrepeatableIds]: [Candidate[], number[]] = [[], []];
    let characters = 0;
    // Runs that cannot be repeated do not count towards the limit.
    for await (const { run, isThere } of this.runsToRetry(actor, filter, signal)) {
      const isFull = candidates.length >= MOST_AT_ONCE || characters > MAX_PARAMETERS;
      if (isFull && isThere) return { candidates, unrepeatableIds, more: true };
      const json = isThere ? await this.parametersOf(run) : null;
      if (json === null) {
        if (unrepeatableIds.length < MOST_AT_ONCE) unrepeatableIds.push(run._id);
        continue;
      }
      candidates.push({ run, json });
      characters += json?.length ?? 0;
      await progress(
        (READ_PERCENT * candidates.length) / MOST_AT_ONCE,
        `${candidates.length} found.`,
      );
    }
    return { candidates, unrepeatableIds, more: false };
  }

  /**
   * Reserves ids only now: reading may take long, and runs that were started earlier must have
   * smaller ids.
   */
  private async prepare(candidates: readonly Candidate[]): Promise<PreparedRetry[]> {
    const { records, parameters } = this.deps;
    const ids = await records.reserveIds(candidates.length);
    const slice = new SharedTimeSlice();
    const retries: PreparedRetry[] = [];
    for (const [nth, { run, json }] of candidates.entries()) {
      await slice.pause();
      const id = ids[nth] ?? 0;
      const sealed = json === undefined ? undefined : parameters.seal(id, json);
      retries.push({ run, id, parameters: sealed });
    }
    return retries;
  }

  /** Queues all of them in one transaction; skips runs that were retried in the meantime. */
  private async queue(actor: Actor, retries: readonly PreparedRetry[], tx: Tx) {
    const { starter } = this.deps;
    const retried = await this.findRetried(
      retries.map(({ run }) => firstOf(run)),
      tx,
    );
    const dueRetries = retries.filter(({ run }) => !retried.has(firstOf(run)));
    const snapshots = await this.deps.snapshots.holdAllAgain(
      dueRetries.map(({ run }) => run),
      tx,
    );
    const unrepeatableIds = dueRetries.flatMap(({ run }, nth) => (snapshots[nth] ? [] : [run._id]));
    const newRuns = dueRetries.flatMap(({ run, id, parameters }, nth) => {
      const held = snapshots[nth];
      return held
        ? [
            {
              id,
              held,
              trigger: 'RETRY' as const,
              logging: run.logging,
              parameters,
              more: retryFields(run),
            },
          ]
        : [];
    });
    const runs = await starter.startAll(actor, newRuns, tx);
    return { runIds: runs.map(({ _id }) => _id), unrepeatableIds };
  }
}
