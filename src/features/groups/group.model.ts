import { Schema } from 'mongoose';

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

export const groupSchema = new Schema<GroupRecord>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    description: { type: String, default: null },
    icon: { type: String, default: null },
    components: [{ _id: false, componentId: { type: Number, required: true }, permissions: { type: [String], default: [] } }],
    memberChanges: { type: Number, default: 0 },
    version: { type: Number, required: true },
  },
  { versionKey: false },
);
groupSchema.index({ nameKey: 1 }, { unique: true });

/** A guarded part of the service; seeded, never edited. */
export interface ComponentRecord {
  readonly _id: number;
  readonly name: string;
  readonly description: string;
}

export const componentSchema = new Schema<ComponentRecord>(
  { _id: { type: Number, required: true }, name: { type: String, required: true }, description: { type: String, default: '' } },
  { versionKey: false },
);
componentSchema.index({ name: 1 }, { unique: true });
