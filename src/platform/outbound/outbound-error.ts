/** Codes of failed outgoing calls with their meanings. */
export const OUTBOUND_ERROR_CODES = {
  OUTBOUND_ADDRESS_REFUSED: 'The address policy refuses calls to this host.',
  OUTBOUND_BAD_REQUEST: 'The request cannot be sent over HTTP.',
  OUTBOUND_BAD_RESPONSE: 'The answer is no valid HTTP, or cannot be unpacked.',
  OUTBOUND_BAD_URL: 'The URL is none that is called: absolute, with http or https.',
  OUTBOUND_CONNECTION_FAILED: 'No connection, or one that broke.',
  OUTBOUND_REDIRECT_REFUSED:
    'A redirect would take the body of the request to another origin, or the call where it may not go.',
  OUTBOUND_TIMEOUT: 'No complete answer in time.',
  OUTBOUND_TLS_FAILED: 'No secure connection: a certificate or the handshake failed.',
  OUTBOUND_TOO_LARGE: 'The answer is larger than is read.',
  OUTBOUND_TOO_MANY_REDIRECTS: 'More redirects than are followed.',
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
