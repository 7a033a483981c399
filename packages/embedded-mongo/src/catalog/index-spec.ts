import { StoreError, unsupported } from '../errors';
import { compileFilter, isOperators } from '../query/filter';
import { exactInteger } from '../values/compare';
import { isDocument } from '../values/values';
import type { Doc } from '../values/values';
import type { Direction, Index } from './index-entries';

/** Definition of an index before it gets an id. */
export type IndexRequest = Omit<Index, 'id'>;

const IGNORED = new Set(['v', 'background', 'ns']);
const SUPPORTED_OPTIONS = new Set([
  'key',
  'name',
  'unique',
  'sparse',
  'partialFilterExpression',
  'expireAfterSeconds',
  ...IGNORED,
]);

/** @throws StoreError 67 CannotCreateIndex unsupported kind of index */
export function parseIndexSpec(spec: Doc): IndexRequest {
  for (const option of Object.keys(spec))
    if (!SUPPORTED_OPTIONS.has(option)) rejectOption(option, spec[option]);
  const key = parseKey(spec.key);
  if (typeof spec.name !== 'string' || spec.name === '') throw invalid('an index needs a name');
  const partial = spec.partialFilterExpression;
  if (partial !== undefined && !isDocument(partial))
    throw invalid('"partialFilterExpression" must be an object');
  if (partial !== undefined) requirePartial(partial);
  if (partial !== undefined && spec.sparse === true)
    throw invalid('cannot mix "partialFilterExpression" and "sparse" options');
  return {
    key,
    name: spec.name,
    unique: flag(spec, 'unique'),
    sparse: flag(spec, 'sparse'),
    ...(partial === undefined ? {} : { partial, includes: compileFilter(partial) }),
    ...expiry(spec, key),
  };
}

const PARTIAL_OPERATORS = new Set(['$eq', '$in', '$gt', '$gte', '$lt', '$lte']);

/** Accepts the operators that MongoDB allows. @throws StoreError 67 others */
function requirePartial(filter: Doc): void {
  for (const [path, condition] of Object.entries(filter)) {
    if ((path === '$and' || path === '$or') && Array.isArray(condition))
      condition.forEach((branch) => requirePartial(isDocument(branch) ? branch : {}));
    else if (path.startsWith('$') || condition instanceof RegExp)
      throw invalid(`unsupported expression in partial index: ${path}`);
    else if (isOperators(condition)) requirePartialOperators(condition);
  }
}

function requirePartialOperators(condition: Doc): void {
  for (const [operator, operand] of Object.entries(condition)) {
    if (
      operator === '$exists' ? operand !== true && operand !== 1 : !PARTIAL_OPERATORS.has(operator)
    )
      throw invalid(`unsupported expression in partial index: ${operator}`);
  }
}

/** The `_id` index as shown by listIndexes. */
export const ID_INDEX: Doc = { v: 2, key: { _id: 1 }, name: '_id_' };

/** Format of listIndexes. */
export function describeIndex(index: IndexRequest): Doc {
  return {
    v: 2,
    key: Object.fromEntries(index.key),
    name: index.name,
    ...(index.unique ? { unique: true } : {}),
    ...(index.sparse ? { sparse: true } : {}),
    ...(index.partial === undefined ? {} : { partialFilterExpression: index.partial }),
    ...(index.expireAfterSeconds === undefined
      ? {}
      : { expireAfterSeconds: index.expireAfterSeconds }),
  };
}

function parseKey(key: unknown): Index['key'] {
  const fields = isDocument(key) ? Object.entries(key) : [];
  if (fields.length === 0) throw invalid('an index needs at least one field');
  return fields.map(
    ([path, direction]) => [requirePath(path), requireDirection(path, direction)] as const,
  );
}

function requirePath(path: string): string {
  const parts = path.split('.');
  if (parts.includes('') || parts.some((part) => part.startsWith('$')))
    throw path.includes('$**') ? unsupportedIndex('wildcard') : invalid(`bad index path "${path}"`);
  if (parts.some((part) => /^\d+$/.test(part))) throw unsupportedIndex('array position');
  return path;
}

function requireDirection(path: string, direction: unknown): Direction {
  const sign = exactInteger(direction);
  if (sign === 1 || sign === -1) return sign;
  if (typeof direction === 'string') throw unsupportedIndex(direction);
  throw invalid(`the direction of "${path}" must be 1 or -1`);
}

function expiry(spec: Doc, key: Index['key']): { expireAfterSeconds?: number } {
  if (spec.expireAfterSeconds === undefined) return {};
  const seconds = Number(spec.expireAfterSeconds);
  if (!(seconds >= 0 && seconds <= 2_147_483_647))
    throw invalid('expireAfterSeconds must be between 0 and 2147483647');
  if (key.length > 1 || key[0][0] === '_id')
    throw invalid('TTL indexes are single-field indexes, not on _id');
  return { expireAfterSeconds: seconds };
}

function flag(spec: Doc, name: string): boolean {
  const value = spec[name];
  if (value !== undefined && typeof value !== 'boolean' && typeof value !== 'number')
    throw invalid(`"${name}" must be a boolean`);
  return Boolean(value);
}

function rejectOption(option: string, value: unknown): void {
  if (option === 'hidden' && value === false) return;
  if (option === 'collation' && (value as Doc | undefined)?.locale === 'simple') return;
  throw unsupported(`the index option "${option}" is`, 'CannotCreateIndex');
}

const unsupportedIndex = (kind: string): StoreError =>
  unsupported(`an index of type "${kind}" is`, 'CannotCreateIndex');
const invalid = (message: string): StoreError => new StoreError('CannotCreateIndex', message);
