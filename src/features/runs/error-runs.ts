import type { Model } from 'mongoose';
import type { Clock } from '../../platform/clock/clock';
import { insertRecord } from '../../platform/store/records';
import type { Store, Tx } from '../../platform/store/store';
import type { WorkflowService } from '../workflows/workflow.service';
import { queuedRun } from './queued-run';
import type { RunRecord } from './run.model';
import { depthOf, MOST_DEEP } from './run-depth';
import type { RunOwners } from './run-owners';
import type { RunParameters } from './run-parameters';
import { FAILURES } from './run-repair.rules';

export interface ErrorRunsDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly workflows: Pick<WorkflowService, 'errorWorkflowIdOf' | 'holdSnapshots' | 'testKeyOf'>;
  readonly runs: Model<RunRecord>;
  readonly parameters: Pick<RunParameters, 'seal' | 'write'>;
  readonly owners: Pick<RunOwners, 'ofNew'>;
  /** Called after the commit: the run is stored and queued. */
  readonly onQueued: (run: RunRecord) => void;
}

/** Maximum characters of a fact: names in a message have no length limit. */
const LONGEST_FACT = 8_192;
const cut = (text: string): string => text.slice(0, LONGEST_FACT).toWellFormed();

/** Parameters of an error workflow. An error of a run holds no secrets and no response values. */
const factsOf = ({
  _id: run,
  workflowId: workflow,
  workflowTitle: title,
  error,
}: RunRecord): object => ({
  workflow,
  title,
  run,
  step: error?.step == null ? null : cut(error.step),
  code: error?.code ?? null,
  message: cut(error?.message ?? ''),
});

export type ErrorRuns = ReturnType<typeof createErrorRuns>;

/**
 * Starts the error workflow when a run has failed, in the transaction that ends the run: exactly
 * once for each failed run.
 * It is queued even if the queue is full: there is no client that could retry.
 */
export function createErrorRuns({
  store,
  clock,
  workflows,
  runs,
  parameters,
  owners,
  onQueued,
}: ErrorRunsDependencies) {
  return {
    async startFor(failed: RunRecord, tx: Tx): Promise<void> {
      if (failed.test || !FAILURES.includes(failed.state) || depthOf(failed) >= MOST_DEEP) return;
      const workflowId = await workflows.errorWorkflowIdOf(failed.workflowId, tx);
      // Cycle guard: a workflow whose failure led to this run is not started again as error
      // workflow.
      const failedWorkflows = [...(failed.failedWorkflows ?? []), failed.workflowId];
      if (workflowId === null || failedWorkflows.includes(workflowId)) return;
      const id = await store.nextId('runs');
      const [held] = await workflows.holdSnapshots([{ id, workflowId }], tx);
      if (!held) return;
      await parameters.write(parameters.seal(id, JSON.stringify(factsOf(failed))), tx);
      const run = await insertRecord<RunRecord>(
        runs,
        queuedRun({
          id,
          held,
          test: false,
          trigger: 'ERROR',
          logging: false,
          logKey: workflows.testKeyOf(held.workflowId),
          actor: null,
          queuedAt: clock.now(),
          owned: owners.ofNew(false),
          more: {
            hasParameters: true,
            errorOf: failed._id,
            failedWorkflows,
            depth: depthOf(failed) + 1,
          },
        }),
        tx,
      );
      await runs.updateOne(
        { _id: failed._id },
        { $set: { errorRunId: id } },
        { session: tx.session },
      );
      tx.afterCommit(() => onQueued(run));
    },
  };
}
