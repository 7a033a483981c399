import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject, isSameJson } from '../json';
import type { JsonObject } from '../json';
import type { KnownValues } from '../masking/known-values';
import { maskValue } from '../masking/mask-document';
import type { DifferenceKind, FieldDifference, Room } from './field-difference';
import { fieldDifferences } from './field-difference';

/** A step or binding that differs between two versions. */
export interface PartDifference {
  /**
   * Id of the step or binding; parts that share an id, or have none, are matched by their order.
   */
  readonly partId: string | null;
  readonly kinds: readonly DifferenceKind[];
  /** Index before and after; null for a binding, and in the version without this step. */
  readonly indexBefore: string | null;
  readonly index: string | null;
  readonly name: string | null;
  /** The whole part if it was removed or added, secrets masked; else null. */
  readonly before: JsonObject | null;
  readonly after: JsonObject | null;
  /** Changed fields of a part that is in both versions, except its index. */
  readonly fields: readonly FieldDifference[];
}

/**
 * Compares two lists of steps or bindings by id. Order: removed parts, then added and changed parts
 * in the order of the later list.
 */
export function* partDifferences(
  before: readonly JsonObject[],
  after: readonly JsonObject[],
  room: Room,
  turn: Turn,
): Steps<PartDifference[]> {
  const [old, now] = [byKey(before), byKey(after)];
  const found: PartDifference[] = [];
  for (const [key, part] of old) {
    if (!now.has(key) && takeRoom(room))
      found.push({
        ...(yield* facts(part, room.known, turn)),
        kinds: ['REMOVED'],
        index: null,
        indexBefore: indexOf(part),
        before: yield* shown(part, room.known, turn),
        after: null,
        fields: [],
      });
    if (turn.over) yield;
  }
  for (const [key, part] of now) {
    if (turn.over) yield;
    const known = old.get(key);
    if (known !== undefined) {
      const difference = yield* changed(known, part, room, turn);
      if (difference) found.push(difference);
    } else if (takeRoom(room)) {
      found.push({
        ...(yield* facts(part, room.known, turn)),
        kinds: ['ADDED'],
        index: indexOf(part),
        indexBefore: null,
        before: null,
        after: yield* shown(part, room.known, turn),
        fields: [],
      });
    }
  }
  return found;
}

function* changed(
  before: JsonObject,
  after: JsonObject,
  room: Room,
  turn: Turn,
): Steps<PartDifference | null> {
  if (before === after || room.left <= 0 || (yield* isSameJson(before, after, turn))) return null;
  const [from, to] = [indexOf(before), indexOf(after)];
  const isMoved = from !== null && to !== null && from !== to;
  const fields = yield* fieldDifferences(
    isMoved ? without(before, 'index') : before,
    isMoved ? without(after, 'index') : after,
    room,
    turn,
  );
  if (isMoved) room.left -= 1;
  const kinds: DifferenceKind[] = [
    ...(isMoved ? ['MOVED' as const] : []),
    ...(fields.length > 0 ? ['CHANGED' as const] : []),
  ];
  return {
    ...(yield* facts(after, room.known, turn)),
    kinds,
    indexBefore: from,
    index: to,
    before: null,
    after: null,
    fields,
  };
}

const shown = function* (part: JsonObject, known: KnownValues, turn: Turn): Steps<JsonObject> {
  const masked = yield* maskValue(part, 'names', turn, known);
  return isJsonObject(masked) ? masked : {};
};

function takeRoom(room: Room): boolean {
  room.left -= 1;
  return room.left >= 0;
}

/**
 * Keys parts by id (`nodeId` in the 4.x line) and by their order among parts with the same or no
 * id.
 */
function byKey(parts: readonly JsonObject[]): Map<string, JsonObject> {
  const seen = new Map<string, number>();
  return new Map(
    parts.map((part) => {
      const id = idOf(part) ?? '';
      const nth = seen.get(id) ?? 0;
      seen.set(id, nth + 1);
      return [`${nth} of ${id}`, part];
    }),
  );
}

const idOf = ({ id, nodeId }: JsonObject): string | null => textOf(id) ?? textOf(nodeId);
const indexOf = ({ index }: JsonObject): string | null => textOf(index);
const textOf = (value: unknown): string | null =>
  typeof value === 'string' && value !== '' ? value : null;

function* facts(
  part: JsonObject,
  known: KnownValues,
  turn: Turn,
): Steps<Pick<PartDifference, 'partId' | 'name'>> {
  const name = textOf(part.label) ?? textOf(part.name);
  return {
    partId: idOf(part),
    name: name === null ? textOf(part.type) : yield* known.hidden(name, turn),
  };
}

function without(part: JsonObject, field: string): JsonObject {
  return Object.fromEntries(Object.entries(part).filter(([name]) => name !== field));
}
