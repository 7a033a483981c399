import type { Request } from 'express';
import type { z } from 'zod';
import type { Limits } from '../../../config/config';
import { BadInput, TooLarge, UnsupportedMediaType } from '../../errors/errors';
import type { Problem } from '../../errors/errors';
import type { ErrorCode } from '../../errors/codes';
import type { InputShare } from '../../large-inputs';
import { hasBody, OPEN_BODY_BYTES, readBytes, readJson } from './json-body';
import { readMultipart } from './multipart-body';
import type { Fields } from '../request-url';
import type { Route, SentBody, UploadedFile } from '../route';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';

type Decoder = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const DEFLATE_METHOD = 8;
const inflateZlib: Decoder = promisify(inflate);
const inflatePlain: Decoder = promisify(inflateRaw);

/** RFC 9110 requires a zlib wrapper, but some clients omit it. */
const inflateEither: Decoder = (bytes, options) =>
  (bytes[0] & 0x0f) === DEFLATE_METHOD && bytes.length > 1 && bytes.readUInt16BE(0) % 31 === 0
    ? inflateZlib(bytes, options)
    : inflatePlain(bytes, options);

const gunzipAsync: Decoder = promisify(gunzip);
const DECODERS: ReadonlyMap<string, Decoder> = new Map([
  ['gzip', gunzipAsync],
  ['x-gzip', gunzipAsync],
  ['deflate', inflateEither],
  ['br', promisify(brotliDecompress) as Decoder],
]);

/**
 * Decodes the bytes of a body by its `Content-Encoding`.
 * @param limit maximum bytes of the decoded body
 * @throws UnsupportedMediaType an unknown encoding, or several
 * @throws TooLarge
 * @throws BadInput the bytes are not valid in that encoding
 */
async function decodeContent(
  bytes: Buffer,
  encoding: string | undefined,
  limit: number,
): Promise<Buffer> {
  const name = encoding?.trim().toLowerCase() ?? '';
  if (name === '' || name === 'identity' || bytes.length === 0) return bytes;
  const decode = DECODERS.get(name);
  if (!decode)
    throw new UnsupportedMediaType(
      `A body with Content-Encoding ${name.slice(0, 50)} is not accepted. Use gzip, deflate, br or none.`,
    );
  try {
    return await decode(bytes, { maxOutputLength: limit });
  } catch (error) {
    if ((error as { code?: unknown }).code === 'ERR_BUFFER_TOO_LARGE')
      throw new TooLarge(`The decoded body may have ${limit} bytes at most.`);
    throw new BadInput('BAD_REQUEST', `The body is not valid ${name}.`);
  }
}

const isKey = (key: PropertyKey): key is string | number => typeof key !== 'symbol';

const problemsOf = (error: z.ZodError): Problem[] =>
  error.issues.map((issue) => ({
    code: 'BAD_REQUEST',
    path: issue.path.filter(isKey),
    message: issue.message,
  }));

/**
 * Returns the value if the schema accepted it.
 * @throws BadInput with every problem of the schema
 */
export function parsed<T>(
  result: z.ZodSafeParseResult<T>,
  subject: string,
  code: ErrorCode = 'BAD_REQUEST',
): T {
  if (result.success) return result.data;
  throw new BadInput(code, `The ${subject} does not fit.`, { problems: problemsOf(result.error) });
}

/** Maximum bytes of a route's body. */
function limitOf(route: Route, limits: Limits, isSignedIn: boolean): number {
  if (route.upload) return limits.uploadBytes;
  if (route.bodyLimit === 'workflow') return limits.workflowBytes;
  return isSignedIn || route.bodyLimit === 'json'
    ? limits.jsonBytes
    : Math.min(OPEN_BODY_BYTES, limits.jsonBytes);
}

function parseBody(route: Route, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success && value === undefined)
    throw new BadInput(
      route.invalidAs ?? 'BAD_REQUEST',
      'The body is missing: this operation reads JSON.',
    );
  return parsed(result, 'body', route.invalidAs);
}

async function readSentBody(
  request: Request,
  limit: number,
  share?: InputShare,
): Promise<SentBody | undefined> {
  if (!hasBody(request)) return undefined;
  const bytes = await decodeContent(
    await readBytes(request, limit),
    request.headers['content-encoding'],
    limit,
  );
  await share?.take(bytes.length);
  return { bytes, contentType: request.headers['content-type'] };
}

interface BodyReading {
  readonly limits: Limits;
  readonly isSignedIn: boolean;
  /** Takes memory for the body before it is parsed. */
  readonly share?: InputShare;
  /** Fields of a form that came with the address; those of the form take precedence. */
  readonly fields: Fields;
}

/**
 * Reads the body of a request and parses it by the route's schema. Without a schema, the body is
 * ignored.
 */
export async function readRouteBody(
  route: Route,
  request: Request,
  { limits, isSignedIn, share, fields: bodyFields }: BodyReading,
): Promise<{ body: unknown; sent?: SentBody; file?: UploadedFile }> {
  const limit = limitOf(route, limits, isSignedIn);
  if (route.bodies) return { body: undefined, sent: await readSentBody(request, limit, share) };
  if (!route.upload) {
    if (!route.body) return { body: undefined };
    return { body: parseBody(route, route.body, await readJson(request, limit, route, share)) };
  }
  const { fields: sent, file } = await readMultipart(request, route.upload.part, limit);
  const fields = { ...bodyFields, ...sent };
  if (!file)
    throw new BadInput(
      route.invalidAs ?? 'BAD_REQUEST',
      `The file is missing. Send it in the part "${route.upload.part}".`,
    );
  return {
    body: route.body ? parsed(route.body.safeParse(fields), 'body', route.invalidAs) : fields,
    file,
  };
}
