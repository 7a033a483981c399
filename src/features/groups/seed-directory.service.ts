import { ACTIONS, ADMIN_GROUP, COMPONENTS, USER_GROUP } from '../../platform/access/catalogue';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { permissionModel } from '../permissions/permission-catalogue.service';
import type { DirectoryService } from './directory.service';
import { DIRECTORY_STATE } from './directory.model';
import type { ComponentGrant, GroupRecord } from './group.model';

/** Ids every installed line knows. */
export const ADMIN_GROUP_ID = 1;
export const USER_GROUP_ID = 2;

const ACTION_DESCRIPTIONS = { CREATE: 'Create operation', UPDATE: 'Update operation', DELETE: 'Delete operation', READ: 'Read operation' } as const;

const idOf = (name: (typeof COMPONENTS)[number]['name']): number => COMPONENTS.find((component) => component.name === name)?.id ?? 0;

const everything: readonly ComponentGrant[] = COMPONENTS.map(({ id }) => ({ componentId: id, permissions: [...ACTIONS] }));
const forUsers: readonly ComponentGrant[] = [
  { componentId: idOf('CONNECTION'), permissions: [...ACTIONS] },
  { componentId: idOf('MYPROFILE'), permissions: [...ACTIONS] },
  { componentId: idOf('DASHBOARD'), permissions: ['READ'] },
];

const group = (id: number, name: string, description: string, components: readonly ComponentGrant[]): GroupRecord =>
  ({ _id: id, name, nameKey: fold(name), description, icon: null, components, memberChanges: 0, version: 1 });

/** The next `nextId` of the sequence is above `value`. */
export async function startSequence(store: Store, sequence: string, value: number, tx: Tx): Promise<void> {
  await store.connection.collection<{ _id: string; value: number }>('sequences')
    .updateOne({ _id: sequence }, { $max: { value } }, { upsert: true, session: tx.session });
}

/**
 * Permissions, components and the groups Admin and User, and the mark that they are there.
 * @throws a duplicate key when another process was first
 */
export async function seedDirectory(store: Store, directory: DirectoryService, tx: Tx): Promise<void> {
  const { session } = tx;
  await directory.states.create([{ _id: DIRECTORY_STATE, revision: 1 }], { session });
  await permissionModel(store).insertMany(
    ACTIONS.map((name, index) => ({ _id: index + 1, name, nameKey: fold(name), description: ACTION_DESCRIPTIONS[name] })), { session });
  await directory.components.insertMany(COMPONENTS.map(({ id, name, description }) => ({ _id: id, name, description })), { session });
  await directory.groups.insertMany([
    group(ADMIN_GROUP_ID, ADMIN_GROUP, 'Admin role', everything),
    group(USER_GROUP_ID, USER_GROUP, 'Middle sys admin', forUsers),
  ], { session });
  await startSequence(store, 'permissions', ACTIONS.length, tx);
  await startSequence(store, 'groups', USER_GROUP_ID, tx);
}
