import pino from 'pino';
import type { Config } from '../../config/config';
import { cutMessage, maskSecrets, scrubLine } from './redact';

export type Logger = pino.Logger;

/** Destination of log lines: stdout in the service, an array in tests. */
export interface LogSink {
  write(line: string): unknown;
}

/**
 * A logger that writes JSON lines. Secrets are removed: fields with secret names are masked, and
 * tokens, passwords in URLs and values after secret names are removed from all texts, including
 * stacks. Long texts are truncated first.
 */
export function createLogger(config: Pick<Config, 'log'>, sink: LogSink = process.stdout): Logger {
  return pino(
    {
      level: config.log.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // maskSecrets has already serialized errors.
      serializers: { err: (described: unknown) => described },
      hooks: {
        logMethod(given, log) {
          log.apply(
            this,
            given.map((part: unknown) =>
              typeof part === 'string' ? cutMessage(part) : part,
            ) as Parameters<typeof log>,
          );
        },
      },
      formatters: { level: (label) => ({ level: label }), log: (fields) => maskSecrets(fields) },
    },
    { write: (line) => sink.write(scrubLine(line)) },
  );
}
