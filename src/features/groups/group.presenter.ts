import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { Component, Group } from './directory.service';

/** REST representations of groups and components. The string is the base URL of the request. */
export interface GroupPresenters {
  readonly one: Presenter<[Group, string]>;
  readonly list: Presenter<[readonly Group[], string]>;
  readonly components: Presenter<[readonly Component[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly groups: GroupPresenters;
  }
}

/** Spec 2.4. */
export const ComponentBody = z
  .object({
    enhanceId: AnswerId,
    name: z.string(),
    description: z.string(),
    permissions: z.array(z.string()),
  })
  .meta({
    id: 'Component',
    description: 'A protected part of the service, and the permissions of a group for it.',
  });

/** Spec 2.3. */
export const GroupBody = z
  .object({
    enhanceId: AnswerId,
    name: z.string(),
    description: z.string().nullable(),
    icon: z.string().meta({ format: 'uri', description: 'URL of the icon.' }).nullable(),
    components: z.array(ComponentBody),
  })
  .meta({ id: 'UserGroup', description: 'A group of users.' });

const GroupList = z
  .object({ _embedded: z.object({ userGroupResources: z.array(GroupBody) }) })
  .meta({ id: 'UserGroupList' });

const ComponentList = z
  .object({
    _embedded: z.object({ componentResources: z.array(ComponentBody.omit({ permissions: true })) }),
  })
  .meta({ id: 'ComponentList' });

/** Returns the URL of an uploaded file, or null if there is none. */
export const fileUrl = (name: string | null, baseUrl: string): string | null =>
  name === null ? null : `${baseUrl}/api/storage/files/${name}`;

const presentComponent = ({ id, name, description }: Component) => ({
  enhanceId: id,
  name,
  description,
});

/** Spec 2.3: the group in lists and single records of the documented dialect. */
export const presentGroup = (group: Group, baseUrl: string): z.output<typeof GroupBody> => ({
  enhanceId: group.id,
  name: group.name,
  description: group.description,
  icon: fileUrl(group.icon, baseUrl),
  components: group.components.map(({ component, permissions }) => ({
    ...presentComponent(component),
    permissions: permissions.map(({ name }) => name),
  })),
});

/** Spec 2.3: in the response to a created user the name is called `role`. */
export function presentGroupOfCreatedUser(group: Group, baseUrl: string) {
  const { enhanceId, name: role, ...rest } = presentGroup(group, baseUrl);
  return { enhanceId, role, ...rest };
}

const ReleasedComponent = z
  .object({ componentId: AnswerId, name: z.string(), permissions: z.array(z.string()) })
  .meta({ id: 'ReleasedComponent' });

/** A group as the released clients read it. */
export const ReleasedGroupBody = z
  .object({
    groupId: AnswerId,
    name: z.string(),
    description: z.string(),
    icon: GroupBody.shape.icon,
    components: z.array(ReleasedComponent),
  })
  .meta({ id: 'ReleasedUserGroup', description: 'A group of users.' });

export const presentReleasedGroup = (
  group: Group,
  baseUrl: string,
): z.output<typeof ReleasedGroupBody> => ({
  groupId: group.id,
  name: group.name,
  description: group.description ?? '',
  icon: fileUrl(group.icon, baseUrl),
  components: group.components.map(({ component, permissions }) => ({
    componentId: component.id,
    name: component.name,
    permissions: permissions.map(({ name }) => name),
  })),
});

export const releasedGroups: GroupPresenters = {
  one: presenter(ReleasedGroupBody, presentReleasedGroup),
  list: presenter(ReleasedGroupBody.array(), (groups: readonly Group[], baseUrl: string) =>
    groups.map((group) => presentReleasedGroup(group, baseUrl)),
  ),
  components: presenter(
    ReleasedComponent.omit({ permissions: true }).array(),
    (components: readonly Component[]) =>
      components.map(({ id, name }) => ({ componentId: id, name })),
  ),
};

export const documentedGroups: GroupPresenters = {
  one: presenter(GroupBody, presentGroup),
  list: presenter(GroupList, (groups: readonly Group[], baseUrl: string) => ({
    _embedded: { userGroupResources: groups.map((group) => presentGroup(group, baseUrl)) },
  })),
  components: presenter(ComponentList, (components: readonly Component[]) => ({
    _embedded: { componentResources: components.map(presentComponent) },
  })),
};
