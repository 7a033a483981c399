import { fork } from 'node:child_process';
import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { rename } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { inspectDirectory } from '@hypha/embedded-mongo';
import type { CopyOutcome } from './copy-backup';
import { isInside } from './make-backup';
import type { ServiceCopy } from './make-backup';
import { requireOwner } from './operate';
import { messageOf, print, refuse, printToStderr } from './output';
import { requireStopped } from '../platform/control/running-service';
import { ConfigError, loadProcessConfig } from '../config/load';
import { EXIT } from '../platform/exit-codes';
import { syncToDisk } from '../platform/files/durable';

/** `hypha restore DIRECTORY`: puts a copy of a backup in place of DATA_DIR. Returns the exit code. */
export async function restoreBackup({
  directory,
  replace,
}: {
  readonly directory: string;
  readonly replace: boolean;
}): Promise<number> {
  try {
    const { config } = loadProcessConfig();
    if (config.data.mongodbUri !== null)
      return refuse(
        EXIT.configuration,
        'MONGODB_URI is set: the data is in that MongoDB and is restored with its own tools, such as mongorestore.',
      );
    const [backup, dataDir] = [resolve(directory), resolve(config.data.dir)];
    requireBackup(backup, dataDir);
    await requireUnused(dataDir);
    const oldDataDir = occupied(dataDir) ? nameForOld(dataDir) : null;
    if (oldDataDir !== null && !replace)
      throw new Error(
        `${dataDir} is not empty. With --replace, its content is kept as ${oldDataDir}.`,
      );
    const copy = join(dirname(dataDir), `.${basename(dataDir)}.restore-${process.pid}`);
    const { documents, files } = await copyInChild(backup, copy);
    try {
      // A service may have been started during the copy.
      await requireUnused(dataDir);
      if (oldDataDir !== null) await rename(dataDir, oldDataDir);
      await rename(copy, dataDir).catch(async (error: unknown) => {
        if (oldDataDir !== null) await rename(oldDataDir, dataDir);
        throw error;
      });
      await syncToDisk(dirname(dataDir));
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
    print(
      `Restored ${backup} to ${dataDir}: ${documents} documents, ${files} uploaded files; verified.`,
    );
    if (oldDataDir !== null)
      printToStderr(`The earlier data is in ${oldDataDir}. Remove it when it is not needed.`);
    return EXIT.success;
  } catch (error) {
    if (error instanceof ConfigError) return refuse(EXIT.configuration, error.message);
    return refuse(EXIT.failed, `Nothing was restored: ${messageOf(error)}`);
  }
}

function requireBackup(backup: string, dataDir: string): void {
  if (!existsSync(join(backup, 'data.mdb')))
    throw new Error(`${backup} is no backup: it has no file data.mdb.`);
  if (isInside(backup, dataDir) || isInside(dataDir, backup))
    throw new Error(`${backup} and the data directory ${dataDir} contain each other.`);
}

/** @throws Error a service or a command uses the directory, or it cannot be renamed */
async function requireUnused(dataDir: string): Promise<void> {
  if (!existsSync(dataDir)) return;
  await requireStopped(dataDir, 'restore');
  requireOwner(dataDir);
  if (statSync(dataDir).dev !== statSync(dirname(dataDir)).dev)
    throw new Error(
      `${dataDir} is the root of a file system, such as a volume, and cannot be replaced. Remove its content and copy that of the backup into it, or mount another volume.`,
    );
  if (!existsSync(join(dataDir, 'data.mdb'))) return;
  const owner = await ownerOf(dataDir);
  if (owner !== null)
    throw new Error(`Process ${owner} uses ${dataDir}. Stop it before \`hypha restore\`.`);
}

/** Returns the id of the process that uses a store; null if there is none, or it is unreadable. */
async function ownerOf(dataDir: string): Promise<number | null> {
  try {
    return await inspectDirectory(dataDir, ({ owner }) =>
      owner?.state === 'alive' ? owner.pid : null,
    );
  } catch {
    // The reason for the restore may be that the store is damaged.
    return null;
  }
}

const occupied = (directory: string): boolean =>
  existsSync(directory) && readdirSync(directory).length > 0;

const nameForOld = (dataDir: string): string =>
  `${dataDir}.before-restore-${new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}`;

/** In a process of its own, since LMDB ends a process that reads a truncated file. */
function copyInChild(from: string, to: string): Promise<ServiceCopy> {
  return new Promise((resolve, reject) => {
    const child = fork(join(__dirname, 'copy-backup.js'), [from, to]);
    let outcome: CopyOutcome = { error: `${from} is damaged: it cannot be read.` };
    child.on('message', (message) => {
      outcome = message as CopyOutcome;
    });
    child.on('error', reject);
    child.on('close', () => {
      if ('error' in outcome) reject(new Error(outcome.error));
      else resolve(outcome);
    });
  });
}
