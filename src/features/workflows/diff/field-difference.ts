import type { Steps, Turn } from '../../../platform/event-loop';
import { isSameJson } from '../json';
import type { JsonObject } from '../json';
import type { KnownValues } from '../masking/known-values';
import { valueDifferences } from './value-differences';
import type { ValueDifference } from './value-differences';

export const DIFFERENCE_KINDS = {
  ADDED: 'It is in the later version only.',
  REMOVED: 'It is in the earlier version only.',
  MOVED: 'Its place in the order of execution is another one.',
  CHANGED: 'It is in both, and not the same.',
} as const;
export type DifferenceKind = keyof typeof DIFFERENCE_KINDS;

export interface FieldDifference {
  /** JSON Pointer (RFC 6901) below the step, binding or document it belongs to. */
  readonly path: string;
  readonly kind: DifferenceKind;
  /** Null if absent. Secrets are `***` for every user. */
  readonly before: unknown;
  readonly after: unknown;
  /** True if part of the value is masked. */
  readonly masked: boolean;
}

/**
 * The number of differences that may still be reported, and the values masked everywhere. Shared by
 * all parts of a diff.
 */
export interface Room {
  left: number;
  readonly known: KnownValues;
}

export function* fieldDifferences(
  before: JsonObject,
  after: JsonObject,
  room: Room,
  turn: Turn,
): Steps<FieldDifference[]> {
  const found: FieldDifference[] = [];
  for (const difference of yield* valueDifferences(before, after, room.left, turn, room.known)) {
    if (turn.over) yield;
    found.push(yield* told(difference, turn));
  }
  room.left -= found.length;
  return found;
}

function* told(
  { path, before, after, original }: ValueDifference,
  turn: Turn,
): Steps<FieldDifference> {
  const masked =
    !(yield* isSameJson(before, original[0], turn)) ||
    !(yield* isSameJson(after, original[1], turn));
  return {
    path: pointer(path),
    kind: kindOf(original),
    before: before ?? null,
    after: after ?? null,
    masked,
  };
}

function kindOf([before, after]: readonly [unknown, unknown]): DifferenceKind {
  if (before === undefined) return 'ADDED';
  return after === undefined ? 'REMOVED' : 'CHANGED';
}

/** `/request/header/X~1Y`: `~` and `/` in a name are escaped as `~0` and `~1`. */
const pointer = (path: readonly (string | number)[]): string =>
  path.map((name) => `/${String(name).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
