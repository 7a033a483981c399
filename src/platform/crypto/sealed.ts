import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { partOf } from '../store/schema';

/** A text that only its key opens, as it is stored: AES-256-GCM, parts in base64url. */
export interface Sealed {
  readonly keyId: string;
  readonly iv: string;
  readonly tag: string;
  readonly text: string;
}

/** For the schema of a record that holds one. */
export const sealedPart = partOf<Sealed>({ keyId: String, iv: String, tag: String, text: String });

/** 32 bytes, and what sealed texts call it. */
export interface SealingKey {
  readonly id: string;
  readonly bytes: Buffer;
}

/** Why a sealed text does not open. The message names the key, never a text. */
export class SealBroken extends Error {
  constructor(message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = 'SealBroken';
  }
}

const ALGORITHM = 'aes-256-gcm';
/** The length GCM is made for. */
const IV_BYTES = 12;
const TAG_BYTES = 16;

/** Neither the key's name nor the place can be exchanged without the seal breaking. */
const boundTo = (keyId: string, context: string): Buffer =>
  Buffer.from(JSON.stringify([keyId, context]), 'utf8');

/** @param context what the text belongs to: it opens there only */
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

/** @throws SealBroken it was changed, belongs elsewhere, or the key is another one */
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
