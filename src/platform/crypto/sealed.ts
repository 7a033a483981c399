import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { partOf } from '../store/schema';

/** An encrypted text as stored: AES-256-GCM, parts in base64url. */
export interface Sealed {
  readonly keyId: string;
  readonly iv: string;
  readonly tag: string;
  readonly text: string;
}

/** Schema for a record that contains an encrypted text. */
export const sealedPart = partOf<Sealed>({ keyId: String, iv: String, tag: String, text: String });

/** A key of 32 bytes and its id in encrypted texts. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Decryption failed. The message names the key, never a text. */
export class SealBroken extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SealBroken';
  }
}

const ALGORITHM = 'aes-256-gcm';
/** Recommended IV length for GCM. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Additional authenticated data: binds the text to its key and context. */
const boundTo = (keyId: string, context: string): Buffer =>
  Buffer.from(JSON.stringify([keyId, context]), 'utf8');

/** @param context what the text belongs to; decryption requires the same context */
export function sealWith(key: SealingKey, text: string, context: string): Sealed {
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv(ALGORITHM, key.bytes, iv, { authTagLength: TAG_BYTES }).setAAD(
    boundTo(key.id, context),
  );
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  return {
    keyId: key.id,
    iv: iv.toString('base64url'),
    tag: cipher.getAuthTag().toString('base64url'),
    text: sealed.toString('base64url'),
  };
}

/** @throws SealBroken modified, wrong context, or wrong key */
export function openWith(key: SealingKey, sealed: Sealed, context: string): string {
  try {
    const decipher = createDecipheriv(ALGORITHM, key.bytes, Buffer.from(sealed.iv, 'base64url'), {
      authTagLength: TAG_BYTES,
    })
      .setAAD(boundTo(sealed.keyId, context))
      .setAuthTag(Buffer.from(sealed.tag, 'base64url'));
    return Buffer.concat([
      decipher.update(Buffer.from(sealed.text, 'base64url')),
      decipher.final(),
    ]).toString('utf8');
  } catch (error) {
    throw new SealBroken(
      `A stored secret does not open with the key ${key.id}: it was changed, or belongs elsewhere.`,
      { cause: error },
    );
  }
}
