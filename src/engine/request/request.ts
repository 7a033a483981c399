import { MASK } from '../../platform/redaction';
import { mayGoTo } from '../../platform/secrets';
import type { NamedSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { OutboundRequest } from '../ports';
import type { RequestCredentials } from '../connector/credentials';
import type { CallTiming } from '../run/time-budget';
import { withGiven, withSecrets } from '../reference/scope';
import type { Scope } from '../reference/scope';
import { renderText, sourcesOf } from '../text/template';
import type { Source, Template } from '../text/template';
import { BinaryValue } from '../value';
import type { Value } from '../value';
import { bodySources } from './body-tree';
import { renderBodyValue, writeBody } from './body';
import type { BodyTemplate } from './body';
import { bodyFormat, MEDIA_TYPES, mediaTypeIn } from './body-format';
import type { BodyFormat } from './body-format';
import { headerValue, renderHeaders, setHeader } from './headers';
import type { HeaderTemplate } from './headers';
import { writeMultipart } from './multipart-body';
import { requireAllowed, secretsFor } from './secret-use';
import { renderUrl } from './url';

/** A request parsed as far as possible before the run. */
export interface RequestTemplate {
  readonly method: string;
  readonly url: Template;
  readonly headers: readonly HeaderTemplate[];
  readonly body: BodyTemplate | null;
  /** Name of the files in a form-data body; missing: they keep theirs. */
  readonly fileName?: Template;
  /** Treat the response as text. */
  readonly takesText: boolean;
  /** Treat the response as XML regardless of its content type. */
  readonly takesXml?: boolean;
  /** Treat the response as JSON if it looks like JSON, regardless of its content type. */
  readonly takesJson?: boolean;
  /** Named secrets that it uses. */
  readonly secrets: readonly string[];
}

interface BuiltRequest {
  readonly request: OutboundRequest;
  /** The body as seen by references: with secrets masked. */
  readonly sent: Value;
  readonly isXml: boolean;
}

interface RequestLimits {
  readonly timing: CallTiming;
  readonly maxRequestBytes: number;
}

/** For these methods an empty body in the workflow is only a default of the editor. */
const USUALLY_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * @param namedSecrets named secrets by key
 * @param credentials for a step with a connector
 * @throws EngineError errors of the parts, SECRET_NOT_FOUND, SECRET_NOT_ALLOWED_HERE,
 *   SECRET_ORIGIN_REFUSED, REQUEST_BODY_TOO_LARGE
 */
export function buildRequest(
  template: RequestTemplate,
  outer: Scope,
  namedSecrets: ReadonlyMap<string, NamedSecret>,
  limits: RequestLimits,
  credentials: RequestCredentials | null = null,
): BuiltRequest {
  const { method, body } = template;
  const secrets = secretsFor(template.secrets, namedSecrets);
  const withCredentials = credentials === null ? outer : withGiven(outer, credentials.valueOf);
  const scope =
    secrets.used.length === 0 ? withCredentials : withSecrets(withCredentials, secrets.valueOf);
  const used = credentials === null ? secrets.used : [...secrets.used, ...credentials.used];
  const url = renderUrl(template.url, scope);
  const headers = renderHeaders(template.headers, scope);
  requireAllowed(used, template.url, url, headers, scope);
  const { timeoutMs, timeoutText, onTime } = limits.timing;
  const request: OutboundRequest = { method, url, headers, timeoutMs, timeoutText, onTime };
  if (used.length > 0)
    request.allowRedirect = (to) => used.every(({ origins }) => mayGoTo(origins, to));
  if (body === null || (body.empty && USUALLY_WITHOUT_BODY.has(method)))
    return { request, sent: null, isXml: false };
  const contentType = headerValue(headers, 'content-type');
  const format = bodyFormat(contentType, body.format, body.data);
  const written = renderBodyValue(body, format, scope);
  const sent =
    used.length === 0
      ? written
      : renderBodyValue(
          body,
          format,
          withSecrets(
            credentials === null ? scope : withGiven(scope, credentials.shownOf),
            () => MASK,
          ),
        );
  const isMultipart =
    format === 'multipart' && typeof written !== 'string' && !(written instanceof BinaryValue);
  const { bytes, mediaType } = isMultipart
    ? writeMultipart(written, template.fileName && renderText(template.fileName, scope))
    : bodyOf(written, format, body);
  request.body = bytes;
  if (Buffer.byteLength(request.body) > limits.maxRequestBytes) {
    throw new EngineError(
      'REQUEST_BODY_TOO_LARGE',
      `The body of the request is larger than ${limits.maxRequestBytes} bytes.`,
    );
  }
  if (contentType === undefined || isMultipart) setHeader(headers, 'Content-Type', mediaType);
  return { request, sent, isXml: format === 'xml' };
}

/** A binary value that is the whole body is sent unchanged. */
function bodyOf(
  value: Value,
  format: BodyFormat,
  { data, isFormOfJson }: BodyTemplate,
): { bytes: string | Buffer; mediaType: string } {
  if (value instanceof BinaryValue) return { bytes: value.bytes, mediaType: value.mediaType };
  return {
    bytes: writeBody(value, format, isFormOfJson),
    mediaType: mediaTypeIn(data) ?? MEDIA_TYPES[format],
  };
}

export const requestSources = (template: Omit<RequestTemplate, 'secrets'>): Source[] =>
  sourcesByField(template).flatMap(([, sources]) => sources);

/** Returns the sources of a request by field of the step. */
export function sourcesByField({
  url,
  headers,
  body,
  fileName,
}: Omit<RequestTemplate, 'secrets'>): (readonly [field: string, sources: readonly Source[]])[] {
  return [
    ['request.endpoint', sourcesOf(url)],
    ...headers.map(({ name, value }) => [`request.header.${name}`, sourcesOf(value)] as const),
    ['request.body', body === null ? [] : bodySources(body.tree)],
    ...(fileName === undefined ? [] : [['fileName', sourcesOf(fileName)] as const]),
  ];
}
