import { z } from 'zod';
import type { PassphraseKey } from '../../platform/crypto/sealed-stream';
import { isUploadName } from '../../platform/files/file-store';
import { parseJson } from '../../platform/json/parse-json';
import { VERSION } from '../../platform/version';

/** Name of the entry that describes the others. It is written last. */
export const MANIFEST = 'manifest.json';
/** Raised if an older version could misread the archive. */
export const FORMAT = 1;
export const MAX_MANIFEST_BYTES = 64 * 1024 * 1024;
const MANIFEST_LIMITS = { depth: 10, values: 5_000_000, names: 1_000 };

/** The entry with the keys of the vault, in sealed archives only. */
export const KEYS = 'vault-keys.ndjson';
const UPLOADS = 'uploads/';
export const collectionEntry = (name: string): string => `${name}.ndjson`;
export const uploadEntry = (name: string): string => `${UPLOADS}${name}`;

/** Returns the collection of an entry, or null for an upload and the keys. */
export const collectionOf = (entry: string): string | null =>
  entry !== KEYS && entry.endsWith('.ndjson') && !entry.includes('/')
    ? entry.slice(0, -'.ndjson'.length)
    : null;

/** Returns the file name of an upload, or null for another entry. */
export const uploadOf = (entry: string): string | null =>
  entry.startsWith(UPLOADS) && isUploadName(entry.slice(UPLOADS.length))
    ? entry.slice(UPLOADS.length)
    : null;

const entryShape = z.object({
  name: z.string(),
  /** Number of lines; 0 for an upload. */
  documents: z.int().nonnegative(),
  /** Size and hash of the content of the entry; encrypted if the archive is sealed. */
  bytes: z.int().nonnegative(),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});
export type EntryFacts = z.infer<typeof entryShape>;

const names = z.array(z.string());
const enterAgainShape = z.object({
  /** Connectors, with the names of their fields. */
  connectors: z.array(z.object({ title: z.string(), fields: names })),
  secrets: names,
  workflows: names,
  invokers: names,
  notifications: names,
  /** Titles of schedules whose webhooks were left out. */
  webhooks: names,
  /** E-mail addresses of users whose second factors were left out. */
  secondFactors: names,
  apiTokens: z.int(),
  passwords: z.int(),
});
/** What users must enter or create again after an import of an archive without secrets. */
export type EnterAgain = z.infer<typeof enterAgainShape>;

const manifestShape = z.object({
  product: z.literal('hypha'),
  version: z.string(),
  createdAt: z.iso.datetime(),
  migrations: z.array(z.object({ _id: z.int(), name: z.string() })),
  entries: z.array(entryShape),
  leftOut: z.array(z.object({ collection: z.string(), why: z.string() })),
  /** Null if the archive is sealed: it has everything. */
  enterAgain: enterAgainShape.nullable(),
  encryption: z
    .object({
      cipher: z.literal('aes-256-gcm'),
      kdf: z.literal('scrypt'),
      N: z.int().max(2 ** 17),
      r: z.int().max(8),
      p: z.int().max(4),
      salt: z.string(),
      /** Tells a wrong passphrase from a damaged archive. */
      check: z.string(),
      /** Keyed hash of the manifest in which this field is empty. */
      signature: z.string(),
    })
    .nullable(),
});
export type Manifest = z.infer<typeof manifestShape>;

const CHECK = 'passphrase';

/** Returns the text of the manifest, signed if the archive is sealed. */
export function manifestText(
  content: Omit<Manifest, 'product' | 'version' | 'encryption'>,
  key: PassphraseKey | null,
): string {
  const write = (signature: string): string =>
    JSON.stringify(
      {
        format: FORMAT,
        product: 'hypha',
        version: VERSION,
        ...content,
        encryption: key && {
          cipher: 'aes-256-gcm',
          kdf: 'scrypt',
          ...key.parameters,
          check: key.sign(CHECK),
          signature,
        },
      },
      null,
      1,
    );
  return write(key?.sign(write('')) ?? '');
}

/** @throws Error with a message for the operator: not a manifest, or one of a later version */
export function parseManifest(text: string): Manifest {
  let json: unknown;
  try {
    json = parseJson(Buffer.from(text), MANIFEST_LIMITS);
  } catch (error) {
    throw new Error(`${MANIFEST} in the archive is damaged.`, { cause: error });
  }
  const head = z
    .object({ format: z.int(), product: z.literal('hypha'), version: z.string() })
    .safeParse(json);
  if (!head.success) throw new Error('The archive is not an export of Hypha.');
  if (head.data.format > FORMAT)
    throw new Error(
      `Hypha ${head.data.version} wrote the archive in format ${head.data.format}. This is Hypha ${VERSION}, which reads format ${FORMAT}. Import it with that version.`,
    );
  const parsed = manifestShape.safeParse(json);
  if (!parsed.success) throw new Error(`${MANIFEST} in the archive is damaged.`);
  return parsed.data;
}

/**
 * @throws Error with a message for the operator: wrong passphrase, or the manifest was changed
 */
export function requireSignature(text: string, { encryption }: Manifest, key: PassphraseKey): void {
  if (encryption === null || !key.hasSigned(CHECK, encryption.check))
    throw new Error('The passphrase is wrong.');
  const { signature } = encryption;
  const unsigned = text.replace(`"signature": "${signature}"`, '"signature": ""');
  if (!key.hasSigned(unsigned, signature))
    throw new Error(`${MANIFEST} in the archive was changed after the export.`);
}
