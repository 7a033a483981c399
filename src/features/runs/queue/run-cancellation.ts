import { setTimeout as pause } from 'node:timers/promises';
import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { Findings } from '../../../platform/errors/findings';
import { eachOnce } from '../../../platform/store/records';
import { testKeyOf } from '../../workflows/testing/test-key.service';
import { WORKFLOW_TOPIC } from '../../workflows/workflow.events';
import type { WorkflowChanged } from '../../workflows/workflow.events';
import type { Ending, RunEndings } from '../execution/run-endings';
import { alreadyFinished, runNotFound } from '../run-records';
import type { RunRecords } from '../run-records';
import { RUN_CANCEL_TOPIC } from '../run.events';
import type { RunCancelAsked } from '../run.events';
import { UNFINISHED } from '../run.model';
import type { RunRecord } from '../run.model';
import { BOTH_KINDS, maySee } from '../run.policy';
import { STOP_MS } from './active-runs';
import type { RunQueue } from './run-queue';

/** Interval for checking whether another process has cancelled a run, ms. */
const CHECK_AGAIN_MS = 100;

const isUnfinished = ({ state }: RunRecord): boolean => UNFINISHED.includes(state);

const beforeStart = (by: Actor | null): Ending => ({
  state: 'CANCELLED',
  error: null,
  steps: 0,
  sequence: 1,
  cancelledBy: by,
});

/** Cancels runs, whichever process holds them. */
export class RunCancellation {
  private unsubscribe = (): void => undefined;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: RunRecords;
      readonly queue: RunQueue;
      readonly endings: RunEndings;
    },
  ) {}

  /**
   * Cancels a run and returns its current record: CANCELLED, or still RUNNING while a step takes
   * time to end.
   * @throws NotFound EXECUTION_NOT_FOUND, also for tests of other users
   * @throws Refused  EXECUTION_ALREADY_FINISHED
   */
  async cancel(actor: Actor, id: number): Promise<RunRecord> {
    const { records } = this.deps;
    const before = await records.get(id);
    if (before.test && !maySee(actor, before)) throw runNotFound(id);
    if (isUnfinished(before)) await this.cancelOne(id, actor);
    const after = await records.get(id);
    if (!isUnfinished(before) || (!isUnfinished(after) && after.state !== 'CANCELLED'))
      throw alreadyFinished(after);
    return after;
  }

  /**
   * Cancels runs, all or none, and returns their current records: CANCELLED, or still RUNNING while
   * a step takes time to end.
   * @throws BadInput if there are too many
   * @throws NotFound EXECUTION_NOT_FOUND for each unknown run and each test of another user
   * @throws Refused  EXECUTION_ALREADY_FINISHED
   */
  async cancelAll(actor: Actor, ids: readonly number[]): Promise<RunRecord[]> {
    const unique = eachOnce(ids, 'runs');
    const { localIds, remoteIds } = await this.endOrAsk(actor, unique);
    await Promise.all([
      ...localIds.map((id) => this.cancelOne(id, actor)),
      this.untilEnded(remoteIds),
    ]);
    return (await this.deps.records.collection.byIds(unique)).flatMap((run) => run ?? []);
  }

  /** Cancels the open runs of a schedule. Resolves when they have ended, or take too long. */
  async cancelOfSchedule(actor: Actor, scheduleId: number): Promise<void> {
    const open = await this.deps.records.collection.find<Pick<RunRecord, '_id' | 'isBlocked'>>(
      { openOfSchedule: scheduleId },
      { fields: { isBlocked: 1 } },
    );
    // Blocked runs first: they would start when the others have ended.
    for (const run of open.filter(({ isBlocked }) => isBlocked))
      await this.cancelOne(run._id, actor);
    await Promise.all(
      open.filter(({ isBlocked }) => !isBlocked).map(({ _id }) => this.cancelOne(_id, actor)),
    );
  }

  /** Cancels the open runs and tests of each workflow that is deleted, until `stop`. */
  start(): void {
    const { bus, log } = this.deps.core;
    this.unsubscribe = bus.subscribe<WorkflowChanged>(WORKFLOW_TOPIC, ({ workflowId, change }) => {
      if (change === 'deleted')
        void this.cancelOfWorkflow(workflowId).catch((error: unknown) =>
          log.error({ err: error, workflowId }, 'Could not cancel the runs of a deleted workflow.'),
        );
    });
  }

  stop(): void {
    this.unsubscribe();
  }

  private async cancelOfWorkflow(workflowId: number): Promise<void> {
    const open = await this.deps.records.collection.find<Pick<RunRecord, '_id'>>(
      {
        $or: [{ workflowId }, { logOf: testKeyOf(workflowId) }],
        test: BOTH_KINDS,
        state: { $in: UNFINISHED },
      },
      { fields: { _id: 1 }, sort: { queuedAt: 1, _id: 1 } },
    );
    await Promise.all(open.map(({ _id }) => this.cancelOne(_id, null)));
  }

  /** Resolves when the run has ended, or takes too long. */
  private async cancelOne(id: number, by: Actor | null): Promise<void> {
    const { endings, queue, core } = this.deps;
    if (await queue.active.cancel(id, by)) return;
    const ended = await endings.end({ _id: id, state: 'QUEUED' }, beforeStart(by));
    if (ended) queue.withdraw(new Set([id]));
    else if (await core.store.transaction((tx) => endings.requestCancel(id, by, tx)))
      await this.untilEnded([id]);
  }

  /**
   * Ends queued runs and asks other processes to cancel theirs. In one transaction: while the list
   * is checked and cancelled, none of its runs ends.
   */
  private endOrAsk(
    actor: Actor,
    ids: readonly number[],
  ): Promise<{ readonly localIds: number[]; readonly remoteIds: number[] }> {
    const { records, endings, queue } = this.deps;
    return records.transactions.alone(async (tx) => {
      const runs = await records.collection.find({ _id: { $in: ids } }, { tx });
      requireCancellable(actor, ids, runs);
      const [localIds, remoteIds]: [number[], number[]] = [[], []];
      for (const _id of ids) {
        if (queue.active.has(_id)) localIds.push(_id);
        else if (
          (await endings.endWithin({ _id, state: 'QUEUED' }, beforeStart(actor), tx)) === null &&
          (await endings.requestCancel(_id, actor, tx))
        )
          remoteIds.push(_id);
      }
      tx.afterCommit(() => queue.withdraw(new Set(ids.filter((id) => !localIds.includes(id)))));
      return { localIds, remoteIds };
    });
  }

  /**
   * Notifies other processes that cancellation was requested, and waits until the runs have ended,
   * but at most `STOP_MS`.
   */
  private async untilEnded(ids: readonly number[]): Promise<void> {
    const { core, records } = this.deps;
    for (const runId of ids) core.bus.publish<RunCancelAsked>(RUN_CANCEL_TOPIC, { runId });
    const until = performance.now() + STOP_MS;
    while (
      performance.now() < until &&
      (await records.collection.exists({ _id: { $in: [...ids] }, state: { $in: UNFINISHED } }))
    )
      await pause(CHECK_AGAIN_MS);
  }
}

function requireCancellable(
  actor: Actor,
  ids: readonly number[],
  runs: readonly RunRecord[],
): void {
  const runsById = new Map(runs.map((run) => [run._id, run]));
  const findings = new Findings();
  for (const [at, id] of ids.entries()) {
    const run = runsById.get(id);
    const path = ['ids', at];
    if (!run || (run.test && !maySee(actor, run))) findings.add(runNotFound(id, path));
    else if (!isUnfinished(run)) findings.add(alreadyFinished(run, path));
  }
  findings.refuse();
}
