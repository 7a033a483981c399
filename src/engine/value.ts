import { EngineError } from './errors';
import { printExactJson } from './exact-json';

/** What a response, an expression or a body field can be. A bigint is an integer that does not fit into a double. */
export type Value = null | boolean | number | bigint | string | readonly Value[] | ValueMap;
export interface ValueMap { readonly [name: string]: Value }

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ValueMap => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The own field of a map; what a prototype offers is no data. */
export function ownField(map: ValueMap, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** A value inside mixed text: null is empty, lists and objects are JSON. */
export function toText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** @throws EngineError VALUE_TOO_LARGE when the value is too deep or too long to be written down */
export function toJson(value: Value): string {
  try {
    return printExactJson(value);
  } catch {
    throw new EngineError('VALUE_TOO_LARGE', 'A value is nested too deeply or too long to be written as JSON.');
  }
}

/** The name of a value's kind, as error messages and `IsTypeOf` say it. */
export function kindOf(value: Value): 'null' | 'text' | 'number' | 'boolean' | 'list' | 'object' {
  if (value === null) return 'null';
  if (isList(value)) return 'list';
  switch (typeof value) {
    case 'string': return 'text';
    case 'number':
    case 'bigint': return 'number';
    case 'boolean': return 'boolean';
    default: return 'object';
  }
}
