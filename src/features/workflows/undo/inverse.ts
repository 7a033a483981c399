import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import { alignLists } from './align-lists';

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
      gone: readonly string[],
      order: readonly string[] | null,
    ]
  /** Builds a list from these pieces. */
  | readonly ['list', pieces: readonly Piece[]];

/** Unchanged entries of the current list (start, count), a changed entry, or a new value. */
export type Piece =
  | readonly ['keep', from: number, count: number]
  | readonly ['change', at: number, Inverse]
  | readonly ['value', unknown];

/** Returns the inverse that leads from `now` to `before`; null if they are equal. */
export function* inverseOf(before: unknown, now: unknown, turn: Turn): Steps<Inverse | null> {
  if (before === now) return null;
  if (Array.isArray(before) && Array.isArray(now)) return yield* listInverse(before, now, turn);
  if (isJsonObject(before) && isJsonObject(now)) return yield* objectInverse(before, now, turn);
  return ['value', before];
}

/** Fields that are undefined do not count: JSON text does not contain them. */
export const namesOf = (object: JsonObject): string[] =>
  Object.keys(object).filter((name) => object[name] !== undefined);

function* objectInverse(before: JsonObject, now: JsonObject, turn: Turn): Steps<Inverse | null> {
  if (turn.over) yield;
  const [old, names] = [namesOf(before), namesOf(now)];
  const fields: [string, Inverse][] = [];
  const come: string[] = [];
  for (const name of old) {
    if (turn.over) yield;
    const isThere = Object.hasOwn(now, name) && now[name] !== undefined;
    if (!isThere) come.push(name);
    const inverse: Inverse | null = isThere
      ? yield* inverseOf(before[name], now[name], turn)
      : ['value', before[name]];
    if (inverse) fields.push([name, inverse]);
  }
  const known = new Set(old);
  const gone = names.filter((name) => !known.has(name));
  const natural = [...names.filter((name) => known.has(name)), ...come];
  const order = natural.every((name, at) => name === old[at]) ? null : old;
  return fields.length === 0 && gone.length === 0 && order === null
    ? null
    : ['object', fields, gone, order];
}

function* listInverse(
  before: readonly unknown[],
  now: readonly unknown[],
  turn: Turn,
): Steps<Inverse | null> {
  const pieces: Piece[] = [];
  const counterparts = yield* alignLists(before, now, turn);
  for (const [position, entry] of before.entries()) {
    if (turn.over) yield;
    const at = counterparts[position] ?? -1;
    if (at < 0) {
      pieces.push(['value', entry]);
      continue;
    }
    const inverse = yield* inverseOf(entry, now[at], turn);
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

/** Returns the previous value. Unchanged parts are shared with `now`. */
export function* inverted(now: unknown, inverse: Inverse, turn: Turn): Steps<unknown> {
  if (turn.over) yield;
  switch (inverse[0]) {
    case 'value':
      return inverse[1];
    case 'object':
      return yield* invertedObject(now as JsonObject, inverse, turn);
    case 'list':
      return yield* invertedList(now as readonly unknown[], inverse[1], turn);
  }
}

function* invertedObject(
  now: JsonObject,
  [, changes, gone, order]: Extract<Inverse, readonly ['object', ...unknown[]]>,
  turn: Turn,
): Steps<JsonObject> {
  const fields = new Map(namesOf(now).map((name) => [name, now[name]]));
  for (const name of gone) fields.delete(name);
  for (const [name, change] of changes) {
    if (turn.over) yield;
    fields.set(name, yield* inverted(fields.get(name), change, turn));
  }
  return Object.fromEntries(order ? order.map((name) => [name, fields.get(name)]) : fields);
}

function* invertedList(
  now: readonly unknown[],
  pieces: readonly Piece[],
  turn: Turn,
): Steps<unknown[]> {
  const list: unknown[] = [];
  for (const piece of pieces) {
    if (turn.over) yield;
    if (piece[0] === 'value') list.push(piece[1]);
    else if (piece[0] === 'change') list.push(yield* inverted(now[piece[1]], piece[2], turn));
    else for (let at = piece[1]; at < piece[1] + piece[2]; at += 1) list.push(now[at]);
  }
  return list;
}
