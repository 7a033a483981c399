import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { insertRecord } from '../store/records';
import { isDuplicateKey } from '../store/store';
import type { Store, Tx } from '../store/store';
import { keptSecret, readKeptSecret } from './kept-secret';
import { openWith, SealBroken, sealedPart, sealWith } from './sealed';
import type { Sealed, SealingKey } from './sealed';
import { orNull, schemaOf } from '../store/schema';

/** Source of a key: the configured master password, or the generated file in the data directory. */
type KeySource = 'password' | 'file';

/** Stored data of a key, without the key itself. */
interface VaultKeyRecord {
  /** Id in encrypted texts: `password-1`. */
  readonly _id: string;
  readonly source: KeySource;
  /** Salt for scrypt. */
  readonly salt: string;
  /** A known text encrypted with the key, to check a password. */
  readonly proof: Sealed;
  /** The key encrypted with other keys: during a key change, each key opens all values. */
  readonly wraps: readonly Sealed[];
  /** Id of the key that all values were moved to; this key no longer encrypts. */
  readonly replacedBy: string | null;
}

const vaultKeySchema = schemaOf<VaultKeyRecord>({
  _id: String,
  source: String,
  salt: String,
  proof: sealedPart,
  wraps: [sealedPart],
  replacedBy: orNull(String),
});

const vaultKeyModel = (store: Store) =>
  store.model<VaultKeyRecord>('VaultKey', vaultKeySchema, 'vault_keys');

export type { Sealed } from './sealed';

/** Encrypts secrets that are stored: credentials, named secrets. */
export interface Vault {
  /** Id of the key that encrypts. */
  readonly keyId: string;
  /** @param context what the text belongs to, such as `secret:12`; `open` requires the same */
  seal(text: string, context: string): Sealed;
  /** @throws SealBroken modified, wrong context, or unknown key */
  open(sealed: Sealed, context: string): string;
}

/** A vault with the operations for start and key change. */
export interface VaultKeys extends Vault {
  /**
   * Loads the keys; call once, when the collections exist.
   * @param inUse ids of the keys that encrypt stored values
   * @throws Error with a message for the operator: one of these keys is not available
   */
  unlock(inUse: () => Promise<readonly string[]>): Promise<void>;
  /**
   * Encrypts with the key of this master password from now on (null: with the key file). Until
   * `changeDone`, both the old and the new password open all values. Can be repeated.
   */
  changeTo(masterPassword: string | null): Promise<void>;
  /**
   * Call when no value uses an old key any more; old keys then open nothing.
   * @param also writes more in the same transaction
   */
  changeDone(also?: (tx: Tx) => Promise<void>): Promise<void>;
}

/** File name of the generated key in the data directory. */
const VAULT_KEY_FILE = 'connector-key';

const PROOF = 'hypha';
const KEY_BYTES = 32;
/** About 100 ms and 32 MiB, once at start. */
const SCRYPT = { N: 2 ** 15, r: 8, p: 1, maxmem: 64 * 1024 * 1024 } as const;
const scryptAsync = promisify(scrypt) as (
  password: string | Buffer,
  salt: Buffer,
  length: number,
  options: typeof SCRYPT,
) => Promise<Buffer>;

const proofContext = (keyId: string): string => `vault:${keyId}:proof`;
const wrapContext = (keyId: string): string => `vault:${keyId}:key`;

export function createVault(dependencies: {
  readonly store: Store;
  readonly dir: string;
  readonly masterPassword: string | null;
}): VaultKeys {
  const { store, dir } = dependencies;
  const keyRecords = vaultKeyModel(store);
  const ring = new Map<string, SealingKey>();
  let active: SealingKey | null = null;

  const sealing = (): SealingKey => {
    if (active === null) throw new Error('The vault is not unlocked yet.');
    return active;
  };
  const readRecords = async (): Promise<VaultKeyRecord[]> =>
    (await keyRecords.find().lean<VaultKeyRecord[]>()).sort((a, b) => numberOf(a) - numberOf(b));

  /** Returns the keys of these records that the password or the file opens. */
  const opened = async (
    records: readonly VaultKeyRecord[],
    source: KeySource,
    secret: string | Buffer,
  ): Promise<SealingKey[]> => {
    const keys: SealingKey[] = [];
    for (const record of records.filter((each) => each.source === source)) {
      const key = { id: record._id, bytes: await derived(source, secret, record.salt) };
      if (fits(key, record)) keys.push(key);
    }
    return keys;
  };

  /** Adds keys that are encrypted with keys on the ring. */
  const unwrap = (records: readonly VaultKeyRecord[]): void => {
    for (let found = true; found;) {
      found = false;
      for (const record of records.filter(({ _id }) => !ring.has(_id))) {
        const wrap = record.wraps.find(({ keyId }) => ring.has(keyId));
        const by = ring.get(wrap?.keyId ?? '');
        if (!wrap || !by) continue;
        ring.set(record._id, {
          id: record._id,
          bytes: Buffer.from(openWith(by, wrap, wrapContext(record._id)), 'base64url'),
        });
        found = true;
      }
    }
  };

  /** Returns the newest active key of the secret; creates one if there is none. */
  const keyOf = async (source: KeySource, secret: string | Buffer): Promise<SealingKey> => {
    for (;;) {
      const records = await readRecords();
      const found = (
        await opened(
          records.filter(({ replacedBy }) => replacedBy === null),
          source,
          secret,
        )
      ).at(-1);
      if (found) return found;
      const id = `${source}-${Math.max(0, ...records.filter((record) => record.source === source).map(numberOf)) + 1}`;
      const salt = randomBytes(16).toString('base64url');
      const key = { id, bytes: await derived(source, secret, salt) };
      try {
        await insertRecord(keyRecords, {
          _id: id,
          source,
          salt,
          proof: sealWith(key, PROOF, proofContext(id)),
          wraps: [],
          replacedBy: null,
        });
        return key;
      } catch (error) {
        // Another process created the key first: use its salt.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  };

  const keyFor = async (masterPassword: string | null): Promise<SealingKey> =>
    masterPassword === null
      ? keyOf('file', await keptSecret(dir, VAULT_KEY_FILE))
      : keyOf('password', masterPassword);

  const wrapBy = async (by: SealingKey, key: SealingKey): Promise<void> => {
    const record = await keyRecords.findById(key.id).lean<VaultKeyRecord>();
    if (!record || record.wraps.some(({ keyId }) => keyId === by.id)) return;
    await keyRecords.updateOne(
      { _id: key.id },
      {
        $set: {
          wraps: [
            ...record.wraps,
            sealWith(by, key.bytes.toString('base64url'), wrapContext(key.id)),
          ],
        },
      },
    );
  };

  return {
    get keyId() {
      return sealing().id;
    },
    seal: (text, context) => sealWith(sealing(), text, context),
    open(sealed, context) {
      const key = ring.get(sealed.keyId);
      if (!key)
        throw new SealBroken(
          `A stored secret is sealed with the key ${sealed.keyId}, which this process does not have.`,
        );
      return openWith(key, sealed, context);
    },
    async unlock(inUse) {
      const { masterPassword } = dependencies;
      const records = await readRecords();
      const file = await readKeptSecret(dir, VAULT_KEY_FILE);
      const ofPassword =
        masterPassword === null ? [] : await opened(records, 'password', masterPassword);
      const ofFile = file ? await opened(records, 'file', file) : [];
      for (const key of [...ofFile, ...ofPassword]) ring.set(key.id, key);
      unwrap(records);
      const missing = (await inUse()).filter((id) => !ring.has(id));
      if (missing.length > 0) throw new Error(missingKeys(missing, masterPassword !== null, dir));
      const found = (masterPassword === null ? ofFile : ofPassword)
        .filter(({ id }) =>
          records.some(({ _id, replacedBy }) => _id === id && replacedBy === null),
        )
        .at(-1);
      active = found ?? (await keyFor(masterPassword));
      ring.set(active.id, active);
    },
    async changeTo(masterPassword) {
      const before = sealing();
      const key = await keyFor(masterPassword);
      ring.set(key.id, key);
      // Each key encrypts the other before the first value moves, so one password suffices at any
      // time.
      for (const other of [...ring.values()].filter(({ id }) => id !== key.id))
        await wrapBy(key, other);
      if (before.id !== key.id) await wrapBy(before, key);
      active = key;
    },
    async changeDone(also) {
      const { id } = sealing();
      // One transaction: a replaced key that still wraps this one would open newly encrypted
      // values.
      await store.transaction(async (tx) => {
        const { session } = tx;
        await keyRecords.updateMany(
          { _id: { $ne: id }, replacedBy: null },
          { $set: { replacedBy: id } },
          { session },
        );
        await keyRecords.updateOne({ _id: id }, { $set: { wraps: [] } }, { session });
        await also?.(tx);
      });
    },
  };
}

const numberOf = ({ _id }: Pick<VaultKeyRecord, '_id'>): number =>
  Number(_id.slice(_id.lastIndexOf('-') + 1));

/** Passwords use scrypt; the generated secret has enough entropy for HKDF. */
async function derived(source: KeySource, secret: string | Buffer, salt: string): Promise<Buffer> {
  const bytes = Buffer.from(salt, 'base64url');
  return source === 'password'
    ? scryptAsync(secret, bytes, KEY_BYTES, SCRYPT)
    : Buffer.from(hkdfSync('sha256', secret, bytes, 'hypha vault', KEY_BYTES));
}

function fits(key: SealingKey, { proof }: VaultKeyRecord): boolean {
  try {
    return openWith(key, proof, proofContext(key.id)) === PROOF;
  } catch {
    return false;
  }
}

const missingKeys = (ids: readonly string[], isConfigured: boolean, dir: string): string =>
  `Stored credentials are sealed with ${ids.join(', ')}, and ${isConfigured ? 'neither the configured master password nor' : 'no master password is configured, nor does'} the key file ${VAULT_KEY_FILE} of ${dir} ` +
  `open${isConfigured ? 's' : ''} them. Start with the master password they were stored with, or put the key file back from a backup.`;
