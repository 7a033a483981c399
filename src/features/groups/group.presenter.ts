import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { Component, Group } from './directory.service';
import { ComponentList, GroupBody, GroupList } from './group.schema';
import type { ComponentBody } from './group.schema';

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

/** Returns the URL of an uploaded file, or null if there is none. */
export const fileUrl = (name: string | null, baseUrl: string): string | null =>
  name === null ? null : `${baseUrl}/api/storage/files/${name}`;

const presentComponents = (group: Group): z.output<typeof ComponentBody>[] =>
  group.components.map(({ component, permissions }) => ({
    enhanceId: component.id,
    name: component.name,
    description: component.description,
    permissions: permissions.map(({ name }) => name),
  }));

/** Spec 2.3: the group in lists and single records of the documented dialect. */
export const presentGroup = (group: Group, baseUrl: string): z.output<typeof GroupBody> => ({
  enhanceId: group.id,
  name: group.name,
  description: group.description,
  icon: fileUrl(group.icon, baseUrl),
  components: presentComponents(group),
});

/** Spec 2.3: in the response to a created user the name is called `role`. */
export function presentGroupOfCreatedUser(group: Group, baseUrl: string) {
  const { enhanceId, name: role, ...rest } = presentGroup(group, baseUrl);
  return { enhanceId, role, ...rest };
}

export const documentedGroups: GroupPresenters = {
  one: presenter(GroupBody, presentGroup),
  list: presenter(GroupList, (groups: readonly Group[], baseUrl: string) => ({
    _embedded: { userGroupResources: groups.map((group) => presentGroup(group, baseUrl)) },
  })),
  components: presenter(ComponentList, (components: readonly Component[]) => ({
    _embedded: {
      componentResources: components.map(({ id, name, description }) => ({
        enhanceId: id,
        name,
        description,
      })),
    },
  })),
};
