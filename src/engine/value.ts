import { EngineError } from './errors';
import { printExactJson } from './exact-json';

/**
 * A response body that is not text. Sent on as a whole it keeps its bytes and media type; inside JSON, a form or another text it is base64.
 */
export class BinaryValue {
  constructor(
    readonly bytes: Buffer,
    readonly mediaType: string,
  ) {}

  toJSON(): string {
    return this.bytes.toString('base64');
  }

  /** Shown in logs and events in place of the bytes. */
  get description(): string {
    return `${this.mediaType}, ${this.bytes.length} bytes`;
  }
}

/** What a response, an expression or a body field can be. A bigint is an integer that does not fit into a double. */
export type Value =
  null | boolean | number | bigint | string | BinaryValue | readonly Value[] | ValueMap;
export interface ValueMap {
  readonly [name: string]: Value;
}

export const isList = (value: Value): value is readonly Value[] => Array.isArray(value);
export const isMap = (value: Value): value is ValueMap =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof BinaryValue);

/** The own field of a map; what a prototype offers is no data. */
export function ownField(map: ValueMap, name: string): Value | undefined {
  return Object.hasOwn(map, name) ? map[name] : undefined;
}

/** A value as expressions and scripts see it: a binary body is its base64 text. */
export const withoutBytes = (value: Value): Value =>
  value instanceof BinaryValue ? value.toJSON() : value;

/** A value inside mixed text: null is empty, lists and objects are JSON, bytes are base64. */
export function toText(value: Value): string {
  if (value === null) return '';
  if (typeof value === 'string') return value;
  if (value instanceof BinaryValue) return value.toJSON();
  return typeof value === 'object' ? toJson(value) : String(value);
}

/** @throws EngineError VALUE_TOO_LARGE when the value is too deep or too long to be written down */
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

/** The name of a value's kind, as error messages and `IsTypeOf` say it. */
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
