import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** What a group may do with one component: names of permissions. */
export interface ComponentGrant {
  readonly componentId: number;
  readonly permissions: readonly string[];
}

/** A group with everything it allows: one document, so that a change is atomic by construction. */
export interface GroupRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded, so that uniqueness knows no case. */
  readonly nameKey: string;
  readonly description: string | null;
  /** Name of the icon's file among the uploads. */
  readonly icon: string | null;
  readonly components: readonly ComponentGrant[];
  /**
   * Counts users who came to a group that can be deleted, or went from the administrators. Written by the transactions that move them, so
   * that one of them and the deletion, or two who leave, conflict instead of passing each other unseen.
   */
  readonly memberChanges: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const groupSchema = schemaOf<GroupRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  description: orNull(String),
  icon: orNull(String),
  components: [partOf<ComponentGrant>({ componentId: Number, permissions: [String] })],
  memberChanges: Number,
  version: Number,
});
groupSchema.index({ nameKey: 1 }, { unique: true });

export const groupModel = (store: Store) =>
  store.model<GroupRecord>('Group', groupSchema, 'groups');

/** A guarded part of the service; seeded, never edited. */
export interface ComponentRecord {
  readonly _id: number;
  readonly name: string;
  readonly description: string;
}

const componentSchema = schemaOf<ComponentRecord>({
  _id: Number,
  name: String,
  description: String,
});
componentSchema.index({ name: 1 }, { unique: true });

export const componentModel = (store: Store) =>
  store.model<ComponentRecord>('Component', componentSchema, 'components');
