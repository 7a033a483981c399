import type { CommandProgress } from '../platform/control/command';
import { EXIT } from '../platform/exit-codes';

export const print = (text: string): void => void process.stdout.write(`${text}\n`);

export const printToStderr = (text: string): void => void process.stderr.write(`${text}\n`);

export function refuse(code: number, message: string): number {
  printToStderr(message);
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

/** Replaces control characters of stored texts, because they could move the cursor. */
export const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '\u{fffd}');

/** Prints aligned columns. Control characters are replaced. */
export function printTable(rows: readonly (readonly string[])[]): void {
  const texts = rows.map((row) => row.map(printable));
  const widths = texts[0].map((_cell, column) =>
    Math.max(...texts.map((row) => row[column].length)),
  );
  for (const row of texts)
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column]))
        .join('  ')
        .trimEnd(),
    );
}

/** Progress is printed when it has grown by this share. */
const STEP = 0.1;

/**
 * Returns a function that prints progress to stderr, at most once for each step.
 * @param unit follows the numbers: `records`
 */
export function progressPrinter(unit: string): (progress: CommandProgress) => void {
  let printed = 0;
  return ({ done, total }) => {
    const share = done / total;
    if (share < 1 && share - printed < STEP) return;
    printed = share;
    printToStderr(`${done} of ${total} ${unit}`);
  };
}
