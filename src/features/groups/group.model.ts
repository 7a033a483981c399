import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** Names of a group's permissions for one component. */
export interface ComponentGrant {
  readonly componentId: number;
  readonly permissions: readonly string[];
}

/** A group with its permissions in one document, so that a change is atomic. */
export interface GroupRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded for case-insensitive uniqueness. */
  readonly nameKey: string;
  readonly description: string | null;
  /** File name of the icon among the uploads. */
  readonly icon: string | null;
  readonly components: readonly ComponentGrant[];
  /**
   * Incremented when a user joins a group that can be deleted, or leaves the administrators, so
   * that concurrent removals and deletions conflict.
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

/** A protected part of the service. Seeded, never edited. */
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
