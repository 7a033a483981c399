import { badValue } from './errors';
import { conditionsAtPath, fieldConditions, refusedTopLevel } from './match/field';
import type { Hit } from './match/leaf';
import { isDocument } from './values';
import type { Doc } from './values';

/** A compiled query. */
export interface Filter {
  readonly test: (doc: Doc) => boolean;
  /** The index, in the outermost array the filter went through, of the element that satisfied it; for the positional `$`. */
  readonly positionOf: (doc: Doc) => number | undefined;
}

type Node = (doc: Doc, hit?: Hit) => boolean;

/** Deeper than any document can be, and shallow enough for the stack. */
const maximumDepth = 100;

/**
 * Compiles a MongoDB query.
 * @throws StoreError 2 (BadValue) for unknown operators and malformed operands, 115 naming an operator or type that
 * MongoDB has and this store has not
 */
export function compileFilter(filter: Doc): Filter {
  const node = compileNode(filter, 0);
  return {
    test: (doc) => node(doc),
    positionOf: (doc) => {
      const hit: Hit = {};
      return node(doc, hit) ? hit.index : undefined;
    },
  };
}

function compileNode(filter: Doc, depth: number): Node {
  if (depth > maximumDepth) throw badValue(`exceeded maximum query tree depth of ${maximumDepth}`);
  const nodes = Object.entries(filter).flatMap(([key, value]) => compileEntry(key, value, depth));
  if (nodes.length === 1) return nodes[0];
  return (doc, hit) => nodes.every((node) => node(doc, hit));
}

function compileEntry(key: string, value: unknown, depth: number): Node[] {
  if (key === '$comment') return [];
  if (key === '$and' || key === '$or' || key === '$nor') return [compileLogical(key, value, depth)];
  if (key.startsWith('$')) throw refusedTopLevel(key);
  return [conditionsAtPath(fieldConditions(value, (inner) => compileNode(inner, depth + 1)), key)];
}

function compileLogical(operator: '$and' | '$or' | '$nor', operand: unknown, depth: number): Node {
  if (!Array.isArray(operand) || operand.length === 0) throw badValue('$and/$or/$nor must be a nonempty array');
  const nodes = (operand as unknown[]).map((clause) => {
    if (!isDocument(clause)) throw badValue('$or/$and/$nor entries need to be full objects');
    return compileNode(clause, depth + 1);
  });
  if (operator === '$and') return (doc, hit) => nodes.every((node) => node(doc, hit));
  if (operator === '$or') return (doc, hit) => nodes.some((node) => node(doc, hit));
  return (doc) => !nodes.some((node) => node(doc));
}
