import type { Steps, Turn } from '../../../platform/event-loop';
import { isJsonObject, namesOf } from '../json';
import type { DocumentPath, JsonObject } from '../json';
import type { Rule } from '../masking/document-rules';
import { ruleOfField } from '../masking/document-rules';
import type { KnownValues } from '../masking/known-values';
import { maskValue } from '../masking/mask-document';

/** A path at which two values differ, with the masked values; undefined where there is none. */
export interface ValueDifference {
  readonly path: readonly (string | number)[];
  readonly before: unknown;
  readonly after: unknown;
  /** The unmasked values: never return these to a client. */
  readonly original: readonly [before: unknown, after: unknown];
}

interface Progress {
  readonly turn: Turn;
  readonly most: number;
  readonly known: KnownValues;
  readonly found: ValueDifference[];
}

type Rules = readonly [before: Rule, after: Rule];

/**
 * Returns the deepest paths at which two objects differ, in the order of their fields. Lists are
 * compared by position. Values are compared unmasked and returned masked, so a changed secret is
 * reported but not shown.
 * @param most maximum number of differences
 * @param known values that are masked wherever they occur
 */
export function* valueDifferences(
  before: JsonObject,
  after: JsonObject,
  most: number,
  turn: Turn,
  known: KnownValues,
): Steps<ValueDifference[]> {
  const found: ValueDifference[] = [];
  if (before !== after)
    yield* compareFields(before, after, ['names', 'names'], null, { turn, most, known, found });
  return found;
}

function* compare(
  before: unknown,
  after: unknown,
  rules: Rules,
  path: DocumentPath,
  progress: Progress,
): Steps<void> {
  if (Array.isArray(before) && Array.isArray(after))
    return yield* compareLists(before, after, rules, path, progress);
  if (isJsonObject(before) && isJsonObject(after))
    return yield* compareFields(before, after, rules, path, progress);
  const shown = [
    yield* maskValue(before, rules[0], progress.turn, progress.known),
    yield* maskValue(after, rules[1], progress.turn, progress.known),
  ];
  progress.found.push({
    path: namesOf(path),
    before: shown[0],
    after: shown[1],
    original: [before, after],
  });
}

function* compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  rules: Rules,
  path: DocumentPath,
  progress: Progress,
): Steps<void> {
  const length = Math.max(before.length, after.length);
  for (let at = 0; at < length && progress.found.length < progress.most; at += 1) {
    // Yield also where nothing differs: a list may have a million entries.
    if (progress.turn.over) yield;
    if (before[at] !== after[at])
      yield* compare(before[at], after[at], rules, { name: at, before: path }, progress);
  }
}

function* compareFields(
  before: JsonObject,
  after: JsonObject,
  rules: Rules,
  path: DocumentPath,
  progress: Progress,
): Steps<void> {
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (progress.found.length >= progress.most) return;
    if (progress.turn.over) yield;
    const [old, now] = [fieldOf(before, name), fieldOf(after, name)];
    if (old === now) continue;
    const rulesOfField: Rules = [
      ruleOfField(rules[0], name, before),
      ruleOfField(rules[1], name, after),
    ];
    yield* compare(old, now, rulesOfField, { name, before: path }, progress);
  }
}

const fieldOf = (object: JsonObject, name: string): unknown =>
  Object.hasOwn(object, name) ? object[name] : undefined;
