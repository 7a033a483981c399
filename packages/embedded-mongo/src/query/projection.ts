import { StoreError, unsupported } from '../errors';
import { BsonType, Elements, documentOf } from '../values/bson-elements';
import { isDocument, isNumeric } from '../values/values';
import type { Doc } from '../values/values';
import { isTruthy } from './filter';

interface Entry {
  readonly path: string;
  readonly isIncluded: boolean;
}

/** Fields of one level with a rule, by name; `within` has the rules for a field of theirs. */
interface Fields {
  readonly including: boolean;
  readonly named: Array<{
    readonly name: string;
    readonly bytes: Buffer;
    readonly within: Fields | undefined;
  }>;
}

/**
 * Compiles the projection of find: inclusion or exclusion of (dotted) fields. Works on bytes, so
 * that kept values are unchanged.
 * @throws StoreError 31253 / 31254 mixed inclusion and exclusion, 31249 / 31250 overlapping paths,
 *   115 operators, positions and computed fields
 */
export function compileProjection(projection: Doc): (document: Buffer) => Buffer {
  const entries = Object.entries(projection).flatMap(([path, value]) => entriesOf(path, value));
  if (entries.length === 0) return (document) => document;
  const fields: Fields = { including: isInclusion(entries), named: [] };
  for (const { path, isIncluded } of entries)
    if (isIncluded === fields.including) addPath(fields, path);
  const hasId =
    entries.some(({ path }) => path === '_id') || fields.named.some(({ name }) => name === '_id');
  if (fields.including && !hasId) addPath(fields, '_id');
  return (document) => projected(fields, document, 0);
}

function entriesOf(path: string, value: unknown): Entry[] {
  if (path.split('.').includes('$')) throw unsupported(`the positional projection ${path} is`);
  if (typeof value === 'boolean' || isNumeric(value))
    return [{ path, isIncluded: isTruthy(value) }];
  if (!isDocument(value)) throw unsupported(`computed fields in a projection (at ${path}) are`);
  const [operator] = Object.keys(value);
  if (operator === undefined)
    throw new StoreError(
      51270,
      `An empty sub-projection is not a valid value. Found empty object at path ${path}`,
    );
  if (operator.startsWith('$')) throw unsupported(`the projection operator ${operator} is`);
  return Object.entries(value).flatMap(([name, inner]) => entriesOf(`${path}.${name}`, inner));
}

/** The first field determines the kind of all; only `_id` may differ. */
function isInclusion(entries: readonly Entry[]): boolean {
  const [first, ...others] = entries.filter(({ path }) => path !== '_id');
  if (first === undefined) return entries[0].isIncluded;
  const { isIncluded } = first;
  const other = others.find((entry) => entry.isIncluded !== isIncluded);
  if (other === undefined) return isIncluded;
  throw isIncluded
    ? new StoreError(31254, `Cannot do exclusion on field ${other.path} in inclusion projection`)
    : new StoreError(31253, `Cannot do inclusion on field ${other.path} in exclusion projection`);
}

/** @throws StoreError 31250 / 31249 conflicting path, 15998 and others invalid names */
function addPath(fields: Fields, path: string): void {
  const names = fieldNames(path);
  const last = names.length - 1;
  let level = fields;
  names.forEach((name, index) => {
    const existing = level.named.find((field) => field.name === name);
    if (existing !== undefined && index === last)
      throw new StoreError(31250, `Path collision at ${path}`);
    if (existing !== undefined && existing.within === undefined) {
      const rest = names.slice(index + 1).join('.');
      throw new StoreError(31249, `Path collision at ${name}.${rest} remaining portion ${rest}`);
    }
    const within =
      index === last ? undefined : (existing?.within ?? { including: fields.including, named: [] });
    if (existing === undefined)
      level.named.push({ name, bytes: Buffer.from(name, 'utf8'), within });
    if (within !== undefined) level = within;
  });
}

/** @throws StoreError 40352 / 40353 / 15998 / 16410 invalid path */
function fieldNames(path: string): string[] {
  if (path === '') throw new StoreError(40352, 'FieldPath cannot be constructed with empty string');
  if (path.endsWith('.')) throw new StoreError(40353, "FieldPath must not end with a '.'.");
  const names = path.split('.');
  if (names.includes(''))
    throw new StoreError(15998, 'FieldPath field names may not be empty strings.');
  if (names.some((name) => name.startsWith('$')))
    throw new StoreError(
      16410,
      "FieldPath field names may not start with '$'. Consider using $getField or $setField.",
    );
  return names;
}

function projected(fields: Fields, bytes: Buffer, offset: number): Buffer {
  const parts: Buffer[] = [];
  for (const elements = new Elements(bytes, offset); elements.next();) {
    const field = fields.named.find(({ bytes: name }) => elements.isNamed(name));
    if (field?.within === undefined) {
      if ((field !== undefined) === fields.including) parts.push(elements.element);
      continue;
    }
    const value = within(field.within, elements);
    if (value !== undefined) parts.push(bytes.subarray(elements.start, elements.valueStart), value);
  }
  return documentOf(parts);
}

/** Returns the kept part of a value; `undefined` removes the element (a scalar has no fields). */
function within(fields: Fields, elements: Elements): Buffer | undefined {
  if (elements.type === BsonType.document)
    return projected(fields, elements.bytes, elements.valueStart);
  if (elements.type === BsonType.array)
    return everyElement(fields, elements.bytes, elements.valueStart);
  return fields.including ? undefined : elements.bytes.subarray(elements.valueStart, elements.end);
}

function everyElement(fields: Fields, bytes: Buffer, offset: number): Buffer {
  const parts: Buffer[] = [];
  let index = 0;
  for (const elements = new Elements(bytes, offset); elements.next();) {
    const value = within(fields, elements);
    if (value !== undefined)
      parts.push(Buffer.from([elements.type]), Buffer.from(`${index++}\0`, 'latin1'), value);
  }
  return documentOf(parts);
}
