import { Binary, Double, Long, ObjectId } from 'bson';
import { StoreError, unsupported } from '../errors';
import { keepOrder } from './field-order';

/**
 * A decoded BSON document. int64 is a bson `Long` (promoteLongs false), binary a bson `Binary`
 * (promoteBuffers false). A JS number is an int32 if it can be one, otherwise a double; a double that
 * could be an int32 is a bson `Double`. `undefined` means missing.
 */
export type Doc = Record<string, unknown>;

const MAX_DEPTH = 100;
const int32 = { min: -0x8000_0000, max: 0x7fff_ffff };

/** Plain objects only; a field called `_bsontype` does not make another type. */
export function isDocument(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

/** In bson, Timestamp extends Long. */
export const isLong = (value: unknown): value is Long =>
  value instanceof Long && value._bsontype === 'Long';

export const isDouble = (value: unknown): value is Double => value instanceof Double;

export const isNumeric = (value: unknown): value is number | Long | Double =>
  typeof value === 'number' || isLong(value) || isDouble(value);

/** Whether a JS number is written as int32; every other number is written as double. */
export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= int32.min && value <= int32.max && !Object.is(value, -0);

/** Returns a `Double` where a number would be an int32. */
export const doubleOf = (value: number): number | Double =>
  isInt32(value) || Object.is(value, -0) ? new Double(value) : value;

/** Returns the BSON type of a value with the name that `$type` and error messages use. */
export function typeName(value: unknown): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return isInt32(value) ? 'int' : 'double';
    case 'boolean':
      return 'bool';
    case 'undefined':
      return 'undefined';
    case 'object':
      return value === null ? 'null' : objectTypeName(value);
    default:
      return 'unknown';
  }
}

function objectTypeName(value: object): string {
  if (Array.isArray(value)) return 'array';
  if (isDocument(value)) return 'object';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  return bsonTypeNames[String((value as { _bsontype?: unknown })._bsontype)] ?? 'unknown';
}

const bsonTypeNames: Readonly<Record<string, string>> = {
  ObjectId: 'objectId',
  Long: 'long',
  Double: 'double',
  Binary: 'binData',
  Decimal128: 'decimal',
  Timestamp: 'timestamp',
  MinKey: 'minKey',
  MaxKey: 'maxKey',
  BSONRegExp: 'regex',
  BSONSymbol: 'symbol',
  DBRef: 'dbPointer',
};

/** Distinguishes two more types for error messages. */
function unsupportedTypeName(value: unknown): string {
  const bsonType =
    typeof value === 'object' && value !== null
      ? (value as { _bsontype?: unknown })._bsontype
      : undefined;
  if (bsonType === 'Code') return 'javascript';
  if (bsonType === 'DBRef') return 'DBRef';
  const name = typeName(value);
  return name === 'unknown' ? typeof value : name;
}

/** Own fields only: a document may lack a field that every JS object inherits. */
export const field = (doc: Doc, key: string): unknown =>
  Object.hasOwn(doc, key) ? doc[key] : undefined;

/** Plain assignment to `__proto__` would change the prototype instead of adding a field. */
export function assignField(doc: Doc, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(doc, key, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  else doc[key] = value;
}

/** A shallow copy with one field set; the position of an existing field is kept. */
export function withField(doc: Doc, key: string, value: unknown): Doc {
  const copy = { ...doc };
  assignField(copy, key, value);
  keepOrder(doc, copy, key);
  return copy;
}

/** A shallow copy without one field. */
export function withoutField(doc: Doc, key: string): Doc {
  const copy = { ...doc };
  delete copy[key];
  keepOrder(doc, copy, key);
  return copy;
}

/**
 * @throws StoreError 115 a value of a type that the store cannot keep exactly, 15 nested deeper than
 *   100 levels
 */
export function requireSupportedTypes(doc: Doc): void {
  requireSupported(doc, 0);
}

/** The same for a single value, e.g. an operand of a query, at nesting level `depth`. */
export function requireSupported(value: unknown, depth = 1): void {
  if (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    value === null
  )
    return;
  if (depth > MAX_DEPTH)
    throw new StoreError('Overflow', `cannot nest documents deeper than ${MAX_DEPTH} levels`);
  if (Array.isArray(value)) {
    for (const element of value) requireSupported(element, depth + 1);
    return;
  }
  if (isDocument(value)) {
    for (const key of Object.keys(value)) {
      if (key === '_bsontype') throw unsupported('a field named _bsontype is');
      requireSupported(value[key], depth + 1);
    }
    return;
  }
  requireSupportedScalar(value);
}

function requireSupportedScalar(value: unknown): void {
  if (value instanceof ObjectId || value instanceof Binary || isLong(value) || isDouble(value))
    return;
  if (!(value instanceof Date))
    throw unsupported(`values of type ${unsupportedTypeName(value)} are`);
  if (Number.isNaN(value.getTime()))
    throw unsupported('dates outside the range of a JavaScript Date are');
}

/**
 * @throws StoreError 53 an array, regular expression or undefined, 52 a `$` field at any depth
 */
export function requireValidId(id: unknown): void {
  const type = typeName(id);
  if (type === 'array' || type === 'regex' || type === 'undefined') {
    throw new StoreError('InvalidIdField', `The '_id' value cannot be of type ${type}`);
  }
  if (isDocument(id)) requireNoDollarFields(id);
}

function requireNoDollarFields(doc: Doc): void {
  for (const [key, value] of Object.entries(doc)) {
    if (key.startsWith('$'))
      throw new StoreError(
        'DollarPrefixedFieldName',
        `_id fields may not contain '$'-prefixed fields: ${key} is not valid for storage.`,
      );
    if (isDocument(value)) requireNoDollarFields(value);
  }
}

const longest = 150;

/** Formats a value as in MongoDB's messages: `{ a: 5, b: "x" }`. Truncated; for users only. */
export function describe(value: unknown): string {
  const text = print(value);
  return text.length > longest ? `${text.slice(0, longest)}...` : text;
}

function print(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === null || typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[ ${value.map(print).join(', ')} ]`;
  if (isDocument(value)) return printFields(Object.entries(value));
  if (value instanceof Date)
    return Number.isNaN(value.getTime()) ? 'new Date(NaN)' : `new Date(${value.getTime()})`;
  if (isNumeric(value)) return `${value.toString()}`;
  return printScalar(value);
}

/** ObjectId, Binary and unsupported types. */
interface Scalar {
  readonly _bsontype?: string;
  readonly toString: () => string;
}

const printScalar = (value: Scalar): string =>
  `${value._bsontype ?? 'value'}('${value.toString()}')`;

function printFields(fields: readonly (readonly [string, unknown])[]): string {
  return fields.length === 0
    ? '{}'
    : `{ ${fields.map(([key, value]) => `${key}: ${print(value)}`).join(', ')} }`;
}
