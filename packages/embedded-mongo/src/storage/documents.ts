import { BSON } from 'bson';
import { StoreError } from '../errors';
import { decodeDocument } from '../values/bson-elements';
import { fromOrderedEntries, inOrder, orderedEntries } from '../values/field-order';
import { requireSupportedTypes, requireValidId } from '../values/values';
import type { Doc } from '../values/values';
import { MAX_ID_KEY, encodeValue } from './keys';

const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** Encodes a document, `_id` first. @throws StoreError unsupported type, size or depth */
export function encodeDocument(doc: Doc): Buffer {
  requireSupportedTypes(doc);
  return serialize(idFirst(doc), MAX_DOCUMENT_BYTES);
}

/** Allowance for the fields of a reply in addition to its documents. */
const REPLY_BYTES = 64 * 1024;

/** Encodes a computed document or a whole reply. @throws StoreError 10334 too large */
export const encodeResult = (doc: Doc): Buffer => serialize(doc, MAX_DOCUMENT_BYTES + REPLY_BYTES);

function serialize(doc: Doc, maxBytes: number): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = BSON.serialize(inOrder(doc) as Doc, { ignoreUndefined: true });
  } catch (error) {
    // The buffer of the library fits one document of maximum size and little more.
    const { name, message } = error as Error;
    if (name !== 'RangeError' || message.includes('call stack')) throw error;
    throw tooLarge(`more than ${maxBytes}`);
  }
  if (bytes.length > maxBytes) throw tooLarge(bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const tooLarge = (size: number | string): StoreError =>
  new StoreError(
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
  );

/**
 * Checks a document in BSON as an insert does, except the indexes. Returns the key of its `_id`.
 * @throws StoreError unsupported type, size or depth; invalid `_id`
 */
export function requireStorable(bytes: Uint8Array): Buffer {
  const doc = decodeDocument(bytes);
  encodeDocument(doc);
  return idKeyOf(doc._id);
}

/** Encodes the key of a document. @throws StoreError invalid `_id` */
export function idKeyOf(id: unknown): Buffer {
  requireValidId(id);
  const key = encodeValue(id);
  if (key.length > MAX_ID_KEY)
    throw new StoreError(
      'KeyTooLong',
      `an _id may have at most ${MAX_ID_KEY} bytes, this one has ${key.length}`,
    );
  return key;
}

function idFirst(doc: Doc): Doc {
  if (Object.keys(doc)[0] === '_id') return doc;
  return fromOrderedEntries([
    ['_id', doc._id],
    ...orderedEntries(doc).filter(([name]) => name !== '_id'),
  ]);
}
