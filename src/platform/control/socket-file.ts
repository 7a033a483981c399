import { mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The longest socket path the operating systems take. */
const SOCKET_PATH_BYTES = 103;

const nameIn = (dir: string): string => join(dir, 'control.sock');

/** Where the service listens. */
export interface SocketFile {
  readonly path: string;
  /** When nobody listens any more: the socket itself is gone by then. */
  remove(): void;
}

/** Makes room for a socket in the data directory. One whose path is too long is elsewhere, and named by a link. */
export function makeSocketFile(dir: string): SocketFile {
  const name = nameIn(dir);
  // Left behind by a process that was killed.
  rmSync(name, { force: true });
  if (Buffer.byteLength(name) <= SOCKET_PATH_BYTES) return { path: name, remove: () => undefined };
  const short = mkdtempSync(join(tmpdir(), 'hypha-'));
  const path = join(short, 'control.sock');
  symlinkSync(path, name);
  return {
    path,
    remove() {
      if (target(name) === path) rmSync(name, { force: true });
      rmSync(short, { recursive: true, force: true });
    },
  };
}

function target(link: string): string | null {
  try {
    return readlinkSync(link);
  } catch {
    return null;
  }
}

/** The socket of the service that runs on a data directory. Null: there is none. */
export function findSocketFile(dir: string): string | null {
  try {
    return realpathSync(nameIn(dir));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return null;
    throw new Error(
      `${dir} cannot be looked into as this user (${code}). Run the command as the user of the service.`,
      { cause: error },
    );
  }
}
