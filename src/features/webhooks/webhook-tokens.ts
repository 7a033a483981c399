import { createHmac, randomBytes } from 'node:crypto';

const PURPOSE = 'hypha: tokens of webhooks';
const TOKEN_BYTES = 32;
/** 32 bytes in base64url: whatever else is said to be a token is none. */
const TOKEN = /^[\w-]{43}$/;

/** Makes tokens, and the hashes they are looked up by: whoever reads the store finds no token in it and can try none. */
export interface WebhookTokens {
  /** Names the key of the hashes. */
  readonly keyId: string;
  create(): string;
  /** Null: this cannot be a token. */
  hash(token: string): string | null;
}

/** @param secret of the tokens of users: the processes at one database have the same. The hashes are made with a key of their own, made of it */
export function createWebhookTokens(secret: Buffer): WebhookTokens {
  const key = createHmac('sha256', secret).update(PURPOSE).digest();
  return {
    keyId: createHmac('sha256', key).update('id').digest('hex').slice(0, 16),
    create: () => randomBytes(TOKEN_BYTES).toString('base64url'),
    hash: (token) =>
      TOKEN.test(token) ? createHmac('sha256', key).update(token).digest('base64url') : null,
  };
}
