import { constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { backupDirectory } from '../embedded-mongo/backup';
import { draftName, removeDeadDrafts } from './drafts';

/** What a backup holds. */
export interface ServiceCopy {
  readonly target: string;
  readonly documents: number;
  /** Uploaded files. */
  readonly files: number;
}

/**
 * Copies the data of a service, running or stopped, to `target`, which then can take the place of its data directory. It appears there
 * whole or not at all.
 * @throws Error with a sentence for the operator; nothing is left behind then
 */
export async function copyService(dataDir: string, target: string): Promise<ServiceCopy> {
  requireFree(dataDir, target);
  removeDeadDrafts(dirname(target));
  const draft = join(dirname(target), draftName(basename(target)));
  const removeDraft = (): void => rmSync(draft, { recursive: true, force: true });
  const interrupted = (): never => {
    removeDraft();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, interrupted);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    // Before and after the database: whatever picture a record of the copy names is in one of the two passes.
    const uploads = { from: join(dataDir, 'uploads'), to: join(draft, 'uploads') };
    await copyMissing(uploads.from, uploads.to);
    const store = join(draft, 'store');
    const documents = await backupDirectory(dataDir, store);
    await rename(join(store, 'data.mdb'), join(draft, 'data.mdb'));
    rmSync(store, { recursive: true });
    const files = await copyMissing(uploads.from, uploads.to);
    for (const name of KEPT_SECRETS) await copySecret(name, dataDir, draft);
    await sync(draft);
    await rename(draft, target);
    await sync(dirname(target));
    return { target, documents, files };
  } finally {
    removeDraft();
  }
}

function requireFree(dataDir: string, target: string): void {
  const inside = relative(resolve(dataDir), target);
  if (inside === '' || (!inside.startsWith('..') && resolve(inside) !== inside))
    throw new Error(`${target} is inside the data directory, with which a backup would be lost.`);
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) throw new Error(`${target} is not a directory.`);
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty.`);
}

const DRAFT = /\.part$/;

/** Copies the files that are not there yet; how many there are in the end. One that is removed meanwhile is not missed. */
async function copyMissing(from: string, to: string): Promise<number> {
  if (!existsSync(from)) return 0;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    if (!DRAFT.test(name))
      await copyDurably(join(from, name), join(to, name)).catch(unless('ENOENT', 'EEXIST'));
  }
  await sync(to);
  return (await readdir(to)).length;
}

/** The key that signs tokens and the one that seals credentials; there is none when the configuration names it. */
const KEPT_SECRETS = ['token-secret', 'connector-key'] as const;

async function copySecret(name: string, dataDir: string, draft: string): Promise<void> {
  await copyDurably(join(dataDir, name), join(draft, name)).catch(unless('ENOENT'));
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await sync(to);
}

/** On the disk: of a directory, its names. */
async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const unless =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  };
