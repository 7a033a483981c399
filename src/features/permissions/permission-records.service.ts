import { ACTIONS } from '../../platform/access/catalogue';
import { orNull, schemaOf } from '../../platform/store/schema';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';

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

export const permissionCollection = (store: Store) =>
  store.collection<PermissionRecord>('Permission', permissionSchema, 'permissions');

export interface Permission extends Omit<PermissionRecord, '_id' | 'nameKey'> {
  readonly id: number;
}

export const presentPermission = ({
  _id,
  name,
  description,
  version,
}: PermissionRecord): Permission => ({ id: _id, name, description, version });

/** Returns all permissions by id. Reads inside the transaction if `tx` is given. */
export async function readPermissions(store: Store, tx?: Tx): Promise<Permission[]> {
  const records = await permissionCollection(store).find(
    {},
    { tx, fields: { name: 1, description: 1, version: 1 }, sort: { _id: 1 } },
  );
  return records.map(presentPermission);
}

const DESCRIPTIONS = {
  CREATE: 'Create operation',
  UPDATE: 'Update operation',
  DELETE: 'Delete operation',
  READ: 'Read operation',
} as const;

/** Inserts the permissions of every installation. */
export async function seedPermissions(store: Store, tx: Tx): Promise<void> {
  const records = ACTIONS.map((name, index): PermissionRecord => ({
    _id: index + 1,
    name,
    nameKey: fold(name),
    description: DESCRIPTIONS[name],
    version: 1,
  }));
  await permissionCollection(store).insertMany(records, tx);
  await store.startSequence('permissions', records.length, tx);
}
