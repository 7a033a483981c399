import { EXIT } from '../platform/exit-codes';

/** A result, for whoever reads stdout. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`);

/** What a person should know. */
export const tell = (text: string): void => void process.stderr.write(`${text}\n`);

/** Says what went wrong; the exit code. */
export function refuse(code: number, message: string): number {
  tell(message);
  return code;
}

/** The sentence of an error. */
export const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Somebody who has read enough, such as `head`, is no fault. */
export function endWithTheReader(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.success);
  });
}
