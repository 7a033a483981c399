/** One of the conditions of a query that must all hold. */
export interface Conjunct {
  /** `equal`: to one of some values. `range`: a stretch of the values, or several. `other`: no index finds it. */
  readonly kind: 'equal' | 'range' | 'other';
  /** Empty for `other`. */
  readonly path: string;
  /** How many values it may have, for `equal`; else infinite. */
  readonly values: number;
  readonly query: Record<string, unknown>;
}

/** The query that finds nothing. */
export const NOTHING: Readonly<Record<string, unknown>> = { _id: { $in: [] } };

/** The query for what all of these ask, side by side: conditions of the same field must not overwrite each other. */
export function allOf(queries: readonly Record<string, unknown>[]): Record<string, unknown> {
  const used = queries.filter((query) => Object.keys(query).length > 0);
  return used.length > 1 ? { $and: used } : (used[0] ?? {});
}

const RANGE = new Set(['$gt', '$gte', '$lt', '$lte']);

/** The conditions of a query as `toQuery` makes them. `{ $and: [{ a: 1 }, { b: { $gte: 2 } }] }` has one of each kind. */
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

/** Stretches of one field are read one after the other. */
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
