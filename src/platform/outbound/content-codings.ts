import { isUtf8 } from 'node:buffer';

/** Codings that are decoded here. */
export const KNOWN_CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

/** Compressions that are not decoded here. */
const OTHER_COMPRESSIONS: ReadonlySet<string> = new Set([
  'zstd',
  'compress',
  'x-compress',
  'dcb',
  'dcz',
  'exi',
  'pack200-gzip',
  'aes128gcm',
  'bzip2',
  'x-bzip2',
  'lzma',
  'xz',
  'lz4',
  'snappy',
]);

/** Words that servers send as `Content-Encoding` although they name no compression. */
const NO_COMPRESSION: ReadonlySet<string> = new Set([
  'identity',
  'none',
  'null',
  'undefined',
  'plain',
  'text',
  'binary',
  '7bit',
  '8bit',
  'ascii',
  'base64',
  'chunked',
  'aws-chunked',
  'amz-1.0',
]);

/** Returns the words of a `Content-Encoding` header in lower case, in the order of encoding. */
export const codingsIn = (contentEncoding: string): string[] =>
  contentEncoding
    .toLowerCase()
    .split(',')
    .map((word) => word.split(';')[0].trim())
    .filter((word) => word !== '');

/**
 * Returns whether a body with this coding can be read as it is: the word means no compression, is a
 * character set or media type, or it is unknown and the body is text.
 */
export const isNoCompression = (word: string, body: Buffer): boolean =>
  NO_COMPRESSION.has(word) ||
  word.includes('/') ||
  (!KNOWN_CODINGS.has(word) && !OTHER_COMPRESSIONS.has(word) && (isCharset(word) || isUtf8(body)));

function isCharset(word: string): boolean {
  try {
    return new TextDecoder(word) instanceof TextDecoder;
  } catch {
    return false;
  }
}
