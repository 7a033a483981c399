import { EngineError } from '../errors';
import type { OutboundRequest } from '../ports';
import type { Scope } from '../reference/scope';
import { sourcesOf } from '../text/template';
import type { Source, Template } from '../text/template';
import type { Value } from '../value';
import { bodySources } from './body-tree';
import { renderBodyValue, writeBody } from './body';
import type { BodyTemplate } from './body';
import { bodyFormat, MEDIA_TYPES } from './body-format';
import { headerValue, renderHeaders } from './headers';
import type { HeaderTemplate } from './headers';
import { renderUrl } from './url';

/** A request with everything parsed that can be parsed before the run. */
export interface RequestTemplate {
  readonly method: string;
  readonly url: Template;
  readonly headers: readonly HeaderTemplate[];
  readonly body: BodyTemplate | null;
  /** The answer is wanted as the text it is. */
  readonly takesText: boolean;
}

export interface BuiltRequest {
  readonly request: OutboundRequest;
  /** The body as references see it. */
  readonly sent: Value;
}

/** Verbs for which an empty body in the workflow is an editor's default, not a wish. */
const USUALLY_WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/** @throws EngineError what the parts throw, REQUEST_BODY_TOO_LARGE */
export function buildRequest(template: RequestTemplate, scope: Scope, limits: { timeoutMs: number; maxRequestBytes: number }): BuiltRequest {
  const { method, body } = template;
  const url = renderUrl(template.url, scope);
  const headers = renderHeaders(template.headers, scope);
  const request: OutboundRequest = { method, url, headers, timeoutMs: limits.timeoutMs };
  if (body === null || (body.empty && USUALLY_WITHOUT_BODY.has(method))) return { request, sent: null };
  const contentType = headerValue(headers, 'content-type');
  const format = bodyFormat(contentType, body.format);
  const sent = renderBodyValue(body, scope);
  request.body = writeBody(sent, format);
  if (Buffer.byteLength(request.body) > limits.maxRequestBytes) {
    throw new EngineError('REQUEST_BODY_TOO_LARGE', `The body of the request is larger than ${limits.maxRequestBytes} bytes.`);
  }
  if (contentType === undefined) headers['Content-Type'] = MEDIA_TYPES[format];
  return { request, sent };
}

export function requestSources(template: RequestTemplate): Source[] {
  return [
    ...sourcesOf(template.url),
    ...template.headers.flatMap((header) => sourcesOf(header.value)),
    ...(template.body === null ? [] : bodySources(template.body.tree)),
  ];
}
