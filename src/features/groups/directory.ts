import type { Permission } from '../permissions/permission-catalogue.service';
import type { ComponentGrant, ComponentRecord, GroupRecord } from './group.model';

/** A protected part of the service. */
export interface Component {
  readonly id: number;
  readonly name: string;
  readonly description: string;
}

/** Permissions of a group for one component. */
export interface GroupComponent {
  readonly component: Component;
  readonly permissions: readonly Permission[];
}

/** A group with everything it allows. */
export interface Group {
  readonly id: number;
  readonly name: string;
  readonly description: string | null;
  /** File name of the icon among the uploads. */
  readonly icon: string | null;
  readonly components: readonly GroupComponent[];
  /** The permissions as `COMPONENT:ACTION`. */
  readonly grants: ReadonlySet<string>;
  readonly version: number;
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
  components: ReadonlyMap<number, Component>,
  permissions: ReadonlyMap<string, Permission>,
): Group {
  return {
    id: record._id,
    name: record.name,
    description: record.description,
    icon: record.icon,
    components: record.components.flatMap(({ componentId, permissions: names }) => {
      const component = components.get(componentId);
      return component
        ? [{ component, permissions: names.flatMap((name) => permissions.get(name) ?? []) }]
        : [];
    }),
    grants: grantsOf(record.components, components),
    version: record.version,
  };
}

export function buildDirectory(
  revision: number,
  groups: readonly GroupRecord[],
  components: readonly ComponentRecord[],
  permissions: readonly Permission[],
): Directory {
  const componentsById = new Map(
    components.map(({ _id, name, description }) => [_id, { id: _id, name, description }]),
  );
  const permissionsByName = new Map(permissions.map((permission) => [permission.name, permission]));
  return {
    revision,
    components: componentsById,
    permissions: permissionsByName,
    groups: new Map(
      groups.map((group) => [group._id, buildGroup(group, componentsById, permissionsByName)]),
    ),
  };
}
