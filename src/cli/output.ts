/** How a command ends. A configuration that is not right ends with EX_CONFIG, as the service does. */
export const EXIT = { well: 0, failed: 1, wrongUse: 2 } as const;

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
export const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** Somebody who has read enough, such as `head`, is no fault. */
export function endWithTheReader(): void {
  process.stderr.on('error', () => undefined);
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(EXIT.well);
  });
}
