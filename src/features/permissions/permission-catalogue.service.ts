import type { Store, Tx } from '../../platform/store/store';
import { permissionSchema } from './permission.model';
import type { PermissionRecord } from './permission.model';

/** What may be done with a component: a name that groups grant. */
export interface Permission {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
}

export const permissionModel = (store: Store) => store.model<PermissionRecord>('Permission', permissionSchema, 'permissions');

/** Every permission there is, by id; inside a transaction when `tx` is given. */
export async function readPermissions(store: Store, tx?: Tx): Promise<Permission[]> {
  const records = await permissionModel(store).find({}, { name: 1, description: 1 }, { session: tx?.session }).sort({ _id: 1 }).lean<PermissionRecord[]>();
  return records.map(({ _id, name, description }) => ({ id: _id, name, description }));
}
