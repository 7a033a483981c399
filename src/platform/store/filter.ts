import { BadInput } from '../errors/errors';
import { hasMoreCharacters } from '../text/characters';
import { fold } from '../text/fold';
import { allOf, NOTHING } from './conjuncts';

/** Caps of one filter, so that a query stays a query. */
const MOST = { depth: 5, conditions: 50, values: 100, text: 200 } as const;

/** Where a field of a filter lives in the documents, and how its values are read where they are not stored as they are sent. */
export type FilteredField =
  string | { readonly path: string; readonly read: (value: unknown) => unknown } | FoldedField;

/** A field whose folded values are kept at `folded`: texts to look for are folded too. */
export interface FoldedField {
  readonly folded: string;
  /** It is empty where the text is null. */
  readonly isEmptyForNull?: boolean;
}

/** Field of the filter -> field of the document. `{ id: { path: '_id', read: (id) => databaseId(id, 'User') }, title: 'title' }` */
export type FilteredFields = Readonly<Record<string, FilteredField>>;

/** `{ eq, in, startsWith, contains, gte, lte, isNull }`: all that are given must hold. */
type Conditions = Readonly<Record<string, unknown>>;

/**
 * Turns the typed filter of a door into a MongoDB filter. Every field that is given must hold; `and`, `or`, `not` combine.
 * `contains` looks for the text as it is, without regard to case, in lists that are not too long; see `pageOf`. What is null is as if it
 * were left out, wherever it stands: `isNull` asks for null. A combination in which nothing is left is left out, too.
 * @throws BadInput beyond the caps
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

/** None of no conditions holds. */
function either(queries: Record<string, unknown>[]): Record<string, unknown> {
  if (queries.length === 0) return NOTHING;
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
      return { [path]: { $eq: read(fit(name, operand)) } };
    case 'in':
      return { [path]: { $in: several(name, operand).map((value) => read(fit(name, value))) } };
    case 'gte':
      return { [path]: { $gte: read(operand) } };
    case 'lte':
      return { [path]: { $lte: read(operand) } };
    case 'isNull':
      return { [path]: operand === true ? null : { $ne: null } };
    case 'contains':
      return { [path]: { $regex: literal(name, fit(name, operand) as string), $options: 'i' } };
    default:
      throw new Error(`The filter operator ${operator} is not known.`);
  }
}

/** Whatever is asked of a folded text, but for `contains`, is a range of its index. */
function foldedCondition(
  name: string,
  { folded: path, isEmptyForNull = false }: FoldedField,
  operator: string,
  operand: unknown,
): Record<string, unknown> {
  if (operator === 'isNull' && isEmptyForNull)
    return { [path]: operand === true ? { $eq: '' } : { $gt: '' } };
  if (operator === 'isNull') return condition(name, path, operator, operand, (value) => value);
  const key = (value: unknown): string =>
    fold(requireShort(name, operator, fit(name, value) as string));
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

/** No stored text has a NUL or half of a character in it, and the store cannot ask for them. */
function fit(name: string, value: unknown): unknown {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
    throw new BadInput('BAD_REQUEST', 'A text to look for has no NUL and no lone surrogates.', {
      path: ['filter', name],
    });
  }
  return value;
}

/** The text with everything that means something in a regular expression made harmless. */
function literal(name: string, text: string): string {
  return requireShort(name, 'contains', text).replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

/**
 * A pattern for folded texts that have this one in them.
 * @throws BadInput it is too long, or none a stored text could have
 */
export const foldedPattern = (name: string, text: string): string =>
  literal(name, fold(requireShort(name, 'contains', fit(name, text) as string)));

const tooMuch = (message: string, path: string[] = ['filter']): BadInput =>
  new BadInput('BAD_REQUEST', message, { path });
