import { Binary, ObjectId } from 'bson';
import { unsupported } from './errors';
import { isDocument, isDouble, isLong, typeName } from './values';

/** A text that is the same for two values exactly when they are equal in BSON order. */
export function valueKey(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value === 'boolean') return String(value);
  if (typeof value === 'number') return `n${Number.isInteger(value) ? BigInt(value) : value}`;
  return objectKey(value);
}

function objectKey(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(valueKey).join()}]`;
  if (isDocument(value))
    return `{${Object.entries(value)
      .map(([name, inner]) => `${JSON.stringify(name)}:${valueKey(inner)}`)
      .join()}}`;
  if (isLong(value)) return `n${value.toBigInt()}`;
  if (isDouble(value)) return valueKey(value.value);
  if (value instanceof Date) return `d${value.getTime()}`;
  if (value instanceof ObjectId) return `o${value.toHexString()}`;
  if (value instanceof Binary) return `b${value.sub_type}:${value.toString('hex')}`;
  throw unsupported(`telling apart values of type ${typeName(value)} is`);
}
