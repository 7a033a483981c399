import { isJsonObject, namesOf } from '../document/json';
import type { DocumentPath, JsonObject } from '../document/json';
import { partIdOf } from '../document/part-ids';

/*
 * The change between two JSON values. Patches and step edits create a new document; undo stores the
 * `Inverse` of the change, and diffs and the audit list its `Difference`s. Fields that are
 * undefined count as missing, because JSON text does not contain them.
 */

/** A path at which two values differ; undefined where one has no value. */
export interface Difference {
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
}

/**
 * Restores the previous value byte for byte from the current one. Not an RFC 6902 patch, because
 * that does not preserve the order of object keys. Stored as JSON.
 */
export type Inverse =
  /** Replaces the value. */
  | readonly ['value', unknown]
  /**
   * Changes an object: fields to set, names to remove, and the key order; null if the kept keys
   * come first and are followed by the added ones.
   */
  | readonly [
      'object',
      fields: readonly (readonly [string, Inverse])[],
      removed: readonly string[],
      order: readonly string[] | null,
    ]
  /** Builds a list from these pieces. */
  | readonly ['list', pieces: readonly Piece[]];

/** Unchanged entries of the current list (start, count), a changed entry, or a new value. */
type Piece =
  | readonly ['keep', from: number, count: number]
  | readonly ['change', at: number, Inverse]
  | readonly ['value', unknown];

/**
 * Returns the deepest paths at which two values differ, in the order of their fields. Lists are
 * compared by position.
 * @param most maximum number of differences
 */
export function listDifferences(before: unknown, after: unknown, most: number): Difference[] {
  const differences: Difference[] = [];
  function compare(left: unknown, right: unknown, path: DocumentPath): void {
    const names = namesIn(left, right);
    if (names === null) {
      differences.push({ path: namesOf(path), before: left, after: right });
      return;
    }
    for (const name of names) {
      if (differences.length >= most) return;
      const [old, now] = [valueOf(left, name), valueOf(right, name)];
      if (old !== now) compare(old, now, { name, before: path });
    }
  }
  if (before !== after) compare(before, after, null);
  return differences;
}

/** The names in either of two objects, or positions in either of two lists; null for others. */
function namesIn(left: unknown, right: unknown): Iterable<string | number> | null {
  if (Array.isArray(left) && Array.isArray(right))
    return new Array(Math.max(left.length, right.length)).keys();
  if (isJsonObject(left) && isJsonObject(right))
    return new Set([...Object.keys(left), ...Object.keys(right)]);
  return null;
}

const valueOf = (container: unknown, name: string | number): unknown =>
  Object.hasOwn(container as object, name) ? (container as JsonObject)[name] : undefined;

/** Returns the inverse that leads from `now` to `before`; null if they are equal. */
export function computeInverse(before: unknown, now: unknown): Inverse | null {
  if (before === now) return null;
  if (Array.isArray(before) && Array.isArray(now)) return invertList(before, now);
  if (isJsonObject(before) && isJsonObject(now)) return invertObject(before, now);
  return ['value', before];
}

function invertObject(before: JsonObject, now: JsonObject): Inverse | null {
  const [old, names] = [fieldNames(before), fieldNames(now)];
  const fields: [string, Inverse][] = [];
  const added: string[] = [];
  for (const name of old) {
    const isThere = Object.hasOwn(now, name) && now[name] !== undefined;
    if (!isThere) added.push(name);
    const inverse: Inverse | null = isThere
      ? computeInverse(before[name], now[name])
      : ['value', before[name]];
    if (inverse) fields.push([name, inverse]);
  }
  const oldNames = new Set(old);
  const removed = names.filter((name) => !oldNames.has(name));
  const natural = [...names.filter((name) => oldNames.has(name)), ...added];
  const order = natural.every((name, at) => name === old[at]) ? null : old;
  return fields.length === 0 && removed.length === 0 && order === null
    ? null
    : ['object', fields, removed, order];
}

const fieldNames = (object: JsonObject): string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined);

function invertList(before: readonly unknown[], now: readonly unknown[]): Inverse | null {
  const pieces: Piece[] = [];
  const positions = alignById(before, now) ?? alignEnds(before, now);
  for (const [nth, entry] of before.entries()) {
    const at = positions[nth] ?? -1;
    if (at < 0) {
      pieces.push(['value', entry]);
      continue;
    }
    const inverse = computeInverse(entry, now[at]);
    const last = pieces.at(-1);
    if (inverse) pieces.push(['change', at, inverse]);
    else if (last?.[0] === 'keep' && last[1] + last[2] === at)
      pieces[pieces.length - 1] = ['keep', last[1], last[2] + 1];
    else pieces.push(['keep', at, 1]);
  }
  const [first] = pieces;
  const isSame =
    pieces.length <= 1 &&
    before.length === now.length &&
    (first === undefined || (first[0] === 'keep' && first[1] === 0));
  return isSame ? null : ['list', pieces];
}

/**
 * Returns for each entry of `before` the position in `now` of the entry with its id, or -1; null if
 * the ids do not identify all entries.
 */
function alignById(before: readonly unknown[], now: readonly unknown[]): number[] | null {
  const positions = positionsById(now);
  const old = positions && positionsById(before);
  return old && [...old.keys()].map((id) => positions.get(id) ?? -1);
}

/** Returns null if an entry has no id, or an id occurs twice. */
function positionsById(list: readonly unknown[]): ReadonlyMap<string, number> | null {
  const positions = new Map<string, number>();
  for (const [position, entry] of list.entries()) {
    const id = isJsonObject(entry) ? partIdOf(entry) : null;
    if (id === null || positions.has(id)) return null;
    positions.set(id, position);
  }
  return positions;
}

/** Like `alignById`: by position, after skipping similar entries at the start and end. */
function alignEnds(before: readonly unknown[], now: readonly unknown[]): number[] {
  const shorter = Math.min(before.length, now.length);
  let [start, end] = [0, 0];
  while (start < shorter && isSimilar(before[start], now[start])) {
    start += 1;
  }
  while (
    end < shorter - start &&
    isSimilar(before[before.length - 1 - end], now[now.length - 1 - end])
  ) {
    end += 1;
  }
  return before.map((_, at) => {
    const fromEnd = before.length - at;
    if (fromEnd <= end) return now.length - fromEnd;
    return at < now.length - end ? at : -1;
  });
}

/** Maximum number of fields that `isSimilar` compares per entry. */
const MAX_COMPARED_FIELDS = 5;

/** Heuristic: a wrong result makes the inverse longer, but not incorrect. */
function isSimilar(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null)
    return false;
  let compared = 0;
  for (const name in one) {
    if ((compared += 1) > MAX_COMPARED_FIELDS) return true;
    const [left, right] = [(one as JsonObject)[name], (other as JsonObject)[name]];
    if (left !== right && (typeof left !== 'object' || typeof right !== 'object')) return false;
  }
  return true;
}

/** Returns the previous value. Unchanged parts are shared with `now`. */
export function applyInverse(now: unknown, inverse: Inverse): unknown {
  if (inverse[0] === 'value') return inverse[1];
  if (inverse[0] === 'list') {
    const entries = now as readonly unknown[];
    const list: unknown[] = [];
    for (const piece of inverse[1]) {
      if (piece[0] === 'value') list.push(piece[1]);
      else if (piece[0] === 'change') list.push(applyInverse(entries[piece[1]], piece[2]));
      else for (let at = piece[1]; at < piece[1] + piece[2]; at += 1) list.push(entries[at]);
    }
    return list;
  }
  const [, changes, removed, order] = inverse;
  const object = now as JsonObject;
  const fields = new Map(fieldNames(object).map((name) => [name, object[name]]));
  for (const name of removed) fields.delete(name);
  for (const [name, change] of changes) {
    fields.set(name, applyInverse(fields.get(name), change));
  }
  return Object.fromEntries(order ? order.map((name) => [name, fields.get(name)]) : fields);
}
