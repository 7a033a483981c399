import type { Request, Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { hasAsyncList, isAll, jsonPieces } from '../json/write-json';
import { Reply } from './route';
import { DomainError } from '../errors/errors';

/** A known path with a method it does not have. `allow` is sent in the `Allow` header. */
export class MethodNotAllowed extends DomainError {
  readonly kind = 'method-not-allowed';
  constructor(
    readonly allow: readonly string[],
    message = `This path answers ${allow.join(', ')}.`,
  ) {
    super('METHOD_NOT_ALLOWED', message);
  }
}

/** Number of pieces that are made ahead of the client. */
const PIECES_AHEAD = 2;

/** How long a client may go on sending its body after the response, ms. */
const DRAIN_MS = 5_000;

/**
 * Lets a client that is still sending finish, so that it reads the response instead of meeting a
 * connection reset; cuts it off after `DRAIN_MS`.
 */
export function drainAfterAnswer(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete) return;
  response.once('finish', () => {
    // The end may have come before this listener; then the connection already serves the next
    // request.
    const cutOff = (): void => {
      if (!request.complete) request.socket.destroy();
    };
    const timer = setTimeout(cutOff, DRAIN_MS).unref();
    request
      .once('end', () => clearTimeout(timer))
      .once('close', () => clearTimeout(timer))
      .resume();
  });
}

/**
 * Makes a compressor send what was written so far, since a list is still being read while it is
 * sent.
 */
const flush = (response: Response): void => (response as { flush?: () => void }).flush?.();

async function sendStream(stream: Readable, request: Request, response: Response): Promise<void> {
  if (request.method === 'HEAD') {
    stream.destroy();
    response.end();
    return;
  }
  const sent = pipeline(stream, response);
  stream.on('data', () => flush(response));
  await sent;
}

/**
 * Sends lists that are still being read as they are written. A failure before the first piece is
 * answered like any other.
 */
async function sendJsonInPieces(
  body: unknown,
  request: Request,
  response: Response,
): Promise<void> {
  if (!response.hasHeader('Content-Type')) response.type('json');
  const pieces = jsonPieces(body);
  const first = await pieces.next();
  // A short list: its length is known, so it is sent like any short response.
  if (first.done !== true && isAll(first.value))
    response.set('Content-Length', String(Buffer.byteLength(first.value))).end(first.value);
  else
    await sendStream(
      Readable.from(from(first, pieces), { highWaterMark: PIECES_AHEAD }),
      request,
      response,
    );
}

async function* from(
  first: IteratorResult<string>,
  rest: AsyncIterable<string>,
): AsyncGenerator<string, void, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

/**
 * Sends what a handler returned: nothing, JSON (which may contain asynchronous lists), bytes or a
 * stream.
 */
export async function sendAnswer(
  request: Request,
  response: Response,
  status: number,
  result: unknown,
): Promise<void> {
  const {
    body,
    headers,
    status: own,
  } = result instanceof Reply ? result : { body: result, headers: {}, status: undefined };
  response
    .status(own ?? status)
    .set({ 'Cache-Control': 'private, no-cache', ...headers })
    .vary('Authorization');
  drainAfterAnswer(request, response);
  if ((own ?? status) === 204) response.end();
  else if (body === undefined) response.set('Content-Length', '0').end();
  else if (body instanceof Readable) await sendStream(body, request, response);
  else if (Buffer.isBuffer(body) || typeof body === 'string') response.send(body);
  else if (hasAsyncList(body)) await sendJsonInPieces(body, request, response);
  else response.json(body);
}
