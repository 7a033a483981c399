import { STATUS_CODES } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../errors/codes';
import type { ErrorDialect, ErrorsAt } from './error-body';
import { newRequestId } from './origin';
import { requestUrl } from './request-url';
import { plainAddress } from '../trusted-proxies';

const STATUS_OF_PARSE_ERROR: Readonly<Record<string, { status: number; text: string }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, text: 'The headers are too large.' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, text: 'The chunk extensions are too large.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, text: 'The request took too long to arrive.' },
};
const MALFORMED = { status: 400, text: 'This is not a proper HTTP request.' };

/** A request that was answered without a handler, as it is logged. */
export interface Refusal {
  readonly requestId: string;
  readonly method: string | null;
  readonly path: string;
  readonly status: number;
  readonly code: ErrorCode;
  /** The client's address if its headers were read; else the other end of the connection. */
  readonly address: string;
}

const refusals = new WeakMap<Duplex, Refusal>();

/** Returns the refusal that ended a connection; undefined for all others. */
export const refusalOf = (socket: Duplex): Refusal | undefined => refusals.get(socket);

function bodyOf(
  errors: ErrorDialect,
  status: number,
  text: string,
  path: string,
  code: ErrorCode = 'BAD_REQUEST',
): string {
  return JSON.stringify(errors.body({ kind: 'malformed', code, text }, status, path, new Date()));
}

/** The other end of a connection. Must be read while it is open: it is unknown afterwards. */
const peerOf = (socket: Duplex): string =>
  plainAddress(
    'remoteAddress' in socket && typeof socket.remoteAddress === 'string'
      ? socket.remoteAddress
      : '',
  );

/** Sends the last response of a connection that has no response object. */
function endWith(
  socket: Duplex,
  { method, path, address }: RequestLine,
  status: number,
  body: string,
  code: ErrorCode = 'BAD_REQUEST',
  headers = '',
): void {
  const requestId = newRequestId();
  refusals.set(socket, {
    requestId,
    method,
    path,
    status,
    code,
    address: address ?? peerOf(socket),
  });
  socket.on('error', () => socket.destroy());
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nContent-Type: application/json; charset=utf-8\r\nX-Request-Id: ${requestId}\r\n${headers}` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    () => socket.destroy(),
  );
}

interface RequestLine {
  readonly method: string | null;
  readonly path: string;
  readonly address: string | null;
}

/** Parses the request line that arrived before the error. */
function requestLineOf(error: Error): RequestLine {
  const packet =
    'rawPacket' in error && Buffer.isBuffer(error.rawPacket)
      ? error.rawPacket.subarray(0, 2048).toString('latin1')
      : '';
  const [, method = null, target = ''] = /^([A-Z]+) (\S+) HTTP\/1/.exec(packet) ?? [];
  return { method, path: requestUrl(target).path, address: null };
}

/**
 * Answers what never became a request: a broken request line, too many headers, a sender that is
 * too slow.
 */
export function answerBrokenRequest(
  errorsAt: ErrorsAt,
  error: Error & { code?: string },
  socket: Duplex,
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const { status, text } = STATUS_OF_PARSE_ERROR[error.code ?? ''] ?? MALFORMED;
  const line = requestLineOf(error);
  endWith(socket, line, status, bodyOf(errorsAt(line.path), status, text, line.path));
}

/** Answers CONNECT: the service is no proxy. */
export function answerConnect(
  errorsAt: ErrorsAt,
  request: IncomingMessage,
  socket: Duplex,
  address: string | null,
): void {
  const path = request.url ?? '';
  endWith(
    socket,
    { method: 'CONNECT', path, address },
    405,
    bodyOf(errorsAt(path), 405, 'The service is no proxy.', path, 'METHOD_NOT_ALLOWED'),
    'METHOD_NOT_ALLOWED',
    `Allow: ${METHODS}\r\n`,
  );
}

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';

/** Additional headers by status. */
const HEADERS: Readonly<Record<number, string>> = {
  405: 'Allow: GET\r\n',
  503: 'Retry-After: 2\r\n',
};

const REFUSED_UPGRADE = {
  400: {
    code: 'BAD_REQUEST',
    text: 'This is not a proper WebSocket handshake: version 13, and a Sec-WebSocket-Key.',
  },
  403: { code: 'ACCESS_DENIED', text: 'Pages of this origin may not open a socket here.' },
  404: { code: 'NOT_FOUND', text: 'There is no socket here.' },
  405: { code: 'METHOD_NOT_ALLOWED', text: 'A WebSocket is opened with GET.' },
  503: { code: 'SERVICE_UNAVAILABLE', text: 'The service is starting or stopping.' },
} as const satisfies Readonly<Record<number, { code: ErrorCode; text: string }>>;

/** Rejects an upgrade of a client at this address. */
export function answerRefusedUpgrade(
  errors: ErrorDialect,
  socket: Duplex,
  status: keyof typeof REFUSED_UPGRADE,
  path: string,
  address: string,
): void {
  const { code, text } = REFUSED_UPGRADE[status];
  endWith(
    socket,
    { method: 'GET', path, address },
    status,
    bodyOf(errors, status, text, path, code),
    code,
    HEADERS[status],
  );
}

/** Answers an `Expect` header other than 100-continue. */
export function answerUnmetExpectation(
  errorsAt: ErrorsAt,
  request: IncomingMessage,
  response: ServerResponse,
  address: string | null,
): void {
  const { path } = requestUrl(request.url);
  const body = bodyOf(errorsAt(path), 417, 'Only "100-continue" can be expected.', path);
  const requestId = newRequestId();
  refusals.set(request.socket, {
    requestId,
    method: request.method ?? null,
    path,
    status: 417,
    code: 'BAD_REQUEST',
    address: address ?? peerOf(request.socket),
  });
  response.writeHead(417, {
    'X-Request-Id': requestId,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    Connection: 'close',
  });
  response.end(body);
}
