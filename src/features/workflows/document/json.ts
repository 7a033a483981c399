/**
 * A JSON object from a client. `__proto__` and the like are own keys: copy with spread, never by
 * assignment.
 */
export type JsonObject = { readonly [key: string]: unknown };

export const isJsonObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Maximum nesting depth of a workflow. */
export const DEEPEST = 100;

/**
 * A path in a document as a linked list: the last name, and the path before it. A walk creates one
 * for each value, and most are never converted to an array.
 */
export type DocumentPath = { readonly name: string | number; readonly before: DocumentPath } | null;

/** The names of a path, the outermost first. */
export function namesOf(path: DocumentPath): (string | number)[] {
  const names: (string | number)[] = [];
  for (let part = path; part !== null; part = part.before) names.unshift(part.name);
  return names;
}

type Test = (value: unknown, depth: number, name: string | null) => boolean;

/**
 * Returns whether `test` is true for the value and everything in it. `test` also gets the number of
 * enclosing lists and objects, and the name of the field.
 */
function everyValue(value: unknown, test: Test, depth = 0, name: string | null = null): boolean {
  if (!test(value, depth, name)) return false;
  if (Array.isArray(value)) return value.every((entry) => everyValue(entry, test, depth + 1));
  return (
    !isJsonObject(value) ||
    Object.keys(value).every((field) => everyValue(value[field], test, depth + 1, field))
  );
}

/** Deep-freezes a value, because several callers share it. */
export function freezeAll(root: unknown): void {
  everyValue(root, (value) => {
    Object.freeze(value);
    return true;
  });
}

/**
 * Returns whether the value nests deeper than `limit`. Stops at that depth, so hostile input is
 * safe.
 */
export function nestsDeeperThan(root: unknown, limit: number): boolean {
  return !everyValue(
    root,
    (value, depth) => depth <= limit || typeof value !== 'object' || value === null,
  );
}

/** Returns whether any text at any depth contains `part`. */
export function hasText(root: unknown, part: string): boolean {
  return !everyValue(root, (value) => typeof value !== 'string' || !value.includes(part));
}

/** Calls `show` with every text in document order, including field names. */
export function everyText(root: unknown, show: (text: string) => void): void {
  everyValue(root, (value, _depth, name) => {
    if (name !== null) show(name);
    if (typeof value === 'string') show(value);
    return true;
  });
}

/** Approximate length of the JSON text, in characters. */
export function roughLength(root: unknown): number {
  let length = 0;
  everyValue(root, (value, _depth, name) => {
    length +=
      (name === null ? 0 : name.length + 3) + (typeof value === 'string' ? value.length + 3 : 4);
    return true;
  });
  return length;
}

/** Returns whether two values are the same JSON, apart from the order of object keys. */
export function isSameJson(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (Array.isArray(one))
    return (
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((entry, at) => isSameJson(entry, other[at]))
    );
  if (!isJsonObject(one) || !isJsonObject(other)) return false;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isSameJson(one[name], other[name]))
  );
}
