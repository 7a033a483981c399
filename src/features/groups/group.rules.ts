import { ADMIN_GROUP, USER_GROUP } from '../../platform/access/catalogue';
import { BadInput, NotFound } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { characters, isVisible } from '../../platform/text/characters';
import type { Component } from './directory';
import type { ComponentGrant } from './group.model';

/** What a group may do with a component, as a client says it: by id, or by name where there is no id. */
export interface GrantInput {
  readonly componentId?: number;
  readonly name?: string;
  readonly permissions: readonly string[];
}

export const GROUP_LENGTHS = { name: 45, description: 255 } as const;

/** The groups every installation has: renaming or deleting them is refused. */
export const SEEDED_GROUPS: readonly string[] = [ADMIN_GROUP, USER_GROUP];

/** @throws BadInput name blank or too long, description too long */
export function requireGroupTexts({ name, description }: { readonly name?: string; readonly description?: string | null }): void {
  const problems: Problem[] = [];
  if (name !== undefined && name.trim() === '') problems.push({ path: ['name'], message: 'The name is missing.' });
  const isTooLong = name !== undefined && characters(name.trim()) > GROUP_LENGTHS.name;
  if (isTooLong) problems.push({ path: ['name'], message: `At most ${GROUP_LENGTHS.name} characters.` });
  // Only what is short enough is looked through.
  if (name !== undefined && !isTooLong && !isVisible(name)) problems.push({ path: ['name'], message: 'The name holds characters that cannot be seen.' });
  if (description != null && characters(description) > GROUP_LENGTHS.description) {
    problems.push({ path: ['description'], message: `At most ${GROUP_LENGTHS.description} characters.` });
  }
  if (problems.length > 0) throw new BadInput('BAD_REQUEST', 'The group does not fit.', { problems });
}

/**
 * The grants as they are stored: every component and permission known, each once, in a fixed order.
 * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND
 */
export function resolveGrants(inputs: readonly GrantInput[], components: ReadonlyMap<number, Component>, permissionNames: ReadonlySet<string>): ComponentGrant[] {
  const granted = new Map<number, Set<string>>();
  inputs.forEach((input, index) => {
    const component = findComponent(input, components);
    if (!component) throw new NotFound('WRONG_COMPONENT', `There is no component ${input.componentId ?? input.name ?? '(unnamed)'}.`, { path: ['components', index] });
    const names = granted.get(component.id) ?? new Set();
    for (const name of input.permissions) {
      if (!permissionNames.has(name)) throw new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${name}.`, { path: ['components', index, 'permissions'] });
      names.add(name);
    }
    granted.set(component.id, names);
  });
  return [...granted].sort(([left], [right]) => left - right)
    .map(([componentId, names]) => ({ componentId, permissions: [...permissionNames].filter((name) => names.has(name)) }));
}

function findComponent({ componentId, name }: GrantInput, components: ReadonlyMap<number, Component>): Component | undefined {
  if (componentId !== undefined) return components.get(componentId);
  return [...components.values()].find((component) => component.name === name);
}
