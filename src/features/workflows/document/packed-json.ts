import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate, inflate } from 'node:zlib';
import { TooLarge } from '../../../platform/errors/errors';
import { bytesOf } from '../../../platform/store/stored-bytes';
import type { StoredBytes } from '../../../platform/store/stored-bytes';
import type { ContentPartRecord, ContentRef } from '../workflow.model';

/** Size of one stored part, bytes; well below the 16 MB limit of a MongoDB document. */
const PART_BYTES = 4 * 1024 * 1024;

/** Maximum JSON text of the documents that one list holds in memory, bytes. */
const MAX_TOGETHER_BYTES = 8 * 1024 * 1024;

/** Limits the memory for the documents of one list. */
export class DocumentsTogether {
  private bytes = 0;

  /** @throws TooLarge several documents have more than 8 MiB together */
  add(bytes: number): void {
    const before = this.bytes;
    this.bytes += bytes;
    if (before > 0 && this.bytes > MAX_TOGETHER_BYTES)
      throw new TooLarge(
        `The documents of this list have more than ${MAX_TOGETHER_BYTES} bytes together. Ask for fewer at a time, or leave out the fields that are read from documents.`,
      );
  }
}

const compress = promisify(deflate);
const expand = promisify(inflate);

/** A compressed value, ready to be written. */
export interface PackedJson {
  readonly ref: ContentRef;
  readonly parts: readonly ContentPartRecord[];
  /** Length of the JSON text, bytes. */
  readonly length: number;
}

export const partIds = ({ id, parts }: Pick<ContentRef, 'id' | 'parts'>): string[] =>
  Array.from({ length: parts }, (_, part) => `${id}/${part}`);

/**
 * Compresses the JSON text and splits it into parts. So keys with dots, dollars or `__proto__` are
 * preserved, and a value may be larger than one document of the store.
 */
export async function packJson(id: string, value: unknown): Promise<PackedJson> {
  const text = Buffer.from(JSON.stringify(value));
  const hash = createHash('sha256').update(text).digest('hex');
  const bytes = await compress(text);
  const parts: ContentPartRecord[] = [];
  for (let from = 0; from < bytes.length; from += PART_BYTES)
    parts.push({ _id: `${id}/${parts.length}`, bytes: bytes.subarray(from, from + PART_BYTES) });
  return { ref: { id, parts: parts.length, hash }, parts, length: text.length };
}

/** Joins and parses the parts; also returns the length of the text, bytes. */
export async function unpackJson(
  parts: readonly StoredPart[],
): Promise<{ value: unknown; length: number }> {
  const text = await expand(Buffer.concat(parts.map((part) => bytesOf(part.bytes))));
  return { value: JSON.parse(text.toString()), length: text.length };
}

export interface StoredPart {
  readonly _id: string;
  readonly bytes: StoredBytes;
}
