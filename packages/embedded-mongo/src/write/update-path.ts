import { StoreError, unsupported } from '../errors';
import { arrayIndex } from '../values/paths';
import {
  assignField,
  describe,
  field,
  isDocument,
  withField,
  withoutField,
} from '../values/values';
import type { Doc } from '../values/values';

/**
 * The names of the path of an update operator.
 * @throws StoreError 56 for empty names, 52 for names starting with `$`, 115 for positional components
 */
export function parseUpdatePath(text: string): readonly string[] {
  if (text === '') throw new StoreError('EmptyFieldName', 'An empty update path is not valid.');
  const names = text.split('.');
  if (names.includes(''))
    throw new StoreError(
      'EmptyFieldName',
      `The update path '${text}' contains an empty field name, which is not allowed.`,
    );
  const dollar = names.find((name) => name.startsWith('$'));
  if (dollar === '$' || dollar?.startsWith('$['))
    throw unsupported(`the positional component ${dollar} of an update path is`);
  if (dollar !== undefined)
    throw new StoreError(
      'DollarPrefixedFieldName',
      `The dollar ($) prefixed field '${dollar}' in '${text}' is not valid for storage.`,
    );
  return names;
}

/** Order in which MongoDB applies updates and adds fields: names by bytes, indexes by value. */
export function comparePaths(a: readonly string[], b: readonly string[]): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    if (a[index] !== b[index]) return compareNames(a[index], b[index]);
  }
  return a.length - b.length;
}

const isNumber = (name: string): boolean => /^\d+$/.test(name);

function compareNames(a: string, b: string): number {
  if (isNumber(a) && isNumber(b)) return Number(a) - Number(b) || a.length - b.length;
  return a < b ? -1 : 1;
}

interface Branch {
  readonly children: Map<string, Branch>;
  isPath: boolean;
}

const newBranch = (): Branch => ({ children: new Map(), isPath: false });

/** @throws StoreError 40 two paths are equal or one contains the other */
export function requireDisjoint(paths: Iterable<readonly string[]>): void {
  const root = newBranch();
  for (const parts of paths) {
    let branch = root;
    parts.forEach((part, index) => {
      let next = branch.children.get(part);
      if (next === undefined) branch.children.set(part, (next = newBranch()));
      else if (next.isPath || index === parts.length - 1)
        throw new StoreError(
          'ConflictingUpdateOperators',
          `Updating the path '${parts.join('.')}' would create a conflict at '${parts.slice(0, index + 1).join('.')}'`,
        );
      branch = next;
    });
    branch.isPath = true;
  }
}

/** Value at a path: present, missing, or blocked by a value that cannot contain it. */
type Lookup =
  | { readonly state: 'found'; readonly value: unknown }
  | { readonly state: 'missing' }
  | { readonly state: 'blocked'; readonly at: number; readonly by: unknown };

/** Maximum number of nulls that an update may add to reach an array index. */
const maximumPadding = 1_500_000;

export function lookUp(doc: Doc, parts: readonly string[]): Lookup {
  let current: unknown = doc;
  for (let at = 0; at < parts.length; at++) {
    if (Array.isArray(current)) {
      const index = arrayIndex(parts[at]);
      if (index === undefined) return { state: 'blocked', at, by: current };
      current = (current as unknown[])[index];
    } else if (isDocument(current)) {
      current = field(current, parts[at]);
    } else {
      return { state: 'blocked', at, by: current };
    }
    if (current === undefined) return { state: 'missing' };
  }
  return { state: 'found', value: current };
}

/**
 * Returns a copy with a value at a path; creates documents and pads arrays with null.
 * @throws StoreError 28 a value on the path cannot contain the field, 2 too much padding
 */
export const setAt = (doc: Doc, parts: readonly string[], value: unknown): Doc =>
  setWithin(doc, parts, 0, value) as Doc;

function setWithin(
  container: unknown,
  parts: readonly string[],
  at: number,
  value: unknown,
): unknown {
  if (at === parts.length) return value;
  const part = parts[at];
  if (container === undefined) return fieldOnly(part, setWithin(undefined, parts, at + 1, value));
  if (isDocument(container))
    return withField(container, part, setWithin(field(container, part), parts, at + 1, value));
  const index = Array.isArray(container) ? arrayIndex(part) : undefined;
  if (index === undefined) throw cannotCreate(parts, at, container);
  const copy = [...(container as unknown[])];
  if (index - copy.length > maximumPadding)
    throw new StoreError('BadValue', `can't backfill more than ${maximumPadding} elements`);
  while (copy.length < index) copy.push(null);
  copy[index] = setWithin(copy[index], parts, at + 1, value);
  return copy;
}

function fieldOnly(name: string, value: unknown): Doc {
  const doc: Doc = {};
  assignField(doc, name, value);
  return doc;
}

/** Returns a copy without the value at an existing path; in arrays, null replaces it. */
export const removeAt = (doc: Doc, parts: readonly string[]): Doc =>
  removeWithin(doc, parts, 0) as Doc;

function removeWithin(container: unknown, parts: readonly string[], at: number): unknown {
  const last = at === parts.length - 1;
  if (Array.isArray(container)) {
    const copy = [...(container as unknown[])];
    const index = Number(parts[at]);
    copy[index] = last ? null : removeWithin(copy[index], parts, at + 1);
    return copy;
  }
  const doc = container as Doc;
  return last
    ? withoutField(doc, parts[at])
    : withField(doc, parts[at], removeWithin(doc[parts[at]], parts, at + 1));
}

const blocking = (parts: readonly string[], at: number, by: unknown): string =>
  at === 0 ? describe(by) : `{${parts[at - 1]}: ${describe(by)}}`;

export const cannotCreate = (parts: readonly string[], at: number, by: unknown): Error =>
  new StoreError(
    'PathNotViable',
    `Cannot create field '${parts[at]}' in element ${blocking(parts, at, by)}`,
  );
