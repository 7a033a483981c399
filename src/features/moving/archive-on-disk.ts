import { Binary } from 'bson';
import { createHash } from 'node:crypto';
import { pipeline, Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { ZipOnDisk } from '../../platform/archive/read-zip';
import { PassphraseKey, StreamBroken } from '../../platform/crypto/sealed-stream';
import { incompatibility } from '../../platform/store/startup/migrations';
import type { StoreLayout } from '../../platform/store/startup/migrations';
import type { RawRecord } from '../../platform/store/startup/whole-store';
import { VERSION } from '../../platform/version';
import { NEVER_IMPORTED } from './collections';
import {
  collectionEntry,
  collectionOf,
  KEYS,
  MANIFEST,
  MAX_MANIFEST_BYTES,
  parseManifest,
  requireSignature,
  uploadOf,
} from './manifest';
import type { EntryFacts, Manifest } from './manifest';
import { recordsOf } from './ndjson';
import { RecordChecks } from './record-checks';
import type { UniqueIndex } from './record-checks';

/** An archive that was opened for an import. Its content is not verified yet. */
export class ArchiveOnDisk {
  private constructor(
    private readonly zip: ZipOnDisk,
    readonly manifest: Manifest,
    private readonly key: PassphraseKey | null,
  ) {}

  /**
   * Reads the manifest and checks the version and the passphrase.
   * @throws Error with a message for the operator
   */
  static async open(
    path: string,
    passphrase: string | null,
    layout: StoreLayout,
  ): Promise<ArchiveOnDisk> {
    const zip = await ZipOnDisk.open(path);
    try {
      const text = await manifestIn(zip);
      const manifest = parseManifest(text);
      requireKnownEntries(manifest);
      requireCompatible(manifest, layout);
      return new ArchiveOnDisk(zip, manifest, await keyOf(text, manifest, passphrase));
    } catch (error) {
      zip.close();
      throw error;
    }
  }

  get collections(): readonly (EntryFacts & { readonly collection: string })[] {
    return this.manifest.entries.flatMap((entry) => {
      const collection = collectionOf(entry.name);
      return collection === null ? [] : [{ ...entry, collection }];
    });
  }

  get uploads(): readonly (EntryFacts & { readonly file: string })[] {
    return this.manifest.entries.flatMap((entry) => {
      const file = uploadOf(entry.name);
      // An empty one was removed during the export.
      return file === null || entry.bytes === 0 ? [] : [{ ...entry, file }];
    });
  }

  get documents(): number {
    return this.manifest.entries.reduce((sum, { documents }) => sum + documents, 0);
  }

  /**
   * Reads all entries, compares sizes, hashes and counts with the manifest, and checks that the
   * records can be stored.
   * @param uniqueIndexes of a collection
   * @param onRecord called for each record
   * @throws Error with the name of the first entry that is damaged
   */
  async verify(
    uniqueIndexes: (collection: string) => readonly UniqueIndex[],
    onRecord: () => void,
  ): Promise<void> {
    const listed = new Set([MANIFEST, ...this.manifest.entries.map(({ name }) => name)]);
    const extra = this.zip.names.find((name) => !listed.has(name));
    if (extra !== undefined) throw damaged(extra, `${MANIFEST} does not list it`);
    for (const entry of this.manifest.entries) {
      const collection = collectionOf(entry.name);
      const checks = new RecordChecks(collection === null ? [] : uniqueIndexes(collection));
      await this.verifyEntry(entry, (record) => {
        checks.check(record);
        if (entry.name === KEYS) requireKey(record);
        onRecord();
      });
    }
    await this.requireMigrations();
  }

  /** @throws Error with the name of the entry */
  async *records({ name }: Pick<EntryFacts, 'name'>): AsyncGenerator<RawRecord, void, void> {
    try {
      yield* recordsOf(this.content(name));
    } catch (error) {
      throw damaged(name, messageOf(error), error);
    }
  }

  /** The content of an entry, decrypted. */
  content(name: string): AsyncIterable<Buffer> {
    return this.opened(name, this.zip.read(name));
  }

  close(): void {
    this.zip.close();
  }

  private opened(name: string, source: AsyncIterable<Buffer>): AsyncIterable<Buffer> {
    if (this.key === null) return source;
    return pipeline(
      Readable.from(this.key.open(name, source)),
      createGunzip(),
      () => undefined,
    ) as AsyncIterable<Buffer>;
  }

  /** The manifest decides whether this version can read the records; the store keeps its own list. */
  private async requireMigrations(): Promise<void> {
    const name = collectionEntry('migrations');
    const stored: number[] = [];
    if (this.zip.names.includes(name))
      for await (const { _id } of this.records({ name })) stored.push(Number(_id));
    const listed = this.manifest.migrations.map(({ _id }) => _id).sort((a, b) => a - b);
    if (stored.join() !== listed.join()) throw damaged(name, `${MANIFEST} lists others`);
  }

  private async verifyEntry(
    facts: EntryFacts,
    onRecord: (record: RawRecord) => void,
  ): Promise<void> {
    const { name } = facts;
    const hash = createHash('sha256');
    let [documents, bytes] = [0, 0];
    const zip = this.zip;
    const hashed = async function* () {
      for await (const piece of zip.read(name)) {
        hash.update(piece);
        bytes += piece.length;
        yield piece;
      }
    };
    try {
      const content = this.opened(name, hashed());
      if (uploadOf(name) !== null) await requireSmall(content);
      else
        for await (const record of recordsOf(content)) {
          documents += 1;
          onRecord(record);
        }
    } catch (error) {
      throw damaged(name, messageOf(error), error);
    }
    if (bytes !== facts.bytes || hash.digest('hex') !== facts.sha256)
      throw damaged(name, 'its hash differs from the manifest');
    if (documents !== facts.documents)
      throw damaged(name, `it has ${documents} records, the manifest says ${facts.documents}`);
  }
}

const messageOf = (error: unknown): string =>
  error instanceof StreamBroken || error instanceof Error ? error.message : String(error);

const damaged = (name: string, reason: string, cause?: unknown): Error =>
  new Error(`The archive is damaged: ${name}: ${reason.replace(/\.$/, '')}.`, { cause });

/** Larger ones are no pictures of an instance. */
const MAX_UPLOAD_BYTES = 64 * 1024 * 1024;

async function requireSmall(content: AsyncIterable<Buffer>): Promise<void> {
  let bytes = 0;
  for await (const piece of content) {
    bytes += piece.length;
    if (bytes > MAX_UPLOAD_BYTES) throw new Error(`it has more than ${MAX_UPLOAD_BYTES} bytes`);
  }
}

const KEY_BYTES = 32;

function requireKey({ bytes }: RawRecord): void {
  if (!(bytes instanceof Binary) || bytes.length() !== KEY_BYTES)
    throw new Error('a record is not a key');
}

/** Names of collections that the service may have had in any version. */
const COLLECTION_NAME = /^(?!system\.)[A-Za-z_][\w.-]{0,99}$/;

/** @throws Error the manifest lists an entry twice, or one that no export writes */
function requireKnownEntries({ entries, encryption }: Manifest): void {
  const names = new Set<string>();
  for (const { name } of entries) {
    if (names.has(name)) throw damaged(name, `${MANIFEST} lists it twice`);
    names.add(name);
    const collection = collectionOf(name);
    const isKnown =
      collection === null
        ? uploadOf(name) !== null || (name === KEYS && encryption !== null)
        : COLLECTION_NAME.test(collection) && !NEVER_IMPORTED.has(collection);
    if (!isKnown) throw damaged(name, 'no export has such an entry');
  }
}

async function manifestIn(zip: ZipOnDisk): Promise<string> {
  if (!zip.names.includes(MANIFEST)) throw new Error('The archive is not an export of Hypha.');
  if (zip.sizeOf(MANIFEST) > MAX_MANIFEST_BYTES) throw damaged(MANIFEST, 'it is too large');
  const pieces: Buffer[] = [];
  for await (const piece of zip.read(MANIFEST)) pieces.push(piece);
  return Buffer.concat(pieces).toString('utf8');
}

function requireCompatible({ migrations, version }: Manifest, layout: StoreLayout): void {
  const problem =
    migrations.length === 0 ? 'It lists no migrations.' : incompatibility(migrations, layout);
  if (problem !== null)
    throw new Error(
      `Hypha ${version} wrote the archive, and this is Hypha ${VERSION}, which cannot read it. ${problem}`,
    );
}

async function keyOf(
  text: string,
  manifest: Manifest,
  passphrase: string | null,
): Promise<PassphraseKey | null> {
  if (manifest.encryption === null) {
    if (passphrase !== null)
      throw new Error('The archive is not sealed with a passphrase. Leave out --passphrase.');
    return null;
  }
  if (passphrase === null)
    throw new Error('The archive is sealed with a passphrase. Use --passphrase.');
  const { N, r, p, salt } = manifest.encryption;
  const key = await PassphraseKey.derive(passphrase, { N, r, p, salt });
  requireSignature(text, manifest, key);
  return key;
}
