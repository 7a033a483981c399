import type { IncomingMessage } from 'node:http';
import rawBody from 'raw-body';
import { BadInput, TooLarge, UnsupportedMediaType } from '../../errors/errors';
import { nextSlice } from '../../event-loop';
import { parseJson } from '../../json/parse-json';
import type { InputShare } from '../../large-inputs';

/** The media type of a request in lower case, without parameters; undefined for none. */
export function mediaType(request: IncomingMessage): string | undefined {
  return request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() || undefined;
}

/** Returns whether the headers announce a body. */
export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
}

/**
 * The client disconnected while sending its body. The error ends what waits for the body; the
 * client does not receive it.
 */
export const incompleteBody = (): BadInput =>
  new BadInput('BAD_REQUEST', 'The body ended too early.');

/**
 * Reads the whole body.
 * @throws TooLarge as soon as it is known to have more than `limit` bytes; the rest is not kept
 * @throws BadInput the client disconnected before its end
 */
export async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  if (request.destroyed) throw incompleteBody();
  try {
    return await rawBody(request, { limit, length: request.headers['content-length'] });
  } catch (error) {
    if (error instanceof Error && 'status' in error && error.status === 413)
      throw new TooLarge(`The body may have ${limit} bytes at most.`);
    throw incompleteBody();
  }
}

/** Maximum bytes of a body from a caller without a valid token. */
export const OPEN_BODY_BYTES = 64 * 1024;

const isJson = (type: string): boolean =>
  type === 'application/json' || /^application\/[\w.+-]+\+json$/.test(type);

function requireReadable(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding']?.toLowerCase() ?? 'identity';
  if (encoding !== 'identity')
    throw new UnsupportedMediaType(`A body with Content-Encoding ${encoding} is not accepted.`);
  const charset =
    /;\s*charset="?([\w-]+)/i.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase() ??
    'utf-8';
  if (charset !== 'utf-8' && charset !== 'utf8' && charset !== 'us-ascii') {
    throw new UnsupportedMediaType(`JSON comes as UTF-8, not as ${charset}.`);
  }
}

/** Which media types are accepted as JSON: all kinds of JSON, any type at all, or just one. */
interface JsonReading {
  readonly anyContentType?: boolean;
  readonly consumes?: string;
}

function requireType(
  type: string | undefined,
  { anyContentType = false, consumes }: JsonReading,
): void {
  const isTaken =
    consumes === undefined
      ? anyContentType || isJson(type ?? 'application/json')
      : type === consumes;
  if (!isTaken)
    throw new UnsupportedMediaType(
      `This operation reads ${consumes ?? 'application/json'}, not ${type ?? 'a body without a content type'}.`,
    );
}

/**
 * Reads a JSON body. Returns undefined for no body, which the schema validates. A missing content
 * type means JSON, unless only one type is accepted.
 * @param share takes memory for the bytes before they are parsed; the caller disposes it
 * @throws UnsupportedMediaType a content type, encoding or character set that is not accepted
 * @throws TooLarge BadInput
 * @throws Unavailable INPUT_QUEUE_FULL
 */
export async function readJson(
  request: IncomingMessage,
  limit: number,
  reading: JsonReading = {},
  share?: InputShare,
): Promise<unknown> {
  if (!hasBody(request)) return undefined;
  requireType(mediaType(request), reading);
  requireReadable(request);
  const bytes = await readBytes(request, limit);
  await share?.take(bytes.length);
  const value = parseJson(bytes);
  if (bytes.length > OPEN_BODY_BYTES) await nextSlice();
  return value;
}
