import { badValue } from './errors';
import { conditionsAtPath, fieldConditions, refusedTopLevel } from './match/conditions';
import { topLevel } from './paths';
import { isDocument } from './values';
import type { Doc } from './values';

/** A compiled query. */
export interface Filter {
  readonly test: (doc: Doc) => boolean;
  /** Top-level fields that the test reads; the other fields do not affect the result. */
  readonly fields: ReadonlySet<string>;
}

type Node = (doc: Doc) => boolean;

/** Maximum nesting of queries. */
const maximumDepth = 100;

/**
 * Compiles a MongoDB query.
 * @throws StoreError 2 (BadValue) unknown operator or malformed operand, 115 operator or type that
 *   is not supported
 */
export function compileFilter(filter: Doc): Filter {
  const fields = new Set<string>();
  return { test: compileNode(filter, 0, fields), fields };
}

function compileNode(filter: Doc, depth: number, fields: Set<string>): Node {
  if (depth > maximumDepth) throw badValue(`exceeded maximum query tree depth of ${maximumDepth}`);
  const nodes = Object.entries(filter).flatMap(([key, value]) =>
    compileEntry(key, value, depth, fields),
  );
  if (nodes.length === 1) return nodes[0];
  return (doc) => nodes.every((node) => node(doc));
}

function compileEntry(key: string, value: unknown, depth: number, fields: Set<string>): Node[] {
  if (key === '$comment') return [];
  if (key === '$and' || key === '$or' || key === '$nor')
    return [compileLogical(key, value, depth, fields)];
  if (key.startsWith('$')) throw refusedTopLevel(key);
  fields.add(topLevel(key));
  return [conditionsAtPath(fieldConditions(value), key)];
}

function compileLogical(
  operator: '$and' | '$or' | '$nor',
  operand: unknown,
  depth: number,
  fields: Set<string>,
): Node {
  if (!Array.isArray(operand) || operand.length === 0)
    throw badValue('$and/$or/$nor must be a nonempty array');
  const nodes = (operand as unknown[]).map((clause) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileNode(clause, depth + 1, fields);
  });
  if (operator === '$and') return (doc) => nodes.every((node) => node(doc));
  if (operator === '$or') return (doc) => nodes.some((node) => node(doc));
  return (doc) => !nodes.some((node) => node(doc));
}
