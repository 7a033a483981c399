import { authorOf } from '../../../platform/access/actor';
import type { Actor } from '../../../platform/access/actor';
import type { Core } from '../../../platform/core';
import { BadInput } from '../../../platform/errors/errors';
import type { Tx } from '../../../platform/store/store';
import type { WorkflowReader } from '../workflow-reader';
import type { WorkflowRecord } from '../workflow.model';
import type { WorkflowWriter } from '../saving/workflow-writer';
import { presenceIdOf } from './presence-records';
import type { PresenceRecord, PresenceRecords } from './presence-records';

declare module '../../../platform/context' {
  interface Services {
    presence: PresenceService;
  }
}

/** How long a presence lasts without renewal, ms. */
export const PRESENCE_MS = 30_000;
/** Ids of steps are short; this is not checked against the workflow, which may be edited. */
const MAX_STEP_ID = 200;

/**
 * Who has a workflow open. Clients renew it; changes are published like those of the workflow, so
 * that the other processes see them, but a renewal writes nothing else.
 */
export class PresenceService {
  /** Of this process, by the id of the presence. */
  private readonly timers = new Map<string, NodeJS.Timeout>();

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly reading: Pick<WorkflowReader, 'byId' | 'get'>;
      readonly writing: Pick<WorkflowWriter, 'claim' | 'announce'>;
      readonly records: PresenceRecords;
    },
  ) {}

  /** Who is there now, by workflow, in the order of their coming. */
  async of(workflowIds: readonly number[]): Promise<PresenceRecord[][]> {
    const records = await this.deps.records.collection.find(
      { workflowId: { $in: [...workflowIds] }, expiresAt: { $gt: this.deps.core.clock.now() } },
      { sort: { since: 1 } },
    );
    return workflowIds.map((id) => records.filter(({ workflowId }) => workflowId === id));
  }

  /**
   * Records or renews that the actor has the workflow open, at a step.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws BadInput TEXT_TOO_LONG
   */
  async set(actor: Actor, workflowId: number, stepId: string | null): Promise<WorkflowRecord> {
    if (stepId !== null && stepId.length > MAX_STEP_ID)
      throw new BadInput(
        'TEXT_TOO_LONG',
        `The id of a step has at most ${MAX_STEP_ID} characters.`,
        {
          path: ['stepId'],
        },
      );
    const { core, reading, records } = this.deps;
    const _id = presenceIdOf(workflowId, actor.userId);
    const workflow = await core.store.transaction(async (tx) => {
      const now = core.clock.now();
      const expiresAt = new Date(now.getTime() + PRESENCE_MS);
      const before = await records.collection.byId(_id, tx);
      const isThere = before !== null && before.expiresAt > now;
      if (isThere && before.stepId === stepId) {
        await records.collection.updateOne({ _id }, { $set: { expiresAt } }, tx);
        return reading.get(workflowId, tx);
      }
      const { userId, email } = authorOf(actor);
      const since = isThere ? before.since : now;
      await records.collection.deleteOne({ _id }, tx);
      await records.collection.insert(
        { _id, workflowId, userId, email, stepId, since, expiresAt },
        tx,
      );
      return this.publish(workflowId, tx);
    });
    this.endLater(_id, workflowId);
    return workflow;
  }

  /** Records that the actor has left. @throws NotFound CONNECTION_NOT_FOUND */
  async end(actor: Actor, workflowId: number): Promise<WorkflowRecord> {
    const { core, reading, records } = this.deps;
    const _id = presenceIdOf(workflowId, actor.userId);
    this.forget(_id);
    return core.store.transaction(async (tx) =>
      (await records.collection.deleteOne({ _id }, tx)) > 0
        ? this.publish(workflowId, tx)
        : reading.get(workflowId, tx),
    );
  }

  stop(): void {
    for (const id of this.timers.keys()) this.forget(id);
  }

  private async publish(workflowId: number, tx: Tx): Promise<WorkflowRecord> {
    const workflow = await this.deps.writing.claim(workflowId, tx, ['workflowId']);
    this.deps.writing.announce(workflowId, 'updated', tx);
    return workflow;
  }

  /** Publishes the end of a presence that is not renewed. */
  private endLater(id: string, workflowId: number): void {
    this.forget(id);
    const end = (): void =>
      void this.endExpired(id, workflowId).catch((error: unknown) =>
        this.deps.core.log.warn({ err: error }, 'Could not end the presence of a user.'),
      );
    this.timers.set(id, setTimeout(end, PRESENCE_MS + 1).unref());
  }

  private async endExpired(_id: string, workflowId: number): Promise<void> {
    this.timers.delete(_id);
    const { core, reading, records } = this.deps;
    await core.store.transaction(async (tx) => {
      const presence = await records.collection.byId(_id, tx);
      // Renewed at another process, which ends it.
      if (presence !== null && presence.expiresAt > core.clock.now()) return;
      await records.collection.deleteOne({ _id }, tx);
      if ((await reading.byId(workflowId, tx)) !== null) await this.publish(workflowId, tx);
    });
  }

  private forget(id: string): void {
    clearTimeout(this.timers.get(id));
    this.timers.delete(id);
  }
}
