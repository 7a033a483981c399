import { basename } from 'node:path';
import type { Actor } from '../../platform/access/actor';
import type { Report } from '../../platform/control/command';
import type { Core } from '../../platform/core';
import { rekey } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import type { VaultKeys } from '../../platform/crypto/vault';
import type { FileStore } from '../../platform/files/file-store';
import {
  findIncompleteImport,
  IMPORT_COLLECTION,
  removeImportMark,
  writeImportMark,
} from '../../platform/store/startup/import-mark';
import { pendingMigrations } from '../../platform/store/startup/migrations';
import type { StoreLayout } from '../../platform/store/startup/migrations';
import { requireIdleStore } from '../../platform/store/startup/process-records';
import { bytesOf } from '../../platform/store/stored-bytes';
import type { StoredBytes } from '../../platform/store/stored-bytes';
import { collectionNames, rawCollection } from '../../platform/store/startup/whole-store';
import type { RawRecord } from '../../platform/store/startup/whole-store';
import { quantity } from '../../platform/text/characters';
import type { AuditService } from '../audit/audit.service';
import { ArchiveOnDisk } from './archive-on-disk';
import { COLLECTIONS } from './collections';
import { KEYS } from './manifest';
import type { EnterAgain } from './manifest';
import type { UniqueIndex } from './record-checks';

declare module '../../platform/context' {
  interface Services {
    importing: ImportService;
  }
}

/** What is imported, and how. */
export interface ImportRequest {
  /** Path of the archive. */
  readonly file: string;
  readonly passphrase: string | null;
  /** Allows to remove existing data. */
  readonly replace: boolean;
  /** Creates collections, runs migrations and builds indexes, when the records are stored. */
  readonly prepare: () => Promise<void>;
  /** Records that were checked, of all; before anything is written. */
  readonly onChecked: Report;
  /** Records that were stored, of all. */
  readonly onStored: Report;
}

export interface ImportResult {
  readonly documents: number;
  readonly uploads: number;
  /** Number of values that were encrypted with the key of this installation. */
  readonly sealed: number;
  readonly enterAgain: EnterAgain | null;
}

/** Records and bytes of one insert. */
const BATCH_RECORDS = 500;
const BATCH_BYTES = 4 * 1024 * 1024;

/** Replaces all data by that of an archive. No other process may use the store during an import. */
export class ImportService {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly vault: VaultKeys;
      /** The encrypted values of all features. */
      readonly sealed: readonly SealedValues[];
      readonly local: {
        readonly files: FileStore;
        readonly masterPassword: string | null;
      };
      readonly layout: StoreLayout;
    },
  ) {}

  /**
   * Verifies the archive, then empties the store and fills it. If it is interrupted, the store has a
   * mark that prevents a start until an import completes.
   * @throws Error with a message for the operator
   */
  async import(actor: Actor, request: ImportRequest): Promise<ImportResult> {
    const archive = await ArchiveOnDisk.open(request.file, request.passphrase, this.deps.layout);
    try {
      const counted = countTo(archive.documents, request.onChecked);
      await archive.verify(this.uniqueIndexesFor(archive), counted);
      await requireIdleStore(this.deps.core);
      if (!request.replace) await this.requireNew();
      return await this.fill(actor, archive, request);
    } finally {
      archive.close();
    }
  }

  /** Pending migrations may change the fields, and may resolve what older versions allowed. */
  private uniqueIndexesFor({
    manifest,
  }: ArchiveOnDisk): (collection: string) => readonly UniqueIndex[] {
    const { core, layout } = this.deps;
    if (pendingMigrations(manifest.migrations, layout).length > 0) return () => [];
    const models = Object.values(core.store.connection.models);
    return (collection) =>
      models
        .filter((model) => model.collection.name === collection)
        .flatMap(({ schema }) => schema.indexes())
        .filter(([, { unique }]) => unique)
        .map(([key, { partialFilterExpression, sparse }]) => ({
          fields: Object.keys(key),
          required: Object.keys(partialFilterExpression ?? (sparse ? key : {})),
        }));
  }

  private async fill(
    actor: Actor,
    archive: ArchiveOnDisk,
    { file, prepare, onStored }: ImportRequest,
  ): Promise<ImportResult> {
    const { core } = this.deps;
    await writeImportMark(core.store, basename(file), core.clock.now());
    onStored({ done: 0, total: archive.documents });
    await this.empty(archive);
    const counted = countTo(archive.documents, onStored);
    for (const { name, collection, documents } of archive.collections) {
      await this.store(collection, archive.records({ name }), counted);
      const stored = await rawCollection(core.store, collection).countDocuments();
      if (stored !== documents)
        throw new Error(`${collection} has ${stored} records after the import, not ${documents}.`);
    }
    await prepare();
    await this.storeUploads(archive);
    const sealed = await this.adoptKeys(archive);
    await this.end(actor, archive, basename(file));
    return {
      documents: archive.documents,
      uploads: archive.uploads.length,
      sealed,
      enterAgain: archive.manifest.enterAgain,
    };
  }

  /** Removes the collections of the service. A MongoDB may have others in the same database. */
  private async empty(archive: ArchiveOnDisk): Promise<void> {
    const { store } = this.deps.core;
    const own = new Set([
      ...Object.keys(COLLECTIONS),
      ...archive.collections.map(({ collection }) => collection),
    ]);
    for (const name of await collectionNames(store))
      if (own.has(name) && name !== IMPORT_COLLECTION) await store.connection.dropCollection(name);
  }

  /** @throws Error the store has data that an import would remove */
  private async requireNew(): Promise<void> {
    const { store } = this.deps.core;
    if ((await findIncompleteImport(store)) !== null) return;
    const count = (name: string) => rawCollection(store, name).countDocuments();
    const counts = {
      workflows: await count('workflows'),
      connectors: await count('connectors'),
      users: await count('users'),
    };
    if (counts.workflows + counts.connectors > 0 || counts.users > 1)
      throw new Error(
        `There is data already: ${quantity(counts.workflows, 'workflow')}, ${quantity(counts.connectors, 'connector')}, ${quantity(counts.users, 'user')}. --replace removes it; make a backup before.`,
      );
  }

  private async store(
    collection: string,
    records: AsyncIterable<RawRecord>,
    count: () => void,
  ): Promise<void> {
    const target = rawCollection(this.deps.core.store, collection);
    let batch: RawRecord[] = [];
    let bytes = 0;
    const flush = async (): Promise<void> => {
      if (batch.length > 0) await target.insertMany(batch);
      for (const _record of batch) count();
      [batch, bytes] = [[], 0];
    };
    for await (const record of records) {
      batch.push(record);
      bytes += sizeOf(record);
      if (batch.length >= BATCH_RECORDS || bytes >= BATCH_BYTES) await flush();
    }
    await flush();
  }

  /** Replaces the uploads by those of the archive. */
  private async storeUploads(archive: ArchiveOnDisk): Promise<void> {
    const { files } = this.deps.local;
    const expectedFiles = new Set(archive.uploads.map(({ file }) => file));
    for (const { name, file } of archive.uploads)
      await files.save(file, await bufferOf(archive.content(name)));
    for (const file of await files.list()) if (!expectedFiles.has(file)) await files.delete(file);
  }

  /**
   * Encrypts all values with the key of this installation. Without a passphrase there are no values,
   * but connectors name the key of their next ones.
   */
  private async adoptKeys(archive: ArchiveOnDisk): Promise<number> {
    const { vault, sealed, local } = this.deps;
    if (archive.manifest.encryption !== null) {
      const keys: { id: string; bytes: Buffer }[] = [];
      for await (const { _id, bytes } of archive.records({ name: KEYS }))
        keys.push({ id: String(_id), bytes: bytesOf(bytes as StoredBytes) });
      await vault.adopt(keys);
    }
    await vault.unlock(() => Promise.resolve([]));
    return rekey(vault, sealed, local.masterPassword);
  }

  private end(actor: Actor, { manifest, documents }: ArchiveOnDisk, file: string): Promise<void> {
    const { core, audit } = this.deps;
    const { version, createdAt } = manifest;
    return core.store.transaction(async (tx) => {
      await audit.record(
        actor,
        'instance.import',
        { type: 'Instance', id: 'all' },
        null,
        { file, sealed: manifest.encryption !== null, version, createdAt, documents },
        tx,
      );
      await removeImportMark(core.store, tx);
    });
  }
}

function countTo(total: number, report: Report): () => void {
  let done = 0;
  return () => report({ done: (done += 1), total });
}

/** Binary parts are by far the largest values; a limit on the number bounds the others. */
function sizeOf(record: RawRecord): number {
  return Object.values(record).reduce<number>(
    (sum, value) =>
      sum +
      (typeof value === 'string'
        ? value.length
        : ((value as { readonly position?: number } | null)?.position ?? 0)),
    0,
  );
}

async function bufferOf(content: AsyncIterable<Buffer>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces);
}
