import { keptSecret } from './kept-secret';

const FILE = 'token-secret';
/** HS256 is as strong as its key: less than the hash's 32 bytes would make it weaker. */
export const SHORTEST_SECRET_BYTES = 32;

/**
 * The key that signs tokens: the configured one, or one generated on first start and kept in `dir` with mode 0600.
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
