import type { Yielding, TimeSlice } from '../../../platform/event-loop';
import {
  isHarmlessHeader,
  isMaskable,
  isOnlyReferences,
  isSecretField,
  isSecretName,
  MASK,
} from '../../../platform/secrets';
import { isJsonObject } from '../json';
import type { JsonObject } from '../json';

/** How values in a part of a workflow document are masked. */
export type Rule =
  /** By the names of their fields. */
  | 'names'
  /** By field names, and texts by the names in them: requests and responses. */
  | 'texts'
  /** Headers, as names with values. */
  | 'headers'
  /** Everything is masked. */
  | 'secret';

const HEADERS = new Set(['header', 'headers']);
const SENT_TEXTS = new Set(['request', 'response', 'body', 'endpoint', 'url', 'uri']);

/** The rule for the field `name` of an object that has `rule`. */
export function ruleOfField(rule: Rule, name: string, object: JsonObject): Rule {
  if (rule === 'secret') return 'secret';
  const paired = name === 'value' ? nameInPair(object) : undefined;
  if (rule === 'headers')
    return headerRule(paired ?? name, paired === undefined && nameInPair(object) !== undefined);
  if (HEADERS.has(name.toLowerCase())) return 'headers';
  if (paired === undefined ? isSecretField(name, object) : isSecretName(paired)) return 'secret';
  return rule === 'texts' || SENT_TEXTS.has(name.toLowerCase()) ? 'texts' : 'names';
}

const headerRule = (name: string, isBesideValue: boolean): Rule =>
  isBesideValue || isHarmlessHeader(name) ? 'names' : 'secret';

/** The name of a name/value pair such as `{ name: 'X-Key', value: '…' }`. */
export function nameInPair(object: JsonObject): string | undefined {
  if (!('value' in object)) return undefined;
  return [object.name, object.key].find((name) => typeof name === 'string');
}

/**
 * Returns whether a value is hidden under the rule `secret`. References stay: they name a source,
 * not a value.
 */
export function isHidden(value: unknown): boolean {
  if (typeof value === 'string')
    return value !== '' && (value === MASK || !isOnlyReferences(value));
  return isMaskable(value);
}

/** Returns whether a text is masked as a whole under this rule. The header lines of a text are. */
export const isOneValue = (rule: Rule): boolean => rule === 'secret' || rule === 'headers';

/**
 * Identifies the same list entry in two documents: its position, or a text derived from its name.
 */
export type Key = number | string;

/** Identifies steps by id, pairs by name, and others by position. Hidden values are not used. */
export function* keysOf(list: readonly unknown[], rule: Rule, slice: TimeSlice): Yielding<Key[]> {
  const seen = new Map<string, number>();
  const keys: Key[] = [];
  for (const item of list) {
    if (slice.over) yield;
    const identity = isJsonObject(item) ? namesOf(item, rule).find(isName) : undefined;
    const nth = identity === undefined ? 0 : (seen.get(identity) ?? 0);
    if (identity !== undefined) seen.set(identity, nth + 1);
    keys.push(identity === undefined ? keys.length : `${nth} of ${identity}`);
  }
  return keys;
}

const namesOf = (item: JsonObject, rule: Rule): unknown[] => {
  if (rule === 'secret') return [];
  return rule === 'headers' ? [nameInPair(item)] : [item.id, nameInPair(item)];
};

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';
