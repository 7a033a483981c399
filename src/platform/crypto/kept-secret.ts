import { randomBytes } from 'node:crypto';
import { link, mkdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { SHORTEST_SECRET_BYTES } from '../../config/released-file';
import { isMissing, writeSynced } from '../files/durable';

const FILE = 'token-secret';

/**
 * Key to sign tokens: from the configuration, or generated on first start and stored in `dir` with
 * mode 0600.
 * @throws Error the secret is shorter than 32 bytes
 */
export async function tokenSecret(configured: string | null, dir: string): Promise<Buffer> {
  const secret =
    configured === null ? await keptSecret(dir, FILE) : Buffer.from(configured, 'utf8');
  if (secret.length < SHORTEST_SECRET_BYTES) {
    throw new Error(
      `The token secret has ${secret.length} bytes; it needs ${SHORTEST_SECRET_BYTES} or more.`,
    );
  }
  return secret;
}

/** Reads a generated secret from a file in `dir`; returns null if the file does not exist. */
export async function readKeptSecret(dir: string, name: string): Promise<Buffer | null> {
  try {
    return Buffer.from((await readFile(join(dir, name), 'utf8')).trim(), 'utf8');
  } catch (error) {
    if (isMissing(error)) return null;
    throw error;
  }
}

/**
 * Reads the secret, or generates it with mode 0600. If two processes start at once, both get the
 * same secret.
 */
export async function keptSecret(dir: string, name: string): Promise<Buffer> {
  const existing = await readKeptSecret(dir, name);
  if (existing) return existing;
  const file = join(dir, name);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  await writeSynced(draft, randomBytes(48).toString('base64url'));
  try {
    // `link` fails if the file exists.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const stored = await readKeptSecret(dir, name);
  if (!stored) throw new Error(`The secret ${file} could not be read back.`);
  return stored;
}
