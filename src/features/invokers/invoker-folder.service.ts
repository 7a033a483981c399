import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Collection } from '../../platform/store/collection';
import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Contained } from '../../platform/contained/tasks';
import type { Core } from '../../platform/core';
import { DomainError, reasonsOf } from '../../platform/errors/errors';
import { XML_LIMITS } from '../../platform/xml/read-xml';
import type { InvokerCatalog } from './invoker-catalog';
import type { InvokerTasks } from './invoker-tasks';
import type { InvokerWriter } from './invoker-writer';
import { importedFileSchema } from './invoker.model';
import type { ImportedFileRecord, InvokerOrigin } from './invoker.model';

declare module '../../platform/context' {
  interface Services {
    invokerFolder: InvokerFolder;
  }
}

/** Invokers that every installation starts with. */
const SHIPPED_FOLDER = join(__dirname, 'shipped');

/** The actor of the import at start. */
const ACTOR = systemActor('invoker-files');

/**
 * Imports invokers from files: shipped ones and those in a folder of the installation. Only new or
 * changed files are read, so later edits and deletions by users persist. An unreadable file is
 * logged and changes nothing.
 */
export class InvokerFolder {
  private readonly files: Collection<ImportedFileRecord>;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly catalog: InvokerCatalog;
      readonly writer: InvokerWriter;
      readonly contained: Contained<InvokerTasks>;
    },
    private readonly folder: string,
  ) {
    this.files = deps.core.store.collection<ImportedFileRecord>(
      'InvokerFile',
      importedFileSchema,
      'invoker_files',
    );
  }

  /** Reads shipped files, then those of the installation's folder. Called at start. */
  async readFiles(): Promise<void> {
    await this.readAll(ACTOR, SHIPPED_FOLDER, 'SHIPPED');
    await this.readAll(ACTOR, this.folder, 'FOLDER');
  }

  /** Reads new and changed files in the folder. Returns the number of added or replaced invokers. */
  refresh(actor: Actor): Promise<number> {
    return this.readAll(actor, this.folder, 'FOLDER');
  }

  private async readAll(actor: Actor, directory: string, origin: InvokerOrigin): Promise<number> {
    const { log } = this.deps.core;
    let changed = 0;
    for (const fileName of await xmlFilesIn(directory)) {
      const file = join(directory, fileName);
      try {
        if (await this.readOne(actor, file, fileName, origin)) changed += 1;
      } catch (error) {
        const reasons =
          error instanceof DomainError
            ? reasonsOf(error).map(({ message }) => message)
            : [error instanceof Error ? error.message : String(error)];
        log.warn({ file, reasons }, 'an invoker file could not be read: nothing was changed');
      }
    }
    if (changed > 0) log.info({ directory, invokers: changed }, 'invokers were read from files');
    return changed;
  }

  /** Returns true if something changed. */
  private async readOne(
    actor: Actor,
    file: string,
    fileName: string,
    origin: InvokerOrigin,
  ): Promise<boolean> {
    const { size } = await stat(file);
    if (size > XML_LIMITS.bytes)
      throw new Error(`The file has ${size} bytes; at most ${XML_LIMITS.bytes} are allowed.`);
    const xml = await readFile(file);
    const record: ImportedFileRecord = {
      _id: `${origin.toLowerCase()}/${fileName}`,
      hash: createHash('sha256').update(xml).digest('hex'),
      readAt: this.deps.core.clock.now(),
    };
    const earlier = await this.files.byId(record._id);
    return earlier?.hash === record.hash ? false : this.write(actor, fileName, xml, record, origin);
  }

  /** A shipped file does not replace an invoker of the same name from another source. */
  private async write(
    actor: Actor,
    fileName: string,
    xml: Buffer,
    { _id, hash, readAt }: ImportedFileRecord,
    origin: InvokerOrigin,
  ): Promise<boolean> {
    const { core, catalog, writer, contained } = this.deps;
    const prepared = await contained.run(
      'invoker',
      { fileName, xml, path: ['file'] },
      { size: xml.length, isPatient: true },
    );
    const { warnings } = prepared;
    if (warnings.length > 0)
      core.log.warn({ file: fileName, warnings }, 'an invoker file was read with assumptions');
    return writer.transaction(['file'], async (tx) => {
      const before = await catalog.rowByName(prepared.fields.name, tx);
      const isOfUser = origin === 'SHIPPED' && before !== null && before.origin !== 'SHIPPED';
      const after = isOfUser ? before : await writer.save(actor, prepared, origin, 'replace', tx);
      await this.files.upsert({ _id }, { $set: { hash, readAt } }, tx);
      return after.version !== before?.version;
    });
  }
}

/** Returns the XML files sorted by name, none if the directory does not exist. */
async function xmlFilesIn(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory);
    return entries.filter((name) => /\.xml$/i.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
