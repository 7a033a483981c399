import { createHash, randomBytes } from 'node:crypto';
import type { JsonObject } from './json';
import { isJsonObject } from './json';

/**
 * Ids of steps and bindings (docs/adr/0009). A given id is kept; a second part with the same id
 * gets one derived from it, so that sending the same document again gives the same ids. A part
 * without an id (4.x clients drop ids) gets the id of the stored part that it resembles, else a new
 * one.
 */

/** A list of parts, and how to recognise stored parts among those that come without an id. */
interface PartList {
  readonly sent: readonly JsonObject[];
  readonly stored: readonly JsonObject[];
  /** Texts that two equal parts share, the most reliable first; null if a part has no such text. */
  readonly signs: readonly ((part: JsonObject) => string | null)[];
}

/**
 * The id of a step or binding: `id`, or `nodeId` of the 4.x line. Numbers are converted to text.
 */
export function partIdOf({ id, nodeId }: JsonObject): string | null {
  const valid = [id, nodeId].find(
    (value): value is string | number =>
      (typeof value === 'string' && value !== '') || typeof value === 'number',
  );
  return valid === undefined ? null : String(valid);
}

export const idsOf = (parts: readonly JsonObject[]): Set<string> =>
  new Set(parts.flatMap((part) => partIdOf(part) ?? []));

/** Returns the ids of the parts of several lists, which share one id space. */
export function assignIds(lists: readonly PartList[]): string[][] {
  const used = idsOf(lists.flatMap(({ sent }) => sent));
  const assigned = new Set<string>();
  const ids: string[][] = [];
  for (const list of lists) {
    const isMissing = list.sent.some((part) => partIdOf(part) === null);
    const matches = isMissing ? matchStored(list, used) : null;
    ids.push(
      list.sent.map((part) =>
        assignId(partIdOf(part) ?? matches?.get(part) ?? null, assigned, used),
      ),
    );
  }
  return ids;
}

function assignId(preferred: string | null, assigned: Set<string>, used: Set<string>): string {
  const id =
    preferred === null
      ? randomBytes(12).toString('hex')
      : assigned.has(preferred)
        ? deriveId(preferred, used)
        : preferred;
  assigned.add(id);
  used.add(id);
  return id;
}

/** Derives the id of a further part with the same id. Deterministic. */
function deriveId(id: string, used: ReadonlySet<string>): string {
  for (let next = id; ;) {
    next = createHash('sha256').update(next).digest('hex').slice(0, 24);
    if (!used.has(next)) return next;
  }
}

/**
 * Returns the ids of the stored parts that parts without an id resemble. A text that several parts
 * share is ignored.
 */
function matchStored(
  { sent, stored, signs }: PartList,
  usedIds: ReadonlySet<string>,
): Map<JsonObject, string> {
  const matches = new Map<JsonObject, string>();
  let parts = sent.filter((part) => partIdOf(part) === null);
  let candidates = stored.filter((part) => !usedIds.has(partIdOf(part) ?? ''));
  for (const sign of signs) {
    if (parts.length === 0 || candidates.length === 0) break;
    const partsBySign = groupBySign(parts, sign);
    const candidatesBySign = groupBySign(candidates, sign);
    const used = new Set<JsonObject>();
    for (const [text, part] of partsBySign) {
      const candidate = candidatesBySign.get(text);
      const id = part && candidate ? partIdOf(candidate) : null;
      if (!part || !candidate || id === null) continue;
      matches.set(part, id);
      used.add(candidate);
    }
    parts = parts.filter((part) => !matches.has(part));
    candidates = candidates.filter((part) => !used.has(part));
  }
  return matches;
}

/** The part with each text; null if several parts have it. */
function groupBySign(
  parts: readonly JsonObject[],
  sign: (part: JsonObject) => string | null,
): Map<string, JsonObject | null> {
  const bySign = new Map<string, JsonObject | null>();
  for (const part of parts) {
    const text = sign(part);
    if (text !== null) bySign.set(text, bySign.has(text) ? null : part);
  }
  return bySign;
}

const textIn = (part: JsonObject, name: string): string | null => {
  const value = part[name];
  return typeof value === 'string' && value !== '' ? value : null;
};

/** Returns a sign that combines several fields; null if one is missing. */
const fieldsSign =
  (...names: readonly string[]) =>
  (part: JsonObject): string | null => {
    const texts = names.map((name) => textIn(part, name));
    return texts.includes(null) ? null : JSON.stringify(texts);
  };

/** References name a method by its colour. */
export const METHOD_SIGNS: PartList['signs'] = [
  (method) => textIn(method, 'color')?.toUpperCase() ?? null,
  fieldsSign('index', 'name'),
  fieldsSign('index'),
];
export const OPERATOR_SIGNS: PartList['signs'] = [
  fieldsSign('type', 'index', 'expression'),
  fieldsSign('type', 'expression'),
  fieldsSign('type', 'index'),
];
/** A field is written by only one binding. */
export const BINDING_SIGNS: PartList['signs'] = [endsSign('to', 'from'), endsSign('to')];

function endsSign(...sides: readonly ('from' | 'to')[]) {
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
