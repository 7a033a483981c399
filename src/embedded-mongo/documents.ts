import { BSON } from 'bson';
import { StoreError } from './semantics/errors';
import { fromOrderedEntries, inOrder, orderedEntries } from './semantics/key-order';
import { requireSupportedTypes, requireValidId } from './semantics/values';
import type { Doc } from './semantics/values';
import { MAX_ID_KEY, encodeValue } from './keys';

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

export { decodeDocument } from './bytes';

/** Bytes of a document, `_id` first. @throws StoreError for a type, size or depth the store does not take. */
export function encodeDocument(doc: Doc): Buffer {
  requireSupportedTypes(doc);
  return serialize(idFirst(doc), MAX_DOCUMENT_BYTES);
}

/** What a reply says about its documents may come on top of them. */
const REPLY_BYTES = 64 * 1024;

/** Bytes of a computed document, or of a whole reply. @throws StoreError 10334 when it is larger than a document may be. */
export const encodeResult = (doc: Doc): Buffer => serialize(doc, MAX_DOCUMENT_BYTES + REPLY_BYTES);

function serialize(doc: Doc, most: number): Buffer {
  let bytes: Uint8Array;
  try {
    bytes = BSON.serialize(inOrder(doc) as Doc, { ignoreUndefined: true });
  } catch (error) {
    // The buffer the library writes into holds one document of the greatest size and not much more.
    const { name, message } = error as Error;
    if (name !== 'RangeError' || message.includes('call stack')) throw error;
    throw tooLarge(`more than ${most}`);
  }
  if (bytes.length > most) throw tooLarge(bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const tooLarge = (size: number | string): StoreError =>
  new StoreError(
    10334,
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`,
  );

/** The key of a document. @throws StoreError for an `_id` that cannot be one. */
export function idKeyOf(id: unknown): Buffer {
  requireValidId(id);
  const key = encodeValue(id);
  if (key.length > MAX_ID_KEY)
    throw new StoreError(
      17280,
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
