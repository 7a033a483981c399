import type { Steps, Turn } from '../../platform/json/turns';
import { valueDifferences } from './diff/value-differences';
import type { JsonObject } from './json';
import type { KnownValues } from './masking/known-values';

/** A field that was changed: `request.header.Accept`, and what is shown of its value before and after. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields of one step that are told. */
const MOST_FIELDS = 50;

/** The fields in which two steps differ, secrets masked, as the audit keeps them. */
export function* fieldChanges(before: JsonObject, after: JsonObject, known: KnownValues, turn: Turn): Steps<FieldChange[]> {
  const differences = yield* valueDifferences(before, after, MOST_FIELDS, turn, known);
  return differences.map(({ path, ...shown }) => ({ path: path.join('.'), before: shown.before ?? null, after: shown.after ?? null }));
}
