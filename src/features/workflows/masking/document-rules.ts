import type { Steps, Turn } from '../../../platform/json/turns';
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

/** How the values at a place of a workflow document are judged. */
export type Rule =
  /** By the names under which they stand. */
  | 'names'
  /** The same, and their texts by the names in them: what is sent or comes back. */
  | 'texts'
  /** Names and values of headers. */
  | 'headers'
  /** Everything is secret. */
  | 'secret';

const HEADERS = new Set(['header', 'headers']);
const SENT_TEXTS = new Set(['request', 'response', 'body', 'endpoint', 'url', 'uri']);

/** The rule for the field `name` of an object, where the object itself has `rule`. */
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

/** `{ name: 'X-Key', value: '…' }`: the name of what is written as a pair. */
export function nameInPair(object: JsonObject): string | undefined {
  if (!('value' in object)) return undefined;
  return [object.name, object.key].find((name) => typeof name === 'string');
}

/** Is this value hidden where everything is secret? References say where a value comes from, and not the value. */
export function isHidden(value: unknown): boolean {
  if (typeof value === 'string')
    return value !== '' && (value === MASK || !isOnlyReferences(value));
  return isMaskable(value);
}

/** Is this text judged as one value? The header lines of a text are. */
export const isOneValue = (rule: Rule): boolean => rule === 'secret' || rule === 'headers';

/** By what an entry of a list is the same in two documents: its position, or a text made of its name. */
export type Key = number | string;

/** Steps are the same by their id, pairs by their name, others by their position. What is hidden itself tells nothing apart. */
export function* keysOf(list: readonly unknown[], rule: Rule, turn: Turn): Steps<Key[]> {
  const seen = new Map<string, number>();
  const keys: Key[] = [];
  for (const item of list) {
    if (turn.over) yield;
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
