import { hkdfSync, randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { isDuplicateKey } from '../store/store';
import { ForeignProcess } from '../store/startup/foreign-process';
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

const vaultKeyCollection = (store: Store) =>
  store.collection<VaultKeyRecord>('VaultKey', vaultKeySchema, 'vault_keys');

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

interface VaultParts {
  readonly store: Store;
  /** The data directory, with the key file. */
  readonly dir: string;
  readonly masterPassword: string | null;
}

/** A vault with the operations for start, key change, export and import. */
export class VaultKeys implements Vault {
  private readonly records: ReturnType<typeof vaultKeyCollection>;
  /** The keys that this process holds, by id. */
  private readonly keys = new Map<string, SealingKey>();
  private activeKey: SealingKey | null = null;
  /** The newest loaded key of the configured source. */
  private loadedKey: SealingKey | undefined;

  constructor(private readonly parts: VaultParts) {
    this.records = vaultKeyCollection(parts.store);
  }

  get keyId(): string {
    return this.requireActiveKey().id;
  }

  /** Whether `unlock` has loaded the keys. */
  get isUnlocked(): boolean {
    return this.activeKey !== null;
  }

  /** Whether this process holds the key. */
  has(keyId: string): boolean {
    return this.keys.has(keyId);
  }

  seal(text: string, context: string): Sealed {
    return sealWith(this.requireActiveKey(), text, context);
  }

  open(sealed: Sealed, context: string): string {
    const key = this.keys.get(sealed.keyId);
    if (!key)
      throw new SealBroken(
        `A stored secret is sealed with the key ${sealed.keyId}, which this process does not have.`,
      );
    return openWith(key, sealed, context);
  }

  /** Loads the keys and chooses the one that encrypts; see `load`. */
  async unlock(inUse: () => Promise<readonly string[]>): Promise<void> {
    await this.load(inUse);
    await this.activate();
  }

  /**
   * Loads the keys, and changes nothing.
   * @param inUse ids of the keys that this process needs
   * @throws ForeignProcess one of these keys is not available
   */
  async load(inUse: () => Promise<readonly string[]>): Promise<void> {
    const { masterPassword, dir } = this.parts;
    const records = await this.readRecords();
    const file = await readKeptSecret(dir, VAULT_KEY_FILE);
    const passwordKeys =
      masterPassword === null ? [] : await openKeys(records, 'password', masterPassword);
    const fileKeys = file ? await openKeys(records, 'file', file) : [];
    for (const key of [...fileKeys, ...passwordKeys]) this.keys.set(key.id, key);
    this.unwrapKeys(records);
    const missing = (await inUse()).filter((id) => !this.keys.has(id));
    if (missing.length > 0)
      throw new ForeignProcess(missingKeys(missing, masterPassword !== null, dir));
    this.loadedKey = (masterPassword === null ? fileKeys : passwordKeys)
      .filter(({ id }) => records.some(({ _id, replacedBy }) => _id === id && replacedBy === null))
      .at(-1);
  }

  /** Chooses the key that encrypts, or creates it. Call after `load`, when the collections exist. */
  async activate(): Promise<void> {
    const { masterPassword } = this.parts;
    this.activeKey = this.loadedKey ?? (await this.keyFor(masterPassword));
    this.keys.set(this.activeKey.id, this.activeKey);
  }

  /**
   * Encrypts with the key of this master password from now on (null: with the key file). Until
   * `changeDone`, both the old and the new password open all values. Can be repeated.
   */
  async changeTo(masterPassword: string | null): Promise<void> {
    const before = this.requireActiveKey();
    const key = await this.keyFor(masterPassword);
    this.keys.set(key.id, key);
    // Each key encrypts the other before the first value moves, so one password suffices at any
    // time.
    for (const other of [...this.keys.values()].filter(({ id }) => id !== key.id))
      await this.wrapKey(key, other);
    if (before.id !== key.id) await this.wrapKey(before, key);
    this.activeKey = key;
  }

  /**
   * Call when no value uses an old key any more; old keys then open nothing.
   * @param also writes more in the same transaction
   */
  async changeDone(also?: (tx: Tx) => Promise<void>): Promise<void> {
    const { id } = this.requireActiveKey();
    // One transaction: a replaced key that still wraps this one would open newly encrypted values.
    await this.parts.store.transaction(async (tx) => {
      await this.records.updateMany(
        { _id: { $ne: id }, replacedBy: null },
        { $set: { replacedBy: id } },
        tx,
      );
      await this.records.updateOne({ _id: id }, { $set: { wraps: [] } }, tx);
      await also?.(tx);
    });
  }

  /** The keys that this process holds, for an export that is encrypted itself. */
  exportKeys(): readonly SealingKey[] {
    this.requireActiveKey();
    return [...this.keys.values()];
  }

  /** Adds the keys of another installation to an empty vault, before `unlock` and `rekey`. */
  async adopt(keys: readonly SealingKey[]): Promise<void> {
    for (const key of keys) {
      const source = key.id.startsWith('password') ? 'password' : 'file';
      await this.records.insert(newRecord(key, source, newSalt()));
      this.keys.set(key.id, key);
    }
  }

  private requireActiveKey(): SealingKey {
    if (this.activeKey === null) throw new Error('The vault is not unlocked yet.');
    return this.activeKey;
  }

  private async readRecords(): Promise<VaultKeyRecord[]> {
    const records = await this.records.find();
    return records.sort((a, b) => numberOf(a) - numberOf(b));
  }

  private async keyFor(masterPassword: string | null): Promise<SealingKey> {
    return masterPassword === null
      ? this.findOrCreateKey('file', await keptSecret(this.parts.dir, VAULT_KEY_FILE))
      : this.findOrCreateKey('password', masterPassword);
  }

  /** Returns the newest active key of the secret; creates one if there is none. */
  private async findOrCreateKey(source: KeySource, secret: string | Buffer): Promise<SealingKey> {
    for (;;) {
      const records = await this.readRecords();
      const active = records.filter(({ replacedBy }) => replacedBy === null);
      const existingKey = (await openKeys(active, source, secret)).at(-1);
      if (existingKey) return existingKey;
      const numbers = records.filter((record) => record.source === source).map(numberOf);
      const id = `${source}-${Math.max(0, ...numbers) + 1}`;
      const salt = newSalt();
      const key = { id, bytes: await deriveKey(source, secret, salt) };
      try {
        await this.records.insert(newRecord(key, source, salt));
        return key;
      } catch (error) {
        // Another process created the key first: use its salt.
        if (!isDuplicateKey(error)) throw error;
      }
    }
  }

  /** Adds the keys that are encrypted with keys of this process. */
  private unwrapKeys(records: readonly VaultKeyRecord[]): void {
    for (let hasProgress = true; hasProgress;) {
      hasProgress = false;
      for (const record of records.filter(({ _id }) => !this.keys.has(_id))) {
        const wrap = record.wraps.find(({ keyId }) => this.keys.has(keyId));
        const wrappingKey = this.keys.get(wrap?.keyId ?? '');
        if (!wrap || !wrappingKey) continue;
        this.keys.set(record._id, {
          id: record._id,
          bytes: Buffer.from(openWith(wrappingKey, wrap, wrapContext(record._id)), 'base64url'),
        });
        hasProgress = true;
      }
    }
  }

  /** Stores `key` encrypted with `wrappingKey`. */
  private async wrapKey(wrappingKey: SealingKey, key: SealingKey): Promise<void> {
    const record = await this.records.byId(key.id);
    if (!record || record.wraps.some(({ keyId }) => keyId === wrappingKey.id)) return;
    const wrap = sealWith(wrappingKey, key.bytes.toString('base64url'), wrapContext(key.id));
    await this.records.updateOne({ _id: key.id }, { $set: { wraps: [...record.wraps, wrap] } });
  }
}

const newSalt = (): string => randomBytes(16).toString('base64url');

const newRecord = (key: SealingKey, source: KeySource, salt: string): VaultKeyRecord => ({
  _id: key.id,
  source,
  salt,
  proof: sealWith(key, PROOF, proofContext(key.id)),
  wraps: [],
  replacedBy: null,
});

/** Returns the keys of these records that the password or the file opens. */
async function openKeys(
  records: readonly VaultKeyRecord[],
  source: KeySource,
  secret: string | Buffer,
): Promise<SealingKey[]> {
  const keys: SealingKey[] = [];
  for (const record of records.filter((each) => each.source === source)) {
    const key = { id: record._id, bytes: await deriveKey(source, secret, record.salt) };
    if (opensProof(key, record)) keys.push(key);
  }
  return keys;
}

const numberOf = ({ _id }: Pick<VaultKeyRecord, '_id'>): number =>
  Number(_id.slice(_id.lastIndexOf('-') + 1));

/** Passwords use scrypt; the generated secret has enough entropy for HKDF. */
async function deriveKey(
  source: KeySource,
  secret: string | Buffer,
  salt: string,
): Promise<Buffer> {
  const bytes = Buffer.from(salt, 'base64url');
  return source === 'password'
    ? scryptAsync(secret, bytes, KEY_BYTES, SCRYPT)
    : Buffer.from(hkdfSync('sha256', secret, bytes, 'hypha vault', KEY_BYTES));
}

function opensProof(key: SealingKey, { proof }: VaultKeyRecord): boolean {
  try {
    return openWith(key, proof, proofContext(key.id)) === PROOF;
  } catch {
    return false;
  }
}

const missingKeys = (ids: readonly string[], isConfigured: boolean, dir: string): string =>
  `Stored credentials are sealed with ${ids.join(', ')}, and ${isConfigured ? 'neither the configured master password nor' : 'no master password is configured, nor does'} the key file ${VAULT_KEY_FILE} of ${dir} ` +
  `open${isConfigured ? 's' : ''} them. Start with the master password they were stored with, or put the key file back from a backup.`;
