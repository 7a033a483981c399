import type { z } from 'zod';
import type { Component, Group } from './directory.service';
import type { ComponentBody, GroupBody } from './group.schema';

/** Where an uploaded file is served, for whoever reached us at `baseUrl`. */
export const fileUrl = (name: string | null, baseUrl: string): string | null => (name === null ? null : `${baseUrl}/api/storage/files/${name}`);

const presentComponents = (group: Group): z.output<typeof ComponentBody>[] =>
  group.components.map(({ component, permissions }) => ({
    enhanceId: component.id,
    name: component.name,
    description: component.description,
    permissions: permissions.map(({ name }) => name),
  }));

/** Spec 2.3, as every list and single record has it. */
export const presentGroup = (group: Group, baseUrl: string): z.output<typeof GroupBody> => ({
  enhanceId: group.id,
  name: group.name,
  description: group.description,
  icon: fileUrl(group.icon, baseUrl),
  components: presentComponents(group),
});

/** Spec 2.3: in the answer to a created user the name travels as `role`. */
export function presentGroupOfCreatedUser(group: Group, baseUrl: string) {
  const { enhanceId, name: role, ...rest } = presentGroup(group, baseUrl);
  return { enhanceId, role, ...rest };
}

export const presentComponent = ({ id, name, description }: Component) => ({ enhanceId: id, name, description });
