import type { Collection } from '../../../platform/store/collection';
import { orNull, schemaOf } from '../../../platform/store/schema';
import type { Store, Tx } from '../../../platform/store/store';

/** A user who has a workflow open in an editor. */
export interface PresenceRecord {
  /** `<workflow id>/<user id>` */
  readonly _id: string;
  readonly workflowId: number;
  readonly userId: number;
  readonly email: string;
  readonly stepId: string | null;
  readonly since: Date;
  /** From then on it does not count, even if it is still stored. */
  readonly expiresAt: Date;
}

const presenceSchema = schemaOf<PresenceRecord>({
  _id: String,
  workflowId: Number,
  userId: Number,
  email: String,
  stepId: orNull(String),
  since: Date,
  expiresAt: Date,
});
presenceSchema.index({ workflowId: 1, since: 1 });
presenceSchema.index({ userId: 1 });
presenceSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const presenceIdOf = (workflowId: number, userId: number): string =>
  `${workflowId}/${userId}`;

/** Stored presence. Deleted with the workflow, and with the user. */
export class PresenceRecords {
  readonly collection: Collection<PresenceRecord>;

  constructor(store: Store) {
    this.collection = store.collection<PresenceRecord>(
      'WorkflowPresence',
      presenceSchema,
      'workflow_presence',
    );
  }

  async removeOf(workflowId: number, tx: Tx): Promise<void> {
    await this.collection.deleteMany({ workflowId }, tx);
  }

  async removeOfUsers(userIds: readonly number[], tx: Tx): Promise<void> {
    await this.collection.deleteMany({ userId: { $in: [...userIds] } }, tx);
  }
}
