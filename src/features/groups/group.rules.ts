import { BadInput, NotFound } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { textProblems } from '../../platform/errors/text-problems';
import { hasMoreCharacters, isVisible } from '../../platform/text/characters';
import type { Component, ComponentGrant } from './group.model';

/** Permissions for a component as a client sends them. The id takes precedence over the name. */
export interface GrantInput {
  readonly componentId?: number;
  readonly name?: string;
  readonly permissions: readonly string[];
}

export interface NewGroup {
  readonly name: string;
  readonly description?: string | null;
  readonly components?: readonly GrantInput[];
}

/** A change of a group; missing fields stay unchanged. */
export type GroupChange = Partial<NewGroup>;

export const GROUP_LENGTHS = { name: 45, description: 255 } as const;
/** Maximum number of reported problems of one input. */
const MAX_REPORTED = 100;
/** Placeholder for an unknown component until all are reported. */
const UNKNOWN = -1;

function nameProblem(name: string | undefined): string | null {
  if (name === undefined) return null;
  if (name.trim() === '') return 'The name is missing.';
  if (hasMoreCharacters(name.trim(), GROUP_LENGTHS.name))
    return `At most ${GROUP_LENGTHS.name} characters.`;
  return isVisible(name) ? null : 'The name contains invisible characters.';
}

/** Returns the error for an invalid name or description; an empty list if both are valid. */
export function textErrors({ name, description }: GroupChange): BadInput[] {
  const message = nameProblem(name);
  const problems: Problem[] = [
    ...(message === null ? [] : [{ code: 'NAME_INVALID', path: ['name'], message } as const]),
    ...textProblems(description, GROUP_LENGTHS.description, ['description']),
  ];
  return problems.length > 0
    ? [new BadInput('BAD_REQUEST', 'The group is invalid.', { problems })]
    : [];
}

/**
 * Returns the permissions as stored: existing ones, without duplicates, in a fixed order.
 * @throws NotFound WRONG_COMPONENT, PERMISSION_NOT_FOUND for each unknown one
 */
export function resolveGrants(
  inputs: readonly GrantInput[],
  components: ReadonlyMap<number, Component>,
  permissionNames: ReadonlySet<string>,
): ComponentGrant[] {
  const findings = new Findings();
  const granted = new Map<number, Set<string>>();
  inputs.forEach((input, index) => {
    const component = findComponent(input, components);
    if (!component)
      findings.add(
        new NotFound(
          'WRONG_COMPONENT',
          `There is no component ${input.componentId ?? input.name ?? '(unnamed)'}.`,
          { path: ['components', index, 'componentId'] },
        ),
      );
    const names = granted.get(component?.id ?? UNKNOWN) ?? new Set();
    input.permissions.forEach((name, position) => {
      if (!permissionNames.has(name))
        findings.add(
          new NotFound('PERMISSION_NOT_FOUND', `There is no permission ${name}.`, {
            path: ['components', index, 'permissions', position],
          }),
        );
      names.add(name);
    });
    granted.set(component?.id ?? UNKNOWN, names);
    if (findings.count >= MAX_REPORTED) findings.refuse();
  });
  findings.refuse();
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
