import type { RequestCredentials } from '../connector/credentials';
import { EngineError } from '../errors';
import type { MethodNode } from '../plan/plan';
import type { CookieStore, HttpPort, OutboundRequest, OutboundResponse, Ports } from '../ports';
import type { Exchange } from '../reference/scope';
import { headerValue } from '../request/headers';
import { buildRequest } from '../request/request';
import type { RequestTemplate } from '../request/request';
import { targetsOf } from '../request/secret-use';
import { fileNameOf } from '../response/file-name';
import { isXml, readBody, readXmlBody } from '../response/read-body';
import { BinaryValue } from '../value';
import type { RunContext } from './context';
import type { StepExecutor, StepTrace } from './step-executor';
import type { TimeBudget } from './time-budget';
import { webhookTokenIn } from '../../platform/secrets';

/**
 * Starts a workflow by its webhook without waiting for the run. The token in the URL is treated as
 * a secret, since it suffices to start the workflow.
 */
export const executeWebhook: StepExecutor = (node, context, trace, time) => {
  if (node.request === null)
    return Promise.reject(new EngineError('REQUEST_URL_IS_EMPTY', 'The request has no URL.'));
  const { http, webhooks = http } = context.ports;
  const urlOf = (url: string): string => {
    const token = webhookTokenIn(url);
    if (token !== null) context.secrets.addNamed(token);
    return url;
  };
  return exchangeWith(node.request, context, trace, {
    http: webhooks,
    time,
    credentials: null,
    verifyTls: true,
    readsFields: node.readsFields,
    urlOf,
  });
};

const NO_SECRETS: NonNullable<Ports['secrets']> = new Map();

/** Options of one call. */
interface Calling {
  /** Default: the HTTP port of the run. */
  readonly http?: HttpPort;
  readonly time: TimeBudget;
  /** Field values of the connector, or null. */
  readonly credentials: RequestCredentials | null;
  /** False: do not verify certificates. */
  readonly verifyTls: boolean;
  /** Cookie store of the connector. */
  readonly cookies?: CookieStore;
  /** Whether a later step reads a part of the response. */
  readonly readsFields: boolean;
  /** Adds parameters to the complete URL; must not change its target. */
  readonly urlOf?: (url: string) => string;
}

/**
 * Executes a free-form HTTP call.
 * @throws errors of `exchangeWith`
 */
export function executeHttpRequest(
  node: MethodNode,
  context: RunContext,
  trace: StepTrace,
  time: TimeBudget,
): Promise<Exchange> {
  if (node.request === null)
    return Promise.reject(new EngineError('REQUEST_URL_IS_EMPTY', 'The request has no URL.'));
  return exchangeWith(node.request, context, trace, {
    time,
    credentials: null,
    verifyTls: true,
    readsFields: node.readsFields,
  });
}

/**
 * Builds and sends a request and reads the response.
 * @throws EngineError errors of building the request, SECRET_ORIGIN_REFUSED, OUTBOUND_TOO_LARGE,
 *   and problems of `readBody` for statuses below 400
 * @throws Error with a code of the HTTP port
 */
export async function exchangeWith(
  template: RequestTemplate,
  context: RunContext,
  trace: StepTrace,
  { http = context.ports.http, time, credentials, verifyTls, cookies, readsFields, urlOf }: Calling,
): Promise<Exchange> {
  const { limits } = context;
  const {
    request,
    sent,
    isXml: sentXml,
  } = buildRequest(
    template,
    context.scope,
    context.ports.secrets ?? NO_SECRETS,
    { timing: time.timing, maxRequestBytes: limits.maxRequestBytes },
    credentials,
  );
  if (urlOf !== undefined) request.url = urlOf(request.url);
  if (!verifyTls) request.verifyTls = false;
  if (cookies !== undefined) request.cookies = cookies;
  trace.request = request;
  trace.sent = sent;
  if (!context.destinations.isEmpty) await guardSecrets(request, context);
  const response = await (request.allowRedirect === undefined
    ? http.send(request, context.stop.signal)
    : sendWatched(request, request.allowRedirect, http, context));
  trace.response = response;
  if (response.body.length > limits.maxResponseBytes) {
    throw new EngineError(
      'OUTBOUND_TOO_LARGE',
      `The response is larger than ${limits.maxResponseBytes} bytes.`,
    );
  }
  const { status, headers } = response;
  const { value: read, problem: unread } = decoded(response, template, trace);
  const value = read instanceof BinaryValue ? named(read, response, request, context) : read;
  const isRead = readsFields && typeof value === 'string' && unread === null;
  const root =
    isRead && isTakenAsXml(template, response, value)
      ? await readXmlBody(value, limits.maxResponseBytes)
      : null;
  trace.body = value;
  reportUnread(root instanceof EngineError ? root : unread, status, trace);
  const exchange = { request: sent, sentXml, status, headers, body: value };
  return root === null || root instanceof EngineError ? exchange : { ...exchange, xml: root };
}

/** Adds the name of a file, unless the address that it is taken from holds a secret. */
function named(
  { bytes, mediaType }: BinaryValue,
  response: OutboundResponse,
  { url }: OutboundRequest,
  { secrets }: RunContext,
): BinaryValue {
  const name = fileNameOf(response, url);
  return new BinaryValue(
    bytes,
    mediaType,
    name !== null && secrets.hide(name) === name ? name : null,
  );
}

function decoded(
  response: OutboundResponse,
  { takesText, takesJson }: RequestTemplate,
  trace: StepTrace,
): ReturnType<typeof readBody> {
  const read = readBody(response, takesText, takesJson);
  const { ignoredCodings = [] } = response;
  if (ignoredCodings.length > 0)
    trace.warnings.push(
      `The Content-Encoding ${JSON.stringify(ignoredCodings.join(', ').slice(0, 50))} is no compression: the answer was read as it is.`,
    );
  if (read.isReplaced)
    trace.warnings.push(
      'The answer has bytes that are not valid in its character set; they were replaced by U+FFFD.',
    );
  return read;
}

/** Whether a text is read as XML too, if a later step reads a part of it. */
const isTakenAsXml = (
  { takesText, takesXml }: RequestTemplate,
  response: OutboundResponse,
  text: string,
): boolean => !takesText && (takesXml === true || isXml(response, text));

/**
 * From status 400 on the status matters more: the body is kept as it is, with a warning.
 * @throws EngineError the problem, for other statuses
 */
function reportUnread(problem: EngineError | null, status: number, trace: StepTrace): void {
  if (problem === null) return;
  if (status < 400) throw problem;
  trace.warnings.push(`${problem.message} It is kept as it came.`);
}

/**
 * Rejects a request that contains a secret value not allowed at its target, even if the step does
 * not name the secret: an earlier response may have contained it. Also applies to redirects.
 * @throws EngineError SECRET_ORIGIN_REFUSED
 */
async function guardSecrets(
  request: OutboundRequest,
  { destinations, pause }: RunContext,
): Promise<void> {
  const targets = targetsOf(request.url, headerValue(request.headers, 'host'));
  for (const name of destinations.search(request, targets)) {
    if (name !== null)
      throw new EngineError(
        'SECRET_ORIGIN_REFUSED',
        `The request holds the value of the secret ${name}, which may not be sent to ${targets.map(({ origin }) => origin).join(', ')}.`,
      );
    await pause.yieldToEventLoop();
  }
  const { allowRedirect } = request;
  request.allowRedirect = (to) =>
    (allowRedirect?.(to) ?? true) &&
    destinations.refused({ ...request, url: `${to.href}\0${request.url}` }, [to]) === null;
}

/**
 * Sends a request and does not follow redirects to origins where its secrets are not allowed.
 * @throws EngineError SECRET_ORIGIN_REFUSED
 */
async function sendWatched(
  request: OutboundRequest,
  allowRedirect: (to: URL) => boolean,
  http: HttpPort,
  { stop }: RunContext,
): Promise<OutboundResponse> {
  let away: URL | null = null;
  const watchRedirect = (to: URL): boolean => {
    const isAllowed = allowRedirect(to);
    if (!isAllowed) away = to;
    return isAllowed;
  };
  try {
    return await http.send({ ...request, allowRedirect: watchRedirect }, stop.signal);
  } catch (error) {
    throw away === null
      ? error
      : new EngineError(
          'SECRET_ORIGIN_REFUSED',
          `A redirect leads to ${(away as URL).origin}, where a secret of the request may not be sent.`,
        );
  }
}
