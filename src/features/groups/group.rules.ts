import { ADMIN_GROUP, USER_GROUP } from '../../platform/access/catalogue';
import { BadInput, NotFound } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import { textProblems } from '../../platform/text/text-problems';
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

/** Name blank, too long or unseen; description too long, or no Unicode. */
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
  // Only what is short enough is looked through.
  if (name !== undefined && !isTooLong && !isVisible(name))
    problems.push({
      code: 'NAME_INVALID',
      path: ['name'],
      message: 'The name holds characters that cannot be seen.',
    });
  return [...problems, ...textProblems(description, GROUP_LENGTHS.description, ['description'])];
}

/** A refusal of these texts; nothing when they fit. */
export function textRefusals(texts: Parameters<typeof groupTextProblems>[0]): BadInput[] {
  const problems = groupTextProblems(texts);
  return problems.length > 0
    ? [new BadInput('BAD_REQUEST', 'The group does not fit.', { problems })]
    : [];
}

/** Unknown components and permissions of one input that are told. */
const MOST_UNKNOWN = 100;
/** Stands for any unknown component until all of them are told. */
const UNKNOWN = -1;

/**
 * The grants as they are stored: every component and permission known, each once, in a fixed order.
 * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND, each that is unknown
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
