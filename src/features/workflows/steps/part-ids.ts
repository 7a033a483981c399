import { createHash, randomBytes } from 'node:crypto';
import type { Steps, Turn } from '../../../platform/event-loop';
import type { JsonObject } from '../json';
import { isJsonObject } from '../json';

/**
 * Ids of steps and bindings (docs/adr/0032). A given id is kept; a second part with the same id
 * gets one derived from it, so that sending the same document again gives the same ids. A part
 * without an id (4.x clients drop ids) gets the id of the stored part that it resembles, else a new
 * one.
 */

/** A list of parts, and how to recognise stored parts among those that come without an id. */
export interface PartList {
  readonly sent: readonly JsonObject[];
  readonly stored: readonly JsonObject[];
  /** Texts that two equal parts share, the most reliable first; null if a part has no such text. */
  readonly signs: readonly ((part: JsonObject) => string | null)[];
}

/**
 * The id of a step or binding: `id`, or `nodeId` of the 4.x line. Numbers are converted to text.
 */
export function partIdOf({ id, nodeId }: JsonObject): string | null {
  const known = [id, nodeId].find(
    (one): one is string | number =>
      (typeof one === 'string' && one !== '') || typeof one === 'number',
  );
  return known === undefined ? null : String(known);
}

export const takenIds = (parts: readonly JsonObject[]): Set<string> =>
  new Set(parts.flatMap((part) => partIdOf(part) ?? []));

/** Returns the ids of the parts of several lists, which share one id space. */
export function* identify(lists: readonly PartList[], turn: Turn): Steps<string[][]> {
  const taken = takenIds(lists.flatMap(({ sent }) => sent));
  const given = new Set<string>();
  const ids: string[][] = [];
  for (const list of lists) {
    const missing = list.sent.some((part) => partIdOf(part) === null);
    const known = missing ? yield* recognised(list, taken, turn) : new Map<JsonObject, string>();
    ids.push(
      list.sent.map((part) => idFor(partIdOf(part) ?? known.get(part) ?? null, given, taken)),
    );
    if (turn.over) yield;
  }
  return ids;
}

function idFor(sent: string | null, given: Set<string>, taken: Set<string>): string {
  const id =
    sent === null
      ? randomBytes(12).toString('hex')
      : given.has(sent)
        ? following(sent, taken)
        : sent;
  given.add(id);
  taken.add(id);
  return id;
}

/** Derives the id of a further part with the same id. Deterministic. */
function following(id: string, taken: ReadonlySet<string>): string {
  for (let next = id; ;) {
    next = createHash('sha256').update(next).digest('hex').slice(0, 24);
    if (!taken.has(next)) return next;
  }
}

/** Matches parts without an id to stored parts. A text that several parts share is ignored. */
function* recognised(
  { sent, stored, signs }: PartList,
  taken: ReadonlySet<string>,
  turn: Turn,
): Steps<Map<JsonObject, string>> {
  const known = new Map<JsonObject, string>();
  let [unknown, free] = [
    sent.filter((part) => partIdOf(part) === null),
    stored.filter((part) => !taken.has(partIdOf(part) ?? '')),
  ];
  for (const sign of signs) {
    const [mine, theirs] = [yield* bySign(unknown, sign, turn), yield* bySign(free, sign, turn)];
    const found = new Set<JsonObject>();
    for (const [text, part] of mine) {
      const same = text === null ? null : theirs.get(text);
      const id = part && same ? partIdOf(same) : null;
      if (!part || !same || id === null) continue;
      known.set(part, id);
      found.add(same);
    }
    unknown = unknown.filter((part) => !known.has(part));
    free = free.filter((part) => !found.has(part));
    if (unknown.length === 0 || free.length === 0) break;
  }
  return known;
}

function* bySign(
  parts: readonly JsonObject[],
  sign: (part: JsonObject) => string | null,
  turn: Turn,
): Steps<Map<string, JsonObject | null>> {
  const found = new Map<string, JsonObject | null>();
  for (const part of parts) {
    if (turn.over) yield;
    const text = sign(part);
    if (text !== null) found.set(text, found.has(text) ? null : part);
  }
  return found;
}

const textIn = (part: JsonObject, name: string): string | null => {
  const value = part[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Combines several fields into one text; null if one is missing. */
const together =
  (...names: readonly string[]) =>
  (part: JsonObject): string | null => {
    const texts = names.map((name) => textIn(part, name));
    return texts.includes(null) ? null : JSON.stringify(texts);
  };

const upper = (text: string | null): string | null => text?.toUpperCase() ?? null;

/** References name a method by its colour. */
export const METHOD_SIGNS: PartList['signs'] = [
  (method) => upper(textIn(method, 'color')),
  together('index', 'name'),
  together('index'),
];
export const OPERATOR_SIGNS: PartList['signs'] = [
  together('type', 'index', 'expression'),
  together('type', 'expression'),
  together('type', 'index'),
];
/** A field is written by only one binding. */
export const BINDING_SIGNS: PartList['signs'] = [endsOf('to', 'from'), endsOf('to')];

function endsOf(...sides: readonly ('from' | 'to')[]) {
  return (binding: JsonObject): string | null => {
    const ends = sides.map((side) => {
      const list = binding[side];
      return Array.isArray(list)
        ? list
            .filter(isJsonObject)
            .map(({ color, type, field }) =>
              [color, type, field].map((value) => (typeof value === 'string' ? value : null)),
            )
        : [];
    });
    return ends.every((list) => list.length === 0) ? null : JSON.stringify(ends);
  };
}
