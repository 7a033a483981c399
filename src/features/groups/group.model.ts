import { ADMIN_GROUP, USER_GROUP } from '../../platform/access/catalogue';
import { deepFreeze } from '../../platform/deep-freeze';
import { orNull, partOf, schemaOf } from '../../platform/store/schema';
import type { Store } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { Permission } from '../permissions/permission-records.service';

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

export const groupCollection = (store: Store) =>
  store.collection<GroupRecord>('Group', groupSchema, 'groups');

interface NewGroupRecord extends Pick<GroupRecord, '_id' | 'name' | 'components'> {
  readonly description?: string | null;
}

export const newGroupRecord = (fields: NewGroupRecord): GroupRecord => ({
  ...fields,
  description: fields.description ?? null,
  nameKey: fold(fields.name),
  icon: null,
  memberChanges: 0,
  version: 1,
});

/** Groups of every installation. They cannot be renamed or deleted. */
export const SEEDED_GROUPS: readonly string[] = [ADMIN_GROUP, USER_GROUP];

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

export const componentCollection = (store: Store) =>
  store.collection<ComponentRecord>('Component', componentSchema, 'components');

/**
 * Counts changes of groups and permissions. Each change writes it in its transaction, so that
 * deleting a permission and granting it conflict, and other processes notice an outdated snapshot.
 */
export interface DirectoryStateRecord {
  readonly _id: string;
  readonly revision: number;
}

const directoryStateSchema = schemaOf<DirectoryStateRecord>({ _id: String, revision: Number });

export const directoryStateCollection = (store: Store) =>
  store.collection<DirectoryStateRecord>('DirectoryState', directoryStateSchema, 'directory_state');

export interface Component extends Omit<ComponentRecord, '_id'> {
  readonly id: number;
}

export interface GroupComponent {
  readonly component: Component;
  readonly permissions: readonly Permission[];
}

/** A group with everything it allows. */
export interface Group extends Omit<
  GroupRecord,
  '_id' | 'nameKey' | 'components' | 'memberChanges'
> {
  readonly id: number;
  readonly components: readonly GroupComponent[];
  /** The permissions as `COMPONENT:ACTION`. */
  readonly grants: ReadonlySet<string>;
}

/** Immutable snapshot of groups, components and permissions. */
export interface Directory {
  readonly revision: number;
  readonly groups: ReadonlyMap<number, Group>;
  readonly components: ReadonlyMap<number, Component>;
  readonly permissions: ReadonlyMap<string, Permission>;
}

export function grantsOf(
  granted: readonly ComponentGrant[],
  components: ReadonlyMap<number, Component>,
): Set<string> {
  return new Set(
    granted.flatMap(({ componentId, permissions }) => {
      const component = components.get(componentId);
      return component ? permissions.map((permission) => `${component.name}:${permission}`) : [];
    }),
  );
}

export function buildGroup(
  record: GroupRecord,
  { components, permissions }: Pick<Directory, 'components' | 'permissions'>,
): Group {
  const { _id: id, nameKey: _key, memberChanges: _count, components: granted, ...fields } = record;
  return {
    ...fields,
    id,
    components: deepFreeze(
      granted.flatMap(({ componentId, permissions: names }) => {
        const component = components.get(componentId);
        return component
          ? [{ component, permissions: names.flatMap((name) => permissions.get(name) ?? []) }]
          : [];
      }),
    ),
    grants: grantsOf(granted, components),
  };
}

export function buildDirectory(
  revision: number,
  groupRecords: readonly GroupRecord[],
  componentRecords: readonly ComponentRecord[],
  permissionList: readonly Permission[],
): Directory {
  const components = new Map(
    componentRecords.map(({ _id: id, name, description }) => [id, { id, name, description }]),
  );
  const permissions = new Map(permissionList.map((permission) => [permission.name, permission]));
  const groups = new Map(
    groupRecords.map((record) => [record._id, buildGroup(record, { components, permissions })]),
  );
  return { revision, groups, components, permissions };
}
