import { isNativeError } from 'node:util/types';

const TLS =
  /^(?:ERR_TLS|ERR_SSL|ERR_OSSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|CRL_)/;

/** Returns whether an error of a socket with this code is one of TLS: certificate or handshake. */
export const isTlsCode = (code: string): boolean => TLS.test(code);

const BY_CODE: Readonly<Record<string, OutboundErrorCode>> = {
  UND_ERR_CONNECT_TIMEOUT: 'OUTBOUND_TIMEOUT',
  UND_ERR_HEADERS_TIMEOUT: 'OUTBOUND_TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'OUTBOUND_TIMEOUT',
  ETIMEDOUT: 'OUTBOUND_TIMEOUT',
  UND_ERR_HEADERS_OVERFLOW: 'OUTBOUND_TOO_LARGE',
  UND_ERR_RES_EXCEEDED_MAX_SIZE: 'OUTBOUND_TOO_LARGE',
  UND_ERR_INVALID_ARG: 'OUTBOUND_BAD_REQUEST',
  UND_ERR_REQ_CONTENT_LENGTH_MISMATCH: 'OUTBOUND_BAD_REQUEST',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'OUTBOUND_BAD_RESPONSE',
};

interface FailedCall {
  readonly host: string;
  /** Whether the headers of the response had arrived. */
  readonly hasHeaders: boolean;
  /** Whether the server asked for a client certificate and has never answered without. */
  readonly asksForCertificate: boolean;
  readonly maxHeaderBytes: number;
}

/** Converts any error of a client or socket into an OutboundError with the original as cause. */
export function explainFailure(error: unknown, call: FailedCall): OutboundError {
  const errors = errorsIn(error);
  const outboundError = errors.find((candidate) => candidate instanceof OutboundError);
  if (outboundError !== undefined) return outboundError;
  const mistake = mistakeOf(errors, call);
  if (mistake !== null) return new OutboundError(...mistake, { cause: error });
  const { host } = call;
  const codes = errors.map(codeOf).filter((code) => code !== '');
  const code =
    codes.map(classify).find((outboundCode) => outboundCode !== undefined) ??
    'OUTBOUND_CONNECTION_FAILED';
  const detail = codes.length === 0 ? '' : ` (${codes[0]})`;
  return new OutboundError(code, `${SENTENCES[code]} ${host}${detail}.`, { cause: error });
}

/** The parser of HTTP gives its reason in parentheses. */
const PARSER_REASON = /^Response does not match the HTTP\/1\.1 protocol \((.+)\)$/;
/** Codes of connections that the server ended. */
const CLOSED = /^(?:ERR_SSL_.*ALERT_.*|ECONNRESET|EPIPE|UND_ERR_SOCKET)$/;

/** Returns what the server did wrong, if the errors tell. */
function mistakeOf(
  errors: readonly Error[],
  { host, hasHeaders, asksForCertificate, maxHeaderBytes }: FailedCall,
): [code: OutboundErrorCode, message: string] | null {
  const isSocketError = (message: string): boolean =>
    errors.some((error) => codeOf(error) === 'UND_ERR_SOCKET' && error.message === message);
  const codes = errors.map(codeOf);
  if (isSocketError('bad response'))
    return [
      'OUTBOUND_BAD_RESPONSE',
      `${host} sent "100 Continue", which the request did not ask for.`,
    ];
  if (isSocketError('bad upgrade'))
    return [
      'OUTBOUND_BAD_RESPONSE',
      `${host} switched to another protocol (status 101), which the request did not ask for.`,
    ];
  if (codes.includes('UND_ERR_HEADERS_OVERFLOW'))
    return [
      'OUTBOUND_TOO_LARGE',
      `The headers of the answer from ${host} are larger than ${maxHeaderBytes} bytes (the setting outbound.max-header-bytes).`,
    ];
  // The client reports every fault in headers after a Content-Length with this code.
  if (codes.includes('UND_ERR_RES_CONTENT_LENGTH_MISMATCH') && !hasHeaders)
    return [
      'OUTBOUND_BAD_RESPONSE',
      `The answer from ${host} is not valid HTTP: a header after Content-Length is invalid or contradicts it, such as Transfer-Encoding: chunked or a second Content-Length.`,
    ];
  const reason = errors
    .map(({ message }) => PARSER_REASON.exec(message)?.[1])
    .find((text) => text !== undefined);
  if (reason !== undefined)
    return ['OUTBOUND_BAD_RESPONSE', `The answer from ${host} is not valid HTTP: ${reason}.`];
  if (
    codes.some((code) => code.endsWith('ALERT_CERTIFICATE_REQUIRED')) ||
    (asksForCertificate && !hasHeaders && codes.some((code) => CLOSED.test(code)))
  )
    return [
      'OUTBOUND_TLS_FAILED',
      `${host} requires a client certificate, which calls cannot present: it asked for one and ended the connection.`,
    ];
  return null;
}

const SENTENCES: Readonly<Record<OutboundErrorCode, string>> = {
  OUTBOUND_ADDRESS_REFUSED: 'The address policy refuses calls to',
  OUTBOUND_TIMEOUT: 'No answer in time from',
  OUTBOUND_TOO_LARGE: 'The answer is too large from',
  OUTBOUND_CONNECTION_FAILED: 'No connection, or one that broke, to',
  OUTBOUND_TLS_FAILED: 'No secure connection to',
  OUTBOUND_BAD_URL: 'Not a URL to call:',
  OUTBOUND_BAD_REQUEST: 'The request cannot be sent to',
  OUTBOUND_BAD_RESPONSE: 'The answer is not valid HTTP from',
  OUTBOUND_TOO_MANY_REDIRECTS: 'Too many redirects from',
  OUTBOUND_REDIRECT_REFUSED: 'A redirect that cannot be followed came from',
};

function classify(code: string): OutboundErrorCode | undefined {
  if (isTlsCode(code)) return 'OUTBOUND_TLS_FAILED';
  return code.startsWith('HPE_') ? 'OUTBOUND_BAD_RESPONSE' : BY_CODE[code];
}

/** Returns the error, its causes, and the errors of all addresses that were tried. */
function errorsIn(error: unknown, depth = 0): Error[] {
  if (!isNativeError(error) || depth > 5) return [];
  const tried = 'errors' in error && Array.isArray(error.errors) ? (error.errors as unknown[]) : [];
  return [error, ...[error.cause, ...tried].flatMap((inner) => errorsIn(inner, depth + 1))];
}

/** Errors of the HTTP parser may have no code. */
function codeOf(error: Error): string {
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error.name === 'HTTPParserError' ? 'HPE_INVALID' : '';
}
/** Codes of failed outgoing calls with their meanings. */
export const OUTBOUND_ERROR_CODES = {
  OUTBOUND_ADDRESS_REFUSED: 'The address policy refuses calls to this host.',
  OUTBOUND_BAD_REQUEST: 'The request cannot be sent over HTTP.',
  OUTBOUND_BAD_RESPONSE: 'The response is not valid HTTP, or cannot be decompressed.',
  OUTBOUND_BAD_URL: 'The URL is not absolute, or not http or https.',
  OUTBOUND_CONNECTION_FAILED: 'The connection could not be opened, or broke.',
  OUTBOUND_REDIRECT_REFUSED:
    'A redirect would send the body to another origin, or lead to an address that is not allowed.',
  OUTBOUND_TIMEOUT: 'The response was not complete in time.',
  OUTBOUND_TLS_FAILED: 'The TLS connection failed: the certificate or the handshake.',
  OUTBOUND_TOO_LARGE: 'The response is larger than allowed.',
  OUTBOUND_TOO_MANY_REDIRECTS: 'There were more redirects than allowed.',
} as const;

export type OutboundErrorCode = keyof typeof OUTBOUND_ERROR_CODES;

/** A failed outgoing call. The message contains host and port, but no path, parameter or header. */
export class OutboundError extends Error {
  constructor(
    readonly code: OutboundErrorCode,
    message: string,
    options?: { cause?: unknown },
  ) {
    super(message, options);
    this.name = 'OutboundError';
  }
}
