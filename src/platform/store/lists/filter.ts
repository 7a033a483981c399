import { BadInput } from '../../errors/errors';
import { hasMoreCharacters } from '../../text/characters';
import { fold } from '../../text/fold';

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

/** Limits of one filter. */
const MOST = { depth: 5, conditions: 50, values: 100, text: 200 } as const;

/** Path of a filter field in the documents, and a conversion if values are stored differently. */
type FilteredField =
  string | { readonly path: string; readonly read: (value: unknown) => unknown } | FoldedField;

/** A text field whose folded form is stored at `folded`; search texts are folded too. */
interface FoldedField {
  readonly folded: string;
  /** Converts search texts. Default: `fold`. */
  readonly keyOf?: (text: string) => string;
  /** The folded form is empty if the text is null. */
  readonly isEmptyForNull?: boolean;
}

/** Filter field to document field: `{ id: { path: '_id', read: toId }, title: 'title' }`. */
export type FilteredFields = Readonly<Record<string, FilteredField>>;

/** `{ eq, in, startsWith, contains, gte, lte, isNull }`: all that are present must hold. */
type Conditions = Readonly<Record<string, unknown>>;

/**
 * Converts the typed filter of an API into a MongoDB filter. All given fields must hold; `and`,
 * `or` and `not` combine. `contains` matches literally, case-insensitively, in lists that are not
 * too long (see `pageOf`). Null values are ignored; use `isNull` to match null.
 * @throws BadInput a limit is exceeded
 */
export function toQuery(
  filter: object | null | undefined,
  fields: FilteredFields,
): Record<string, unknown> {
  return filter ? group(filter, fields, { depth: 1, conditions: 0 }) : {};
}

interface Progress {
  readonly depth: number;
  conditions: number;
}

function group(
  filter: object,
  fields: FilteredFields,
  progress: Progress,
): Record<string, unknown> {
  if (progress.depth > MOST.depth) throw tooMuch(`Filters nest ${MOST.depth} deep at most.`);
  return allOf(
    Object.entries(filter).flatMap(([name, value]) =>
      value == null ? [] : [part(name, value, fields, progress)],
    ),
  );
}

function part(
  name: string,
  value: unknown,
  fields: FilteredFields,
  progress: Progress,
): Record<string, unknown> {
  const inner = (entry: unknown): Record<string, unknown> => {
    const deeper = { depth: progress.depth + 1, conditions: progress.conditions };
    const query = group(entry as object, fields, deeper);
    progress.conditions = count(deeper.conditions + 1);
    return query;
  };
  if (name === 'and') return allOf((value as unknown[]).map(inner));
  if (name === 'or') return either((value as unknown[]).map(inner));
  if (name === 'not') return noneOf(inner(value));
  const field = fields[name];
  if (field === undefined) throw new Error(`The filter field ${name} is mapped to nothing.`);
  return allOf(
    Object.entries(value as Conditions).flatMap(([operator, operand]) => {
      if (operand == null) return [];
      progress.conditions = count(progress.conditions + 1);
      if (typeof field === 'object' && 'folded' in field)
        return [foldedCondition(name, field, operator, operand)];
      const { path, read } =
        typeof field === 'string' ? { path: field, read: (as: unknown) => as } : field;
      return [condition(name, path, operator, operand, read)];
    }),
  );
}

const count = (conditions: number): number => {
  if (conditions > MOST.conditions)
    throw tooMuch(`A filter has ${MOST.conditions} conditions at most.`);
  return conditions;
};

/** An `$or` without branches matches nothing. */
function either(queries: Record<string, unknown>[]): Record<string, unknown> {
  if (queries.length === 0) return NOTHING;
  if (queries.length === 1) return queries[0];
  const used = queries.filter(hasConditions);
  return used.length === 0 ? {} : { $or: used };
}

const noneOf = (query: Record<string, unknown>): Record<string, unknown> =>
  hasConditions(query) ? { $nor: [query] } : {};

const hasConditions = (query: Record<string, unknown>): boolean => Object.keys(query).length > 0;

function condition(
  name: string,
  path: string,
  operator: string,
  operand: unknown,
  read: (value: unknown) => unknown,
): Record<string, unknown> {
  switch (operator) {
    case 'eq':
      return { [path]: { $eq: read(requireSearchable(name, operand)) } };
    case 'in':
      return {
        [path]: {
          $in: several(name, operand).map((value) => read(requireSearchable(name, value))),
        },
      };
    case 'gte':
      return { [path]: { $gte: read(operand) } };
    case 'lte':
      return { [path]: { $lte: read(operand) } };
    case 'isNull':
      return { [path]: operand === true ? null : { $ne: null } };
    case 'contains':
      return either(
        compositionsOf(
          requireShort(name, operator, requireSearchable(name, operand) as string),
        ).map((text) => ({
          [path]: { $regex: escaped(text), $options: 'i' },
        })),
      );
    default:
      throw new Error(`The filter operator ${operator} is not known.`);
  }
}

/** Every operator on a folded text except `contains` is a range of its index. */
function foldedCondition(
  name: string,
  { folded: path, keyOf = fold, isEmptyForNull = false }: FoldedField,
  operator: string,
  operand: unknown,
): Record<string, unknown> {
  if (operator === 'isNull' && isEmptyForNull)
    return { [path]: operand === true ? { $eq: '' } : { $gt: '' } };
  if (operator === 'isNull') return condition(name, path, operator, operand, (value) => value);
  const key = (value: unknown): string =>
    keyOf(requireShort(name, operator, requireSearchable(name, value) as string));
  switch (operator) {
    case 'eq':
      return { [path]: key(operand) };
    case 'in':
      return either(several(name, operand).map((value) => ({ [path]: key(value) })));
    case 'startsWith':
      return { [path]: { $gte: key(operand), $lt: `${key(operand)}\u{10ffff}` } };
    case 'contains':
      return { [path]: { $regex: literal(name, key(operand)) } };
    default:
      throw new Error(`The filter operator ${operator} is not known.`);
  }
}

function requireShort(name: string, operator: string, text: string): string {
  if (hasMoreCharacters(text, MOST.text))
    throw tooMuch(`A text to look for has ${MOST.text} characters at most.`, [
      'filter',
      name,
      operator,
    ]);
  return text;
}

function several(name: string, operand: unknown): unknown[] {
  const values = operand as unknown[];
  if (values.length > MOST.values)
    throw tooMuch(`\`in\` takes ${MOST.values} values at most.`, ['filter', name, 'in']);
  return values;
}

/** Stored texts contain no NUL and no lone surrogates, and MongoDB cannot search for them. */
function requireSearchable(name: string, value: unknown): unknown {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw new BadInput('BAD_REQUEST', 'A text to look for has no NUL and no lone surrogates.', {
      path: ['filter', name],
    });
  }
  return value;
}

const literal = (name: string, text: string): string =>
  escaped(requireShort(name, 'contains', text));

/** Escapes the text for use in a regular expression. */
const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** Accents of a stored text may be parts of letters (NFC), or code points of their own (NFD). */
const compositionsOf = (text: string): string[] => [
  ...new Set([text.normalize('NFC'), text.normalize('NFD')]),
];

/**
 * Pattern for folded texts that contain this text.
 * @throws BadInput the text is too long, or has characters that no stored text contains
 */
export const foldedPattern = (name: string, text: string): string =>
  literal(name, fold(requireShort(name, 'contains', requireSearchable(name, text) as string)));

const tooMuch = (message: string, path: string[] = ['filter']): BadInput =>
  new BadInput('BAD_REQUEST', message, { path });
