/** One condition of a query; all conditions of a query must hold. */
export interface Conjunct {
  /** `equal`: one of some values. `range`: one or more ranges. `other`: not served by an index. */
  readonly kind: 'equal' | 'range' | 'other';
  /** Empty for `other`. */
  readonly path: string;
  /** Number of accepted values for `equal`; otherwise infinite. */
  readonly values: number;
  readonly query: Record<string, unknown>;
}

/** A query that matches nothing. */
export const NOTHING: Readonly<Record<string, unknown>> = { _id: { $in: [] } };

/** Combines queries with `$and`; merging the objects would overwrite conditions on one field. */
export function allOf(queries: readonly Record<string, unknown>[]): Record<string, unknown> {
  const used = queries.filter((query) => Object.keys(query).length > 0);
  return used.length > 1 ? { $and: used } : (used[0] ?? {});
}

const RANGE = new Set(['$gt', '$gte', '$lt', '$lte']);

/**
 * Splits a query made by `toQuery` into its conditions. `{ $and: [{ a: 1 }, { b: { $gte: 2 } }] }`
 * has one `equal` and one `range`.
 */
export function conjunctsOf(query: Record<string, unknown>): Conjunct[] {
  return Object.entries(query).flatMap(([name, operand]) => {
    if (name === '$and') return (operand as Record<string, unknown>[]).flatMap(conjunctsOf);
    const own = { [name]: operand };
    if (name === '$or') return [alternatives(own, operand as Record<string, unknown>[])];
    return [name.startsWith('$') ? other(own) : conditionOf(name, operand, own)];
  });
}

function conditionOf(path: string, operand: unknown, query: Record<string, unknown>): Conjunct {
  if (
    typeof operand !== 'object' ||
    operand === null ||
    Object.getPrototypeOf(operand) !== Object.prototype
  )
    return { kind: 'equal', path, values: 1, query };
  const operators = Object.entries(operand);
  const [[name, value]] = operators;
  if (operators.length === 1 && name === '$eq') return { kind: 'equal', path, values: 1, query };
  if (operators.length === 1 && name === '$in')
    return { kind: 'equal', path, values: (value as unknown[]).length, query };
  const isRange = operators.every(
    ([operator, bound]) => RANGE.has(operator) || (operator === '$ne' && bound === null),
  );
  return isRange ? { kind: 'range', path, values: Infinity, query } : other(query);
}

/** An `$or` of ranges of one field counts as one range: the index is read range by range. */
function alternatives(
  query: Record<string, unknown>,
  branches: readonly Record<string, unknown>[],
): Conjunct {
  const conjuncts = branches.map(conjunctsOf);
  const [path] = conjuncts.map(([first]) => first?.path ?? '');
  const isOfOneField =
    path !== undefined &&
    path !== '' &&
    conjuncts.every((branch) => branch.length === 1 && branch[0]?.path === path);
  return isOfOneField ? { kind: 'range', path, values: Infinity, query } : other(query);
}

const other = (query: Record<string, unknown>): Conjunct => ({
  kind: 'other',
  path: '',
  values: Infinity,
  query,
});
