import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { zipSize } from '../../platform/archive/read-zip';
import type { Contained } from '../../platform/contained/tasks';
import { Forbidden } from '../../platform/errors/errors';
import type { JobInHand } from '../../platform/jobs/jobs';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Store, Tx } from '../../platform/store/store';
import type { JobService } from '../jobs/job.service';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import type { TemplateRecords } from './template-records';
import type { PackedTemplate, TemplateArchiveStep, TemplateTasks } from './template-tasks';

declare module '../../platform/context' {
  interface Services {
    templateImports: TemplateImportService;
  }
}

/** Progress in percent when everything has been read. */
const READ_PERCENT = 80;

type Progress = Pick<JobInHand, 'progress' | 'signal'>;

/** For requests without a job: progress is ignored, and there is no cancellation. */
const NO_JOB: Progress = {
  progress: () => Promise.resolve(),
  signal: new AbortController().signal,
};

/** Formats the result of a job like the response of a synchronous request. */
type PresentImported = (records: readonly TemplateRecord[]) => unknown;

/** Imports templates of any version from files; an archive is imported completely or not at all. */
export class TemplateImportService {
  constructor(
    private readonly deps: {
      readonly store: Store;
      readonly records: TemplateRecords;
      readonly jobs: JobService;
      readonly contained: Contained<TemplateTasks>;
    },
    /** Maximum size of an uploaded file, bytes. */
    readonly uploadBytes: number,
  ) {}

  /**
   * Stores the template of a JSON file; replaces one with the same id.
   * @throws Refused TEMPLATE_INVALID
   * @throws Forbidden the actor may not replace the existing template
   */
  async importFile(actor: Actor, bytes: Buffer): Promise<TemplateRecord> {
    const template = await this.readFile(bytes, NO_JOB);
    return this.deps.store.transaction((tx) => this.write(actor, template, tx));
  }

  /**
   * Parses a file that `adopt` stores.
   * @throws Refused TEMPLATE_INVALID
   */
  prepare(bytes: Buffer): Promise<PackedTemplate> {
    return this.deps.contained.run('template', bytes, { size: bytes.length, isPatient: true });
  }

  /** `importFile` with a prepared template, in the transaction of the caller. */
  adopt(actor: Actor, template: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    return this.write(actor, template, tx);
  }

  /**
   * Stores the templates of an archive under new ids, all or none.
   * @throws Refused TEMPLATE_INVALID with each wrong path, starting with the file name
   * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID
   */
  async importArchive(actor: Actor, bytes: Buffer): Promise<TemplateRecord[]> {
    const templates = await this.readArchive(bytes, NO_JOB);
    return this.deps.store.transaction((tx) => this.writeAll(actor, templates, NO_JOB, tx));
  }

  /** `importArchive` as a background job. */
  startArchive(actor: Actor, bytes: Buffer, present: PresentImported): Promise<JobRecord> {
    return this.start(actor, (job) => this.readArchive(bytes, job), present);
  }

  /** Imports a file as a background job: an archive, or a single template. */
  startImport(actor: Actor, bytes: Buffer, present: PresentImported): Promise<JobRecord> {
    // An archive is detected by content, not by file name.
    if (bytes.toString('latin1', 0, 2) === 'PK') return this.startArchive(actor, bytes, present);
    return this.start(actor, async (job) => [await this.readFile(bytes, job)], present);
  }

  private start(
    actor: Actor,
    read: (job: Progress) => Promise<PackedTemplate[]>,
    present: PresentImported,
  ): Promise<JobRecord> {
    return this.deps.jobs.start(actor, 'template-import', templatePolicy.create, async (job) => {
      const templates = await read(job);
      await this.deps.store.transaction(async (tx) => {
        await job.succeed(present(await this.writeAll(actor, templates, job, tx)), tx);
      });
    });
  }

  private readFile(bytes: Buffer, job: Progress): Promise<PackedTemplate> {
    return this.deps.contained.run('template', bytes, {
      size: bytes.length,
      isPatient: job !== NO_JOB,
      signal: job.signal,
    });
  }

  private async readArchive(bytes: Buffer, job: Progress): Promise<PackedTemplate[]> {
    return this.deps.contained.run('templates', bytes, {
      size: await zipSize(bytes),
      // Few jobs run at a time, so an import job may wait for a free slot.
      isPatient: job !== NO_JOB,
      signal: job.signal,
      onReport: (step) => {
        const { read, entries } = step as TemplateArchiveStep;
        const percent = (READ_PERCENT * read) / Math.max(entries, read);
        return job.progress(percent, `${read} of ${entries} read.`);
      },
    });
  }

  private async writeAll(
    actor: Actor,
    templates: readonly PackedTemplate[],
    { progress, signal }: Progress,
    tx: Tx,
  ): Promise<TemplateRecord[]> {
    const records: TemplateRecord[] = [];
    for (const template of templates) {
      signal.throwIfAborted();
      records.push(await this.write(actor, template, tx));
      await progress(
        READ_PERCENT + ((100 - READ_PERCENT) * records.length) / templates.length,
        `${records.length} of ${templates.length} written.`,
      );
    }
    return records;
  }

  /** Replaces an existing template with this id, which needs the update permission. */
  private async write(actor: Actor, template: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    const { records } = this.deps;
    const before = await records.byTemplateId(template.templateId, tx);
    if (!before) return records.insert(actor, template, tx);
    if (!allows(templatePolicy.update, actor))
      throw new Forbidden(
        `The template ${template.templateId} exists; replacing it needs ${templatePolicy.update}.`,
      );
    return records.replace(actor, before, template, tx);
  }
}
