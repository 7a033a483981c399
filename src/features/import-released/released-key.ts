import { createDecipheriv, pbkdf2Sync } from 'node:crypto';
import type { Dump } from './dump.schema';
import { DUMP_FILES } from './dump.schema';
import type { Report } from './report';

/** The settings of the released installation that its credentials are encrypted with. */
export interface ReleasedKey {
  /** The prefix of its settings; null if it was not given. */
  readonly product: string | null;
  /** Value of the setting `PRODUCT.connector.security.key`; null: its default. */
  readonly passPhrase: string | null;
}

const DEFAULT_PASS_PHRASE = "It's a secret key";
const ROUNDS = 65_536;
const KEY_BYTES = 32;
const IV_BYTES = 16;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/** Maximum number of connectors that a message names. */
const MAX_NAMED = 20;

/** Values by the name of the field. */
export type Credentials = Readonly<Record<string, string>>;

/**
 * Decrypts the values of all connectors, by the id of the connector.
 * @throws Error with a message for the operator, which names connectors and fields but no values
 */
export function openCredentials(
  connectors: Dump['connectors'],
  key: ReleasedKey,
  report: Report,
): ReadonlyMap<number, Credentials> {
  let derived: Buffer | null = null;
  const failed: string[] = [];
  const opened = new Map<number, Credentials>();
  connectors.forEach(({ connectorId, title, requestData }, index) => {
    const values: [string, string][] = [];
    for (const [name, value] of Object.entries(requestData)) {
      if (value == null) continue;
      const sealed = sealedBytes(value);
      if (sealed === null) {
        const place = { file: DUMP_FILES.connectors.file, index };
        if (value !== '')
          report.assumed(place, `requestData.${name} is not encrypted: it was taken as it is.`);
        values.push([name, value]);
        continue;
      }
      derived ??= derive(key);
      const text = open(sealed, derived);
      if (text === null) failed.push(`${title ?? connectorId} (${name})`);
      else values.push([name, text]);
    }
    opened.set(connectorId, Object.fromEntries(values));
  });
  if (failed.length > 0) throw new Error(wrongKey(failed, key));
  return opened;
}

function derive({ product, passPhrase }: ReleasedKey): Buffer {
  if (product === null)
    throw new Error(
      'The credentials of connectors are encrypted. Use --product with the prefix of the settings of the released installation, and --key-file or --key-stdin if it has a connector.security.key of its own.',
    );
  return pbkdf2Sync(
    passPhrase ?? DEFAULT_PASS_PHRASE,
    `${product}-salt`,
    ROUNDS,
    KEY_BYTES,
    'sha1',
  );
}

/** Returns null for a text that cannot be an initialisation vector with whole blocks. */
function sealedBytes(value: string): Buffer | null {
  if (value.length % 4 !== 0 || !BASE64.test(value)) return null;
  const bytes = Buffer.from(value, 'base64');
  return bytes.length >= 2 * IV_BYTES && bytes.length % IV_BYTES === 0 ? bytes : null;
}

/** Returns null if the key does not fit: invalid padding or UTF-8. */
function open(sealed: Buffer, key: Buffer): string | null {
  const decipher = createDecipheriv('aes-256-cbc', key, sealed.subarray(0, IV_BYTES));
  try {
    const bytes = Buffer.concat([decipher.update(sealed.subarray(IV_BYTES)), decipher.final()]);
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return null;
  }
}

function wrongKey(failed: readonly string[], { passPhrase }: ReleasedKey): string {
  const more = failed.length > MAX_NAMED ? `, and ${failed.length - MAX_NAMED} more` : '';
  const used = passPhrase === null ? 'the default key of the released line' : 'the given key';
  return `The credentials of these connectors cannot be decrypted with ${used}: ${failed.slice(0, MAX_NAMED).join(', ')}${more}. Check --product, and the value of connector.security.key in --key-file or --key-stdin.`;
}
