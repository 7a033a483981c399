import type { Yielding, TimeSlice } from '../../../platform/event-loop';

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

// Documents may have a million values and are walked at every save: these walks are one loop
// without copies, and yield between time slices.

/**
 * Steps between two checks of the time slice; listing the keys of an object counts one step per
 * key.
 */
const STEPS_AT_ONCE = 1_024;

/** A list or object that the walk is in. */
interface Container {
  readonly value: object;
  /** Null for a list. */
  readonly names: readonly string[] | null;
  readonly length: number;
  at: number;
}

function enter(value: object): Container {
  const names = Array.isArray(value) ? null : Object.keys(value);
  return { value, names, length: names?.length ?? (value as unknown[]).length, at: 0 };
}

const stepsToEnter = ({ names }: Container): number => names?.length ?? 0;

type Test = (value: unknown, depth: number, name: string | null) => boolean;

/**
 * Returns whether `test` is true for the value and everything in it. `test` also gets the number of
 * enclosing lists and objects, and the name of the field.
 */
function* everyValue(root: unknown, test: Test, slice: TimeSlice): Yielding<boolean> {
  if (!test(root, 0, null)) return false;
  const around = typeof root === 'object' && root !== null ? [enter(root)] : [];
  for (
    let steps = 1, last = around.at(-1);
    last !== undefined;
    steps += 1, last = around[around.length - 1]
  ) {
    if (steps >= STEPS_AT_ONCE) {
      steps = 0;
      if (slice.over) yield;
    }
    if (last.at >= last.length) {
      around.pop();
      continue;
    }
    const name = last.names === null ? null : last.names[last.at];
    const value =
      name === null ? (last.value as unknown[])[last.at] : (last.value as JsonObject)[name];
    last.at += 1;
    if (!test(value, around.length, name)) return false;
    if (typeof value !== 'object' || value === null) continue;
    const entered = enter(value);
    around.push(entered);
    steps += stepsToEnter(entered);
  }
  return true;
}

/** Deep-freezes a value, because several callers share it. */
export function* freezeAll(root: unknown, slice: TimeSlice): Yielding<void> {
  yield* everyValue(
    root,
    (value) => {
      Object.freeze(value);
      return true;
    },
    slice,
  );
}

/**
 * Returns whether the value nests deeper than `limit`. Stops at that depth, so hostile input is
 * safe.
 */
export function* nestsDeeperThan(
  root: unknown,
  limit: number,
  slice: TimeSlice,
): Yielding<boolean> {
  return !(yield* everyValue(
    root,
    (value, depth) => depth <= limit || typeof value !== 'object' || value === null,
    slice,
  ));
}

/** Returns whether any text at any depth contains `part`. */
export function* hasText(root: unknown, part: string, slice: TimeSlice): Yielding<boolean> {
  return !(yield* everyValue(
    root,
    (value) => typeof value !== 'string' || !value.includes(part),
    slice,
  ));
}

/** Calls `show` with every text in document order, including field names. */
export function* everyText(
  root: unknown,
  show: (text: string) => void,
  slice: TimeSlice,
): Yielding<void> {
  yield* everyValue(
    root,
    (value, _depth, name) => {
      if (name !== null) show(name);
      if (typeof value === 'string') show(value);
      return true;
    },
    slice,
  );
}

/** Approximate length of the JSON text, in characters. */
export function* roughLength(root: unknown, slice: TimeSlice): Yielding<number> {
  let length = 0;
  yield* everyValue(
    root,
    (value, _depth, name) => {
      length +=
        (name === null ? 0 : name.length + 3) + (typeof value === 'string' ? value.length + 3 : 4);
      return true;
    },
    slice,
  );
  return length;
}

/** Returns whether two values are the same JSON, apart from the order of object keys. */
export function* isSameJson(one: unknown, other: unknown, slice: TimeSlice): Yielding<boolean> {
  const around: { readonly container: Container; readonly other: object }[] = [];
  let steps = 1;
  const maySame = (left: unknown, right: unknown): boolean => {
    if (left === right) return true;
    if (
      typeof left !== 'object' ||
      typeof right !== 'object' ||
      left === null ||
      right === null ||
      Array.isArray(left) !== Array.isArray(right)
    )
      return false;
    const container = enter(left);
    around.push({ container, other: right });
    steps += 2 * stepsToEnter(container);
    return container.length === (Array.isArray(right) ? right.length : Object.keys(right).length);
  };
  if (!maySame(one, other)) return false;
  for (let last = around.at(-1); last !== undefined; steps += 1, last = around[around.length - 1]) {
    if (steps >= STEPS_AT_ONCE) {
      steps = 0;
      if (slice.over) yield;
    }
    const { container, other: counterpart } = last;
    if (container.at >= container.length) {
      around.pop();
      continue;
    }
    const name = container.names === null ? container.at : container.names[container.at];
    container.at += 1;
    if (
      !Object.hasOwn(counterpart, name) ||
      !maySame((container.value as JsonObject)[name], (counterpart as JsonObject)[name])
    )
      return false;
  }
  return true;
}
