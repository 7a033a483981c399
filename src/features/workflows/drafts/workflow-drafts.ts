import type { Actor } from '../../../platform/access/actor';
import { allows } from '../../../platform/access/need';
import type { Core } from '../../../platform/core';
import { BadInput } from '../../../platform/errors/errors';
import type { Collection } from '../../../platform/store/collection';
import { schemaOf } from '../../../platform/store/schema';
import type { Store, Tx } from '../../../platform/store/store';
import type { WorkflowRecord } from '../workflow.model';
import { workflowPolicy } from '../workflow.policy';
import type { WorkflowWriter } from '../saving/workflow-writer';

/** What a user has not saved of a workflow. It may contain secrets: only that user sees it. */
export interface DraftRecord {
  /** `<workflow id>/<user id>` */
  readonly _id: string;
  readonly workflowId: number;
  readonly userId: number;
  readonly json: string;
  readonly savedAt: Date;
}

const draftSchema = schemaOf<DraftRecord>({
  _id: String,
  workflowId: Number,
  userId: Number,
  json: String,
  savedAt: Date,
});
draftSchema.index({ workflowId: 1 });
draftSchema.index({ userId: 1 });

/** The stored drafts. Deleted with the workflow, and with the user. */
export class DraftRecords {
  readonly collection: Collection<DraftRecord>;

  constructor(store: Store) {
    this.collection = store.collection<DraftRecord>(
      'WorkflowDraft',
      draftSchema,
      'workflow_drafts',
    );
  }

  async removeOf(workflowId: number, tx: Tx): Promise<void> {
    await this.collection.deleteMany({ workflowId }, tx);
  }

  async removeOfUsers(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.collection.deleteMany({ userId: { $in: [...userIds] } }, tx);
  }
}

const MAX_DRAFT_BYTES = 256 * 1024;

const idOf = (workflowId: number, { userId }: Pick<Actor, 'userId'>): string =>
  `${workflowId}/${userId}`;

/** Drafts of workflows: one for each user, for what cannot be saved yet. */
export class WorkflowDrafts {
  constructor(
    private readonly core: Core,
    private readonly writing: Pick<WorkflowWriter, 'claim'>,
    private readonly records: DraftRecords,
  ) {}

  /** The drafts of the actor, in the given order; null for none, or if they may not update. */
  async of(actor: Actor, workflowIds: readonly number[]): Promise<(DraftRecord | null)[]> {
    return allows(workflowPolicy.update, actor)
      ? this.records.collection.byIds(workflowIds.map((id) => idOf(id, actor)))
      : workflowIds.map(() => null);
  }

  /**
   * Replaces the draft of the actor.
   * @throws NotFound CONNECTION_NOT_FOUND
   * @throws BadInput TEXT_TOO_LONG
   */
  async set(actor: Actor, workflowId: number, content: unknown): Promise<WorkflowRecord> {
    const json = JSON.stringify(content);
    if (Buffer.byteLength(json) > MAX_DRAFT_BYTES)
      throw new BadInput('TEXT_TOO_LONG', `A draft has at most ${MAX_DRAFT_BYTES / 1024} KiB.`, {
        path: ['content'],
      });
    const _id = idOf(workflowId, actor);
    const { userId } = actor;
    const draft = { _id, workflowId, userId, json, savedAt: this.core.clock.now() };
    return this.core.store.transaction(async (tx) => {
      const workflow = await this.writing.claim(workflowId, tx, ['workflowId']);
      await this.records.collection.deleteOne({ _id }, tx);
      await this.records.collection.insert(draft, tx);
      return workflow;
    });
  }

  /** Removes the draft of the actor, if there is one. @throws NotFound CONNECTION_NOT_FOUND */
  remove(actor: Actor, workflowId: number): Promise<WorkflowRecord> {
    return this.core.store.transaction(async (tx) => {
      await this.records.collection.deleteOne({ _id: idOf(workflowId, actor) }, tx);
      return this.writing.claim(workflowId, tx, ['workflowId']);
    });
  }
}
