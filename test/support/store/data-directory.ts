import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import { COLLECTIONS } from '../../../src/features/moving/collections';
import { zipOf } from '../documents/zips';
import { readyUrl, startProcess } from '../process';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from '../service/harness';
import { unpacked } from './exported';
import { fillService, openPeers } from './filled-data-directory';
import type { WrittenRecords } from './filled-data-directory';

/** Collections that are empty when nothing runs. */
const TRANSIENT = [
  'imports',
  'job_progress',
  'leases',
  'notification_events',
  'test_schedules',
  'workflow_presence',
];
/** Random bytes, and a lock, which the next start writes again. */
const NOT_PACKED = ['lock.mdb', 'reserve'];

/**
 * Fills a new data directory with a built service, and packs it.
 * @throws Error if a collection has no record
 */
export async function writeDataDirectory(
  main: string,
): Promise<{ archive: Buffer; written: WrittenRecords }> {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-data-directory-'));
  const dataDir = join(folder, 'data');
  const peers = await openPeers();
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
    HYPHA_FILES: 'database',
    ...peers.env,
  };
  const command = [process.execPath, main];
  const service = startProcess({ ...env, NODE_OPTIONS: '' }, command, folder);
  try {
    const written = await fillService(await reachedAt(await readyUrl(service)));
    service.child.kill('SIGTERM');
    if ((await service.exit).code !== 0) throw new Error(service.output);
    const archive = await pack(dataDir);
    const empty = (await emptyCollections(dataDir)).filter((name) => !TRANSIENT.includes(name));
    if (empty.length > 0) throw new Error(`No record was written to ${empty.join(', ')}.`);
    return { archive, written };
  } finally {
    service.child.kill('SIGKILL');
    await peers.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function pack(dataDir: string): Promise<Buffer> {
  const files = readdirSync(dataDir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !NOT_PACKED.includes(entry.name))
    .map((entry) => join(entry.parentPath, entry.name));
  return zipOf(
    Object.fromEntries(files.map((file) => [file.slice(dataDir.length + 1), readFileSync(file)])),
  );
}

async function emptyCollections(dataDir: string): Promise<string[]> {
  const server = await openEmbeddedStore({ dir: dataDir, placement: 'inline', durability: 'test' });
  const connection = await mongoose.createConnection(server.uri).asPromise();
  const empty: string[] = [];
  for (const name of Object.keys(COLLECTIONS))
    if ((await connection.collection(name).countDocuments()) === 0) empty.push(name);
  await connection.close();
  await server.close();
  return empty;
}

const FOLDER = join(__dirname, '../../migrations/data');

/** The versions whose data directories are kept. */
export const writtenVersions = (): string[] =>
  readdirSync(FOLDER)
    .filter((name) => name.endsWith('.zip'))
    .map((name) => basename(name, '.zip'));

/** Unpacks the data directory of a version into a temporary folder. */
export async function unpackDataDirectory(
  version: string,
): Promise<{ readonly dataDir: string; readonly written: WrittenRecords }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-data-directory-'));
  for (const [name, bytes] of await unpacked(join(FOLDER, `${version}.zip`))) {
    mkdirSync(dirname(join(dataDir, name)), { recursive: true });
    writeFileSync(join(dataDir, name), bytes, { mode: 0o600 });
  }
  const written = JSON.parse(readFileSync(join(FOLDER, `${version}.json`), 'utf8'));
  return { dataDir, written };
}
