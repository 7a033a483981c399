import type { Limits } from '../../../config/config';

export type Variables = Readonly<Record<string, unknown>>;

type VariableLimits = Pick<Limits, 'values' | 'nesting'>;

interface VariablesError {
  readonly code: 'BAD_USER_INPUT' | 'QUERY_TOO_COMPLEX';
  readonly message: string;
}

export interface VariablesSize {
  /** Number of values in the variables and the document together. */
  readonly values: number;
  /** Characters of the names and texts in the variables. */
  readonly characters: number;
}

/**
 * Returns the size of the variables and the document together, or why they are refused. `literals`
 * is the number of values in the document. Goes level by level, so that deep nesting cannot
 * overflow the stack: variables come from bodies, multipart fields and socket messages.
 */
export function sizeOfVariables(
  variables: Variables,
  literals: number,
  limits: VariableLimits,
): VariablesSize | VariablesError {
  let values = literals;
  let characters = 0;
  let level: object[] = [variables];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limits.nesting)
      return tooComplex(`The variables are nested more than ${limits.nesting} levels deep.`);
    const next: object[] = [];
    for (const parent of level) {
      if (Object.hasOwn(parent, '__proto__'))
        return {
          code: 'BAD_USER_INPUT',
          message: 'The name __proto__ is not allowed in variables.',
        };
      const names = Array.isArray(parent) ? [] : Object.keys(parent);
      const children: readonly unknown[] = Array.isArray(parent)
        ? parent
        : names.map((name) => (parent as Variables)[name]);
      values += children.length;
      if (values > limits.values)
        return tooComplex(`The variables and literals hold more than ${limits.values} values.`);
      for (const name of names) characters += name.length;
      for (const child of children) {
        if (typeof child === 'string') characters += child.length;
        else if (child !== null && typeof child === 'object') next.push(child);
      }
    }
    level = next;
  }
  return { values, characters };
}

const tooComplex = (message: string): VariablesError => ({ code: 'QUERY_TOO_COMPLEX', message });
