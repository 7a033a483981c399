import { promisify } from 'node:util';
import { isNativeError } from 'node:util/types';
import { brotliDecompress, constants, gunzip, inflate, inflateRaw } from 'node:zlib';
import { codingsIn, isNoCompression, KNOWN_CODINGS } from './content-codings';
import { OutboundError } from './outbound-error';

/** A decoded body. */
interface Unpacked {
  readonly body: Buffer;
  /** Words of the header that name no compression. */
  readonly ignored: readonly string[];
}

/** Each word may have to be compared with the whole body. */
const MAX_CODINGS = 10;

/**
 * Decodes the content codings; the result must not exceed `limit`. Returns null if a coding is
 * unknown.
 */
export async function unpack(
  packed: Buffer,
  contentEncoding: string,
  limit: number,
): Promise<Unpacked | null> {
  const codings = codingsIn(contentEncoding);
  if (codings.length > MAX_CODINGS)
    throw new OutboundError(
      'OUTBOUND_BAD_RESPONSE',
      `The answer has ${codings.length} content codings; at most ${MAX_CODINGS} are read.`,
    );
  if (codings.filter((coding) => KNOWN_CODINGS.has(coding)).length > 2)
    throw new OutboundError('OUTBOUND_BAD_RESPONSE', 'The answer is packed more than twice.');
  const ignored = new Set<string>();
  let body = packed;
  for (const coding of codings.reverse()) {
    if (KNOWN_CODINGS.has(coding)) body = await unpackOne(body, coding, limit);
    else if (ignored.has(coding) || isNoCompression(coding, body)) ignored.add(coding);
    else return null;
  }
  ignored.delete('identity');
  return { body, ignored: [...ignored] };
}

/** Value of `Accept-Encoding` for the codings that `unpack` supports. */
export const ACCEPTED_CODINGS = 'gzip, deflate, br';

async function unpackOne(body: Buffer, coding: string, limit: number): Promise<Buffer> {
  if (body.length === 0) return body;
  const options = { maxOutputLength: limit, finishFlush: constants.Z_SYNC_FLUSH };
  try {
    switch (coding) {
      // Servers send "deflate" with or without zlib header; the first byte distinguishes them.
      case 'deflate':
        return await ((body[0] & 0x0f) === 8
          ? promisify(inflate)(body, options)
          : promisify(inflateRaw)(body, options));
      case 'br':
        return await promisify(brotliDecompress)(body, { maxOutputLength: limit });
      default:
        return await promisify(gunzip)(body, options);
    }
  } catch (error) {
    if (isNativeError(error) && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE')
      throw tooLarge(limit);
    throw new OutboundError('OUTBOUND_BAD_RESPONSE', `The answer cannot be unpacked (${coding}).`, {
      cause: error,
    });
  }
}

const tooLarge = (limit: number): OutboundError =>
  new OutboundError('OUTBOUND_TOO_LARGE', `The body of the answer is larger than ${limit} bytes.`);
