import { isDocument, isNumeric } from './values';

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
