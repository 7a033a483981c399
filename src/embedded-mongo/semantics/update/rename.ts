import { describe } from '../describe';
import { badValue } from '../errors';
import type { Doc } from '../values';
import { cannotTraverse, lookUp, removeAt, setAt } from './edit';
import { isStatic, parseUpdatePath } from './path';
import type { UpdatePath } from './path';

export interface Rename {
  readonly from: UpdatePath;
  readonly to: UpdatePath;
}

/**
 * Parses one entry of `$rename`.
 * @throws StoreError 2 for a target that is no name, equal to or within the source, or positional
 */
export function parseRename(source: string, target: unknown): Rename {
  if (typeof target !== 'string') throw badValue(`The 'to' field for $rename must be a string: ${source}: ${describe(target)}`);
  if (source === target) throw badValue(`The source and target field for $rename must differ: ${source}: "${target}"`);
  if (`${source}.`.startsWith(`${target}.`) || `${target}.`.startsWith(`${source}.`)) {
    throw badValue(`The source and target field for $rename must not be on the same path: ${source}: "${target}"`);
  }
  const from = parseUpdatePath(source);
  const to = parseUpdatePath(target);
  if (!isStatic(from)) throw badValue(`The source field for $rename may not be dynamic: ${source}`);
  if (!isStatic(to)) throw badValue(`The destination field for $rename may not be dynamic: ${target}`);
  return { from, to };
}

/** @throws StoreError 28 when the source cannot be reached, 2 when source or target lies in an array */
export function applyRename(doc: Doc, { from, to }: Rename): Doc {
  const source = from.text.split('.');
  const target = to.text.split('.');
  const found = lookUp(doc, source);
  if (found.state === 'blocked') throw cannotTraverse(source, found.at, found.by);
  if (found.state === 'missing') return doc;
  requireNoArray(doc, source, 'source');
  requireNoArray(doc, target, 'destination');
  return setAt(removeAt(doc, source), target, found.value);
}

function requireNoArray(doc: Doc, parts: readonly string[], role: 'source' | 'destination'): void {
  for (let length = 1; length < parts.length; length++) {
    const found = lookUp(doc, parts.slice(0, length));
    if (found.state === 'found' && Array.isArray(found.value)) {
      throw badValue(`The ${role} field cannot be an array element, '${parts.join('.')}' in doc with _id: ${describe(doc._id)} has an array field called '${parts[length - 1]}'`);
    }
  }
}
