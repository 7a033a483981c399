import { BSON } from 'bson';
import { StoreError } from './semantics/errors';
import { requireSupportedTypes, requireValidId } from './semantics/values';
import type { Doc } from './semantics/values';
import { MAX_ID_KEY, encodeValue } from './keys';

export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

/** int64 stays Long and binary stays Binary, so that what is written back is what was read. */
export const decodeDocument = (bytes: Uint8Array): Doc => BSON.deserialize(bytes, { promoteLongs: false, promoteBuffers: false });

/** Bytes of a document, `_id` first. @throws StoreError for a type, size or depth the store does not take. */
export function encodeDocument(doc: Doc): Buffer {
  requireSupportedTypes(doc);
  const bytes = BSON.serialize(idFirst(doc), { ignoreUndefined: true });
  if (bytes.length > MAX_DOCUMENT_BYTES) {
    throw new StoreError(10334, 'BSONObjectTooLarge', `BSONObj size: ${bytes.length} is invalid. Size must be between 0 and ${MAX_DOCUMENT_BYTES}`);
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** The key of a document. @throws StoreError for an `_id` that cannot be one. */
export function idKeyOf(id: unknown): Buffer {
  requireValidId(id);
  const key = encodeValue(id);
  if (key.length > MAX_ID_KEY) throw new StoreError(17280, 'KeyTooLong', `an _id may have at most ${MAX_ID_KEY} bytes, this one has ${key.length}`);
  return key;
}

function idFirst(doc: Doc): Doc {
  if (Object.keys(doc)[0] === '_id') return doc;
  const { _id, ...rest } = doc;
  return { _id, ...rest };
}
