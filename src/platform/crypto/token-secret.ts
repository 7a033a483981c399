import { keptSecret } from './kept-secret';

const FILE = 'token-secret';
/** HS256 needs a key of at least 32 bytes, the size of the hash. */
export const SHORTEST_SECRET_BYTES = 32;

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
