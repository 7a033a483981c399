import compression from 'compression';
import type { RequestHandler, Response } from 'express';
import { constants } from 'node:zlib';

/** Up to this many bytes an answer gains nothing that is worth a compressor. */
const THRESHOLD_BYTES = 1_024;

/** Events are sent one by one, as they happen: a compressor would wait for more. */
const isEventStream = (response: Response): boolean => /^text\/event-stream/i.test(String(response.getHeader('Content-Type')));

/**
 * Compresses texts (JSON, HTML, scripts) for clients that take it, off the loop and with back-pressure, quickly rather than tightly.
 * Parts of files go out as they are: their range counts bytes of the file.
 */
export function compressedAnswers(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES + 1,
    level: constants.Z_BEST_SPEED,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    filter: (request, response) => !response.hasHeader('Content-Range') && !isEventStream(response) && compression.filter(request, response),
  });
}
