import { randomBytes } from 'node:crypto';
import { link, mkdir, open, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';

const FILE = 'token-secret';
/** HS256 is as strong as its key: less than the hash's 32 bytes would make it weaker. */
export const SHORTEST_SECRET_BYTES = 32;

/**
 * The key that signs tokens: the configured one, or one generated on first start and kept in `dir` with mode 0600.
 * @throws Error the secret is shorter than 32 bytes
 */
export async function tokenSecret(configured: string | null, dir: string): Promise<Buffer> {
  const secret = configured === null ? await storedSecret(dir) : Buffer.from(configured, 'utf8');
  if (secret.length < SHORTEST_SECRET_BYTES) {
    throw new Error(`The token secret has ${secret.length} bytes; it needs ${SHORTEST_SECRET_BYTES} or more.`);
  }
  return secret;
}

async function storedSecret(dir: string): Promise<Buffer> {
  const file = join(dir, FILE);
  const existing = await read(file);
  if (existing) return existing;
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  const handle = await open(draft, 'wx', 0o600);
  try {
    await handle.writeFile(randomBytes(48).toString('base64url'));
    await handle.sync();
  } finally {
    await handle.close();
  }
  try {
    // A link fails where the name exists: of two processes that start at once, one secret wins and both read it.
    await link(draft, file);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await unlink(draft);
  }
  const stored = await read(file);
  if (!stored) throw new Error(`The token secret ${file} could not be read back.`);
  return stored;
}

async function read(file: string): Promise<Buffer | null> {
  try {
    return Buffer.from((await readFile(file, 'utf8')).trim(), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
