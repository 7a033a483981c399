import { badValue, failedToParse } from '../errors';
import { compileFilter } from '../match';
import { isDocument } from '../values';
import type { Doc } from '../values';
import type { UpdatePath } from './path';

/** Tests of array elements by identifier. */
export type ArrayFilters = ReadonlyMap<string, (element: unknown) => boolean>;

/**
 * Compiles `arrayFilters`. Each is a filter on one top-level name, the identifier.
 * @throws StoreError 9 for none or several names and for repeated identifiers, 2 for a malformed identifier
 */
export function compileArrayFilters(filters: readonly Doc[]): ArrayFilters {
  const compiled = new Map<string, (element: unknown) => boolean>();
  for (const filter of filters) {
    const identifier = identifierOf(filter);
    if (compiled.has(identifier)) throw failedToParse(`Found multiple array filters with the same top-level field name ${identifier}`);
    const { test } = compileFilter(filter);
    compiled.set(identifier, (element) => test({ [identifier]: element }));
  }
  return compiled;
}

function identifierOf(filter: Doc): string {
  const names = new Set(topLevelNames(filter));
  if (names.size === 0) throw failedToParse('Cannot use an expression without a top-level field name in arrayFilters');
  const [identifier, other] = names;
  if (other !== undefined) throw failedToParse(`Error parsing array filter :: caused by :: Expected a single top-level field name, found '${identifier}' and '${other}'`);
  if (!/^[a-z][a-zA-Z0-9]*$/.test(identifier)) {
    throw badValue(`Error parsing array filter :: caused by :: The top-level field name must be an alphanumeric string beginning with a lowercase letter, found '${identifier}'`);
  }
  return identifier;
}

function topLevelNames(filter: Doc): string[] {
  return Object.entries(filter).flatMap(([key, value]) => {
    if (!key.startsWith('$')) return [key.split('.')[0]];
    return Array.isArray(value) ? value.filter(isDocument).flatMap(topLevelNames) : [];
  });
}

/** @throws StoreError 2 for an identifier without filter, 9 for a filter no path uses */
export function requireMatchingFilters(paths: readonly UpdatePath[], filters: ArrayFilters): void {
  const used = new Set<string>();
  for (const { parts, text } of paths) {
    for (const part of parts) {
      if (part.kind !== 'filtered') continue;
      if (!filters.has(part.identifier)) throw badValue(`No array filter found for identifier '${part.identifier}' in path '${text}'`);
      used.add(part.identifier);
    }
  }
  const unused = [...filters.keys()].find((identifier) => !used.has(identifier));
  if (unused !== undefined) throw failedToParse(`The array filter for identifier '${unused}' was not used in the update`);
}
