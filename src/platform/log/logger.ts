import pino from 'pino';
import type { Config } from '../../config/config';
import { cutMessage, maskSecrets, scrubLine } from './redact';

export type Logger = pino.Logger;

/** Destination of log lines: stdout in the service, an array in tests. */
interface LogSink {
  write(line: string): unknown;
  /** Whether a person reads the lines. */
  readonly isTTY?: boolean;
}

interface LogConfig {
  readonly log: Pick<Config['log'], 'level'> & Partial<Pick<Config['log'], 'format'>>;
}

/**
 * A logger that writes JSON lines, or readable lines to a terminal. Secrets are removed: fields
 * with secret names are masked, and tokens, passwords in URLs and values after secret names are
 * removed from all texts, including stacks. Long texts are truncated first.
 */
export function createLogger({ log: config }: LogConfig, sink: LogSink = process.stdout): Logger {
  const isTerminal = sink.isTTY === true;
  const format = config.format ?? (isTerminal ? 'text' : 'json');
  return pino(
    {
      level: config.level ?? (isTerminal ? 'warn' : 'info'),
      base: undefined,
      timestamp: pino.stdTimeFunctions.isoTime,
      // maskSecrets has already serialized errors.
      serializers: { err: (described: unknown) => described },
      hooks: {
        logMethod(parts, log) {
          log.apply(
            this,
            parts.map((part: unknown) =>
              typeof part === 'string' ? cutMessage(part) : part,
            ) as Parameters<typeof log>,
          );
        },
      },
      formatters: { level: (label) => ({ level: label }), log: (fields) => maskSecrets(fields) },
    },
    {
      write: (line) => {
        const scrubbed = scrubLine(line);
        sink.write(format === 'json' ? scrubbed : readableLine(scrubbed));
      },
    },
  );
}

interface LogLine {
  readonly level: string;
  readonly time: string;
  readonly msg?: string;
  readonly err?: { readonly stack?: string; readonly message?: string };
}

/** Returns `15:04:05 WARN  message key=value`, with the stack of an error below. */
function readableLine(json: string): string {
  const { level, time, msg = '', err, ...fields } = JSON.parse(json) as LogLine;
  const details = Object.entries(fields).map(
    ([key, value]) => ` ${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const stack = err === undefined ? '' : `\n${err.stack ?? err.message ?? JSON.stringify(err)}`;
  const line = `${time.slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${msg}${details.join('')}${stack}`;
  // Control characters in logged data must not control the terminal.
  return `${line.replaceAll(/[^\P{Cc}\n\t]/gu, '\u{fffd}')}\n`;
}
