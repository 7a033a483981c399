import { createHash, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';
import { deflate } from 'node:zlib';
import type { SourceRecord, SourceRef } from './invoker.model';

const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';

const compress = promisify(deflate);

/** Compressed XML, ready to be stored. */
export interface PackedSource {
  readonly ref: SourceRef;
  readonly record: SourceRecord;
}

/** Compresses outside the transaction. */
export async function packSource(text: string): Promise<PackedSource> {
  const bytes = Buffer.from(withOwnDeclaration(text));
  const id = randomBytes(12).toString('hex');
  const hash = createHash('sha256').update(bytes).digest('hex');
  return {
    ref: { id, hash, bytes: bytes.length },
    record: { _id: id, bytes: await compress(bytes) },
  };
}

/** Replaces the XML declaration: the text is stored as UTF-8, whatever encoding the file had. */
function withOwnDeclaration(text: string): string {
  // On the line of the root element, so that line numbers in warnings match the file.
  if (!text.startsWith('<?xml')) return `${DECLARATION}${text}`;
  return `${DECLARATION}${text.slice(text.indexOf('?>') + 2)}`;
}
