import { EXIT } from '../platform/exit-codes';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export const tell = (text: string): void => void process.stderr.write(`${text}\n`);

export function refuse(code: number, message: string): number {
  tell(message);
  return code;
}

export const messageOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/** Exits when the reader of stdout, such as `head`, closes it: this is not an error. */
export function exitWhenReaderCloses(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.success);
  });
}
