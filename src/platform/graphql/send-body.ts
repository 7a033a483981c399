import { setImmediate } from 'node:timers/promises';
import type { Response } from 'express';
import { drainAfterAnswer } from '../http/send';

/** Sends the body of an answer, at the client's pace and others' in between when it comes in pieces. */
export async function sendBody(response: Response, status: number, body: string | readonly Buffer[]): Promise<void> {
  const pieces = typeof body === 'string' ? [Buffer.from(body)] : body;
  response.statusCode = status;
  response.setHeader('Cache-Control', 'no-store');
  if (status === 401) response.setHeader('WWW-Authenticate', 'Bearer');
  response.setHeader('Content-Length', pieces.reduce((bytes, piece) => bytes + piece.length, 0));
  response.vary('Authorization').vary('Accept');
  drainAfterAnswer(response.req, response);
  if (pieces.length === 1 || response.req.method === 'HEAD') {
    response.end(pieces[0]);
    return;
  }
  // One listener each for all pieces: a compressed answer keeps those that are taken off again.
  let goOn = (): void => undefined;
  response.on('drain', () => goOn()).once('close', () => goOn());
  for (const piece of pieces) {
    const room = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    if (!response.write(piece) && !response.destroyed) await room;
    if (response.destroyed) return;
    await setImmediate();
  }
  response.end();
}
