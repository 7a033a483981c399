import type { Steps, Turn } from '../../platform/json/turns';
import type { DocumentPath } from './document-path';
import { namesOf } from './document-path';
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

/** What is met on the way through two steps. */
interface Progress {
  readonly turn: Turn;
  readonly changes: FieldChange[];
}

/**
 * The deepest fields in which two steps differ, in the order of the fields. Compared as they are, shown masked: a changed secret is told as
 * changed and not told.
 */
export function* fieldChanges(before: JsonObject, after: JsonObject, turn: Turn): Steps<FieldChange[]> {
  const changes: FieldChange[] = [];
  if (before !== after) yield* compareFields(before, after, ['names', 'names'], null, { turn, changes });
  return changes;
}

/** How a value is masked, before and after. */
type Rules = readonly [before: Rule, after: Rule];

function* compare(before: unknown, after: unknown, rules: Rules, path: DocumentPath, progress: Progress): Steps<void> {
  if (Array.isArray(before) && Array.isArray(after)) return yield* compareLists(before, after, rules, path, progress);
  if (isJsonObject(before) && isJsonObject(after)) return yield* compareFields(before, after, rules, path, progress);
  const shown = [yield* maskValue(before, rules[0], progress.turn), yield* maskValue(after, rules[1], progress.turn)];
  progress.changes.push({ path: namesOf(path).join('.'), before: shown[0] ?? null, after: shown[1] ?? null });
}

function* compareLists(before: readonly unknown[], after: readonly unknown[], rules: Rules, path: DocumentPath, progress: Progress): Steps<void> {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length && progress.changes.length < MOST_FIELDS; at += 1) {
    // Also where nothing differs: a list may have a million entries.
    if (progress.turn.over) yield;
    if (before[at] !== after[at]) yield* compare(before[at], after[at], rules, { name: at, before: path }, progress);
  }
}

function* compareFields(before: JsonObject, after: JsonObject, rules: Rules, path: DocumentPath, progress: Progress): Steps<void> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (progress.changes.length >= MOST_FIELDS) return;
    if (progress.turn.over) yield;
    const [old, now] = [fieldOf(before, name), fieldOf(after, name)];
    if (old === now) continue;
    const rulesOfField: Rules = [ruleOfField(rules[0], name, before), ruleOfField(rules[1], name, after)];
    yield* compare(old, now, rulesOfField, { name, before: path }, progress);
  }
}

const fieldOf = (object: JsonObject, name: string): unknown => (Object.hasOwn(object, name) ? object[name] : undefined);
