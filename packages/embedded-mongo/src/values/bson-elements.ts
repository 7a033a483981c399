import { BSON, Double, Int32, Long, ObjectId } from 'bson';
import { rememberOrder } from './field-order';
import { assignField, doubleOf, isDocument, isDouble } from './values';
import type { Doc } from './values';

/** Supported BSON types with their codes. */
export const BsonType = {
  double: 0x01,
  string: 0x02,
  document: 0x03,
  array: 0x04,
  binary: 0x05,
  objectId: 0x07,
  boolean: 0x08,
  date: 0x09,
  null: 0x0a,
  int32: 0x10,
  int64: 0x12,
} as const;

/** Iterates over the elements of a BSON document without decoding. */
export class Elements {
  type = 0;
  /** Start of the element: type, name, zero byte, value. */
  start = 0;
  nameEnd = 0;
  valueStart = 0;
  end: number;
  private readonly limit: number;

  constructor(
    readonly bytes: Buffer,
    offset = 0,
  ) {
    this.end = offset + 4;
    this.limit = offset + bytes.readInt32LE(offset) - 1;
  }

  next(): boolean {
    if (this.end >= this.limit) return false;
    const { bytes } = this;
    this.start = this.end;
    this.type = bytes[this.start];
    let at = this.start + 1;
    while (bytes[at] !== 0 && at < this.limit) at++;
    this.nameEnd = at;
    this.valueStart = at + 1;
    this.end = this.valueStart + sizeOf(bytes, this.type, this.valueStart);
    return true;
  }

  get name(): string {
    return this.bytes.toString('utf8', this.start + 1, this.nameEnd);
  }

  /** @param name in UTF-8 */
  isNamed(name: Buffer): boolean {
    const from = this.start + 1;
    const { length } = name;
    if (this.nameEnd - from !== length) return false;
    for (let at = 0; at < length; at++) if (this.bytes[from + at] !== name[at]) return false;
    return true;
  }

  /** The bytes of the element: type, name and value. */
  get element(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  get value(): unknown {
    const { bytes, valueStart: at } = this;
    switch (this.type) {
      case BsonType.double:
        return doubleOf(bytes.readDoubleLE(at));
      case BsonType.string:
        return bytes.toString('utf8', at + 4, this.end - 1);
      case BsonType.objectId:
        return new ObjectId(Uint8Array.prototype.slice.call(bytes, at, this.end));
      case BsonType.boolean:
        return bytes[at] === 1;
      case BsonType.date:
        return new Date(Number(bytes.readBigInt64LE(at)));
      case BsonType.null:
        return null;
      case BsonType.int32:
        return bytes.readInt32LE(at);
      case BsonType.int64:
        return new Long(bytes.readInt32LE(at), bytes.readInt32LE(at + 4));
      default:
        return this.decoded();
    }
  }

  /** Decodes documents, arrays and binary values with the bson library. */
  private decoded(): unknown {
    return Object.values(decodeDocument(documentOf([this.element])))[0];
  }
}

/** Keeps int64 as Long and binary as Binary, so that values are written back unchanged. */
export function decodeDocument(bytes: Uint8Array): Doc {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const options = { promoteLongs: false, promoteBuffers: false };
  if (!losesDetails(buffer, 0, false)) return BSON.deserialize(bytes, options);
  return normalized(
    BSON.deserialize(bytes, { ...options, promoteValues: false }),
    buffer,
    0,
  ) as Doc;
}

/** Converts typed numbers to the representation of values.ts and records the order of fields. */
function normalized(value: unknown, bytes: Buffer, offset: number): unknown {
  if (value instanceof Int32) return value.value;
  if (value instanceof Double) return doubleOf(value.value);
  if (!Array.isArray(value) && !isDocument(value)) return value;
  const container = value as Doc;
  const names: string[] = [];
  for (const elements = new Elements(bytes, offset); elements.next();) {
    const { name, valueStart } = elements;
    names.push(name);
    if (Object.hasOwn(container, name))
      assignField(container, name, normalized(container[name], bytes, valueStart));
  }
  if (!Array.isArray(value)) rememberOrder(container, names);
  return value;
}

/** Whether plain decoding would lose number types or the order of numeric keys. */
function losesDetails(bytes: Buffer, offset: number, inArray: boolean): boolean {
  const end = offset + bytes.readInt32LE(offset) - 1;
  for (let at = offset + 4; at < end;) {
    const type = bytes[at];
    const digit = bytes[at + 1] >= 0x30 && bytes[at + 1] <= 0x39;
    if (digit && !inArray) return true;
    do at++;
    while (bytes[at] !== 0 && at < end);
    at++;
    if (type === BsonType.double && isDouble(doubleOf(bytes.readDoubleLE(at)))) return true;
    if (
      (type === BsonType.document || type === BsonType.array) &&
      losesDetails(bytes, at, type === BsonType.array)
    )
      return true;
    at += sizeOf(bytes, type, at);
  }
  return false;
}

/** Size of a value, also for types that the store rejects (needed to report them). */
function sizeOf(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    case BsonType.double:
    case BsonType.date:
    case BsonType.int64:
    case 0x11:
      return 8;
    case BsonType.int32:
      return 4;
    case BsonType.string:
    case 0x0d:
    case 0x0e:
      return 4 + bytes.readInt32LE(at);
    case BsonType.document:
    case BsonType.array:
    case 0x0f:
      return bytes.readInt32LE(at);
    case BsonType.binary:
      return 5 + bytes.readInt32LE(at);
    case BsonType.objectId:
      return 12;
    case BsonType.boolean:
      return 1;
    case 0x0b:
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    case 0x0c:
      return 16 + bytes.readInt32LE(at);
    case 0x13:
      return 16;
    default:
      return 0;
  }
}

/** Returns a reader for some top-level fields that skips all others. */
export function fieldReader(fields: Iterable<string>): (bytes: Buffer) => Doc {
  const wantedFields = [...fields].map((name) => ({ name, bytes: Buffer.from(name, 'utf8') }));
  return (bytes) => {
    const doc: Doc = {};
    let missing = wantedFields.length;
    for (const elements = new Elements(bytes); missing > 0 && elements.next();) {
      for (const field of wantedFields) {
        if (!elements.isNamed(field.bytes)) continue;
        assignField(doc, field.name, elements.value);
        missing--;
        break;
      }
    }
    return doc;
  };
}

/** Builds a BSON document from encoded elements. */
export function documentOf(elements: readonly Buffer[]): Buffer {
  const length = elements.reduce((sum, element) => sum + element.length, 5);
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32LE(length, 0);
  let at = 4;
  for (const element of elements) at += element.copy(bytes, at);
  bytes[at] = 0;
  return bytes;
}
