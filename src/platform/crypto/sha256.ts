import { createHash } from 'node:crypto';

/** Returns the SHA-256 of a text in base64url. For texts that cannot be guessed: it is fast. */
export const sha256 = (text: string): string =>
  createHash('sha256').update(text).digest('base64url');
