import { StoreError } from '../errors';
import { arrayIndex } from './paths';
import { field, isDocument } from './values';
import type { Doc } from './values';

/** Stands for an empty array at the end of a path. */
export const EMPTY_ARRAY = Symbol('empty array');

interface PathValues {
  /** One tuple with a value per path, or one per element of the array on the paths. */
  readonly tuples: readonly (readonly unknown[])[];
  readonly hasArray: boolean;
}

/**
 * Returns the values at some paths as indexes and sorts see them: `undefined` is missing, and an
 * array is replaced by each of its elements; an array within an array is not.
 * @throws StoreError 171 paths through different arrays
 */
export function valuesAtPaths(doc: Doc, paths: readonly (readonly string[])[]): PathValues {
  const tuples: unknown[][] = [];
  const states = paths.map((rest) => followPath(doc, rest, ''));
  return { hasArray: expand(states, tuples), tuples };
}

/** State of following a path: `rest` remains from `value`, which is at path `at`. */
interface PathState {
  readonly value: unknown;
  readonly rest: readonly string[];
  readonly at: string;
  readonly isFinal?: true;
}

/** Follows documents, and arrays at numeric components, up to an array or the end of the path. */
function followPath(doc: Doc, path: readonly string[], from: string): PathState {
  let value: unknown = doc;
  let at = from;
  for (let next = 0; next < path.length; next++) {
    if (Array.isArray(value)) {
      const offset = arrayIndex(path[next]);
      if (offset === undefined || offset >= value.length)
        return { value, rest: path.slice(next), at };
      value = value[offset];
    } else {
      if (!isDocument(value)) return { value: undefined, rest: [], at, isFinal: true };
      value = field(value, path[next]);
    }
    at = `${at}.${path[next]}`;
  }
  return { value, rest: [], at };
}

/** Adds a tuple per array element to `tuples`; returns whether there was an array. */
function expand(states: readonly PathState[], tuples: unknown[][]): boolean {
  const open = states.filter(({ value, isFinal }) => !isFinal && Array.isArray(value));
  if (open.length === 0) {
    tuples.push(states.map(({ value }) => value));
    return false;
  }
  const [{ value, at }] = open;
  const other = open.find((state) => state.at !== at);
  if (other !== undefined)
    throw new StoreError(
      'CannotIndexParallelArrays',
      `cannot index parallel arrays [${other.at.slice(1)}] [${at.slice(1)}]`,
    );
  const array = value as readonly unknown[];
  for (const element of array.length === 0 ? [EMPTY_ARRAY] : array)
    expand(
      states.map((state) => (open.includes(state) ? enterElement(state, element) : state)),
      tuples,
    );
  return true;
}

function enterElement({ rest, at }: PathState, element: unknown): PathState {
  if (rest.length === 0) return { value: element, rest, at, isFinal: true };
  if (!isDocument(element)) return { value: undefined, rest: [], at, isFinal: true };
  return followPath(element, rest, at);
}
