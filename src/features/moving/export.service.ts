import { existsSync } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { basename, dirname, isAbsolute } from 'node:path';
import { Readable } from 'node:stream';
import { Binary } from 'bson';
import type { Actor } from '../../platform/access/actor';
import { writeZip } from '../../platform/archive/write-zip';
import type { FileToZip } from '../../platform/archive/write-zip';
import type { Report } from '../../platform/control/command';
import type { Core } from '../../platform/core';
import { characters } from '../../platform/text/characters';
import { keysInUse } from '../../platform/crypto/sealed-records';
import type { SealedValues } from '../../platform/crypto/sealed-records';
import { MIN_PASSPHRASE_LENGTH, PassphraseKey } from '../../platform/crypto/sealed-stream';
import type { VaultKeys } from '../../platform/crypto/vault';
import { Refused } from '../../platform/errors/errors';
import { syncToDisk } from '../../platform/files/durable';
import type { FileStore } from '../../platform/files/file-store';
import { withLease } from '../../platform/store/lease';
import { collectionNames, readingAll } from '../../platform/store/startup/whole-store';
import type { WholeStore } from '../../platform/store/startup/whole-store';
import type { AuditService } from '../audit/audit.service';
import { ArchiveEntries, writeDurably } from './archive-entries';
import { COLLECTIONS, collectionsToExport } from './collections';
import { collectionEntry, KEYS, MANIFEST, manifestText, uploadEntry } from './manifest';
import type { EnterAgain } from './manifest';
import { RecordsWithoutSecrets } from './records-without-secrets';
import { RefChecks } from './ref-checks';

declare module '../../platform/context' {
  interface Services {
    exporting: ExportService;
  }
}

interface ExportRequest {
  /** Absolute path of the archive. */
  readonly file: string;
  /** Null: the archive gets no secret values. */
  readonly passphrase: string | null;
}

interface ExportResult {
  readonly file: string;
  readonly bytes: number;
  readonly documents: number;
  readonly uploads: number;
  /** SHA-256 of the file, hex. */
  readonly sha256: string;
}

/** Writes the whole instance to an archive. */
export class ExportService {
  private isRunning = false;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly vault: VaultKeys;
      /** The encrypted values of all features. */
      readonly sealed: readonly SealedValues[];
      readonly files: FileStore;
    },
  ) {}

  /**
   * Writes the archive. The file appears when it is complete.
   * @throws Refused EXPORT_REFUSED
   */
  async export(
    actor: Actor,
    { file, passphrase }: ExportRequest,
    report: Report,
  ): Promise<ExportResult> {
    requireNew(file);
    requireLong(passphrase);
    if (this.isRunning) throw refused('Another export has not ended yet.');
    this.isRunning = true;
    const draft = `${file}.partial`;
    try {
      const key = passphrase === null ? null : await PassphraseKey.derive(passphrase);
      const write = () => this.write(draft, key, report);
      // A change of the master password must not end while values are read.
      const result = key === null ? await write() : await this.withKeys(write);
      await this.audit(actor, file, key !== null, result.documents);
      requireNew(file);
      await rename(draft, file);
      await syncToDisk(dirname(file));
      return { ...result, file };
    } catch (error) {
      throw readable(error, file);
    } finally {
      await rm(draft, { force: true }).catch(() => undefined);
      this.isRunning = false;
    }
  }

  private withKeys<R>(work: () => Promise<R>): Promise<R> {
    const { core, vault, sealed } = this.deps;
    return withLease(core, 'rekeying', async () => {
      if (!vault.isUnlocked) await vault.unlock(() => keysInUse(sealed));
      return work();
    });
  }

  private async write(
    draft: string,
    key: PassphraseKey | null,
    report: Report,
  ): Promise<Omit<ExportResult, 'file'>> {
    const { core } = this.deps;
    const names = collectionsToExport(await collectionNames(core.store), key !== null);
    return readingAll(core.store, async (all) => {
      const archive = new ArchiveEntries(key, report);
      for (const name of names) {
        archive.total += await all.count(name);
        report({ done: 0, total: Math.max(1, archive.total) });
      }
      // Now that the records are fixed: pictures of later records are not needed.
      const uploads = await this.deps.files.list();
      const entries = await this.entriesOf(archive, all, names, uploads);
      const written = await writeDurably(draft, writeZip(entries, core.clock.now()));
      return { ...written, documents: archive.documents, uploads: uploads.length };
    });
  }

  private async entriesOf(
    archive: ArchiveEntries,
    all: WholeStore,
    names: readonly string[],
    uploads: readonly string[],
  ): Promise<FileToZip[]> {
    const { core, vault, files } = this.deps;
    const { key } = archive;
    const clean = key === null ? new RecordsWithoutSecrets(all) : null;
    const checks = new RefChecks(!core.store.isEmbedded);
    let enterAgain: EnterAgain | null = null;
    const read = async function* (name: string) {
      yield* checks.checked(name, clean?.read(name) ?? all.read(name));
      // Before the uploads: a transaction ends when it is idle for a minute.
      if (clean && name === names.at(-1)) enterAgain = await clean.enterAgain();
    };
    const migrations: { _id: number; name: string }[] = [];
    for await (const { _id, name } of all.read('migrations'))
      migrations.push({ _id: Number(_id), name: String(name) });
    const content = function* () {
      const leftOut = Object.entries(COLLECTIONS).filter(([name]) => !names.includes(name));
      yield manifestText(
        {
          createdAt: core.clock.now().toISOString(),
          migrations,
          entries: archive.entries,
          leftOut: leftOut.map(([collection, { why: reason }]) => ({ collection, why: reason })),
          enterAgain,
        },
        key,
      );
    };
    return [
      ...names.map((name) => archive.lines(collectionEntry(name), () => read(name))),
      ...uploads.map((name) => archive.file(uploadEntry(name), () => contentOf(files, name))),
      // Last: a change of the key in this process during the export may have added one.
      ...(key === null ? [] : [archive.lines(KEYS, () => keyRecords(vault))]),
      { name: MANIFEST, content: () => Readable.from(content()) },
    ];
  }

  private audit(actor: Actor, file: string, sealed: boolean, documents: number): Promise<void> {
    const { core, audit } = this.deps;
    return core.store.transaction((tx) =>
      audit.record(
        actor,
        'instance.export',
        { type: 'Instance', id: 'all' },
        null,
        { file: basename(file), sealed, documents },
        tx,
      ),
    );
  }
}

/** Yields nothing if the picture was removed in the meantime. */
async function* contentOf(files: FileStore, name: string): AsyncGenerator<Buffer, void, void> {
  const content = await files.read(name);
  if (content !== null) yield content;
}

async function* keyRecords(vault: VaultKeys): AsyncGenerator<object, void, void> {
  await Promise.resolve();
  for (const { id, bytes } of vault.exportKeys()) yield { _id: id, bytes: new Binary(bytes) };
}

const refused = (message: string): Refused => new Refused('EXPORT_REFUSED', message);

function requireNew(file: string): void {
  if (!isAbsolute(file)) throw refused('The path of the file must be absolute.');
  if (existsSync(file)) throw refused(`${file} exists. Choose another name, or remove it first.`);
}

function requireLong(passphrase: string | null): void {
  if (passphrase !== null && characters(passphrase) < MIN_PASSPHRASE_LENGTH)
    throw refused(`A passphrase has at least ${MIN_PASSPHRASE_LENGTH} characters.`);
}

/** Errors of the file system are of the operator, not of the service. */
function readable(error: unknown, file: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  return code !== undefined && syscall !== undefined && /^E[A-Z]+$/.test(code)
    ? refused(`${file} cannot be written by the service: ${(error as Error).message}`)
    : error;
}
