import type { Config } from '../../config/config';
import type { HttpPort } from '../../engine';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound, Refused, Unavailable } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import type { Order, Page, PageRequest } from '../../platform/store/keyset';
import { pageOf } from '../../platform/store/keyset';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowChanged } from '../workflows/workflow.events';
import { WORKFLOW_TOPIC } from '../workflows/workflow.events';
import type { WorkflowDocument } from '../workflows/workflow.document';
import type { HeldSnapshot, WorkflowService } from '../workflows/workflow.service';
import { createTurns } from './in-turn';
import { createRunEndings, publishChange } from './run-endings';
import type { RunStateName } from './run.events';
import { interruptedError } from './run.events';
import { createRunEventFeed } from './run-event-feed';
import { createRunEventLog } from './run-event-log';
import type { StopReason } from './run-executor';
import { createRunExecutor } from './run-executor';
import type { RunRecord } from './run.model';
import { runSchema } from './run.model';
import { RunQueue } from './run-queue';

declare module '../../platform/context' {
  interface Services {
    runs: RunService;
  }
}

export type RunService = ReturnType<typeof createRunService>;

/** A run that is about to be queued. */
interface NewRun {
  readonly test: boolean;
  readonly logging: boolean;
  /** Keeps the snapshot it will execute. */
  readonly hold: (runId: number, tx: Tx) => Promise<HeldSnapshot>;
}

export interface RunDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly config: Pick<Config, 'workflow'>;
  readonly http: HttpPort;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly counters: RunCounters;
  /** Faults of our own while a run was executed; the caller of the run sees only its code. */
  readonly onFault: (error: unknown, runId: number) => void;
}

/** Runs that may wait, over all workflows. */
const MOST_WAITING = 1_000;
/** How long an answer to a cancellation waits for the run to end. */
const CANCEL_MS = 5_000;
/** How long running runs may go on when the service stops, and how long they may then take to let go. */
const GRACE_MS = 1_000;
const LET_GO_MS = 4_000;

const UNFINISHED: readonly RunStateName[] = ['QUEUED', 'RUNNING'];
const isUnfinished = ({ state }: RunRecord): boolean => UNFINISHED.includes(state);

interface ActiveRun {
  readonly abort: AbortController;
  readonly ended: Promise<void>;
  stop: StopReason | null;
}

/** The rules of runs: queued at once, executed a few at a time, stored with every event, ended exactly once. */
export function createRunService({ store, bus, clock, config, http, audit, workflows, counters, onFault }: RunDependencies) {
  const runs = store.model<RunRecord>('Run', runSchema, 'runs');
  const log = createRunEventLog({ store, bus, clock });
  const inTurn = createTurns();
  const end = createRunEndings({ store, bus, clock, audit, workflows, counters, runs, log, inTurn });
  const execute = createRunExecutor({ http, clock, config, workflows, log, onFault });
  const feed = createRunEventFeed({ bus, log, byId });
  const active = new Map<number, ActiveRun>();
  const queue = new RunQueue<RunRecord>(config.workflow.concurrentRuns, MOST_WAITING, work);
  let stopping = false;

  async function byId(id: number): Promise<RunRecord> {
    const run = await runs.findById(id).lean<RunRecord>();
    if (!run) throw new NotFound('EXECUTION_NOT_FOUND', `There is no run ${id}.`, { path: ['id'] });
    return run;
  }

  /** Never rejects: a run that cannot even be ended is found by the next start. */
  async function work({ _id: id }: RunRecord): Promise<void> {
    let ended: () => void = () => undefined;
    const entry: ActiveRun = { abort: new AbortController(), ended: new Promise((resolve) => { ended = resolve; }), stop: null };
    active.set(id, entry);
    try {
      const started = await runs.findOneAndUpdate({ _id: id, state: 'QUEUED' }, { $set: { state: 'RUNNING', startedAt: clock.now() } }, { returnDocument: 'after' })
        .lean<RunRecord>();
      if (!started) return;
      publishChange(bus, started);
      await end(id, ['RUNNING'], await execute(started, entry.abort.signal, () => entry.stop));
    } catch (error) {
      onFault(error, id);
    } finally {
      active.delete(id);
      ended();
    }
  }

  function refuseWhenFull(): void {
    if (stopping) throw new Unavailable('The service is stopping.');
    if (queue.isFull) throw new Unavailable(`${MOST_WAITING} runs are waiting already.`, 10);
  }

  /** Stores the run as QUEUED together with the hold on its snapshot; it starts after the commit. */
  async function enqueue(actor: Actor, { test, logging, hold }: NewRun): Promise<RunRecord> {
    refuseWhenFull();
    const id = await store.nextId('runs');
    return inTurn(() => store.transaction(async (tx) => {
      // Others may have taken the last place while this one waited for its turn.
      refuseWhenFull();
      const held = await hold(id, tx);
      const run: RunRecord = {
        _id: id, workflowId: held.workflowId, workflowTitle: held.title, content: held.content, test: test || held.test, temporary: held.temporary, logging,
        state: 'QUEUED', queuedAt: clock.now(), startedAt: null, finishedAt: null, startedBy: { userId: actor.userId, email: actor.email },
        steps: null, error: null, lastSequence: null,
      };
      await runs.create([run], { session: tx.session });
      const facts = { workflowId: run.workflowId, title: run.workflowTitle, snapshotId: run.content.id, test: run.test, logging };
      await audit.record(actor, 'run.start', { type: 'Run', id }, null, facts, tx);
      tx.afterCommit(() => {
        publishChange(bus, run);
        queue.add(run);
      });
      return run;
    }));
  }

  /** Stops a run wherever it is; false when there was nothing to stop. */
  async function stopRun(id: number, reason: StopReason): Promise<boolean> {
    const entry = active.get(id);
    if (entry) {
      entry.stop ??= reason;
      entry.abort.abort();
      await settled(entry.ended, CANCEL_MS);
      return true;
    }
    const ending = reason.kind === 'cancelled'
      ? { state: 'CANCELLED' as const, error: null, cancelledBy: reason.by }
      : { state: 'INTERRUPTED' as const, error: interruptedError() };
    const isEnded = await end(id, ['QUEUED'], { ...ending, steps: 0, sequence: 1 }) !== null;
    if (isEnded) queue.withdraw((run) => run._id === id);
    return isEnded;
  }

  /** Nothing is left to run when the workflow is gone. */
  const stopWatching = bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId, change }) => {
    if (change !== 'deleted') return;
    void runs.find({ workflowId, state: { $in: UNFINISHED } }, { _id: 1 }).lean<Pick<RunRecord, '_id'>[]>()
      .then((left) => Promise.all(left.map(({ _id }) => stopRun(_id, { kind: 'cancelled', by: null }))))
      .catch((error: unknown) => onFault(error, 0));
  });

  return {
    /**
     * Queues a run of the current version of a workflow. With `logging` its events carry requests and responses.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Unavailable stopping, or too many runs wait
     */
    run: (actor: Actor, workflowId: number, { logging }: { logging: boolean }): Promise<RunRecord> =>
      enqueue(actor, { test: false, logging, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: false }, tx) }),

    /**
     * Queues a test run of the current version of a workflow.
     * @throws NotFound    CONNECTION_NOT_FOUND
     * @throws Unavailable stopping, or too many runs wait
     */
    test: (actor: Actor, workflowId: number): Promise<RunRecord> =>
      enqueue(actor, { test: true, logging: false, hold: (id, tx) => workflows.holdSnapshot(workflowId, { id, test: true }, tx) }),

    /**
     * Queues a test run of a document as it was sent. It is kept as a hidden workflow until the run has ended.
     * @throws Refused     the document cannot be read as a workflow
     * @throws Unavailable stopping, or too many runs wait
     */
    async testDocument(actor: Actor, input: unknown): Promise<{ run: RunRecord; document: WorkflowDocument }> {
      refuseWhenFull();
      const prepared = await workflows.prepareTest(input);
      const run = await enqueue(actor, { test: true, logging: false, hold: (_id, tx) => workflows.holdTest(actor, prepared, tx) });
      return { run, document: prepared.packed.document };
    },

    /**
     * Cancels a run and answers it as it is then: CANCELLED, or still RUNNING when a step takes its time to let go.
     * @throws NotFound EXECUTION_NOT_FOUND
     * @throws Refused  EXECUTION_ALREADY_FINISHED
     */
    async cancel(actor: Actor, id: number): Promise<RunRecord> {
      const before = await byId(id);
      if (isUnfinished(before)) await stopRun(id, { kind: 'cancelled', by: actor });
      const after = await byId(id);
      if (!isUnfinished(before) || (!isUnfinished(after) && after.state !== 'CANCELLED')) {
        throw new Refused('EXECUTION_ALREADY_FINISHED', `Run ${id} has ended: ${after.state}.`, { path: ['id'] });
      }
      return after;
    },

    /** @throws NotFound EXECUTION_NOT_FOUND */
    byId,

    /** By id, in the order asked for; null where there is none. */
    async byIds(ids: readonly number[]): Promise<(RunRecord | null)[]> {
      const rows = await runs.find({ _id: { $in: ids } }).lean<RunRecord[]>();
      const known = new Map(rows.map((run) => [run._id, run]));
      return ids.map((id) => known.get(id) ?? null);
    },

    /** A page of runs, test runs only when asked for. */
    page(filter: Record<string, unknown>, page: PageRequest, more: { includeTest: boolean; orderBy: readonly Order[] }): Promise<Page<RunRecord>> {
      const hidden = more.includeTest ? [] : [{ test: false }];
      return pageOf(runs, { ...page, filter: { $and: [filter, ...hidden] }, orderBy: more.orderBy });
    },

    /** Runs that are no tests and go on now, the oldest first. */
    async running(limit: number): Promise<RunRecord[]> {
      return runs.find({ state: 'RUNNING', test: false }).sort({ _id: 1 }).limit(limit).lean<RunRecord[]>();
    },

    /**
     * The events of a run after a sequence, gapless and in order, until it has ended.
     * @throws NotFound EXECUTION_NOT_FOUND, for a test also when the run is none
     * @throws Refused  RUN_LOG_GONE
     */
    async events(id: number, afterSequence: number, signal: AbortSignal, { testsOnly = false } = {}): ReturnType<typeof feed.follow> {
      if (testsOnly && !(await byId(id)).test) throw new NotFound('EXECUTION_NOT_FOUND', `There is no test run ${id}.`, { path: ['runId'] });
      return feed.follow(id, afterSequence, signal);
    },

    /** Ends the runs that a dead process left behind; before anything is served. Answers how many there were. */
    async recoverInterruptedRuns(): Promise<number> {
      const left = await runs.find({ state: { $in: UNFINISHED } }, { _id: 1 }).sort({ _id: 1 }).lean<Pick<RunRecord, '_id'>[]>();
      for (const { _id: id } of left) {
        const [sequence, steps] = [await log.lastSequence(id) + 1, await log.finishedSteps(id)];
        await end(id, UNFINISHED, { state: 'INTERRUPTED', error: interruptedError(), steps, sequence });
      }
      return left.length;
    },

    /** Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED. */
    async stop(graceMs = GRACE_MS): Promise<void> {
      if (stopping) return queue.idle();
      stopping = true;
      stopWatching();
      const waiting = queue.close();
      await settled(queue.idle(), graceMs);
      for (const entry of active.values()) {
        entry.stop ??= { kind: 'interrupted' };
        entry.abort.abort();
      }
      await settled(queue.idle(), LET_GO_MS);
      for (const { _id } of waiting) await stopRun(_id, { kind: 'interrupted' });
    },
  };
}

/** Waits for the work, but not longer than this. */
async function settled(work: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const time = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms).unref();
  });
  await Promise.race([work, time]);
  clearTimeout(timer);
}
