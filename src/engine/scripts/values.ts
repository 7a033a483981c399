import { parseExactJson } from '../exact-json';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from '../reference/xml-marks';
import { isList, isMap, toJson } from '../value';
import type { Value } from '../value';

const LOOKS_LIKE_JSON = /^\s*[[{]/;

/**
 * A value as scripts get it, with the marks of XML in their short form wherever a text or a name spells them out: text that is a JSON object or list is that object or list, every other text, number, true and false is a text.
 * Whole numbers that no double holds are texts inside objects and lists, too: as numbers they would be rounded.
 * @throws EngineError VALUE_TOO_LARGE
 */
export function variableJson(value: Value): string {
  return withShortMarks(jsonOf(value));
}

/** No character of the marks is escaped in JSON. */
const withShortMarks = (json: string): string => json.replaceAll(`${ATTRIBUTES_FIELD}.`, '@').replaceAll(`.${VALUE_FIELD}`, '');

function jsonOf(value: Value): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return jsonOfText(value);
  if (typeof value !== 'object') return JSON.stringify(String(value));
  return treeJson(value);
}

function jsonOfText(text: string): string {
  if (!LOOKS_LIKE_JSON.test(text)) return JSON.stringify(text);
  try {
    return treeJson(parseExactJson(text) as Value);
  } catch {
    return JSON.stringify(text);
  }
}

/** Looks into everything, without calling itself: an answer may nest a million levels. */
function holdsBigint(root: Value): boolean {
  const open: Value[] = [root];
  for (let value = open.pop(); value !== undefined; value = open.pop()) {
    if (typeof value === 'bigint') return true;
    if (isList(value) || isMap(value)) for (const inner of Object.values<Value>(value)) open.push(inner);
  }
  return false;
}

function treeJson(value: Value): string {
  return holdsBigint(value) ? JSON.stringify(value, (_name, inner: unknown) => (typeof inner === 'bigint' ? String(inner) : inner)) : toJson(value);
}
