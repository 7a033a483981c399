import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { SealBroken } from '../../platform/crypto/sealed';
import { BadInput, Refused } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { JobInHand } from '../../platform/jobs/jobs';
import { MOST_AT_ONCE } from '../../platform/store/records';
import { allOf } from '../../platform/store/filter';
import type { Page } from '../../platform/store/page';
import { pageOf } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import type { PageRequest } from '../../platform/store/keyset';
import type { SharedTransactions } from '../../platform/store/shared-transactions';
import type { Store, Tx } from '../../platform/store/store';
import { SharedTurn } from '../../platform/event-loop';
import type { AuditService } from '../audit/audit.service';
import type { JobService } from '../jobs/job.service';
import type { WorkflowService } from '../workflows/workflow.service';
import { recordedStart } from './run.audit';
import { publishChange } from './run-endings';
import { queuedRun } from './queued-run';
import type { RunLine } from './run-line';
import type { RunRecord } from './run.model';
import { maySee, requireListVisible, runPolicy, visibleRuns } from './run.policy';
import type { RunOwners } from './run-owners';
import { UNFINISHED } from './run-owners';
import type { RunParameters, SealedParameters } from './run-parameters';
import { runNotFound } from './run-reading';
import { FAILURES, firstOf, notRepeatable, ofRetry } from './run-repair.rules';
import type { RunStarting } from './run-starting';

export interface RunsRepairingDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly audit: AuditService;
  readonly jobs: Pick<JobService, 'start'>;
  readonly workflows: Pick<WorkflowService, 'areThere' | 'holdAllAgain' | 'testKeyOf'>;
  readonly runs: Model<RunRecord>;
  readonly parameters: Pick<RunParameters, 'find' | 'seal' | 'writeAll'>;
  readonly owners: Pick<RunOwners, 'ofNew'>;
  readonly line: Pick<RunLine, 'offer'>;
  readonly starting: Pick<RunStarting, 'again'>;
  readonly turns: SharedTransactions;
}

/** Runs read per batch. */
const LOOKED_AT = 200;
/** Maximum characters of the parameters of one job: they are in memory together. */
const MOST_PARAMETERS = 64 * 1024 * 1024;
/** Progress of the job, in percent, when all runs are read. */
const READ = 80;

/** Result of a job that retries runs. */
export interface RunsRetried {
  /** Ids of the new runs. */
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

interface Chosen {
  readonly run: RunRecord;
  /** Id of the new run. */
  readonly id: number;
  readonly sealed: SealedParameters | null;
}

/**
 * Retries ended runs: the same content and parameters, with the current credentials and secrets.
 */
export function createRunsRepairing({
  store,
  bus,
  clock,
  audit,
  jobs,
  workflows,
  runs,
  parameters,
  owners,
  line,
  starting,
  turns,
}: RunsRepairingDependencies) {
  /** Returns undefined if it was started without, null if they are gone. */
  async function parametersOf(run: RunRecord): Promise<string | null | undefined> {
    if (!run.hasParameters) return undefined;
    return parameters.find(run._id).catch((error: unknown) => {
      if (error instanceof SealBroken) return null;
      throw error;
    });
  }

  const failures = (
    actor: Actor,
    filter: Record<string, unknown>,
    after: string | null,
  ): Promise<Page<RunRecord>> =>
    pageOf(runs, {
      first: LOOKED_AT,
      after,
      filter: allOf([filter, { state: { $in: [...FAILURES] } }]),
      within: visibleRuns(actor, { includeTest: false }),
      orderBy: [{ field: 'queuedAt', direction: 'asc' }],
    });

  /** Returns which of these first runs have a retry that succeeded or has not ended. */
  async function mended(firsts: readonly number[], tx?: Tx): Promise<ReadonlySet<number>> {
    const found = await runs
      .find(
        {
          test: false,
          retryOf: { $in: [...firsts] },
          state: { $in: [...UNFINISHED, 'SUCCEEDED'] },
        },
        { retryOf: 1 },
        { session: tx?.session },
      )
      .lean<Pick<RunRecord, '_id' | 'retryOf'>[]>();
    return new Set(found.map(firstOf));
  }

  /**
   * Failed runs without such a retry, oldest first; of a run and its retries, only the first found.
   */
  async function* toMend(
    actor: Actor,
    filter: Record<string, unknown>,
    signal: AbortSignal,
  ): AsyncGenerator<{ readonly run: RunRecord; readonly isThere: boolean }, void, undefined> {
    const given = new Set<number>();
    for (let after: string | null = null; ;) {
      signal.throwIfAborted();
      const page: Page<RunRecord> = await failures(actor, filter, after);
      const nodes = await page.nodes;
      const isMended = await mended([...new Set(nodes.map(firstOf))]);
      const areThere = await workflows.areThere(nodes);
      for (const [nth, run] of nodes.entries()) {
        const first = firstOf(run);
        if (isMended.has(first) || given.has(first)) continue;
        given.add(first);
        yield { run, isThere: areThere[nth] === true };
      }
      const { hasNextPage, endCursor } = await page.pageInfo;
      if (!hasNextPage) return;
      after = endCursor;
    }
  }

  async function choose(
    actor: Actor,
    filter: Record<string, unknown>,
    { progress, signal }: JobInHand,
  ) {
    const [chosen, gone]: [Candidate[], number[]] = [[], []];
    let characters = 0;
    // Runs that cannot be repeated do not count towards the limit.
    for await (const { run, isThere } of toMend(actor, filter, signal)) {
      const isFull = chosen.length >= MOST_AT_ONCE || characters > MOST_PARAMETERS;
      if (isFull && isThere) return { chosen, gone, more: true };
      const json = isThere ? await parametersOf(run) : null;
      if (json === null) {
        if (gone.length < MOST_AT_ONCE) gone.push(run._id);
        continue;
      }
      chosen.push({ run, json });
      characters += json?.length ?? 0;
      await progress((READ * chosen.length) / MOST_AT_ONCE, `${chosen.length} found.`);
    }
    return { chosen, gone, more: false };
  }

  /**
   * Reserves ids only now: reading may take long, and runs that were started earlier must have
   * smaller ids.
   */
  async function prepare(candidates: readonly Candidate[]): Promise<Chosen[]> {
    const ids = await store.nextIds('runs', candidates.length);
    const slice = new SharedTurn();
    const chosen: Chosen[] = [];
    for (const [nth, { run, json }] of candidates.entries()) {
      await slice.over();
      const id = ids[nth] ?? 0;
      chosen.push({ run, id, sealed: json === undefined ? null : parameters.seal(id, json) });
    }
    return chosen;
  }

  /** Queues all of them in one transaction; skips runs that were retried in the meantime. */
  async function queue(actor: Actor, chosen: readonly Chosen[], tx: Tx) {
    const isMended = await mended(
      chosen.map(({ run }) => firstOf(run)),
      tx,
    );
    const wanted = chosen.filter(({ run }) => !isMended.has(firstOf(run)));
    const held = await workflows.holdAllAgain(
      wanted.map(({ id, run: { workflowId, content } }) => ({ id, workflowId, content })),
      tx,
    );
    const gone = wanted.flatMap(({ run }, nth) => (held[nth] ? [] : [run._id]));
    const started = wanted.flatMap(({ run: { logging, ...run }, id, sealed }, nth) => {
      const snapshot = held[nth];
      const more = { ...ofRetry(run), ...(sealed && { hasParameters: true }) };
      return snapshot
        ? [
            {
              snapshot,
              run: queuedRun({
                id,
                held: snapshot,
                test: false,
                trigger: 'RETRY',
                logging,
                logKey: workflows.testKeyOf(snapshot.workflowId),
                actor,
                queuedAt: clock.now(),
                owned: owners.ofNew(false),
                more,
              }),
            },
          ]
        : [];
    });
    const records = started.map(({ run }) => run);
    if (records.length > 0) await runs.insertMany(records, { session: tx.session, lean: true });
    const queued = new Set(records.map(({ _id }) => _id));
    await parameters.writeAll(
      wanted.flatMap(({ sealed }) => (sealed && queued.has(sealed._id) ? [sealed] : [])),
      tx,
    );
    for (const { run, snapshot } of started)
      await audit.record(
        actor,
        'run.start',
        { type: 'Run', id: run._id },
        null,
        recordedStart(run, snapshot),
        tx,
      );
    tx.afterCommit(() => {
      for (const run of records) {
        publishChange(bus, run);
        line.offer(run);
      }
    });
    return { runIds: records.map(({ _id }) => _id), gone };
  }

  return {
    /**
     * Retries a run: the same version with the same parameters. A retry of a retry is linked to the
     * first run; the retry of a test is a test.
     * @throws NotFound    EXECUTION_NOT_FOUND, also for tests of other users
     * @throws Refused     EXECUTION_NOT_FINISHED; RUN_NOT_REPEATABLE if the workflow, the version
     * or the parameters are gone
     * @throws Conflict    CONCURRENT_TEST_IS_FORBIDDEN
     * @throws Unavailable if the service is stopping or too many runs are queued
     */
    async retry(actor: Actor, id: number): Promise<RunRecord> {
      const run = await runs.findById(id).lean<RunRecord>();
      if (!run || (run.test && !maySee(actor, run))) throw runNotFound(id);
      if (UNFINISHED.includes(run.state))
        throw new Refused('EXECUTION_NOT_FINISHED', `Run ${id} has not ended: ${run.state}.`, {
          path: ['id'],
        });
      const json = await parametersOf(run);
      if (json === null) throw notRepeatable(run);
      return starting.again(actor, run, json);
    },

    /**
     * Retries runs in the background, all or none: of the runs that match the filter, failed or
     * were interrupted, and have no retry that succeeded or is open, the oldest MOST_AT_ONCE.
     * @throws Forbidden   for actors who may not see these runs
     * @throws BadInput    if the filter is invalid, or has no condition
     * @throws Unavailable if too many jobs are queued
     */
    async retryAll(actor: Actor, filter: Record<string, unknown>): Promise<JobRecord> {
      if (Object.keys(filter).length === 0)
        throw new BadInput(
          'BAD_REQUEST',
          'Which runs? Without any condition all that failed would be run again.',
          { path: ['filter'] },
        );
      requireListVisible(actor, { includeTest: false });
      // Reject filters without an index before a job is created.
      await (
        await failures(actor, filter, null)
      ).pageInfo;
      return jobs.start(actor, 'runs-retry', runPolicy.start, async (job) => {
        const { chosen: candidates, gone, more } = await choose(actor, filter, job);
        await job.progress(READ, `${candidates.length} found.`);
        const chosen = await prepare(candidates);
        await turns.alone(async (tx) => {
          const queued = await queue(actor, chosen, tx);
          await job.succeed(
            {
              runIds: queued.runIds,
              notRepeatable: [...gone, ...queued.gone].slice(0, MOST_AT_ONCE),
              more,
            } satisfies RunsRetried,
            tx,
          );
        });
      });
    },

    retriesOf: (
      actor: Actor,
      runIds: readonly number[],
      page: PageRequest,
    ): Promise<Page<RunRecord>[]> =>
      pagesOf(runs, 'retryOf', runIds, {
        ...page,
        within: visibleRuns(actor, { includeTest: true }),
        orderBy: [{ field: 'queuedAt', direction: 'desc' }],
      }),
  };
}
