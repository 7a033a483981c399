import { StoreError } from '@hypha/embedded-mongo';
import { accessSync, constants, existsSync, mkdirSync, statfsSync, statSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname, join } from 'node:path';

/** Size of a new store, with a margin. */
const NEW_STORE_BYTES = 1024 * 1024;

/**
 * Creates the data directory with mode 0700 if it does not exist. Creates parents one by one:
 * `mkdir` with `recursive` never returns on file systems that reject every name, such as /proc.
 * @throws Error with a message for the operator
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
  // Files of an earlier start may belong to another user.
  for (const path of [
    dir,
    ...['data.mdb', 'lock.mdb', 'token-secret', 'connector-key', 'uploads']
      .map((name) => join(dir, name))
      .filter((each) => existsSync(each)),
  ])
    requireAccess(dir, path);
  requireContent(dir);
}

/**
 * Checks new stores only, since an existing one may have free pages: LMDB would crash the process.
 */
function requireRoom(dir: string): void {
  if (existsSync(join(dir, 'data.mdb'))) return;
  const { bavail, bsize } = statfsSync(dir);
  if (bavail * bsize < NEW_STORE_BYTES)
    throw new Error(
      `The disk that holds DATA_DIR = ${dir} is full. Make room on it, or choose a directory on another one.`,
    );
}

/**
 * An empty file is a new store, unless files that are created after it show that there was one.
 * @throws StoreError damaged
 */
export function requireContent(dir: string): void {
  const file = join(dir, 'data.mdb');
  if (statSync(file, { throwIfNoEntry: false })?.size !== 0) return;
  if (['token-secret', 'connector-key'].some((name) => existsSync(join(dir, name))))
    throw new StoreError(
      'DamagedData',
      `${file} was cut: it is empty; replace ${dir} with a backup`,
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
  const stats = statSync(dir, { throwIfNoEntry: false });
  if (stats?.isDirectory()) return;
  if (stats) throw new Error(`${dir} is a file`);
  if (dirname(dir) !== dir) make(dirname(dir));
  try {
    mkdirSync(dir, { mode: 0o700 });
  } catch (error) {
    // Another process created the directory first.
    if (!statSync(dir, { throwIfNoEntry: false })?.isDirectory()) throw error;
  }
}
