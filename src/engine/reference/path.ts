import { isList, isMap, ownField } from '../value';
import type { Value } from '../value';
import type { Segment } from './reference';
import { loopOf } from './scope';
import type { LoopFrame, Scope } from './scope';

/**
 * Follows a path. Before the first list segment there is a single value, null if missing; after it
 * there is a list, which omits elements without a match. A missing list stays null.
 */
export const followPath = (root: Value, segments: readonly Segment[], scope: Scope): Value =>
  followPathFrom([root], false, segments, scope);

/**
 * The same from several values.
 * @param opened the values are elements of a list
 */
export function followPathFrom(
  roots: readonly Value[],
  opened: boolean,
  segments: readonly Segment[],
  scope: Scope,
): Value {
  let values: readonly Value[] = roots;
  let many = opened;
  for (const segment of segments) {
    const next: Value[] = [];
    for (const value of values) many = step(value, segment, scope, next) || many;
    values = next;
  }
  return many ? values : (values[0] ?? null);
}

/** Adds the matches of a segment to `into`; returns true if the result is a list. */
function step(value: Value, segment: Segment, scope: Scope, into: Value[]): boolean {
  switch (segment.kind) {
    case 'field':
      return field(value, segment.name, into);
    case 'element':
      return put(into, elementAt(value, segment.index, segment.label, scope));
    case 'all':
      return all(value, segment.label, scope, into);
    case 'turn':
      return put(into, atTurn(value, loopOf(scope, segment.iterator), segment.label));
    case 'key':
      return key(value, segment, scope, into);
  }
}

/** Applied to a list, finds the field of each element; iterative, since lists may nest deeply. */
function field(value: Value, name: string, into: Value[]): boolean {
  if (!isList(value)) return put(into, isMap(value) ? ownField(value, name) : undefined);
  const ahead = value.toReversed();
  for (let next = ahead.pop(); next !== undefined; next = ahead.pop()) {
    if (isList(next)) for (let last = next.length - 1; last >= 0; last -= 1) ahead.push(next[last]);
    else if (isMap(next)) put(into, ownField(next, name));
  }
  return true;
}

/** The name of a loop over keys stands for its current key; other names are literal. */
function key(
  value: Value,
  segment: { key: string; label: boolean },
  scope: Scope,
  into: Value[],
): boolean {
  const frame = loopOf(scope, segment.key);
  if (frame?.kind === 'ForIn')
    return put(into, segment.label ? frame.value : fieldOfFrame(value, frame));
  if (segment.label && segment.key === '*') return all(value, true, scope, into);
  if (!segment.label) return field(value, segment.key, into);
  return put(into, isMap(value) && Object.hasOwn(value, segment.key) ? segment.key : undefined);
}

function all(value: Value, label: boolean, scope: Scope, into: Value[]): boolean {
  if (isList(value)) for (const element of value) into.push(element);
  else if (isMap(value))
    for (const name of Object.keys(value)) into.push(label ? name : value[name]);
  else if (label && value !== null) for (const part of partsOf(value, scope)) into.push(part);
  else return false;
  return true;
}

function elementAt(value: Value, index: number, label: boolean, scope: Scope): Value | undefined {
  if (isList(value)) return value[index];
  return label ? partsOf(value, scope)[index] : undefined;
}

/** With `~`, the value of the iterator; without, the element of `value` at that position. */
function atTurn(value: Value, frame: LoopFrame | undefined, label: boolean): Value | undefined {
  if (frame === undefined) return undefined;
  if (label) return frame.value;
  if (isList(value)) return value[frame.turn];
  if (frame.split !== null) return frame.value;
  return fieldOfFrame(value, frame);
}

function fieldOfFrame(value: Value, frame: LoopFrame): Value | undefined {
  return isMap(value) ? ownField(value, String(frame.value)) : undefined;
}

/** Parts of a text according to the running loop that splits it. Numbers count as text. */
function partsOf(value: Value, scope: Scope): readonly string[] {
  if (value === null || typeof value === 'object') return [];
  const text = String(value);
  return scope.loops.findLast((frame) => frame.split?.text === text)?.split?.parts ?? [];
}

function put(into: Value[], value: Value | undefined): false {
  if (value !== undefined) into.push(value);
  return false;
}
