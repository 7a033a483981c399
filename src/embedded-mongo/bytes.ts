import { BSON, Long, ObjectId } from 'bson';
import { assignField } from './semantics/values';
import type { Doc } from './semantics/values';

/** The BSON types the store keeps, by their number in the bytes. */
export const BsonType = {
  double: 0x01, string: 0x02, document: 0x03, array: 0x04, binary: 0x05, objectId: 0x07, boolean: 0x08, date: 0x09, null: 0x0a, int32: 0x10, int64: 0x12,
} as const;

/** Walks the elements of a BSON document without decoding them. Between two steps it stands on one element. */
export class Elements {
  type = 0;
  /** Where the element begins: its type, its name up to a zero byte, its value. */
  start = 0;
  nameEnd = 0;
  valueStart = 0;
  end: number;
  private readonly limit: number;

  constructor(readonly bytes: Buffer, offset = 0) {
    this.end = offset + 4;
    this.limit = offset + bytes.readInt32LE(offset) - 1;
  }

  next(): boolean {
    if (this.end >= this.limit) return false;
    const { bytes } = this;
    this.start = this.end;
    this.type = bytes[this.start];
    let at = this.start + 1;
    while (bytes[at] !== 0) at++;
    this.nameEnd = at;
    this.valueStart = at + 1;
    this.end = this.valueStart + this.sizeOfValue();
    return true;
  }

  /** `name`: as UTF-8. */
  isNamed(name: Buffer): boolean {
    const from = this.start + 1;
    const { length } = name;
    if (this.nameEnd - from !== length) return false;
    for (let at = 0; at < length; at++) if (this.bytes[from + at] !== name[at]) return false;
    return true;
  }

  /** Type, name and value as they are. */
  get whole(): Buffer {
    return this.bytes.subarray(this.start, this.end);
  }

  get value(): unknown {
    const { bytes, valueStart: at } = this;
    switch (this.type) {
      case BsonType.double: return bytes.readDoubleLE(at);
      case BsonType.string: return bytes.toString('utf8', at + 4, this.end - 1);
      case BsonType.objectId: return new ObjectId(Uint8Array.prototype.slice.call(bytes, at, this.end));
      case BsonType.boolean: return bytes[at] === 1;
      case BsonType.date: return new Date(Number(bytes.readBigInt64LE(at)));
      case BsonType.null: return null;
      case BsonType.int32: return bytes.readInt32LE(at);
      case BsonType.int64: return new Long(bytes.readInt32LE(at), bytes.readInt32LE(at + 4));
      default: return this.decoded();
    }
  }

  /** Documents, arrays and binaries are left to the library. */
  private decoded(): unknown {
    return Object.values(decodeDocument(documentOf([this.whole])))[0];
  }

  private sizeOfValue(): number {
    const { bytes, valueStart: at } = this;
    switch (this.type) {
      case BsonType.double: case BsonType.date: case BsonType.int64: return 8;
      case BsonType.int32: return 4;
      case BsonType.string: return 4 + bytes.readInt32LE(at);
      case BsonType.document: case BsonType.array: return bytes.readInt32LE(at);
      case BsonType.binary: return 5 + bytes.readInt32LE(at);
      case BsonType.objectId: return 12;
      case BsonType.boolean: return 1;
      case BsonType.null: return 0;
      default: throw new Error(`a stored document holds a value of type ${this.type}`);
    }
  }
}

/** int64 stays Long and binary stays Binary, so that what is written back is what was read. */
export const decodeDocument = (bytes: Uint8Array): Doc => BSON.deserialize(bytes, { promoteLongs: false, promoteBuffers: false });

/** A reader of some top-level fields; the others are passed over. */
export function fieldReader(fields: Iterable<string>): (bytes: Buffer) => Doc {
  const wanted = [...fields].map((name) => ({ name, bytes: Buffer.from(name, 'utf8') }));
  return (bytes) => {
    const doc: Doc = {};
    let missing = wanted.length;
    for (const elements = new Elements(bytes); missing > 0 && elements.next();) {
      for (const field of wanted) {
        if (!elements.isNamed(field.bytes)) continue;
        assignField(doc, field.name, elements.value);
        missing--;
        break;
      }
    }
    return doc;
  };
}

/** A BSON document of finished elements. */
export function documentOf(elements: readonly Buffer[]): Buffer {
  const length = elements.reduce((sum, element) => sum + element.length, 5);
  const bytes = Buffer.allocUnsafe(length);
  bytes.writeInt32LE(length, 0);
  let at = 4;
  for (const element of elements) at += element.copy(bytes, at);
  bytes[at] = 0;
  return bytes;
}
