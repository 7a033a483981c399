import type { Steps, Turn } from '../../platform/json/turns';
import type { JsonObject } from './json';
import { isJsonObject } from './json';
import type { Rule } from './masking/document-rules';
import { ruleOfField } from './masking/document-rules';
import { maskValue } from './masking/mask-document';

/** A field that was changed: `request.header.Accept`, and what is shown of its value before and after. */
export interface FieldChange {
  readonly path: string;
  readonly before: unknown;
  readonly after: unknown;
}

/** Fields of one step that are told. */
const MOST_FIELDS = 50;

/** A value of a step, and how it is masked. */
interface Place {
  readonly value: unknown;
  readonly rule: Rule;
}

/**
 * The deepest fields in which two steps differ, in the order of the fields. Compared as they are, shown masked: a changed secret is told as
 * changed and not told.
 */
export function* fieldChanges(before: JsonObject, after: JsonObject, turn: Turn): Steps<FieldChange[]> {
  const changes: FieldChange[] = [];
  yield* compare({ value: before, rule: 'names' }, { value: after, rule: 'names' }, [], changes, turn);
  return changes;
}

function* compare(before: Place, after: Place, path: readonly (string | number)[], changes: FieldChange[], turn: Turn): Steps<void> {
  if (changes.length >= MOST_FIELDS || before.value === after.value) return;
  if (turn.over) yield;
  if (Array.isArray(before.value) && Array.isArray(after.value)) {
    for (let at = 0; at < Math.max(before.value.length, after.value.length); at += 1) {
      yield* compare({ value: before.value[at], rule: before.rule }, { value: after.value[at], rule: after.rule }, [...path, at], changes, turn);
      if (changes.length >= MOST_FIELDS) return;
    }
  } else if (isJsonObject(before.value) && isJsonObject(after.value)) {
    for (const name of new Set([...Object.keys(before.value), ...Object.keys(after.value)])) {
      yield* compare(fieldOf(before.value, before.rule, name), fieldOf(after.value, after.rule, name), [...path, name], changes, turn);
      if (changes.length >= MOST_FIELDS) return;
    }
  } else {
    const shown = [yield* maskValue(before.value, before.rule, turn), yield* maskValue(after.value, after.rule, turn)];
    changes.push({ path: path.join('.'), before: shown[0] ?? null, after: shown[1] ?? null });
  }
}

const fieldOf = (object: JsonObject, rule: Rule, name: string): Place =>
  ({ value: Object.hasOwn(object, name) ? object[name] : undefined, rule: ruleOfField(rule, name, object) });
