import { isMaskable, MASK } from '../../../platform/redaction';
import {
  isHarmlessHeader,
  isOnlyReferences,
  isSecretField,
  isSecretName,
  isSecretParameter,
} from '../../../platform/secrets';
import { isJsonObject } from '../document/json';
import type { JsonObject } from '../document/json';

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
function nameInPair(object: JsonObject): string | undefined {
  if (!('value' in object)) return undefined;
  return [object.name, object.key].find((name) => typeof name === 'string');
}

export interface Place {
  readonly rule: Rule;
  /** Name of the field or, for the value of a name/value pair, of the pair. */
  readonly name: string;
  /** False for headers that are masked whatever their name. */
  readonly isUnderSecretName: boolean;
  /** Clients and `restoreDocument` need the value. */
  readonly isStructure: boolean;
}

export const placeWith = (rule: Rule): Place => ({
  rule,
  name: '',
  isUnderSecretName: false,
  isStructure: false,
});

const STRUCTURE: ReadonlySet<string> = new Set([
  'id',
  'nodeId',
  'index',
  'color',
  'type',
  'methodType',
  'iterator',
]);

function placeOfField(place: Place, field: string, object: JsonObject): Place {
  const { rule } = place;
  const name = field === 'value' ? (nameInPair(object) ?? field) : field;
  return {
    rule: ruleOfField(rule, field, object),
    name,
    isUnderSecretName:
      rule === 'secret' ? place.isUnderSecretName : rule !== 'headers' || isSecretParameter(name),
    isStructure:
      rule === 'names' &&
      typeof object[field] !== 'object' &&
      (STRUCTURE.has(field) || field.endsWith('Id')),
  };
}

/**
 * Replaces all values of a part of a document that are not lists or objects. Lists and objects in
 * which nothing changes are returned as they are.
 */
export function mapLeaves(
  value: unknown,
  place: Place,
  replace: (leaf: unknown, place: Place) => unknown,
): unknown {
  if (Array.isArray(value)) {
    let copy: unknown[] | null = null;
    for (let at = 0; at < value.length; at += 1) {
      const entry: unknown = value[at];
      const mapped = mapLeaves(entry, place, replace);
      if (mapped !== entry) (copy ??= [...(value as unknown[])])[at] = mapped;
    }
    return copy ?? value;
  }
  if (!isJsonObject(value)) return replace(value, place);
  let changed: Map<string, unknown> | null = null;
  for (const name of Object.keys(value)) {
    const field = value[name];
    const mapped = mapLeaves(field, placeOfField(place, name, value), replace);
    if (mapped !== field) (changed ??= new Map()).set(name, mapped);
  }
  if (changed === null) return value;
  return Object.fromEntries([...Object.entries(value), ...changed]);
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
export function keysOf(list: readonly unknown[], rule: Rule): Key[] {
  const seen = new Map<string, number>();
  const keys: Key[] = [];
  for (const item of list) {
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
