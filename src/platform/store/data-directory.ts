import { mkdirSync, statSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Makes the data directory, private to this user, where it is missing. Folder by folder: Node's recursive way never ends where the file
 * system refuses every name, as /proc does.
 * @throws Error with a sentence for the operator
 */
export function makeDataDirectory(dir: string): void {
  try {
    make(dir);
  } catch (error) {
    throw new Error(`DATA_DIR = ${dir} cannot be made a directory: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

function make(dir: string): void {
  const found = statSync(dir, { throwIfNoEntry: false });
  if (found?.isDirectory()) return;
  if (found) throw new Error(`${dir} is a file`);
  if (dirname(dir) !== dir) make(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process was faster.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
