/** A decoded document; see values.ts, which knows this file. */
type Doc = Record<string, unknown>;

/**
 * JavaScript moves object keys that look like array indexes to the front in numeric order; BSON
 * keeps the order of the document, which matters for sort specifications. Remembers the order of
 * such documents.
 */
const orders = new WeakMap<Doc, readonly string[]>();
let anyRemembered = false;

const looksLikeIndex = (name: string): boolean => /^(0|[1-9]\d{0,9})$/.test(name);

/** `names`: the keys of `doc` in the order of its bytes. */
export function rememberOrder(doc: Doc, names: readonly string[]): void {
  if (names.length < 2 || !names.some(looksLikeIndex)) return;
  anyRemembered = true;
  orders.set(doc, names);
}

/** The fields of a document in their BSON order. */
export function orderedEntries(doc: Doc): [name: string, value: unknown][] {
  const names = orders.get(doc);
  return names === undefined
    ? Object.entries(doc)
    : names.filter((name) => Object.hasOwn(doc, name)).map((name) => [name, doc[name]]);
}

/** A copy that differs in one field keeps the order; a new field comes last. */
export function keepOrder(original: Doc, copy: Doc, name: string): void {
  const names = orders.get(original);
  if (names !== undefined || looksLikeIndex(name))
    rememberOrder(copy, [...new Set([...(names ?? Object.keys(original)), name])]);
}

/** A document whose fields come in the order of `entries`. */
export function fromOrderedEntries(entries: readonly (readonly [string, unknown])[]): Doc {
  const doc: Doc = Object.fromEntries(entries);
  rememberOrder(
    doc,
    entries.map(([name]) => name),
  );
  return doc;
}

/** The same value for the BSON library: a Map wherever an object would have another order. */
export function inOrder(value: unknown): unknown {
  if (!anyRemembered || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(inOrder);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value;
  const entries = orderedEntries(value as Doc).map(([name, inner]): [string, unknown] => [
    name,
    inOrder(inner),
  ]);
  return new Map(entries);
}
