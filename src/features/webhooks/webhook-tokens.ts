import { createHmac, randomBytes } from 'node:crypto';

const PURPOSE = 'hypha: tokens of webhooks';
const TOKEN_BYTES = 32;
/** 32 bytes in base64url. */
const TOKEN = /^[\w-]{43}$/;

/**
 * Creates tokens and their lookup hashes. The hashes are keyed, so a reader of the store cannot
 * test tokens against them.
 */
export interface WebhookTokens {
  /** Id of the hash key. */
  readonly keyId: string;
  create(): string;
  /** Returns null if the text cannot be a token. */
  hash(token: string): string | null;
}

/**
 * @param secret for user tokens, shared by all processes on one database; the hash key is derived
 * from it
 */
export function createWebhookTokens(secret: Buffer): WebhookTokens {
  const key = createHmac('sha256', secret).update(PURPOSE).digest();
  return {
    keyId: createHmac('sha256', key).update('id').digest('hex').slice(0, 16),
    create: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    hash: (token) =>
      TOKEN.test(token) ? createHmac('sha256', key).update(token).digest('base64url') : null,
  };
}
