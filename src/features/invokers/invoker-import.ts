import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { isZip, zipSize } from '../../platform/archive/read-zip';
import type { Contained } from '../../platform/contained/tasks';
import { Conflict, Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Tx } from '../../platform/store/store';
import type { JobService } from '../jobs/job.service';
import type { InvokerOrigin, InvokerRecord } from './invoker.model';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';
import type { ArchiveStep } from './invoker-archive';
import type { InvokerFile, PreparedInvoker } from './invoker-preparation';
import { sizeOf } from './invoker-tasks';
import type { InvokerTasks } from './invoker-tasks';
import { nameTaken } from './invoker-writing';
import type { InvokerWriting } from './invoker-writing';

const FILE_PATH = ['file'] as const;
/** Progress when all files are read, percent. */
const READ = 80;

/** Whether a file may replace an invoker of the same name. */
export type WhenTaken = 'replace' | 'refuse';

export interface ImportedInvoker {
  readonly record: InvokerRecord;
  /**
   * Assumptions made while parsing, with lines. The first invoker of an archive also has warnings
   * about skipped files.
   */
  readonly warnings: readonly string[];
}

export interface ImportProgress {
  progress(percent: number, message?: string): Promise<void>;
  /** Set by jobs: few jobs run at once, so their parsing has no queue limit. */
  readonly signal?: AbortSignal;
  /** Called last in the transaction with the written invokers. */
  succeed?(written: readonly ImportedInvoker[], tx: Tx): Promise<void>;
}

/** Makes the result of a job from the written invokers. */
export type Told = (written: readonly ImportedInvoker[]) => unknown;

const NOBODY: ImportProgress = { progress: () => Promise.resolve() };

export type InvokerImport = ReturnType<typeof createInvokerImport>;

/** Imports invokers from XML: a single file, or all files of an archive in one transaction. */
export function createInvokerImport({
  jobs,
  contained,
  writing,
}: {
  jobs: Pick<JobService, 'start'>;
  contained: Contained<InvokerTasks>;
  writing: InvokerWriting;
}) {
  const writeOne = async (
    actor: Actor,
    prepared: PreparedInvoker,
    origin: InvokerOrigin,
    whenTaken: WhenTaken,
    tx: Tx,
  ): Promise<InvokerRecord> => {
    const { said, path } = prepared;
    const before = await writing.rowByKey(said.nameKey, tx);
    if (!before) return writing.insert(actor, prepared, origin, tx);
    if (whenTaken === 'refuse') throw nameTaken(before.name, path);
    if (before.name !== said.name)
      throw new Conflict(
        'INVOKER_ALREADY_EXISTS',
        `There is an invoker called ${before.name}, which ${said.name} would be taken for.`,
        { path },
      );
    return writing.replace(actor, before, prepared, origin, tx);
  };

  /** Checks permissions before anything is written. Reports the first missing one. */
  const requireRights = async (
    actor: Actor,
    prepared: readonly PreparedInvoker[],
    tx: Tx,
  ): Promise<void> => {
    for (const { said } of prepared) {
      const need = (await writing.rowByKey(said.nameKey, tx))
        ? invokerPolicy.update
        : invokerPolicy.create;
      if (!allows(need, actor)) throw new Forbidden(`This needs ${need}.`);
    }
  };

  const writeAll = async (
    actor: Actor,
    prepared: readonly PreparedInvoker[],
    whenTaken: WhenTaken,
    job: ImportProgress,
  ): Promise<ImportedInvoker[]> =>
    writing.transaction(prepared[0]?.path ?? FILE_PATH, async (tx) => {
      await requireRights(actor, prepared, tx);
      const found = new Findings();
      const written: ImportedInvoker[] = [];
      for (const one of prepared) {
        const record = await found.of(() => writeOne(actor, one, 'IMPORTED', whenTaken, tx));
        if (record) written.push({ record, warnings: one.warnings });
      }
      found.refuse();
      await job.succeed?.(written, tx);
      return written;
    });

  const preparedOf = async (archive: Buffer, job: ImportProgress): Promise<PreparedInvoker[]> =>
    contained.run('invokers', archive, {
      size: await zipSize(archive),
      isPatient: job.signal !== undefined,
      signal: job.signal,
      onReport: (step) => {
        const { read, fileName } = step as ArchiveStep;
        return job.progress(Math.min(READ, Math.round((READ * read) / (read + 10))), fileName);
      },
    });

  const importFile = async (
    actor: Actor,
    file: InvokerFile,
    whenTaken: WhenTaken,
    job: ImportProgress = NOBODY,
  ): Promise<ImportedInvoker> => {
    const prepared = await contained.run('invoker', file, {
      size: sizeOf(file),
      isPatient: job.signal !== undefined,
      signal: job.signal,
    });
    await job.progress(READ, prepared.said.name);
    const [written] = await writeAll(actor, [prepared], whenTaken, job);
    if (!written) throw new Error('An import wrote nothing, and nothing was found against it.');
    return written;
  };

  const importArchive = async (
    actor: Actor,
    archive: Buffer,
    job: ImportProgress = NOBODY,
  ): Promise<ImportedInvoker[]> => writeAll(actor, await preparedOf(archive, job), 'replace', job);

  /** @param told makes the result of the job */
  const start = (
    actor: Actor,
    told: Told,
    work: (job: ImportProgress) => Promise<unknown>,
  ): Promise<JobRecord> =>
    jobs.start(actor, 'invoker-import', IMPORT_NEED, async (job) => {
      await work({
        signal: job.signal,
        progress: (percent, message) => job.progress(percent, message),
        succeed: (written, tx) => job.succeed(told(written), tx),
      });
    });

  return {
    /** Imports a shipped file or one of the installation, without permission checks. */
    writeOne,

    /**
     * Adds an invoker, or replaces the one with its name.
     * @throws BadInput INVOKER_INVALID, with lines
     * @throws Conflict INVOKER_ALREADY_EXISTS
     * @throws Forbidden if the actor may not add or replace
     * @throws TooLarge
     */
    importFile,

    /**
     * Imports all invokers of a zip archive or none. Returns them in the order of the archive.
     * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID; INVOKER_INVALID for each invalid file, with
     * lines
     * @throws Conflict INVOKER_ALREADY_EXISTS
     * @throws Forbidden if the actor may not add or replace
     * @throws TooLarge
     */
    importArchive,

    /** Starts `importArchive` as a background job. */
    startArchive: (actor: Actor, archive: Buffer, told: Told): Promise<JobRecord> =>
      start(actor, told, (job) => importArchive(actor, archive, job)),

    startImport: (
      actor: Actor,
      { fileName, xml, path }: InvokerFile,
      told: Told,
    ): Promise<JobRecord> =>
      start(actor, told, (job) =>
        typeof xml !== 'string' && isZip(xml)
          ? importArchive(actor, xml, job)
          : importFile(actor, { fileName, xml, path }, 'replace', job),
      ),
  };
}
