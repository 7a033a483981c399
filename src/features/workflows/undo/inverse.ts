import type { Steps, Turn } from '../../../platform/json/turns';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';
import { alignLists } from './align-lists';

/**
 * What leads from a value back to the one before it, to the byte: an RFC 6902 patch could not, since it says nothing of the order in which an
 * object has its names. Stored as JSON.
 */
export type Inverse =
  /** Another value. */
  | readonly ['value', unknown]
  /** An object: fields that change or come, names that go, and the order of all names where it is not that of what stays and then what comes. */
  | readonly [
      'object',
      fields: readonly (readonly [string, Inverse])[],
      gone: readonly string[],
      order: readonly string[] | null,
    ]
  /** A list, made of these pieces. */
  | readonly ['list', pieces: readonly Piece[]];

/** Entries of the list as it is (from a position, so many), one of them changed, or a new one. */
export type Piece =
  | readonly ['keep', from: number, count: number]
  | readonly ['change', at: number, Inverse]
  | readonly ['value', unknown];

/** What leads from `now` back to `before`; null where they are the same. */
export function* inverseOf(before: unknown, now: unknown, turn: Turn): Steps<Inverse | null> {
  if (before === now) return null;
  if (Array.isArray(before) && Array.isArray(now)) return yield* listInverse(before, now, turn);
  if (isJsonObject(before) && isJsonObject(now)) return yield* objectInverse(before, now, turn);
  return ['value', before];
}

/** A field without a value is none: no JSON text has it. */
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

/** The value before. What did not change is shared with `now`. */
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
