import { ACTIONS } from '../../platform/access/catalogue';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { permissionModel } from './permission.model';
import type { PermissionRecord } from './permission.model';

/** An action on a component, which groups grant by name. */
export interface Permission {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** Counts changes, for optimistic locking. */
  readonly version: number;
}

const DESCRIPTIONS = {
  CREATE: 'Create operation',
  UPDATE: 'Update operation',
  DELETE: 'Delete operation',
  READ: 'Read operation',
} as const;

export const presentPermission = ({
  _id,
  name,
  description,
  version,
}: PermissionRecord): Permission => ({ id: _id, name, description, version });

/** Returns all permissions by id. Reads inside the transaction if `tx` is given. */
export async function readPermissions(store: Store, tx?: Tx): Promise<Permission[]> {
  const records = await permissionModel(store)
    .find({}, { name: 1, description: 1, version: 1 }, { session: tx?.session })
    .sort({ _id: 1 })
    .lean<PermissionRecord[]>();
  return records.map(presentPermission);
}

/** Inserts the permissions of every installation. */
export async function seedPermissions(store: Store, tx: Tx): Promise<void> {
  const records = ACTIONS.map((name, index): PermissionRecord => ({
    _id: index + 1,
    name,
    nameKey: fold(name),
    description: DESCRIPTIONS[name],
    version: 1,
  }));
  await permissionModel(store).insertMany(records, { session: tx.session });
  await store.startSequence('permissions', records.length, tx);
}
