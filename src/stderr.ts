import { fstatSync, statSync } from 'node:fs';
import { devNull } from 'node:os';

const STDERR = 2;

/**
 * Lets the process outlive whoever reads its output: a write to a pipe that nobody reads any more would end it. People read stderr,
 * programs read stdout, where every line is one JSON object.
 */
export function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
}

/** Writes to stderr and answers when it is written; false: nobody can read it there. */
export function tell(text: string): Promise<boolean> {
  return new Promise((resolve) => {
    process.stderr.write(`${text}\n`, (error) => resolve(!error && !leadsNowhere()));
  });
}

/** Closed by whoever started us, which Node opens as the null device, or led there by him. */
function leadsNowhere(): boolean {
  try {
    const [own, nowhere] = [fstatSync(STDERR), statSync(devNull)];
    return own.isCharacterDevice() && own.rdev === nowhere.rdev;
  } catch {
    return false;
  }
}
