import { StoreError } from '../errors';
import { isOperators } from '../query/filter';
import { regexLiteral } from '../query/regex';
import { compareStrings } from '../values/compare';
import { isDocument, requireSupported, requireValidId } from '../values/values';
import type { Doc } from '../values/values';
import { parseUpdatePath, setAt } from './update-path';

const cannotInfer = (reason: string): StoreError =>
  new StoreError('NotSingleValueField', `cannot infer query fields to set, ${reason}`);

/**
 * Returns the document that an upsert starts from: the fields for which the filter requires one
 * value (`a: 1`, `$eq`, `$in` with one value, also within `$and` or an `$or` of one clause), ordered
 * by path with `_id` first.
 * @throws StoreError 54 a field occurs twice, or together with a field inside it
 */
export function upsertSeed(filter: Doc): Doc {
  const equalities = new Map<string, unknown>();
  collect(filter, equalities);
  const paths = [...equalities.keys()].sort(compareStrings);
  requireNoNesting(paths);
  const seed = paths.reduce<Doc>(
    (doc, path) => setAt(doc, parseUpdatePath(path), equalities.get(path)),
    {},
  );
  if (!Object.hasOwn(seed, '_id')) return seed;
  requireValidId(seed._id);
  const { _id, ...rest } = seed;
  return { _id, ...rest };
}

function collect(filter: Doc, equalities: Map<string, unknown>): void {
  for (const [key, value] of Object.entries(filter)) {
    if (key === '$and' || (key === '$or' && Array.isArray(value) && value.length === 1)) {
      for (const clause of value as unknown[]) if (isDocument(clause)) collect(clause, equalities);
    } else if (!key.startsWith('$')) {
      for (const equal of equalValues(value)) addEquality(equalities, key, equal);
    }
  }
}

function addEquality(equalities: Map<string, unknown>, path: string, value: unknown): void {
  if (equalities.has(path)) throw cannotInfer(`path '${path}' is matched twice`);
  requireSupported(value);
  equalities.set(path, value);
}

function equalValues(value: unknown): unknown[] {
  if (!isOperators(value)) return regexLiteral(value) === undefined ? [value] : [];
  return Object.entries(value).flatMap(([operator, operand]) => {
    if (operator === '$eq') return [operand];
    if (operator === '$in' && Array.isArray(operand) && operand.length === 1)
      return (operand as unknown[]).filter(isPlain);
    return [];
  });
}

const isPlain = (value: unknown): boolean =>
  !isOperators(value) && regexLiteral(value) === undefined;

function requireNoNesting(paths: readonly string[]): void {
  for (const path of paths) {
    const inner = paths.find((other) => other.startsWith(`${path}.`));
    if (inner !== undefined) throw cannotInfer(`both paths '${path}' and '${inner}' are matched`);
  }
}
