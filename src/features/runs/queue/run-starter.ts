import type { Actor } from '../../../platform/access/actor';
import type { Clock } from '../../../platform/clock/clock';
import { unlessChanged } from '../../../platform/store/collection';
import type { Tx } from '../../../platform/store/store';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import type { HeldSnapshot } from '../../workflows/versions/workflow-snapshots';
import type { WorkflowSnapshots } from '../../workflows/versions/workflow-snapshots';
import type { WorkflowService } from '../../workflows/workflow.service';
import type { RunLeases } from '../leases/run-leases';
import type { RunParameters, RunRecords, SealedParameters } from '../run-records';
import { createQueuedRun, depthOf, FAILURES, MAX_DEPTH } from '../run.model';
import type { NewRunFields, RunRecord } from '../run.model';
import type { RunQueue } from './run-queue';

interface NewRun {
  readonly id: number;
  readonly held: HeldSnapshot;
  readonly trigger: NewRunFields['trigger'];
  readonly logging: boolean;
  /** Key of its log. Without it: that of its workflow. */
  readonly logKey?: string;
  readonly parameters?: SealedParameters;
  readonly more?: Omit<NewRunFields['more'], 'hasParameters'>;
}

export interface RunStart extends Pick<NewRun, 'trigger' | 'logging' | 'logKey' | 'more'> {
  /** Start parameters: a JSON object as text, so that its numbers are not rounded. */
  readonly parameters?: string;
  /** See `WorkflowSnapshots.hold`. */
  readonly hold: (
    runId: number,
    tx: Tx,
    options: { readonly reading: boolean },
  ) => Promise<HeldSnapshot>;
}

/**
 * Stores new runs as QUEUED together with their use of the snapshot, and queues them after the
 * commit.
 */
export class RunStarter {
  constructor(
    private readonly deps: {
      readonly clock: Clock;
      readonly records: RunRecords;
      readonly parameters: RunParameters;
      readonly leases: RunLeases;
      readonly queue: RunQueue;
    },
  ) {}

  /** @throws Unavailable if the service is stopping or too many runs are queued */
  requireRoom(actor: Actor | null): void {
    this.deps.queue.requireRoom(actor?.userId ?? null);
  }

  /**
   * Starts one run; `alongside` writes more in the same transaction.
   * @throws TooLarge    if the parameters are too large
   * @throws Unavailable if the service is stopping or too many runs are queued
   */
  async start<R>(
    actor: Actor | null,
    { hold, parameters: json, ...start }: RunStart,
    alongside: (run: RunRecord, tx: Tx) => Promise<R>,
  ): Promise<{ readonly run: RunRecord; readonly result: R }> {
    const { records, parameters, queue, leases } = this.deps;
    this.requireRoom(actor);
    const [id] = await records.reserveIds(1);
    const sealed = json === undefined ? undefined : parameters.seal(id, json);
    const store = (options: { readonly reading: boolean }) =>
      records.transactions.together(async (tx) => {
        // Check again: the queue may have filled up while this run waited for the transaction.
        queue.takeRoom(actor?.userId ?? null, tx);
        const held = await hold(id, tx, options);
        const [run] = await this.store(actor, [{ ...start, id, held, parameters: sealed }], tx);
        const result = await alongside(run, tx);
        tx.afterCommit(() => {
          records.publishChange(run);
          leases.hold(run);
          queue.add(run);
          this.announceQueued(run);
        });
        return { run, result };
      });
    return unlessChanged(
      () => store({ reading: false }),
      () => store({ reading: true }),
    );
  }

  /**
   * Stores runs in a few writes, and queues those that are not blocked. The limits of the queue do
   * not apply: runs beyond them wait in the store.
   */
  async startAll(actor: Actor | null, newRuns: readonly NewRun[], tx: Tx): Promise<RunRecord[]> {
    const runs = await this.store(actor, newRuns, tx);
    tx.afterCommit(() => {
      for (const run of runs) this.announce(run);
    });
    return runs;
  }

  /** Publishes the change of a queued run, and queues it unless it is blocked. */
  announce(run: RunRecord): void {
    this.deps.records.publishChange(run);
    if (run.isBlocked) return;
    this.deps.queue.offer(run);
    this.announceQueued(run);
  }

  private announceQueued(run: RunRecord): void {
    if (!this.deps.queue.isWorker) this.deps.records.publishQueued(run);
  }

  private async store(
    actor: Actor | null,
    newRuns: readonly NewRun[],
    tx: Tx,
  ): Promise<RunRecord[]> {
    const { records, parameters } = this.deps;
    const runs = newRuns.map((newRun) => this.createRun(actor, newRun));
    for (const run of runs) records.collection.insertLater(run, tx);
    for (const { parameters: sealed } of newRuns) if (sealed) parameters.write(sealed, tx);
    // Runs without an actor are not audited: the record of the run shows what started them.
    if (actor)
      for (const [nth, run] of runs.entries())
        await records.auditStart(actor, run, newRuns[nth].held, tx);
    return runs;
  }

  private createRun(
    actor: Actor | null,
    { id, held, trigger, logging, logKey, parameters, more }: NewRun,
  ): RunRecord {
    const test = trigger === 'TEST' || held.test;
    return createQueuedRun({
      id,
      held,
      test,
      trigger: test ? 'TEST' : trigger,
      logging,
      logKey: logKey ?? testKeyOf(held.workflowId),
      actor,
      queuedAt: this.deps.clock.now(),
      lease: this.deps.leases.initialLease(test),
      more: { ...more, ...(parameters && { hasParameters: true }) },
    });
  }
}

/** Maximum characters of a fact: names in a message have no length limit. */
const MAX_FACT = 8_192;
const cut = (text: string): string => text.slice(0, MAX_FACT).toWellFormed();

/** Parameters of an error workflow. An error of a run holds no secrets and no response values. */
const factsOf = ({ _id: run, workflowId: workflow, workflowTitle: title, error }: RunRecord) => ({
  workflow,
  title,
  run,
  step: error?.step == null ? null : cut(error.step),
  code: error?.code ?? null,
  message: cut(error?.message ?? ''),
});

/**
 * Starts the error workflow when a run has failed, in the transaction that ends the run: exactly
 * once for each failed run.
 * It is queued even if the queue is full: there is no client that could retry.
 */
export class ErrorRuns {
  constructor(
    private readonly deps: {
      readonly records: RunRecords;
      readonly workflows: Pick<WorkflowService, 'errorWorkflowIdOf'>;
      readonly snapshots: Pick<WorkflowSnapshots, 'holdAll'>;
      readonly parameters: Pick<RunParameters, 'seal'>;
      readonly starter: RunStarter;
    },
  ) {}

  async startFor(failed: RunRecord, tx: Tx): Promise<void> {
    const { records, workflows, snapshots, parameters, starter } = this.deps;
    if (failed.test || !FAILURES.includes(failed.state) || depthOf(failed) >= MAX_DEPTH) return;
    const workflowId = await workflows.errorWorkflowIdOf(failed.workflowId, tx);
    // Cycle guard: a workflow whose failure led to this run is not started again as error workflow.
    const failedWorkflows = [...(failed.failedWorkflows ?? []), failed.workflowId];
    if (workflowId === null || failedWorkflows.includes(workflowId)) return;
    const [id = 0] = await records.reserveIds(1);
    const [held] = await snapshots.holdAll([{ workflowId }], tx);
    if (!held) return;
    await starter.startAll(
      null,
      [
        {
          id,
          held,
          trigger: 'ERROR',
          logging: false,
          parameters: parameters.seal(id, JSON.stringify(factsOf(failed))),
          more: { errorOf: failed._id, failedWorkflows, depth: depthOf(failed) + 1 },
        },
      ],
      tx,
    );
    await records.collection.updateOne({ _id: failed._id }, { $set: { errorRunId: id } }, tx);
  }
}
