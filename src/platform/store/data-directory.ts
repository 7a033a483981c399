import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** What a new store takes, and a little more. */
const NEW_STORE_BYTES = 1024 * 1024;

/**
 * Makes the data directory, private to this user, where it is missing. Folder by folder: Node's recursive way never ends where the file
 * system refuses every name, as /proc does.
 * @throws Error with a sentence for the operator
 */
export function makeDataDirectory(dir: string): void {
  try {
    make(dir);
  } catch (error) {
    throw new Error(
      `DATA_DIR = ${dir} cannot be made a directory: ${error instanceof Error ? error.message : String(error)}`,
      { cause: error },
    );
  }
  requireRoom(dir);
  // What is kept in it may be somebody else's too, of a start as another user.
  for (const path of [
    dir,
    ...['data.mdb', 'lock.mdb', 'token-secret', 'connector-key', 'uploads']
      .map((name) => join(dir, name))
      .filter((each) => existsSync(each)),
  ])
    requireAccess(dir, path);
}

/** A store that is there may have room within: only a new one is refused. LMDB would end the process. */
function requireRoom(dir: string): void {
  if (existsSync(join(dir, 'data.mdb'))) return;
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < NEW_STORE_BYTES)
    throw new Error(
      `The disk that holds DATA_DIR = ${dir} is full. Make room on it, or choose a directory on another one.`,
    );
}

function requireAccess(dir: string, path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    throw new Error(
      `DATA_DIR = ${dir} cannot be used by ${userInfo().username}: ${error instanceof Error ? error.message : String(error)}. Start as its owner, or choose another directory.`,
      { cause: error },
    );
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
