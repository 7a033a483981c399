import { inspect } from 'node:util';

const SECRET_NAME = /pass(word|wd|phrase)?$|password|secret|token|authorization|api[-_]?key|credential|cookie/i;
const MASK = '***';
const LONGEST_TEXT = 2_000;
const DEEPEST = 12;
const LONGEST_LIST = 200;

/**
 * A copy of `value` that is safe to keep: values under secret-sounding names are replaced, long texts and lists are cut, keys are
 * made storable (no leading `$`, no dots). Dates stay dates; anything that is not plain data becomes its text.
 */
export function masked(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return value.length > LONGEST_TEXT ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)` : value;
  if (value === undefined) return null;
  if (value === null || typeof value === 'number' || typeof value === 'boolean' || value instanceof Date) return value;
  if (depth >= DEEPEST) return '…';
  if (Array.isArray(value)) return maskedList(value, depth);
  if (isPlainObject(value)) return maskedObject(value, depth);
  return inspect(value, { depth: 0 });
}

function maskedList(list: readonly unknown[], depth: number): unknown[] {
  const kept = list.slice(0, LONGEST_LIST).map((item) => masked(item, depth + 1));
  return list.length > LONGEST_LIST ? [...kept, `… (${list.length} entries)`] : kept;
}

function maskedObject(object: Record<string, unknown>, depth: number): Record<string, unknown> {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(object)) {
    if (value === undefined || key === '__proto__') continue;
    const isSecret = SECRET_NAME.test(key) && value !== null && typeof value !== 'boolean';
    result[key.replace(/^\$/, '＄').replaceAll('.', '．')] = isSecret ? MASK : masked(value, depth + 1);
  }
  return result;
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}
