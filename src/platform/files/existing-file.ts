import {
  access,
  chmod,
  chown,
  constants,
  lstat,
  open,
  readlink,
  realpath,
  stat,
} from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { isMissing } from './durable';

const MAX_LINKS = 40;

/** Returns the file behind links, also if it does not exist. */
export async function targetOf(path: string): Promise<string> {
  let target = path;
  for (let links = 0; links < MAX_LINKS; links += 1) {
    const isLink = await lstat(target).then(
      (stats) => stats.isSymbolicLink(),
      () => false,
    );
    if (!isLink) return realpath(target).catch(() => target);
    target = resolve(dirname(target), await readlink(target));
  }
  throw Object.assign(new Error('too many links'), { code: 'ELOOP', path });
}

/** Gives a new file the owner and mode of an existing one. */
export async function takeOwner(draft: string, like: string): Promise<void> {
  const { mode, uid, gid } = await stat(like);
  const own = await stat(draft);
  if (own.uid !== uid || own.gid !== gid) await chown(draft, uid, gid);
  await chmod(draft, mode & 0o7777);
}

/** Writes an existing file. If that fails, its former content is written back. */
export async function writeInPlace(path: string, before: Buffer, content: Buffer): Promise<void> {
  const file = await open(path, 'r+');
  const fill = async (bytes: Buffer): Promise<void> => {
    for (let at = 0; at < bytes.length;)
      at += (await file.write(bytes, at, bytes.length - at, at)).bytesWritten;
    await file.truncate(bytes.length);
    await file.sync();
  };
  try {
    await fill(content).catch(async (error: unknown) => {
      await fill(before);
      throw error;
    });
  } finally {
    await file.close();
  }
}

/** Whether a file can be written, or created in the closest directory that exists. */
export async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK);
    return true;
  } catch (error) {
    if (!isMissing(error) || dirname(path) === path) return false;
    return isWritable(dirname(path));
  }
}
