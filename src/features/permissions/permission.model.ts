import { Schema } from 'mongoose';

/** What may be done with a component: a name that groups grant. */
export interface PermissionRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded, so that uniqueness knows no case. */
  readonly nameKey: string;
  readonly description: string | null;
}

export const permissionSchema = new Schema<PermissionRecord>(
  {
    _id: { type: Number, required: true },
    name: { type: String, required: true },
    nameKey: { type: String, required: true },
    description: { type: String, default: null },
  },
  { versionKey: false },
);
permissionSchema.index({ nameKey: 1 }, { unique: true });
