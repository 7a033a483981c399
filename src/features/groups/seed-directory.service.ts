import { ACTIONS, ADMIN_GROUP, COMPONENTS, USER_GROUP } from '../../platform/access/catalogue';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { seedPermissions } from '../permissions/permission-catalogue.service';
import { DIRECTORY_STATE, directoryStateModel } from './directory.model';
import { componentModel, groupModel } from './group.model';
import type { ComponentGrant, GroupRecord } from './group.model';

/** Fixed ids, the same in all released lines. */
export const ADMIN_GROUP_ID = 1;
export const USER_GROUP_ID = 2;

const idOf = (name: (typeof COMPONENTS)[number]['name']): number =>
  COMPONENTS.find((component) => component.name === name)?.id ?? 0;

const everything: readonly ComponentGrant[] = COMPONENTS.map(({ id }) => ({
  componentId: id,
  permissions: [...ACTIONS],
}));
const forUsers: readonly ComponentGrant[] = [
  { componentId: idOf('CONNECTION'), permissions: [...ACTIONS] },
  { componentId: idOf('MYPROFILE'), permissions: [...ACTIONS] },
  { componentId: idOf('DASHBOARD'), permissions: ['READ'] },
];

const group = (
  id: number,
  name: string,
  description: string,
  components: readonly ComponentGrant[],
): GroupRecord => ({
  _id: id,
  name,
  nameKey: fold(name),
  description,
  icon: null,
  components,
  memberChanges: 0,
  version: 1,
});

/**
 * Inserts permissions, components, the groups Admin and User, and the directory state.
 * @throws a duplicate key error if another process was first
 */
export async function seedDirectory(store: Store, tx: Tx): Promise<void> {
  const { session } = tx;
  await directoryStateModel(store).create([{ _id: DIRECTORY_STATE, revision: 1 }], { session });
  await seedPermissions(store, tx);
  await componentModel(store).insertMany(
    COMPONENTS.map(({ id, name, description }) => ({ _id: id, name, description })),
    { session },
  );
  await groupModel(store).insertMany(
    [
      group(ADMIN_GROUP_ID, ADMIN_GROUP, 'Admin role', everything),
      group(USER_GROUP_ID, USER_GROUP, 'Middle sys admin', forUsers),
    ],
    { session },
  );
  await store.startSequence('groups', USER_GROUP_ID, tx);
}
