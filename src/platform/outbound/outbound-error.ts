export type OutboundErrorCode =
  | 'OUTBOUND_ADDRESS_REFUSED' | 'OUTBOUND_TIMEOUT' | 'OUTBOUND_TOO_LARGE' | 'OUTBOUND_CONNECTION_FAILED' | 'OUTBOUND_TLS_FAILED'
  | 'OUTBOUND_BAD_URL' | 'OUTBOUND_BAD_REQUEST' | 'OUTBOUND_BAD_RESPONSE' | 'OUTBOUND_TOO_MANY_REDIRECTS'
  | 'OUTBOUND_REDIRECT_REFUSED';

/** Why a call outward gave no answer. The message names host and port at most, never a path, a parameter or a header. */
export class OutboundError extends Error {
  constructor(readonly code: OutboundErrorCode, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'OutboundError';
  }
}
