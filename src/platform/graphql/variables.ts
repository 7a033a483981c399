import type { Limits } from '../../config/config';

export type Variables = Readonly<Record<string, unknown>>;

export type VariableLimits = Pick<Limits, 'values' | 'nesting'>;

/** Why variables are refused. */
export interface VariablesRefusal {
  readonly code: 'BAD_USER_INPUT' | 'QUERY_TOO_COMPLEX';
  readonly message: string;
}

/** How much there is in variables. */
export interface VariablesSize {
  /** Of the variables and the document together. */
  readonly values: number;
  /** Of the names and texts in the variables. */
  readonly characters: number;
}

/**
 * How much these variables and the document hold together, or why they are refused. `literals` is the number of values of the document.
 * Level by level, so that depth itself is no danger: variables come from bodies, multipart fields and socket messages alike.
 */
export function sizeOfVariables(
  variables: Variables,
  literals: number,
  limits: VariableLimits,
): VariablesSize | VariablesRefusal {
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

const tooComplex = (message: string): VariablesRefusal => ({ code: 'QUERY_TOO_COMPLEX', message });
