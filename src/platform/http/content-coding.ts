import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { BadInput, TooLarge, UnsupportedMediaType } from '../errors/errors';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DEFLATE_METHOD = 8;
const inflateZlib: Decoder = promisify(inflate);
const inflatePlain: Decoder = promisify(inflateRaw);

/** RFC 9110 asks for a zlib wrapper, and some clients leave it out. */
const inflateEither: Decoder = (bytes, options) =>
  ((bytes[0] & 0x0f) === DEFLATE_METHOD && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0 ? inflateZlib(bytes, options) : inflatePlain(bytes, options));

const gunzipAsync: Decoder = promisify(gunzip);
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzipAsync], ['x-gzip', gunzipAsync], ['deflate', inflateEither], ['br', promisify(brotliDecompress) as Decoder],
]);

/**
 * Decodes the bytes of a body by its `Content-Encoding`.
 * @param limit bytes of the decoded body
 * @throws UnsupportedMediaType an encoding that is not known, or several of them
 * @throws TooLarge
 * @throws BadInput the bytes are not of that encoding
 */
export async function decodeContent(bytes: Buffer, encoding: string | undefined, limit: number): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.length === 0) return bytes;
  const decode = DECODERS.get(name);
  if (!decode) throw new UnsupportedMediaType(`A body with Content-Encoding ${name.slice(0, 50)} is not accepted. Use gzip, deflate, br or none.`);
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge(`The decoded body may have ${limit} bytes at most.`);
    throw new BadInput('BAD_REQUEST', `The body is not valid ${name}.`);
  }
}
