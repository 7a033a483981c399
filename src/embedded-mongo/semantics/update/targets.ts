import { describe } from '../describe';
import { badValue } from '../errors';
import type { Doc } from '../values';
import type { ArrayFilters } from './array-filters';
import { lookUp } from './edit';
import type { PathPart, UpdatePath } from './path';

/** What the positional components of a path refer to. */
export interface Positions {
  /** The element the query matched, for `$`. */
  readonly matched: number | undefined;
  readonly filters: ArrayFilters;
}

/**
 * The concrete paths an update path means in a document.
 * @throws StoreError 2 when `$` has no match, or `$[]` and `$[id]` do not stand on an array
 */
export function resolveTargets(doc: Doc, path: UpdatePath, positions: Positions): string[][] {
  return path.parts.reduce<string[][]>(
    (prefixes, part) => prefixes.flatMap((prefix) => namesAt(doc, prefix, part, positions).map((name) => [...prefix, name])),
    [[]],
  );
}

function namesAt(doc: Doc, prefix: readonly string[], part: PathPart, positions: Positions): readonly string[] {
  if (part.kind === 'field') return [part.name];
  if (part.kind === 'matched') return [matchedName(positions)];
  const test = part.kind === 'all' ? () => true : positions.filters.get(part.identifier);
  const array = arrayAt(doc, prefix);
  return array.flatMap((element, index) => (test?.(element) === true ? [String(index)] : []));
}

function matchedName({ matched }: Positions): string {
  if (matched === undefined) throw badValue('The positional operator did not find the match needed from the query.');
  return String(matched);
}

function arrayAt(doc: Doc, prefix: readonly string[]): readonly unknown[] {
  const found = lookUp(doc, prefix);
  if (found.state !== 'found') throw badValue(`The path '${prefix.join('.')}' must exist in the document in order to apply array updates.`);
  if (!Array.isArray(found.value)) {
    throw badValue(`Cannot apply array updates to non-array element ${prefix.at(-1)}: ${describe(found.value)}`);
  }
  return found.value as unknown[];
}
