import { EngineError } from './errors';
import { printExactJson } from './exact-json';

/**
 * A binary response body. Sent as a whole, it keeps bytes and media type; within JSON, a form or
 * text it becomes base64.
 */
export class BinaryValue {
  constructor(
    readonly bytes: Buffer,
    readonly mediaType: string,
    /** Name of the file, without directories; null if unknown. */
    readonly fileName: string | null = null,
  ) {}

  toJSON(): string {
    return this.bytes.toString('base64');
  }

  /** Shown in logs and events instead of the bytes. */
  get description(): string {
    return `${this.mediaType}, ${this.bytes.length} bytes`;
  }
}

/** A response, expression or body value. A bigint is an integer that a double cannot hold. */
export type Value =
  null | boolean | number | bigint | string | BinaryValue | readonly Value[] | ValueMap;
export interface ValueMap {
  readonly [name: string]: Value;
}

/** Returns the description of binary values; null for others. */
export const describeBinary = (value: object): string | null =>
  value instanceof BinaryValue ? value.description : null;

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof BinaryValue);

/** Returns an own field; ignores the prototype. */
export function ownField(map: ValueMap, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/**
 * Sets an own field, also `__proto__`, which an assignment would take for the prototype. Several
 * times as fast as `Object.fromEntries`.
 */
export function setField<T>(map: Record<string, T>, name: string, value: T): void {
  if (name !== '__proto__') map[name] = value;
  else
    Object.defineProperty(map, name, {
      value,
      enumerable: true,
      writable: true,
      configurable: true,
    });
}

/** Converts a binary body to base64 text, for expressions and scripts. */
export const withoutBytes = (value: Value): Value =>
  value instanceof BinaryValue ? value.toJSON() : value;

/** Converts to text: null is empty, lists and objects are JSON, bytes are base64. */
export function toText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof BinaryValue) return value.toJSON();
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** @throws EngineError VALUE_TOO_LARGE the value is too deep or too long to serialize */
export function toJson(value: Value): string {
  try {
    return printExactJson(value);
  } catch {
    throw new EngineError(
      'VALUE_TOO_LARGE',
      'A value is nested too deeply or too long to be written as JSON.',
    );
  }
}

/** Returns the name of the type, as used in error messages and `IsTypeOf`. */
export function kindOf(value: Value): 'null' | 'text' | 'number' | 'boolean' | 'list' | 'object' {
  if (value === null) return 'null';
  if (isList(value)) return 'list';
  if (value instanceof BinaryValue) return 'text';
  switch (typeof value) {
    case 'string':
      return 'text';
    case 'number':
    case 'bigint':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      return 'object';
  }
}
