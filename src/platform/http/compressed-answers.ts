import compression from 'compression';
import type { RequestHandler } from 'express';
import { constants } from 'node:zlib';

/** Below this many bytes an answer gains nothing that is worth a compressor. */
const THRESHOLD_BYTES = 4_096;

/**
 * Compresses texts (JSON, HTML, scripts) for clients that take it, off the loop and with back-pressure, quickly rather than tightly.
 * Parts of files go out as they are: their range counts bytes of the file.
 */
export function compressedAnswers(): RequestHandler {
  return compression({
    threshold: THRESHOLD_BYTES,
    level: constants.Z_BEST_SPEED,
    brotli: { params: { [constants.BROTLI_PARAM_QUALITY]: 3, [constants.BROTLI_PARAM_LGWIN]: 18 } },
    filter: (request, response) => !response.hasHeader('Content-Range') && compression.filter(request, response),
  });
}
