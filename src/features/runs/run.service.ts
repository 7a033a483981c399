import type { Config } from '../../config/config';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import { NotFound, Refused } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { RunCounters } from '../widgets/run-counters.service';
import type { WorkflowChanged } from '../workflows/workflow.events';
import { WORKFLOW_TOPIC } from '../workflows/workflow.events';
import type { WorkflowService } from '../workflows/workflow.service';
import type { RunEngine } from './execution/run-engine';
import { createInTurn } from './in-turn';
import { createRunEndings } from './run-endings';
import type { RunStateName } from './run.events';
import { interruptedError } from './run.events';
import { createRunEventFeed } from './run-event-feed';
import { createRunEventLog } from './run-event-log';
import { createRunExecutor } from './run-executor';
import type { RunSecretsPort } from './run-executor';
import { createRunLine } from './run-line';
import type { RunRecord } from './run.model';
import { runSchema } from './run.model';
import { BOTH_KINDS, maySee } from './run.policy';
import { createRunReading } from './run-reading';
import { createRunsCancelling } from './runs-cancelling';
import { createRunStarting } from './run-starting';

declare module '../../platform/context' {
  interface Services {
    runs: RunService;
  }
}

export type RunService = ReturnType<typeof createRunService>;

export interface RunDependencies {
  readonly store: Store;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly config: Pick<Config, 'workflow'>;
  /** The service closes it. */
  readonly engine: RunEngine;
  readonly audit: AuditService;
  readonly workflows: WorkflowService;
  readonly secrets: RunSecretsPort;
  readonly counters: RunCounters;
  /** Faults of our own while a run was executed; the caller of the run sees only its code. */
  readonly onFault: (error: unknown, runId: number) => void;
}

const UNFINISHED: readonly RunStateName[] = ['QUEUED', 'RUNNING'];
const notFound = (id: number): NotFound => new NotFound('EXECUTION_NOT_FOUND', `There is no run ${id}.`, { path: ['id'] });
const isUnfinished = ({ state }: RunRecord): boolean => UNFINISHED.includes(state);

/** The rules of runs, one file each: starting, reading, the line they wait in, and their end, which comes exactly once. */
export function createRunService({ store, bus, clock, config, engine, audit, workflows, secrets, counters, onFault }: RunDependencies) {
  const runs = store.model<RunRecord>('Run', runSchema, 'runs');
  const log = createRunEventLog({ store, bus, clock });
  const inTurn = createInTurn();
  const { end, endWithin } = createRunEndings({ store, bus, clock, audit, workflows, counters, runs, log, inTurn });
  const execute = createRunExecutor({ engine, config, workflows, secrets, log, onFault });
  const line = createRunLine({ bus, clock, runs, end, execute, concurrent: config.workflow.concurrentRuns, onFault });
  const feed = createRunEventFeed({ bus, log, get });

  async function get(id: number): Promise<RunRecord> {
    const run = await runs.findById(id).lean<RunRecord>();
    if (!run) throw notFound(id);
    return run;
  }

  async function unfinished(filter: { readonly workflowId?: number } = {}): Promise<number[]> {
    const left = await runs.find({ ...filter, test: BOTH_KINDS, state: { $in: UNFINISHED } }, { _id: 1 }).sort({ queuedAt: 1, _id: 1 }).lean<Pick<RunRecord, '_id'>[]>();
    return left.map(({ _id }) => _id);
  }

  /** Nothing is left to run when the workflow is gone. */
  const stopWatching = bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId, change }) => {
    if (change !== 'deleted') return;
    void unfinished({ workflowId })
      .then((left) => Promise.all(left.map((id) => line.stop(id, { kind: 'cancelled', by: null }))))
      .catch((error: unknown) => onFault(error, 0));
  });

  return {
    ...createRunReading({ runs, feed, log }),
    ...createRunsCancelling({ store, runs, line, inTurn, endWithin }),
    ...createRunStarting({ store, bus, clock, audit, workflows, runs, line, inTurn }),

    /**
     * Cancels a run and answers it as it is then: CANCELLED, or still RUNNING when a step takes its time to let go.
     * @throws NotFound EXECUTION_NOT_FOUND, also for somebody else's test
     * @throws Refused  EXECUTION_ALREADY_FINISHED
     */
    async cancel(actor: Actor, id: number): Promise<RunRecord> {
      const before = await get(id);
      if (before.test && !maySee(actor, before)) throw notFound(id);
      if (isUnfinished(before)) await line.stop(id, { kind: 'cancelled', by: actor });
      const after = await get(id);
      if (!isUnfinished(before) || (!isUnfinished(after) && after.state !== 'CANCELLED')) {
        throw new Refused('EXECUTION_ALREADY_FINISHED', `Run ${id} has ended: ${after.state}.`, { path: ['id'] });
      }
      return after;
    },

    /** Ends the runs that a dead process left behind; before anything is served. Answers how many there were. */
    async recoverInterruptedRuns(): Promise<number> {
      const left = await unfinished();
      for (const id of left) {
        const [sequence, steps] = [await log.lastSequence(id) + 1, await log.finishedSteps(id)];
        await end(id, UNFINISHED, () => ({ state: 'INTERRUPTED', error: interruptedError(), steps, sequence }));
      }
      return left.length;
    },

    /** Starts nothing more, lets running runs finish for a moment, then ends them as INTERRUPTED. */
    async stop(graceMs?: number): Promise<void> {
      stopWatching();
      await line.close(graceMs);
      await engine.close();
    },
  };
}
