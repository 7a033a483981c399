import type { Limits } from '../../config/config';

export type Variables = Readonly<Record<string, unknown>>;

export type VariableLimits = Pick<Limits, 'values' | 'nesting'>;

/** Why variables are refused. */
export interface VariablesRefusal {
  readonly code: 'BAD_USER_INPUT' | 'QUERY_TOO_COMPLEX';
  readonly message: string;
}

/**
 * How many values these variables and the document hold together, or why they are refused. `literals` is the number of values of the
 * document. Level by level, so that depth itself is no danger: variables come from bodies, multipart fields and socket messages alike.
 */
export function countValues(variables: Variables, literals: number, limits: VariableLimits): number | VariablesRefusal {
  let values = literals;
  let level: object[] = [variables];
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > limits.nesting) return tooComplex(`The variables are nested more than ${limits.nesting} levels deep.`);
    const next: object[] = [];
    for (const parent of level) {
      if (Object.hasOwn(parent, '__proto__')) return { code: 'BAD_USER_INPUT', message: 'The name __proto__ is not allowed in variables.' };
      const children: readonly unknown[] = Array.isArray(parent) ? parent : Object.values(parent);
      values += children.length;
      if (values > limits.values) return tooComplex(`The variables and literals hold more than ${limits.values} values.`);
      for (const child of children) if (child !== null && typeof child === 'object') next.push(child);
    }
    level = next;
  }
  return values;
}

const tooComplex = (message: string): VariablesRefusal => ({ code: 'QUERY_TOO_COMPLEX', message });
