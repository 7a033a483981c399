import pino from 'pino';
import type { Config } from '../../config/config';
import { cutMessage, maskSecrets, scrubLine } from './redact';

export type Logger = pino.Logger;

/** Where lines go: stdout in the service, an array in tests. */
export interface LogSink {
  write(line: string): unknown;
}

/**
 * A logger that writes one JSON object a line. Secrets do not pass: fields whose names say secret are masked, and what looks like a
 * token, a password in a URL or a value behind the name of a secret is cut out of every line, messages and stacks included. Long texts are cut first.
 */
export function createLogger(config: Pick<Config, 'log'>, sink: LogSink = process.stdout): Logger {
  return pino(
    {
      level: config.log.level,
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // Errors are described by maskSecrets already; pino's own serializer would not know them again.
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
