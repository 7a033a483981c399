import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';

/** An action on a component, which groups grant by name. */
export interface PermissionRecord {
  readonly _id: number;
  readonly name: string;
  /** Folded for case-insensitive uniqueness. */
  readonly nameKey: string;
  readonly description: string | null;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const permissionSchema = schemaOf<PermissionRecord>({
  _id: Number,
  name: String,
  nameKey: String,
  description: orNull(String),
  version: Number,
});
permissionSchema.index({ nameKey: 1 }, { unique: true });

export const permissionModel = (store: Store) =>
  store.model<PermissionRecord>('Permission', permissionSchema, 'permissions');
