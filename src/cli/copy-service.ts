import { constants, existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { copyFile, mkdir, open, readdir, rename } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { backupDirectory } from '../embedded-mongo/backup';
import { draftName, removeDeadDrafts } from './drafts';

export interface ServiceCopy {
  readonly target: string;
  readonly documents: number;
  readonly files: number;
}

/**
 * Copies the data of a running or stopped service to `target`, which can then replace its data
 * directory. The target appears only when complete.
 * @throws Error with a message for the operator; partial files are removed
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
    // Copies uploads before and after the database, so that every picture named by a copied record
    // is included.
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

/**
 * Copies missing files. Returns the number of files in the end. A file that is removed during the
 * copy is ignored.
 */
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

/** The keys for tokens and for credentials. A key is missing if the configuration sets it. */
const KEPT_SECRETS = ['token-secret', 'connector-key'] as const;

async function copySecret(name: string, dataDir: string, draft: string): Promise<void> {
  await copyDurably(join(dataDir, name), join(draft, name)).catch(unless('ENOENT'));
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await sync(to);
}

/** Flushes a file or the entries of a directory to disk. */
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
