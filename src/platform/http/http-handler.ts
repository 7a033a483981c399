import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request that Express need not know yet. */
export interface HttpRequest extends IncomingMessage {
  /** The target of the request line, without the path prefix of the public URL. */
  originalUrl: string;
}

/** A response that Express need not know yet. */
export interface HttpResponse extends ServerResponse {
  /** What handlers tell each other, the access log and the error handler. */
  locals: Record<string, unknown>;
}

/** Answers a request or calls `next`. Express accepts it as a handler, too. */
export type HttpHandler = (
  request: HttpRequest,
  response: HttpResponse,
  next: (error?: unknown) => void,
) => void;
