import { orNull, partOf, schemaOf } from '../../platform/store/schema';

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
   * Counts users who came or went. Written by the transactions that move them, so that two of them, or one and the deletion of the
   * group, conflict instead of passing each other unseen.
   */
  readonly memberChanges: number;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

export const groupSchema = schemaOf<GroupRecord>({
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

/** A guarded part of the service; seeded, never edited. */
export interface ComponentRecord {
  readonly _id: number;
  readonly name: string;
  readonly description: string;
}

export const componentSchema = schemaOf<ComponentRecord>({ _id: Number, name: String, description: String });
componentSchema.index({ name: 1 }, { unique: true });
