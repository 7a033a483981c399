import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Contained } from '../../platform/contained/tasks';
import { DomainError, reasonsOf } from '../../platform/errors/errors';
import type { Logger } from '../../platform/log/logger';
import type { Store } from '../../platform/store/store';
import { XML_LIMITS } from '../../platform/xml/read-xml';
import type { InvokerImport } from './invoker-import';
import { seenFileSchema } from './invoker.model';
import type { InvokerOrigin, SeenFileRecord } from './invoker.model';
import type { InvokerTasks } from './invoker-tasks';
import type { InvokerWriting } from './invoker-writing';

export interface FolderDependencies {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  readonly folder: string;
  readonly contained: Contained<InvokerTasks>;
  readonly writing: InvokerWriting;
  readonly writeOne: InvokerImport['writeOne'];
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
export function createInvokerFolder({
  store,
  clock,
  log,
  folder,
  contained,
  writing,
  writeOne,
}: FolderDependencies) {
  const seenFiles = store.model<SeenFileRecord>('InvokerFile', seenFileSchema, 'invoker_files');

  /** A shipped file does not replace an invoker of the same name from another source. */
  const write = async (
    actor: Actor,
    fileName: string,
    xml: Buffer,
    seen: SeenFileRecord,
    origin: InvokerOrigin,
  ): Promise<boolean> => {
    const prepared = await contained.run(
      'invoker',
      { fileName, xml, path: ['file'] },
      { size: xml.length, isPatient: true },
    );
    if (prepared.warnings.length > 0)
      log.warn(
        { file: fileName, warnings: prepared.warnings },
        'an invoker file was read with assumptions',
      );
    return writing.transaction(['file'], async (tx) => {
      const before = await writing.rowByKey(prepared.said.nameKey, tx);
      const isTheirs = origin === 'SHIPPED' && before !== null && before.origin !== 'SHIPPED';
      const after = isTheirs ? before : await writeOne(actor, prepared, origin, 'replace', tx);
      await seenFiles.updateOne(
        { _id: seen._id },
        { $set: { hash: seen.hash, readAt: seen.readAt } },
        { upsert: true, session: tx.session },
      );
      return after.version !== before?.version;
    });
  };

  /** Returns true if something changed. */
  const readOne = async (
    actor: Actor,
    directory: string,
    fileName: string,
    origin: InvokerOrigin,
  ): Promise<boolean> => {
    const file = join(directory, fileName);
    const { size } = await stat(file);
    if (size > XML_LIMITS.bytes)
      throw new Error(`The file has ${size} bytes; ${XML_LIMITS.bytes} are read at most.`);
    const xml = await readFile(file);
    const seen: SeenFileRecord = {
      _id: `${origin.toLowerCase()}/${fileName}`,
      hash: createHash('sha256').update(xml).digest('hex'),
      readAt: clock.now(),
    };
    const known = await seenFiles.findById(seen._id).lean<SeenFileRecord>();
    return known?.hash === seen.hash ? false : write(actor, fileName, xml, seen, origin);
  };

  const readAll = async (
    actor: Actor,
    directory: string,
    origin: InvokerOrigin,
  ): Promise<number> => {
    let changed = 0;
    for (const fileName of await filesOf(directory)) {
      try {
        if (await readOne(actor, directory, fileName, origin)) changed += 1;
      } catch (error) {
        const reasons =
          error instanceof DomainError
            ? reasonsOf(error).map(({ message }) => message)
            : [error instanceof Error ? error.message : String(error)];
        log.warn(
          { file: join(directory, fileName), reasons },
          'an invoker was not read: nothing of it was changed',
        );
      }
    }
    if (changed > 0) log.info({ directory, invokers: changed }, 'invokers were read from files');
    return changed;
  };

  return {
    /** Reads shipped files, then those of the installation's folder. Called at start. */
    async readFiles(): Promise<void> {
      await readAll(ACTOR, SHIPPED_FOLDER, 'SHIPPED');
      await readAll(ACTOR, folder, 'FOLDER');
    },

    /**
     * Reads new and changed files in the folder. Returns the number of added or replaced invokers.
     */
    refresh: (actor: Actor): Promise<number> => readAll(actor, folder, 'FOLDER'),
  };
}

/** Returns the XML files sorted by name, none if the directory does not exist. */
async function filesOf(directory: string): Promise<string[]> {
  try {
    const entries = await readdir(directory);
    return entries.filter((name) => /\.xml$/i.test(name)).sort();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
