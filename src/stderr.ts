import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

const STDERR = 2;

/**
 * Keeps the process running when the reader of its output exits: a write to the closed pipe would
 * end it. stderr is for people; stdout is for programs, one JSON object a line.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Writes to stderr. Returns false if the output cannot be read. */
export function writeToStderr(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stderr.write(`${text}\n`, (error) => resolve(!error && !leadsNowhere()));
  });
}

/**
 * Returns whether stderr is the null device: redirected, or opened by Node because the parent
 * closed it.
 */
function leadsNowhere(): boolean {
  try {
    const [own, nowhere] = [fstatSync(STDERR), statSync(devNull)];
    return own.isCharacterDevice() && own.rdev === nowhere.rdev;
  } catch {
    return false;
  }
}
