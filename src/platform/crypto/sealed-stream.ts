import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto';
import { promisify } from 'node:util';
import { passwordText } from '../text/password-text';

/** How a key is derived from a passphrase; stored next to what it encrypts. */
interface PassphraseParameters {
  readonly N: number;
  readonly r: number;
  readonly p: number;
  /** base64url */
  readonly salt: string;
}

/** Characters of a passphrase: an attacker with the file may try passphrases without a limit. */
export const MIN_PASSPHRASE_LENGTH = 12;

/** About 200 ms and 64 MiB. */
const SCRYPT = { N: 2 ** 16, r: 8, p: 1 } as const;
const SCRYPT_MEMORY_BYTES = 160 * 1024 * 1024;
const KEY_BYTES = 32;

const ALGORITHM = 'aes-256-gcm';
const IV_BYTES = 12;
const TAG_BYTES = 16;
/** Text in one encrypted chunk. All chunks but the last have this size. */
const CHUNK_BYTES = 64 * 1024;
const SEALED_CHUNK_BYTES = IV_BYTES + CHUNK_BYTES + TAG_BYTES;

/** A stream that does not decrypt: it was modified, cut, or belongs elsewhere. */
export class StreamBroken extends Error {}

/**
 * Encrypts streams with a passphrase: AES-256-GCM in chunks, each bound to the name of the stream,
 * its number, and whether it is the last, so that no chunk can be moved, added or cut off.
 */
export class PassphraseKey {
  private constructor(
    readonly parameters: PassphraseParameters,
    private readonly key: Buffer,
    private readonly macKey: Buffer,
  ) {}

  /** @param parameters of an existing file; a new file gets new ones */
  static async derive(
    passphrase: string,
    parameters: PassphraseParameters = {
      ...SCRYPT,
      salt: randomBytes(KEY_BYTES).toString('base64url'),
    },
  ): Promise<PassphraseKey> {
    const { N, r, p, salt } = parameters;
    const bytes = await (
      promisify(scrypt) as (
        password: string,
        salt: Buffer,
        length: number,
        options: object,
      ) => Promise<Buffer>
    )(passwordText(passphrase), Buffer.from(salt, 'base64url'), 2 * KEY_BYTES, {
      N,
      r,
      p,
      maxmem: SCRYPT_MEMORY_BYTES,
    });
    return new PassphraseKey(parameters, bytes.subarray(0, KEY_BYTES), bytes.subarray(KEY_BYTES));
  }

  /** A keyed hash of a text that is stored unencrypted, base64url. */
  sign(text: string): string {
    return createHmac('sha256', this.macKey).update(text).digest('base64url');
  }

  hasSigned(text: string, signature: string): boolean {
    const [candidate, own] = [Buffer.from(signature), Buffer.from(this.sign(text))];
    return candidate.length === own.length && timingSafeEqual(candidate, own);
  }

  async *seal(name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    let at = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of source) {
      rest = Buffer.concat([rest, piece]);
      // The last chunk is recognised at the end only, so one is always kept back.
      while (rest.length > CHUNK_BYTES) {
        yield this.sealChunk(rest.subarray(0, CHUNK_BYTES), placeOf(name, at, false));
        rest = rest.subarray(CHUNK_BYTES);
        at += 1;
      }
    }
    yield this.sealChunk(rest, placeOf(name, at, true));
  }

  /** @throws StreamBroken */
  async *open(name: string, source: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void, void> {
    let at = 0;
    let rest: Buffer = Buffer.alloc(0);
    for await (const piece of source) {
      rest = Buffer.concat([rest, piece]);
      while (rest.length > SEALED_CHUNK_BYTES) {
        yield this.openChunk(rest.subarray(0, SEALED_CHUNK_BYTES), placeOf(name, at, false));
        rest = rest.subarray(SEALED_CHUNK_BYTES);
        at += 1;
      }
    }
    yield this.openChunk(rest, placeOf(name, at, true));
  }

  private sealChunk(text: Buffer, place: Buffer): Buffer {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.key, iv, { authTagLength: TAG_BYTES }).setAAD(
      place,
    );
    const sealed = Buffer.concat([cipher.update(text), cipher.final()]);
    return Buffer.concat([iv, sealed, cipher.getAuthTag()]);
  }

  private openChunk(chunk: Buffer, place: Buffer): Buffer {
    try {
      const decipher = createDecipheriv(ALGORITHM, this.key, chunk.subarray(0, IV_BYTES), {
        authTagLength: TAG_BYTES,
      })
        .setAAD(place)
        .setAuthTag(chunk.subarray(-TAG_BYTES));
      return Buffer.concat([
        decipher.update(chunk.subarray(IV_BYTES, -TAG_BYTES)),
        decipher.final(),
      ]);
    } catch (error) {
      throw new StreamBroken('it was changed or cut, or belongs to another archive', {
        cause: error,
      });
    }
  }
}

/** Additional authenticated data of a chunk. */
const placeOf = (name: string, at: number, isLast: boolean): Buffer =>
  Buffer.from(JSON.stringify([name, at, isLast]), 'utf8');
