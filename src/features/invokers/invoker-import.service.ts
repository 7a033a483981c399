import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { isZip, zipSize } from '../../platform/archive/read-zip';
import type { Contained } from '../../platform/contained/tasks';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Tx } from '../../platform/store/store';
import { readXml } from '../../platform/xml/read-xml';
import type { JobService } from '../jobs/job.service';
import { withHiddenFields } from './hidden-fields';
import type { Invoker } from './invoker';
import type { InvokerCatalog } from './invoker-catalog';
import type { ArchiveStep, InvokerFile, InvokerTasks, PreparedInvoker } from './invoker-tasks';
import type { InvokerWriter, WhenTaken } from './invoker-writer';
import type { InvokerRecord } from './invoker.model';
import { IMPORT_NEED, invokerPolicy } from './invoker.policy';
import { writeInvoker } from './xml/write-invoker';

declare module '../../platform/context' {
  interface Services {
    invokerImport: InvokerImport;
  }
}

/** Progress when all files are parsed, percent. */
const PARSED_PERCENT = 80;

export interface ImportedInvoker {
  readonly record: InvokerRecord;
  /**
   * Assumptions made while parsing, with lines. The first invoker of an archive also has warnings
   * about skipped files.
   */
  readonly warnings: readonly string[];
}

/** The background job of an import: few jobs run at once, so their parsing has no queue limit. */
interface ImportJob {
  readonly signal: AbortSignal;
  progress(percent: number, message?: string): Promise<void>;
  /** Called last in the transaction with the written invokers. */
  succeed(written: readonly ImportedInvoker[], tx: Tx): Promise<void>;
}

type ToJobResult = (written: readonly ImportedInvoker[]) => unknown;

/** Imports invokers from XML: a single file, or all files of an archive in one transaction. */
export class InvokerImport {
  constructor(
    private readonly deps: {
      readonly catalog: InvokerCatalog;
      readonly writer: InvokerWriter;
      readonly jobs: Pick<JobService, 'start'>;
      readonly contained: Contained<InvokerTasks>;
    },
    /** Maximum upload size, bytes. Transports read no more. */
    readonly uploadBytes: number,
  ) {}

  /**
   * Adds an invoker, or replaces the one with its name.
   * @throws BadInput INVOKER_INVALID, with lines
   * @throws Conflict INVOKER_ALREADY_EXISTS
   * @throws Forbidden if the actor may not add or replace
   * @throws TooLarge
   */
  async importFile(
    actor: Actor,
    file: InvokerFile,
    whenTaken: WhenTaken,
    job?: ImportJob,
  ): Promise<ImportedInvoker> {
    const prepared = await this.deps.contained.run('invoker', file, {
      size: file.xml.length,
      isPatient: job !== undefined,
      signal: job?.signal,
    });
    await job?.progress(PARSED_PERCENT, prepared.fields.name);
    const [written] = await this.writeAll(actor, [prepared], whenTaken, job);
    if (!written) throw new Error('The import wrote nothing although no error was found.');
    return written;
  }

  /**
   * Parses a file that `adopt` writes.
   * @throws BadInput INVOKER_INVALID, with lines
   * @throws TooLarge
   */
  prepare(file: InvokerFile): Promise<PreparedInvoker> {
    return this.deps.contained.run('invoker', file, { size: file.xml.length, isPatient: true });
  }

  /**
   * Adds an invoker, or replaces the one with its name, in the transaction of the caller.
   * @throws Conflict INVOKER_ALREADY_EXISTS
   */
  adopt(actor: Actor, prepared: PreparedInvoker, tx: Tx): Promise<InvokerRecord> {
    return this.deps.writer.save(actor, prepared, 'IMPORTED', 'replace', tx);
  }

  /**
   * Returns the fields that connectors of an invoker have, with those of `adopt` in this transaction.
   * @throws NotFound INVOKER_NOT_FOUND
   */
  async requiredData(name: string, tx: Tx): Promise<Invoker['requiredData']> {
    return (await this.deps.catalog.get(name, ['invoker'], tx)).requiredData;
  }

  /**
   * Replaces an invoker by the XML that a client made of the one it read, or adds it. Stored
   * visibilities are kept, see `withHiddenFields`.
   * @throws the errors of `importFile`
   */
  async importEdited(actor: Actor, file: InvokerFile): Promise<ImportedInvoker> {
    const { fields } = await this.deps.contained.run('invoker', file, { size: file.xml.length });
    const stored = await this.deps.catalog.byName(fields.name);
    if (!stored?.requiredData.some(({ visibility }) => visibility !== 'public'))
      return this.importFile(actor, file, 'replace');
    const root = withHiddenFields(await readXml(file.xml), stored.requiredData);
    return this.importFile(actor, { ...file, xml: writeInvoker(root) }, 'replace');
  }

  /**
   * Imports all invokers of a zip archive or none. Returns them in the order of the archive.
   * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID; INVOKER_INVALID for each invalid file, with
   * lines
   * @throws Conflict INVOKER_ALREADY_EXISTS
   * @throws Forbidden if the actor may not add or replace
   * @throws TooLarge
   */
  async importArchive(actor: Actor, archive: Buffer, job?: ImportJob): Promise<ImportedInvoker[]> {
    const prepared = await this.deps.contained.run('invokers', archive, {
      size: await zipSize(archive),
      isPatient: job !== undefined,
      signal: job?.signal,
      onReport: (step) => {
        const { read, fileName } = step as ArchiveStep;
        return job?.progress(Math.round((PARSED_PERCENT * read) / (read + 10)), fileName);
      },
    });
    return this.writeAll(actor, prepared, 'replace', job);
  }

  /** Starts `importArchive` as a background job. */
  startArchive(actor: Actor, archive: Buffer, toResult: ToJobResult): Promise<JobRecord> {
    return this.start(actor, toResult, (job) => this.importArchive(actor, archive, job));
  }

  /** Starts the import of a file or an archive as a background job. */
  startImport(actor: Actor, file: InvokerFile, toResult: ToJobResult): Promise<JobRecord> {
    const { xml } = file;
    return this.start(actor, toResult, (job) =>
      typeof xml !== 'string' && isZip(xml)
        ? this.importArchive(actor, xml, job)
        : this.importFile(actor, file, 'replace', job),
    );
  }

  private start(
    actor: Actor,
    toResult: ToJobResult,
    work: (job: ImportJob) => Promise<unknown>,
  ): Promise<JobRecord> {
    return this.deps.jobs.start(actor, 'invoker-import', IMPORT_NEED, async (job) => {
      await work({
        signal: job.signal,
        progress: (percent, message) => job.progress(percent, message),
        succeed: (written, tx) => job.succeed(toResult(written), tx),
      });
    });
  }

  private async writeAll(
    actor: Actor,
    prepared: readonly PreparedInvoker[],
    whenTaken: WhenTaken,
    job?: ImportJob,
  ): Promise<ImportedInvoker[]> {
    const { writer } = this.deps;
    return writer.transaction(prepared[0]?.path ?? ['file'], async (tx) => {
      await this.requirePermissions(actor, prepared, tx);
      const findings = new Findings();
      const written: ImportedInvoker[] = [];
      for (const one of prepared) {
        const record = await findings.of(() => writer.save(actor, one, 'IMPORTED', whenTaken, tx));
        if (record) written.push({ record, warnings: one.warnings });
      }
      findings.refuse();
      await job?.succeed(written, tx);
      return written;
    });
  }

  /** Checks permissions before anything is written. Reports the first missing one. */
  private async requirePermissions(
    actor: Actor,
    prepared: readonly PreparedInvoker[],
    tx: Tx,
  ): Promise<void> {
    const names = prepared.map(({ fields }) => fields.name);
    const rows = await this.deps.catalog.rowsByName(names, tx);
    for (const name of names) {
      const need = rows.has(name) ? invokerPolicy.update : invokerPolicy.create;
      if (!allows(need, actor)) throw new Forbidden(`This requires ${need}.`);
    }
  }
}
