import type { ChangeCounts } from '@hypha/embedded-mongo';
import { LRUCache } from 'lru-cache';
import { mongo } from 'mongoose';

/** Approximate memory of all that is remembered, bytes. */
const MAX_BYTES = 64 * 1024 * 1024;
/** Larger results are not remembered: one would displace many that are read more often. */
const MAX_RESULT_BYTES = 2 * 1024 * 1024;
/** Approximate bytes of an object, and of each of its values. */
const OBJECT_BYTES = 64;
const VALUE_BYTES = 16;

/** A document as it came from the store. */
export type RawDocument = Uint8Array;

/** Of records that are remembered. */
export type RecordId = number | string;

/** A frozen value, and its approximate size in memory. */
interface Frozen<T> {
  readonly value: T;
  readonly bytes: number;
}

/** What was read, and the cell whose count tells whether it is current. */
interface Remembered extends Frozen<unknown> {
  readonly cell: number;
  readonly count: number;
}

/** A read of the store that has not ended. */
interface PendingRead {
  readonly count: number;
  readonly value: Promise<unknown>;
}

/** A collection, and the fields that are read of its records: null for all. */
export interface RecordSource {
  readonly collection: string;
  readonly fields: object | null;
}

/**
 * Remembers reads outside of transactions: records by id until a commit changes them, other results
 * until a commit changes their collection. Equal reads at the same time are one read of the store.
 * Only for a store that counts commits by any client before they are acknowledged (the embedded
 * one). All results are frozen, since many readers share them.
 */
export class RecordMemory {
  private readonly results = new LRUCache<string, Remembered>({
    maxSize: MAX_BYTES,
    maxEntrySize: MAX_RESULT_BYTES,
  });
  private readonly pending = new Map<string, PendingRead>();

  constructor(private readonly changes: ChangeCounts) {}

  /** Returns what `read` returned for this operation before, if the collection did not change since. */
  async result<T>(
    collection: string,
    operation: readonly unknown[],
    read: () => Promise<T>,
  ): Promise<T> {
    const key = keyOf(operation);
    if (key === null) return read();
    const cellOf = (): number => this.changes.cellOfCollection(collection);
    return this.current(`${collection} ${key}`, cellOf, async () => frozen(await read()));
  }

  /** As `result`, for a list of records: those that did not change are the same objects as before. */
  async list<T>(
    source: RecordSource,
    operation: readonly unknown[],
    read: () => Promise<RawDocument[]>,
  ): Promise<T[]> {
    const { collection, fields } = source;
    const cell = this.changes.cellOfCollection(collection);
    const place = placeOf(source);
    const readRecords = async (count: number): Promise<Frozen<T[]>> => {
      // A commit during the read may or may not be in what was read.
      const isCurrent = (): boolean => this.changes.at(cell) === count;
      const records = (await read()).map((raw) => this.recordOf(place, raw, isCurrent));
      return {
        value: Object.freeze(records.map(({ value }) => value)) as T[],
        bytes: records.reduce((sum, { bytes }) => sum + bytes, OBJECT_BYTES),
      };
    };
    const key = keyOf([fields, operation]);
    if (key === null) return (await readRecords(this.changes.at(cell))).value;
    return this.current(`${collection} ${key}`, () => cell, readRecords);
  }

  /** Records by id; null for missing ones. `read` is called with the ids that are not remembered. */
  async records<T>(
    source: RecordSource,
    ids: readonly RecordId[],
    read: (ids: readonly RecordId[]) => Promise<RawDocument[]>,
  ): Promise<(T | null)[]> {
    const place = placeOf(source);
    const missing: RecordId[] = [];
    let reading: Promise<Map<RecordId | undefined, RawDocument>> | undefined;
    const readTogether = async (): Promise<Map<RecordId | undefined, RawDocument>> => {
      // The other ids are added before this continues.
      await Promise.resolve();
      return new Map((await read(missing)).map((raw) => [idOf(raw), raw]));
    };
    const readOne = async (id: RecordId): Promise<Frozen<T | null>> => {
      missing.push(id);
      reading ??= readTogether();
      const raw = (await reading).get(id);
      return frozen((raw === undefined ? null : decode(raw)) as T | null);
    };
    return Promise.all(
      ids.map(async (id) =>
        this.current(
          keyOfRecord(place, id),
          () => this.changes.cellOfDocument(place.collection, id),
          () => readOne(id),
        ),
      ),
    );
  }

  /** Returns a function that tells whether a record did not change since this call. */
  watch(collection: string, id: RecordId): () => boolean {
    const cell = this.changes.cellOfDocument(collection, id);
    const count = this.changes.at(cell);
    return () => this.changes.at(cell) === count;
  }

  private cachedAt(key: string): Remembered | undefined {
    const cached = this.results.get(key);
    return cached !== undefined && this.changes.at(cached.cell) === cached.count
      ? cached
      : undefined;
  }

  /** Returns what is remembered or being read, if it is current; otherwise reads it. */
  private current<T>(
    key: string,
    cellOf: () => number,
    read: (count: number) => Promise<Frozen<T>>,
  ): T | Promise<T> {
    const cached = this.cachedAt(key);
    if (cached !== undefined) return cached.value as T;
    const cell = cellOf();
    const count = this.changes.at(cell);
    const pending = this.pending.get(key);
    if (pending?.count === count) return pending.value as Promise<T>;
    const value = read(count)
      .then((result) => {
        this.remember(key, { ...result, cell, count });
        return result.value;
      })
      .finally(() => {
        if (this.pending.get(key)?.value === value) this.pending.delete(key);
      });
    this.pending.set(key, { count, value });
    return value;
  }

  /** Unless it changed during the read. */
  private remember(key: string, result: Remembered): void {
    if (this.changes.at(result.cell) === result.count)
      this.results.set(key, result, { size: result.bytes + 2 * key.length });
  }

  /** @param isCurrent whether its collection did not change since before it was read */
  private recordOf(
    place: RecordPlace,
    raw: RawDocument,
    isCurrent: () => boolean,
  ): Frozen<unknown> {
    const id = idOf(raw);
    if (id === undefined) return frozen(decode(raw));
    const key = keyOfRecord(place, id);
    const cached = this.cachedAt(key);
    // It may be newer than what was read, but not older.
    if (cached !== undefined && cached.value !== null) return cached;
    const record = frozen(decode(raw));
    const cell = this.changes.cellOfDocument(place.collection, id);
    // First the record, since the store counts the collection first.
    const count = this.changes.at(cell);
    if (isCurrent()) this.remember(key, { ...record, cell, count });
    return record;
  }
}

/** Returns the id if a filter names nothing but one. */
export function idOfFilter(filter: object): RecordId | undefined {
  const { _id, ...others } = filter as { readonly _id?: unknown };
  const isId = typeof _id === 'number' || typeof _id === 'string';
  return isId && Object.keys(others).length === 0 ? _id : undefined;
}

/** The part of a key that all records of a source have in common. */
interface RecordPlace {
  readonly collection: string;
  readonly prefix: string;
}

const placeOf = ({ collection, fields }: RecordSource): RecordPlace => ({
  collection,
  prefix: `${collection} ${fields === null ? '' : keyOf(fields)} `,
});

const keyOfRecord = ({ prefix }: RecordPlace, id: RecordId): string =>
  `${prefix}${typeof id === 'number' ? '#' : ''}${id}`;

/** As the driver does with the settings of `connectStore`. */
const decode = (raw: RawDocument): unknown =>
  mongo.BSON.deserialize(raw, { validation: { utf8: false } });

/** Where the value of the first field of a document starts, if its name is `_id`. */
const ID_AT = 9;
const ID_NAME = Buffer.from('_id\0');
/** Type numbers of BSON: https://bsonspec.org/spec.html */
const BSON_TYPES = { double: 1, string: 2, int32: 16 } as const;

/** Returns the id of a document, if it comes first and is a number or a text. */
function idOf(raw: RawDocument): RecordId | undefined {
  const bytes = Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength);
  if (bytes.compare(ID_NAME, 0, ID_NAME.length, ID_AT - ID_NAME.length, ID_AT) !== 0)
    return undefined;
  const type = bytes[ID_AT - ID_NAME.length - 1];
  if (type === BSON_TYPES.int32) return bytes.readInt32LE(ID_AT);
  if (type === BSON_TYPES.double) return bytes.readDoubleLE(ID_AT);
  if (type !== BSON_TYPES.string) return undefined;
  const from = ID_AT + 4;
  return bytes.toString('utf8', from, from + bytes.readInt32LE(ID_AT) - 1);
}

/** Returns a text that is different for different values; null for a class that it does not know. */
function keyOf(value: unknown): string | null {
  if (value === null || typeof value === 'number' || typeof value === 'boolean')
    return String(value);
  if (value === undefined) return 'undefined';
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Date) return `Date ${value.getTime()}`;
  if (Array.isArray(value)) {
    const entries = value.map(keyOf);
    return entries.includes(null) ? null : `[${entries.join(',')}]`;
  }
  if (typeof value !== 'object') return null;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return null;
  let text = '{';
  for (const [name, entry] of Object.entries(value)) {
    const key = keyOf(entry);
    if (key === null) return null;
    text += `${JSON.stringify(name)}:${key},`;
  }
  return `${text}}`;
}

const frozen = <T>(value: T): Frozen<T> => ({ value, bytes: freeze(value) });

/** Freezes a result with all that it contains. Returns its approximate size, bytes. */
function freeze(value: unknown): number {
  if (typeof value === 'string') return 2 * value.length + VALUE_BYTES;
  if (typeof value !== 'object' || value === null) return VALUE_BYTES;
  // Views of memory cannot be frozen.
  if (ArrayBuffer.isView(value)) return value.byteLength + OBJECT_BYTES;
  Object.freeze(value);
  let size = OBJECT_BYTES;
  for (const entry of Object.values(value)) size += freeze(entry);
  return size;
}
