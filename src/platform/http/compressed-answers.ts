import { constants } from 'node:zlib';
import compression from 'compression';
import type { Response } from 'express';
import type { HttpHandler } from './http-handler';

/** Responses up to this size are not compressed: it would gain too little. */
export const UNCOMPRESSED_BYTES = 1_024;

/** Events are sent one by one, as they happen: a compressor would buffer them. */
const isEventStream = (response: Response): boolean =>
  /^text\/event-stream/i.test(String(response.getHeader('Content-Type')));

/**
 * Compresses texts (JSON, HTML, scripts) for clients that accept it, off the event loop and with
 * back-pressure, with fast settings. Parts of files are not compressed: their range counts bytes of
 * the file.
 */
export function compressedAnswers(): HttpHandler {
  const compress: unknown = compression({
    threshold: UNCOMPRESSED_BYTES + 1,
    level: constants.Z_BEST_SPEED,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    filter: (request, response) =>
      !response.hasHeader('Content-Range') &&
      !isEventStream(response) &&
      compression.filter(request, response),
  });
  // Its types ask for Express, it does not.
  return compress as HttpHandler;
}
