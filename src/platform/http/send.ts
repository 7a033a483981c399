import type { Request, Response } from 'express';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isAll, isLargeJson, jsonPieces } from '../json/write-json';
import { Reply } from './route';

/** Pieces that are made before the client has taken those before. */
const PIECES_AHEAD = 2;

/** How long a client that was answered before its body was read may go on sending, ms. */
const DRAIN_MS = 5_000;

/**
 * Lets a client that still sends finish or stop by itself, so that it reads our answer instead of meeting a reset; cuts it off when it
 * does not.
 */
export function drainAfterAnswer(request: Request, response: Response): void {
  if (request.complete) return;
  response.once('finish', () => {
    // Its end may have passed before this listener came; then the connection serves the next request by now.
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

/** What was written so far goes out, also where a compressor would wait for more: a list is read while it is made. */
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

/** Large answers and lists that are still being read go out as they are made. A failure before the first piece is answered like any other. */
async function sendJsonInPieces(
  body: unknown,
  request: Request,
  response: Response,
): Promise<void> {
  if (!response.hasHeader('Content-Type')) response.type('json');
  const pieces = jsonPieces(body);
  const first = await pieces.next();
  // A short list: its length is known, so it is treated as any short answer.
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

/** Sends what a handler returned: nothing, JSON (in which asynchronous lists may stand), bytes or a stream. */
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
  else if (isLargeJson(body)) await sendJsonInPieces(body, request, response);
  else response.json(body);
}
