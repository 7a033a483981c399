import { Binary, Double, Long, ObjectId } from 'bson';
import { dollarPrefixed, StoreError, unsupported } from './errors';
import { keepOrder } from './key-order';

/**
 * A decoded BSON document: promoteValues true, int64 as bson `Long` (promoteLongs false), binary as bson `Binary`
 * (promoteBuffers false). A JS number stands for an int32 where it can be one, else for a double; a double that could be an int32 is a
 * bson `Double`. `undefined` never is a value and means missing.
 */
export type Doc = Record<string, unknown>;

/** The names `$type` and error messages use. */
export type TypeName =
  | 'double'
  | 'string'
  | 'object'
  | 'array'
  | 'binData'
  | 'undefined'
  | 'objectId'
  | 'bool'
  | 'date'
  | 'null'
  | 'regex'
  | 'dbPointer'
  | 'javascript'
  | 'symbol'
  | 'javascriptWithScope'
  | 'int'
  | 'timestamp'
  | 'long'
  | 'decimal'
  | 'minKey'
  | 'maxKey';

const maximumDepth = 100;
const int32 = { min: -0x8000_0000, max: 0x7fff_ffff };

/** Plain objects only. Judged by the prototype, so that a field called `_bsontype` cannot pose as another type. */
export function isDocument(value: unknown): value is Doc {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

export const isArray = (value: unknown): value is unknown[] => Array.isArray(value);

/** Timestamp extends Long in bson, hence the second look. */
export const isLong = (value: unknown): value is Long =>
  value instanceof Long && value._bsontype === 'Long';

export const isDouble = (value: unknown): value is Double => value instanceof Double;

export const isNumeric = (value: unknown): value is number | Long | Double =>
  typeof value === 'number' || isLong(value) || isDouble(value);

/** Whether a JS number is written as int32; every other number is written as double. */
export const isInt32 = (value: number): boolean =>
  Number.isInteger(value) && value >= int32.min && value <= int32.max && !Object.is(value, -0);

/** A double as the value it is: a number, or a `Double` where a number would be taken for an int32. */
export const doubleOf = (value: number): number | Double =>
  isInt32(value) || Object.is(value, -0) ? new Double(value) : value;

/** The BSON type of a value as `$type` spells it. */
export function typeName(value: unknown): TypeName | 'unknown' {
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

function objectTypeName(value: object): TypeName | 'unknown' {
  if (Array.isArray(value)) return 'array';
  if (isDocument(value)) return 'object';
  if (value instanceof Date) return 'date';
  if (value instanceof RegExp) return 'regex';
  return bsonTypeNames[String((value as { _bsontype?: unknown })._bsontype)] ?? 'unknown';
}

const bsonTypeNames: Readonly<Record<string, TypeName>> = {
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

/** `typeName`, distinguishing two more cases for error messages. */
function refusedTypeName(value: unknown): string {
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
 * Refuses what the store cannot keep exactly.
 * @throws StoreError 115 naming the type; 15 when nested deeper than 100 levels
 */
export function requireSupportedTypes(doc: Doc): void {
  requireSupported(doc, 0);
}

/** The same for a single value, e.g. an operand of a query. `depth` is the level the value stands at. */
export function requireSupported(value: unknown, depth = 1): void {
  if (
    typeof value === 'string' ||
    typeof value === 'boolean' ||
    typeof value === 'number' ||
    value === null
  )
    return;
  if (depth > maximumDepth)
    throw new StoreError(
      15,
      'Overflow',
      `cannot nest documents deeper than ${maximumDepth} levels`,
    );
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
  if (!(value instanceof Date)) throw unsupported(`values of type ${refusedTypeName(value)} are`);
  if (Number.isNaN(value.getTime()))
    throw unsupported('dates outside the range of a JavaScript Date are');
}

/**
 * The rules for the value of `_id`.
 * @throws StoreError 53 for an array, a regular expression or undefined; 52 for a `$` field at any depth
 */
export function requireValidId(id: unknown): void {
  const type = typeName(id);
  if (type === 'array' || type === 'regex' || type === 'undefined') {
    throw new StoreError(53, 'InvalidIdField', `The '_id' value cannot be of type ${type}`);
  }
  if (isDocument(id)) requireNoDollarFields(id);
}

function requireNoDollarFields(doc: Doc): void {
  for (const [key, value] of Object.entries(doc)) {
    if (key.startsWith('$'))
      throw dollarPrefixed(
        `_id fields may not contain '$'-prefixed fields: ${key} is not valid for storage.`,
      );
    if (isDocument(value)) requireNoDollarFields(value);
  }
}
