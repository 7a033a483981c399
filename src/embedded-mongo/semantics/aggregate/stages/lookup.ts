import { failedToParse, unsupported } from '../../errors';
import { visitPath } from '../../paths';
import { fieldNames } from '../../project/tree';
import { isDocument } from '../../values';
import type { Doc } from '../../values';
import type { Lookup, StageCompiler } from '../stage';
import { setPath } from './fields';

const names = ['from', 'localField', 'foreignField', 'as'] as const;

/** The collection a `$lookup` reads. */
export const lookupSource = (specification: unknown): string => parse(specification).from;

/** `$lookup` by equality of a local and a foreign field. */
export const lookup: StageCompiler = (specification) => {
  const { from, localField, foreignField, as } = parse(specification);
  const path = fieldNames(localField);
  fieldNames(foreignField);
  fieldNames(as);
  return (docs, find) => docs.map((doc) => {
    const values = localValues(doc, path);
    return setPath(doc, as, values.length === 0 ? joinNothing(from, foreignField, find) : find(from, foreignField, values));
  });
};

function parse(specification: unknown): Record<typeof names[number], string> {
  if (!isDocument(specification)) throw failedToParse('the $lookup specification must be an Object');
  for (const [name, value] of Object.entries(specification)) {
    if (name === 'pipeline' || name === 'let') throw unsupported(`$lookup with ${name} is`);
    if (!(names as readonly string[]).includes(name)) throw failedToParse(`unknown argument to $lookup: ${name}`);
    if (isDocument(value) && name === 'from') throw unsupported('$lookup from another database is');
    if (typeof value !== 'string') throw failedToParse(`$lookup argument '${name}' must be a string, found ${name}: ${String(value)}`);
  }
  const missing = names.find((name) => !Object.hasOwn(specification, name));
  if (missing !== undefined) throw failedToParse(`$lookup requires either 'pipeline' or both 'localField' and 'foreignField' to be specified: missing ${missing}`);
  return specification as Record<typeof names[number], string>;
}

/** Every value at the path, through arrays; a missing value joins as null. */
function localValues(doc: Doc, path: readonly string[]): unknown[] {
  const values: unknown[] = [];
  visitPath(doc, path, 0, false, (value) => {
    if (Array.isArray(value)) values.push(...(value as unknown[]));
    else values.push(value ?? null);
    return false;
  });
  return values;
}

/** Whether no value at all joins with null or with nothing differs between MongoDB's engines: only answered where both agree. */
function joinNothing(from: string, foreignField: string, find: Lookup): Doc[] {
  if (foreignField !== '_id' && find(from, foreignField, [null]).length > 0) {
    throw unsupported('$lookup of an empty array into a collection where the foreign field is null or missing is');
  }
  return [];
}
