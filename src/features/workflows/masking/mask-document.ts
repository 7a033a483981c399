import type { Yielding, TimeSlice } from '../../../platform/event-loop';
import { isOnlyReferences, MASK } from '../../../platform/secrets';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';
import type { WorkflowDocument } from '../workflow.document';
import type { Rule } from './document-rules';
import { isHidden, isOneValue, ruleOfField } from './document-rules';
import type { KnownValues } from './known-values';
import { knownValuesOf } from './known-values';
import { rewriteSecrets } from './secret-text';

/**
 * Structural fields. Known values in them are not masked: clients and `restoreDocument` need them.
 */
const STRUCTURE: ReadonlySet<string> = new Set([
  'id',
  'nodeId',
  'index',
  'color',
  'type',
  'methodType',
  'iterator',
]);

/**
 * Masks a document for users who may not change the workflow: `***` for header values except
 * harmless ones, for values of secret fields in bodies and URLs, and for the same values in other
 * texts. References, null and booleans stay.
 */
export function* maskDocument(
  document: WorkflowDocument,
  slice: TimeSlice,
): Yielding<WorkflowDocument> {
  return (yield* maskValue(
    document,
    'names',
    slice,
    yield* knownValuesOf([document], slice),
  )) as WorkflowDocument;
}

/**
 * Masks a value with the given rule.
 * @param known values that are also masked in other texts; null: mask by field name only
 */
export function* maskValue(
  value: unknown,
  rule: Rule,
  slice: TimeSlice,
  known: KnownValues | null = null,
): Yielding<unknown> {
  if (Array.isArray(value)) return yield* maskList(value, rule, slice, known);
  if (isJsonObject(value)) return yield* maskFields(value, rule, slice, known);
  if (isOneValue(rule)) return isHidden(value) ? MASK : value;
  const text =
    rule === 'texts' && typeof value === 'string' ? yield* maskText(value, slice) : value;
  return known === null || known.isEmpty ? text : yield* maskKnown(text, known, slice);
}

/** Masks known values in a text, and a number that is a known value. */
function* maskKnown(value: unknown, known: KnownValues, slice: TimeSlice): Yielding<unknown> {
  if (typeof value === 'string') return yield* known.hidden(value, slice);
  if (typeof value !== 'number') return value;
  return (yield* known.hidden(String(value), slice)) === String(value) ? value : MASK;
}

function* maskList(
  list: readonly unknown[],
  rule: Rule,
  slice: TimeSlice,
  known: KnownValues | null,
): Yielding<unknown[]> {
  const masked: unknown[] = [];
  for (const item of list) {
    if (slice.over) yield;
    masked.push(yield* maskValue(item, rule, slice, known));
  }
  return masked;
}

function* maskFields(
  fields: JsonObject,
  rule: Rule,
  slice: TimeSlice,
  known: KnownValues | null,
): Yielding<JsonObject> {
  const masked: [string, unknown][] = [];
  for (const [name, field] of Object.entries(fields)) {
    if (slice.over) yield;
    const isStructure =
      rule === 'names' && typeof field !== 'object' && (STRUCTURE.has(name) || name.endsWith('Id'));
    masked.push([
      name,
      yield* maskValue(field, ruleOfField(rule, name, fields), slice, isStructure ? null : known),
    ]);
  }
  return Object.fromEntries(masked);
}

/** Returns whether the whole value is shown as `***`. */
export const isMaskedWhole = (value: unknown, rule: Rule): boolean =>
  isOneValue(rule) && isHidden(value);

/** Masks each secret in a text of a request or response. */
export const maskText = (text: string, slice: TimeSlice): Yielding<string> =>
  rewriteSecrets(text, (_name, value) => (isOnlyReferences(value) ? value : MASK), slice);
