import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Order, PageRequest } from '../../platform/store/lists/keyset';
import { LiveList } from '../../platform/store/lists/live-list';
import type { ListChange } from '../../platform/store/lists/live-list';
import type { Page } from '../../platform/store/lists/page';
import { pagesOf } from '../../platform/store/lists/pages-of';
import type { WorkflowSnapshots } from '../workflows/versions/workflow-snapshots';
import type { RunEvents } from './events/run-events.service';
import type { RunRecovery } from './leases/run-recovery';
import type { LogRetention } from './logs/log-retention';
import type { RunLogFiles } from './logs/run-log-files';
import type { RunLogs } from './logs/run-logs';
import type { RunCancellation } from './queue/run-cancellation';
import type { RunQueue } from './queue/run-queue';
import type { RunStarter } from './queue/run-starter';
import { runNotFound } from './run-records';
import type { RunRecords } from './run-records';
import type { RunRetention } from './run-retention';
import type { RunRetries } from './run-retries';
import { RUN_LOGS_GONE_TOPIC, RUN_TOPIC, RUNS_REMOVED_TOPIC } from './run.events';
import type { RunChanged, RunLogsGone, RunsRemoved, RunWait } from './run.events';
import type { RunRecord } from './run.model';
import { maySee, requireListVisible, visibleRuns } from './run.policy';
import type { TestRuns } from './test-runs';

declare module '../../platform/context' {
  interface Services {
    runs: RunService;
    testRuns: TestRuns;
    runRetries: RunRetries;
    runEvents: RunEvents;
    runLogs: RunLogs;
    runLogFiles: RunLogFiles;
    runRecovery: RunRecovery;
    runRetention: RunRetention;
    logRetention: LogRetention;
  }
}

interface RunListOptions {
  readonly includeTest: boolean;
  readonly orderBy: readonly Order[];
}

/** Starts, reads and cancels runs. Runs that an actor may not see count as missing. */
export class RunService {
  private readonly list: LiveList<RunRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: RunRecords;
      readonly snapshots: Pick<WorkflowSnapshots, 'hold'>;
      readonly starter: RunStarter;
      readonly queue: RunQueue;
      readonly cancellation: RunCancellation;
    },
  ) {
    const { store, bus } = deps.core;
    this.list = new LiveList<RunRecord>({
      collection: deps.records.collection,
      isExclusive: store.isExclusive,
      listen(note) {
        const stops = [
          bus.subscribe<RunChanged>(RUN_TOPIC, ({ runId }) => note([runId])),
          bus.subscribe<RunsRemoved>(RUNS_REMOVED_TOPIC, ({ runIds }) => note(runIds)),
          bus.subscribe<RunLogsGone>(RUN_LOGS_GONE_TOPIC, ({ runIds }) => note(runIds)),
        ];
        return () => stops.forEach((stop) => stop());
      },
      revision: ['state', 'startedAt', 'logOf'],
      order: { field: 'queuedAt', direction: 'desc', isDefault: true },
    });
  }

  /**
   * Queues a run of the current version of a workflow.
   * `logging` records requests and responses in its events. `parameters` is a JSON object as text,
   * so that its numbers are not rounded.
   * @throws NotFound    CONNECTION_NOT_FOUND
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async run(
    actor: Actor,
    workflowId: number,
    { logging, parameters }: { readonly logging: boolean; readonly parameters?: string },
  ): Promise<RunRecord> {
    const { starter, snapshots } = this.deps;
    const { run } = await starter.start(
      actor,
      {
        trigger: 'MANUAL',
        logging,
        parameters,
        hold: (id, ...within) => snapshots.hold(workflowId, { id, test: false }, ...within),
      },
      () => Promise.resolve(),
    );
    return run;
  }

  /** @throws as `RunCancellation.cancel` */
  cancel(actor: Actor, id: number): Promise<RunRecord> {
    return this.deps.cancellation.cancel(actor, id);
  }

  /** @throws as `RunCancellation.cancelAll` */
  cancelAll(actor: Actor, ids: readonly number[]): Promise<RunRecord[]> {
    return this.deps.cancellation.cancelAll(actor, ids);
  }

  /**
   * Returns null if there is none.
   * @throws Forbidden for actors who may see only their own tests
   */
  byId(actor: Actor, id: number): Promise<RunRecord | null> {
    return this.deps.records.findVisible(actor, id);
  }

  /**
   * @throws NotFound EXECUTION_NOT_FOUND, also for tests of other users
   * @throws Forbidden as `byId`
   */
  async get(actor: Actor, id: number): Promise<RunRecord> {
    const run = await this.byId(actor, id);
    if (!run) throw runNotFound(id);
    return run;
  }

  /** In the order of the ids, null where there is none. */
  async byIds(actor: Actor, ids: readonly number[]): Promise<(RunRecord | null)[]> {
    const runs = await this.deps.records.collection.byIds(ids);
    return runs.map((run) => (run && maySee(actor, run) ? run : null));
  }

  /**
   * A page of runs; test runs only on request.
   * @throws Forbidden for actors who may see only their own tests and do not ask for tests
   */
  async page(
    actor: Actor,
    filter: Record<string, unknown>,
    page: PageRequest,
    options: RunListOptions,
  ): Promise<Page<RunRecord>> {
    requireListVisible(actor, options);
    return pageOf(this.deps.records.collection, {
      ...page,
      filter,
      within: visibleRuns(actor, options),
      orderBy: options.orderBy,
    });
  }

  /** The same page for each workflow. */
  pagesOfWorkflows(
    actor: Actor,
    workflowIds: readonly number[],
    filter: Record<string, unknown>,
    page: PageRequest,
    options: RunListOptions,
  ): Promise<Page<RunRecord>[]> {
    return pagesOf(this.deps.records.collection, 'workflowId', workflowIds, {
      ...page,
      filter,
      within: visibleRuns(actor, options),
      orderBy: options.orderBy,
    });
  }

  /**
   * The newest run of each workflow that is not a test and matches the filter; null if there is none
   * that the actor may see.
   */
  async newestOfWorkflows(
    actor: Actor,
    workflowIds: readonly number[],
    filter: Record<string, unknown> = {},
  ): Promise<(RunRecord | null)[]> {
    const pages = await this.pagesOfWorkflows(
      actor,
      workflowIds,
      filter,
      { first: 1 },
      { includeTest: false, orderBy: [{ field: 'queuedAt', direction: 'desc' }] },
    );
    return Promise.all(pages.map(async (page) => (await page.nodes)[0] ?? null));
  }

  /**
   * Changes of a list of runs, as far as the actor may see them at each moment, until the signal
   * aborts.
   * @throws BadInput while iterating, if no index supports the filter and the list is long
   * @throws Forbidden at the first iteration, for actors who may see only their own tests and do
   * not ask for tests
   */
  async *changes(
    actor: () => Promise<Actor>,
    filter: Record<string, unknown>,
    {
      includeTest,
      most,
      signal,
    }: { readonly includeTest: boolean; readonly most: number; readonly signal: AbortSignal },
  ): AsyncGenerator<ListChange<RunRecord>, void, undefined> {
    requireListVisible(await actor(), { includeTest });
    yield* this.list.follow({
      filter,
      most,
      signal,
      within: async () => visibleRuns(await actor(), { includeTest }),
    });
  }

  /** Why a run waits, as far as this process knows; null if it is not queued. */
  waitOf(run: RunRecord): RunWait | null {
    return this.deps.queue.waitOf(run);
  }

  /** Running runs without tests, oldest first. */
  async running(limit: number): Promise<RunRecord[]> {
    return this.deps.records.collection.find(
      { state: 'RUNNING', test: false },
      { sort: { queuedAt: 1, _id: 1 }, limit },
    );
  }

  async interruptedAmong(ids: readonly number[]): Promise<ReadonlySet<number>> {
    if (ids.length === 0) return new Set();
    const runs = await this.deps.records.collection.find<Pick<RunRecord, '_id'>>(
      { _id: { $in: [...ids] }, state: 'INTERRUPTED' },
      { fields: { _id: 1 } },
    );
    return new Set(runs.map(({ _id }) => _id));
  }
}
