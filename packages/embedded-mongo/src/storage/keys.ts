import { Binary, Double, Long, ObjectId } from 'bson';
import { createHash } from 'node:crypto';
import { unsupported } from '../errors';
import type { ReadView, WriteView } from './views';

/**
 * Order-preserving encoding of BSON values: encodings compare bytewise like the values in BSON
 * order, and equal values (1, 1.0 and Long 1) have equal encodings. Encodings are prefix-free, so
 * the fields of a compound index are concatenated; a descending field has inverted bytes.
 */

/** The first byte of an encoding, in BSON type order. */
const Tag = {
  undefined: 0x05,
  null: 0x0a,
  number: 0x14,
  string: 0x1e,
  object: 0x28,
  array: 0x32,
  binary: 0x3c,
  objectId: 0x46,
  boolean: 0x50,
  date: 0x5a,
} as const;

/** Longer index keys are truncated and get a hash; LMDB allows 1,978 bytes. */
export const CUT_AT = 1_400;
/** Maximum length of an encoded `_id`, so that an index key and its `_id` suffix always fit. */
export const MAX_ID_KEY = 500;

/** Encoding of an empty array in an index: before null, as in MongoDB. */
export const UNDEFINED_KEY = Buffer.from([Tag.undefined]);
export const NULL_KEY = Buffer.from([Tag.null]);

/** Encodes a value. `undefined` (missing) is encoded as null, as in MongoDB. */
export function encodeValue(value: unknown): Buffer {
  if (typeof value === 'string') return encodeString(value);
  if (typeof value === 'number') return encodeNumber(value, 0);
  if (value instanceof Double) return encodeNumber(value.value, 0);
  if (value === null || value === undefined) return NULL_KEY;
  if (typeof value === 'boolean') return Buffer.from([Tag.boolean, value ? 1 : 0]);
  if (typeof value === 'bigint') return encodeInt64(value);
  if (value instanceof Date) return encodeDate(value);
  if (Array.isArray(value))
    return Buffer.concat([Buffer.from([Tag.array]), ...value.map(encodeValue), END]);
  if (Long.isLong(value)) return encodeInt64(value.toBigInt());
  return encodeObjectLike(value);
}

const END = Buffer.from([0]);

function encodeObjectLike(value: object): Buffer {
  if (value instanceof ObjectId) return Buffer.concat([Buffer.from([Tag.objectId]), value.id]);
  if (value instanceof Binary) return encodeBinary(value.value(), value.sub_type);
  if (value instanceof Uint8Array) return encodeBinary(value, Binary.SUBTYPE_DEFAULT);
  const type = (value as { _bsontype?: unknown })._bsontype;
  if (typeof type === 'string') throw unsupported(`a key of type ${type} is`);
  if (value instanceof RegExp) throw unsupported('a key of type RegExp is');
  return encodeObject(value);
}

/** Objects compare by field: type, name, value. */
function encodeObject(value: object): Buffer {
  const parts: Buffer[] = [Buffer.from([Tag.object])];
  for (const [name, field] of Object.entries(value)) {
    const encoded = encodeValue(field);
    parts.push(encoded.subarray(0, 1), Buffer.from(`${name}\0`, 'utf8'), encoded);
  }
  return Buffer.concat([...parts, END]);
}

/**
 * UTF-8 with 00 escaped as 00 FF, terminated by 00 00: "a" sorts before "a\0", both before "aa".
 */
function encodeString(text: string): Buffer {
  if (!text.includes('\0')) {
    const length = Buffer.byteLength(text, 'utf8');
    const bytes = Buffer.allocUnsafe(length + 3);
    bytes[0] = Tag.string;
    bytes.write(text, 1, 'utf8');
    bytes[length + 1] = 0;
    bytes[length + 2] = 0;
    return bytes;
  }
  const raw = Buffer.from(text, 'utf8');
  const bytes: number[] = [Tag.string];
  for (const byte of raw) {
    bytes.push(byte);
    if (byte === 0) bytes.push(0xff);
  }
  bytes.push(0, 0);
  return Buffer.from(bytes);
}

function encodeBinary(data: Uint8Array, subtype: number): Buffer {
  const bytes = Buffer.allocUnsafe(data.length + 6);
  bytes[0] = Tag.binary;
  bytes.writeUInt32BE(data.length, 1);
  bytes[5] = subtype;
  bytes.set(data, 6);
  return bytes;
}

/**
 * Encodes all numeric types as the largest double not above the value, and the distance to it (0
 * for doubles, 0 to 1,023 for int64), which keeps integers beyond 2^53 exact and in order with
 * doubles.
 */
function encodeNumber(double: number, distance: number): Buffer {
  const bytes = Buffer.allocUnsafe(11);
  bytes[0] = Tag.number;
  writeSortableDouble(bytes, double, 1);
  bytes.writeUInt16BE(distance, 9);
  return bytes;
}

function writeSortableDouble(bytes: Buffer, double: number, offset: number): void {
  if (Number.isNaN(double)) {
    bytes.fill(0, offset, offset + 8);
    return;
  }
  bytes.writeDoubleBE(double === 0 ? 0 : double, offset);
  if ((bytes[offset] & 0x80) === 0) bytes[offset] |= 0x80;
  else invert(bytes, offset, offset + 8);
}

function encodeInt64(value: bigint): Buffer {
  let double = Number(value);
  if (BigInt(double) > value) double = previousDouble(double);
  return encodeNumber(double, Number(value - BigInt(double)));
}

function previousDouble(double: number): number {
  const bits = new DataView(new ArrayBuffer(8));
  bits.setFloat64(0, double);
  bits.setBigInt64(0, bits.getBigInt64(0) + (double > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

function encodeDate(date: Date): Buffer {
  const bytes = Buffer.allocUnsafe(9);
  bytes[0] = Tag.date;
  writeSortableDouble(bytes, date.getTime(), 1);
  return bytes;
}

function invert(bytes: Buffer, from: number, to: number): void {
  for (let index = from; index < to; index++) bytes[index] = ~bytes[index] & 0xff;
}

/** Inverts an encoding for descending order. */
export function descending(encoded: Buffer): Buffer {
  const bytes = Buffer.from(encoded);
  invert(bytes, 0, bytes.length);
  return bytes;
}

/** Returns the smallest key greater than all keys with this prefix. */
export function afterPrefix(prefix: Buffer): Buffer {
  let end = prefix.length;
  while (end > 0 && prefix[end - 1] === 0xff) end--;
  const bytes = Buffer.from(prefix.subarray(0, end));
  bytes[end - 1]++;
  return bytes;
}

/** Truncates a long index key; the hash keeps equality exact, but not the order. */
export function cutKey(key: Buffer): { readonly key: Buffer; readonly cut: boolean } {
  if (key.length <= CUT_AT) return { key, cut: false };
  return {
    key: Buffer.concat([key.subarray(0, CUT_AT), createHash('sha256').update(key).digest()]),
    cut: true,
  };
}

/** Key spaces: m = meta records, d = documents, i = index entries. */
const META = 0x01;
const DOCUMENT = 0x02;
const INDEX = 0x03;

export const metaKey = (name: string): Buffer =>
  Buffer.concat([Buffer.from([META]), Buffer.from(name, 'utf8')]);
export const documentPrefix = (collection: number): Buffer => prefixed(DOCUMENT, collection);
export const indexPrefix = (index: number): Buffer => prefixed(INDEX, index);
export const documentKey = (collection: number, idKey: Buffer): Buffer =>
  Buffer.concat([documentPrefix(collection), idKey]);
export const isMetaKey = (key: Buffer): boolean => key[0] === META;

/** Returns the collection id of a document key; undefined for other keys. */
export const collectionOf = (key: Buffer): number | undefined =>
  key[0] === DOCUMENT ? key.readUInt32BE(1) : undefined;

/** Returns the key range of all documents of a collection. */
export const documentRange = (
  collection: number,
): { readonly start: Buffer; readonly end: Buffer } => {
  const start = documentPrefix(collection);
  return { start, end: afterPrefix(start) };
};

/** Returns the key range of all entries of an index. */
export const indexRange = (index: number): { readonly start: Buffer; readonly end: Buffer } => {
  const start = indexPrefix(index);
  return { start, end: afterPrefix(start) };
};

/** Length of {@link documentPrefix} and {@link indexPrefix}. */
export const PREFIX_LENGTH = 5;

function prefixed(kind: number, id: number): Buffer {
  const bytes = Buffer.allocUnsafe(PREFIX_LENGTH);
  bytes[0] = kind;
  bytes.writeUInt32BE(id, 1);
  return bytes;
}

/** Number of documents per collection: a record that is updated in the same commit. */
const countKey = (collection: number): Buffer => metaKey(`n/${collection}`);

export const countOf = (view: ReadView, collection: number): number =>
  view.get(countKey(collection))?.readDoubleBE(0) ?? 0;

export function setCount(view: WriteView, collection: number, count: number): void {
  if (count === 0) {
    view.remove(countKey(collection));
    return;
  }
  const bytes = Buffer.alloc(8);
  bytes.writeDoubleBE(count, 0);
  view.put(countKey(collection), bytes);
}
