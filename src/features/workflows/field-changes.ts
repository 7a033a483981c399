import type { JsonObject } from './json';
import { isJsonObject } from './json';

/** A field that was changed: `request.header.Accept`, and what is shown of its value before and after. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields of one step that are told. */
const MOST_FIELDS = 50;

/**
 * The deepest fields in which two objects differ, in the order of the fields. Compared as they are, shown as `shown` makes them: a changed
 * secret is told as changed and not told.
 */
export function fieldChanges(before: JsonObject, after: JsonObject, shown: (object: JsonObject) => JsonObject): FieldChange[] {
  const changes: FieldChange[] = [];
  compare([before, after], [shown(before), shown(after)], [], changes);
  return changes;
}

type Pair = readonly [before: unknown, after: unknown];

function compare(real: Pair, shown: Pair, path: readonly string[], changes: FieldChange[]): void {
  if (changes.length >= MOST_FIELDS || JSON.stringify(real[0]) === JSON.stringify(real[1])) return;
  if (!real.every(isJsonObject) && !real.every(Array.isArray)) {
    changes.push({ path: path.join('.'), before: shown[0] ?? null, after: shown[1] ?? null });
    return;
  }
  for (const name of namesIn(real)) compare([fieldOf(real[0], name), fieldOf(real[1], name)], [fieldOf(shown[0], name), fieldOf(shown[1], name)], [...path, name], changes);
}

const namesIn = (pair: Pair): Set<string> => new Set(pair.flatMap((value) => Object.keys(value as object)));

const fieldOf = (value: unknown, name: string): unknown =>
  (typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? (value as JsonObject)[name] : undefined);
