import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import { OutboundError } from './outbound-error';

/**
 * Decodes the content codings; the result must not exceed `limit`. Returns null if a coding is
 * unknown.
 */
export async function unpack(
  body: Buffer,
  contentEncoding: string,
  limit: number,
): Promise<Buffer | null> {
  let unpacked = body;
  const codings = contentEncoding
    .toLowerCase()
    .split(',')
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
  if (codings.length > 2)
    throw new OutboundError('OUTBOUND_BAD_RESPONSE', 'The answer is packed more than twice.');
  if (codings.some((coding) => !KNOWN_CODINGS.has(coding))) return null;
  for (const coding of codings.reverse()) unpacked = await unpackOne(unpacked, coding, limit);
  return unpacked;
}

/** Value of `Accept-Encoding` for the codings that `unpack` supports. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';
const KNOWN_CODINGS: ReadonlySet<string> = new Set(['gzip', 'x-gzip', 'deflate', 'br']);

async function unpackOne(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  if (body.length === 0) return body;
  const options = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (coding) {
      case 'gzip':
      case 'x-gzip':
        return await promisify(gunzip)(body, options);
      // Servers send "deflate" with or without zlib header; the first byte distinguishes them.
      case 'deflate':
        return await ((body[0] & 0x0f) === 8
          ? promisify(inflate)(body, options)
          : promisify(inflateRaw)(body, options));
      case 'br':
        return await promisify(brotliDecompress)(body, { maxOutputLength: limit });
      default:
        return body;
    }
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(limit);
    throw new OutboundError('OUTBOUND_BAD_RESPONSE', `The answer cannot be unpacked (${coding}).`, {
      cause: error,
    });
  }
}

function tooLarge(limit: number): OutboundError {
  return new OutboundError('OUTBOUND_TOO_LARGE', `The answer is larger than ${limit} bytes.`);
}
