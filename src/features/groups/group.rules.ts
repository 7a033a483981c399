import { ADMIN_GROUP, USER_GROUP } from '../../platform/access/catalogue';
import { BadInput, NotFound } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { hasMoreCharacters, isVisible, textProblems } from '../../platform/text/characters';
import type { Component } from './directory';
import type { ComponentGrant } from './group.model';

/** Permissions for a component as a client sends them. The id takes precedence over the name. */
export interface GrantInput {
  readonly componentId?: number;
  readonly name?: string;
  readonly permissions: readonly string[];
}

export const GROUP_LENGTHS = { name: 45, description: 255 } as const;

/** Groups of every installation. They cannot be renamed or deleted. */
export const SEEDED_GROUPS: readonly string[] = [ADMIN_GROUP, USER_GROUP];

/** Rejects a blank, invisible or too long name, and a too long or malformed description. */
export function groupTextProblems({
  name,
  description,
}: {
  readonly name?: string;
  readonly description?: string | null;
}): Problem[] {
  const problems: Problem[] = [];
  if (name !== undefined && name.trim() === '')
    problems.push({ code: 'NAME_INVALID', path: ['name'], message: 'The name is missing.' });
  const isTooLong = name !== undefined && hasMoreCharacters(name.trim(), GROUP_LENGTHS.name);
  if (isTooLong)
    problems.push({
      code: 'NAME_INVALID',
      path: ['name'],
      message: `At most ${GROUP_LENGTHS.name} characters.`,
    });
  // Checks only texts within the length limit.
  if (name !== undefined && !isTooLong && !isVisible(name))
    problems.push({
      code: 'NAME_INVALID',
      path: ['name'],
      message: 'The name holds characters that cannot be seen.',
    });
  return [...problems, ...textProblems(description, GROUP_LENGTHS.description, ['description'])];
}

export function textRefusals(texts: Parameters<typeof groupTextProblems>[0]): BadInput[] {
  const problems = groupTextProblems(texts);
  return problems.length > 0
    ? [new BadInput('BAD_REQUEST', 'The group does not fit.', { problems })]
    : [];
}

/** Maximum number of reported problems of one input. */
const MOST_UNKNOWN = 100;
/** Placeholder for an unknown component until all are reported. */
const UNKNOWN = -1;

/**
 * Returns the permissions as stored: known, without duplicates, in a fixed order.
 * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND for each unknown one
 */
export function resolveGrants(
  inputs: readonly GrantInput[],
  components: ReadonlyMap<number, Component>,
  permissionNames: ReadonlySet<string>,
): ComponentGrant[] {
  const found = new Findings();
  const granted = new Map<number, Set<string>>();
  inputs.forEach((input, index) => {
    const component = findComponent(input, components);
    if (!component) {
      found.add(
        new NotFound(
          'WRONG_COMPONENT',
          `There is no component ${input.componentId ?? input.name ?? '(unnamed)'}.`,
          { path: ['components', index, 'componentId'] },
        ),
      );
    }
    const names = granted.get(component?.id ?? UNKNOWN) ?? new Set();
    input.permissions.forEach((name, position) => {
      if (!permissionNames.has(name))
        found.add(
          new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${name}.`, {
            path: ['components', index, 'permissions', position],
          }),
        );
      names.add(name);
    });
    granted.set(component?.id ?? UNKNOWN, names);
    if (found.count >= MOST_UNKNOWN) found.refuse();
  });
  found.refuse();
  return [...granted]
    .sort(([left], [right]) => left - right)
    .map(([componentId, names]) => ({
      componentId,
      permissions: [...permissionNames].filter((name) => names.has(name)),
    }));
}

function findComponent(
  { componentId, name }: GrantInput,
  components: ReadonlyMap<number, Component>,
): Component | undefined {
  if (componentId !== undefined) return components.get(componentId);
  return [...components.values()].find((component) => component.name === name);
}
