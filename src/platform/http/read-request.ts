import type { Request } from 'express';
import type { z } from 'zod';
import type { Limits } from '../../config/config';
import { BadInput } from '../errors/errors';
import type { Problem } from '../errors/errors';
import type { ErrorCode } from '../errors/codes';
import type { InputShare } from '../large-inputs';
import { decodeContent } from './content-coding';
import { hasBody, readBytes, readJson } from './json-body';
import { readMultipart } from './multipart-body';
import type { Route, SentBody, UploadedFile } from './route';

const isKey = (key: PropertyKey): key is string | number => typeof key !== 'symbol';

const problemsOf = (error: z.ZodError): Problem[] =>
  error.issues.map((issue) => ({ code: 'BAD_REQUEST', path: issue.path.filter(isKey), message: issue.message }));

/**
 * The value, when the schema took it.
 * @throws BadInput with every problem of the schema
 */
export function parsed<T>(result: z.ZodSafeParseResult<T>, what: string, code: ErrorCode = 'BAD_REQUEST'): T {
  if (result.success) return result.data;
  throw new BadInput(code, `The ${what} does not fit.`, { problems: problemsOf(result.error) });
}

/** The cap of a route's body in bytes. */
function limitOf(route: Route, limits: Limits): number {
  const kind = route.bodyLimit ?? (route.upload ? 'upload' : 'json');
  return { json: limits.jsonBytes, workflow: limits.workflowBytes, upload: limits.uploadBytes }[kind];
}

function parseBody(route: Route, schema: z.ZodType, value: unknown): unknown {
  const result = schema.safeParse(value);
  if (!result.success && value === undefined) throw new BadInput(route.invalidAs ?? 'BAD_REQUEST', 'The body is missing: this operation reads JSON.');
  return parsed(result, 'body', route.invalidAs);
}

async function readSentBody(request: Request, limit: number, share?: InputShare): Promise<SentBody | undefined> {
  if (!hasBody(request)) return undefined;
  const bytes = await decodeContent(await readBytes(request, limit), request.headers['content-encoding'], limit);
  await share?.take(bytes.length);
  return { bytes, contentType: request.headers['content-type'] };
}

/** What came in the body of a request, parsed by the route's schema. A route without a schema does not look at its body. */
export async function readRouteBody(route: Route, request: Request, limits: Limits, share?: InputShare): Promise<{ body: unknown; sent?: SentBody; file?: UploadedFile }> {
  const limit = limitOf(route, limits);
  if (route.bodies) return { body: undefined, sent: await readSentBody(request, limit, share) };
  if (!route.upload) {
    if (!route.body) return { body: undefined };
    return { body: parseBody(route, route.body, await readJson(request, limit, route, share)) };
  }
  const { fields, file } = await readMultipart(request, route.upload.part, limit);
  if (!file) throw new BadInput(route.invalidAs ?? 'BAD_REQUEST', `The file is missing. Send it in the part "${route.upload.part}".`);
  return { body: route.body ? parsed(route.body.safeParse(fields), 'body', route.invalidAs) : fields, file };
}
