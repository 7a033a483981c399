import { createHash } from 'node:crypto';
import {
  constants,
  existsSync,
  readdirSync,
  rmSync,
  statSync,
  readFileSync,
  readlinkSync,
} from 'node:fs';
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises';
import { resolve, basename, dirname, join, relative } from 'node:path';
import { print, refuse, messageOf } from './output';
import { ConfigError, loadProcessConfig } from '../config/load';
import { backupDirectory } from '@hypha/embedded-mongo';
import { EXIT } from '../platform/exit-codes';
import { syncToDisk } from '../platform/files/durable';
import { isUploadName } from '../platform/files/file-store';

/** Copies the data of the configured service, running or stopped. Returns the exit code. */
export async function makeBackup(directory: string): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    if (config.data.mongodbUri !== null)
      return refuse(
        EXIT.configuration,
        'MONGODB_URI is set: the data is in that MongoDB and is backed up with its own tools, such as mongodump.',
      );
    requireFree(config.data.dir, resolve(directory));
    const { target, documents, files } = await copyService(
      config.data.dir,
      resolve(directory),
      config.files.kind === 'folder' ? config.files.dir : null,
    );
    print(
      `Copied ${config.data.dir} to ${target}: ${documents} documents, ${files} uploaded files; verified.`,
    );
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `No backup was made: ${messageOf(error)}`);
  }
}

export interface ServiceCopy {
  readonly target: string;
  readonly documents: number;
  readonly files: number;
}

/**
 * Copies the data of a running or stopped service to `target`, which can then replace its data
 * directory. The target appears only when complete.
 * @param filesDir the folder of uploaded files, which may be outside of the data directory
 * @throws Error with a message for the operator; partial files are removed
 */
export async function copyService(
  dataDir: string,
  target: string,
  filesDir: string | null = null,
): Promise<ServiceCopy> {
  removeDeadDrafts(dirname(target));
  const draft = join(dirname(target), draftName(basename(target)));
  const removeDraft = (): void => rmSync(draft, { recursive: true, force: true });
  const onSignal = (): never => {
    removeDraft();
    process.exit(1);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, onSignal);
  try {
    await mkdir(draft, { recursive: true, mode: 0o700 });
    // Copies uploads before and after the database, so that every picture named by a copied record
    // is included.
    const uploads = join(draft, 'uploads');
    const copyUploads = async (): Promise<number> => {
      for (const from of new Set([join(dataDir, 'uploads'), filesDir]))
        if (from !== null) await copyMissing(from, uploads);
      return existsSync(uploads) ? (await readdir(uploads)).length : 0;
    };
    await copyUploads();
    const store = join(draft, 'store');
    const documents = await backupDirectory(dataDir, store);
    await rename(join(store, 'data.mdb'), join(draft, 'data.mdb'));
    rmSync(store, { recursive: true });
    const files = await copyUploads();
    for (const name of KEPT_SECRETS) await copySecret(name, dataDir, draft);
    await syncToDisk(draft);
    await rename(draft, target);
    await syncToDisk(dirname(target));
    return { target, documents, files };
  } finally {
    removeDraft();
  }
}

export function isInside(path: string, directory: string): boolean {
  const inside = relative(resolve(directory), resolve(path));
  return inside === '' || (!inside.startsWith('..') && resolve(inside) !== inside);
}

function requireFree(dataDir: string, target: string): void {
  if (isInside(target, dataDir))
    throw new Error(
      `${target} is inside the data directory: a backup there would be lost together with the data.`,
    );
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) throw new Error(`${target} is not a directory.`);
  if (readdirSync(target).length > 0) throw new Error(`${target} is not empty.`);
}

/** Copies missing uploads. A file that is removed during the copy is ignored. */
async function copyMissing(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return;
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const name of await readdir(from)) {
    if (isUploadName(name))
      await copyDurably(join(from, name), join(to, name)).catch(unless('ENOENT', 'EEXIST'));
  }
  await syncToDisk(to);
}

/** The keys for tokens and for credentials. A key is missing if the configuration sets it. */
const KEPT_SECRETS = ['token-secret', 'connector-key'] as const;

async function copySecret(name: string, dataDir: string, draft: string): Promise<void> {
  await copyDurably(join(dataDir, name), join(draft, name)).catch(unless('ENOENT'));
}

async function copyDurably(from: string, to: string): Promise<void> {
  await copyFile(from, to, constants.COPYFILE_EXCL);
  await syncToDisk(to);
}

const unless =
  (...codes: readonly string[]) =>
  (error: unknown): void => {
    if (!codes.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  };

/** `.<name of the backup>.<id of boot and container>-<process id>.partial` */
const DRAFT = /^\..+\.([0-9a-f]{8})-(\d+)\.partial$/;
/**
 * A draft whose process is not visible from here is abandoned if it was not written for this long.
 */
const ABANDONED_AFTER_MS = 24 * 60 * 60_000;

/**
 * Name of the temporary folder of a backup, next to its target. It identifies the process that
 * writes it.
 */
const draftName = (target: string): string => `.${target}.${hostId()}-${process.pid}.partial`;

/** Removes drafts of killed backups from a folder; those of active ones stay. */
function removeDeadDrafts(folder: string): void {
  for (const name of quietly(() => readdirSync(folder), [])) {
    const [, host, pid] = DRAFT.exec(name) ?? [];
    if (host === undefined) continue;
    const draft = join(folder, name);
    const dead =
      host === hostId()
        ? Number(pid) === process.pid || !isRunning(Number(pid))
        : isAbandoned(draft);
    if (dead) rmSync(draft, { recursive: true, force: true });
  }
}

/** Returns an id of boot and container. Process ids can be compared only if it is the same. */
function hostId(): string {
  const boot = quietly(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), '');
  const namespace = quietly(() => readlinkSync('/proc/self/ns/pid'), '');
  return createHash('sha256').update(`${boot} ${namespace}`).digest('hex').slice(0, 8);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function isAbandoned(draft: string): boolean {
  const files = [
    draft,
    ...quietly(() => readdirSync(draft, { recursive: true, encoding: 'utf8' }), []).map((file) =>
      join(draft, file),
    ),
  ];
  const last = Math.max(...files.map((file) => quietly(() => statSync(file).mtimeMs, 0)));
  return Date.now() - last > ABANDONED_AFTER_MS;
}

function quietly<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch {
    return otherwise;
  }
}
