import { mkdtempSync, readlinkSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Maximum length of a socket path that all supported operating systems accept. */
const SOCKET_PATH_BYTES = 103;

const nameIn = (dir: string): string => join(dir, 'control.sock');

/** Where the service listens. */
interface SocketFile {
  readonly path: string;
  /** Call when the server no longer listens; it has removed the socket itself by then. */
  remove(): void;
}

/**
 * Prepares the socket path in the data directory. If it is too long, the socket is in the temporary
 * directory and the data directory has a symbolic link to it.
 */
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

/** Returns the socket path of the service on a data directory, or null. */
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
