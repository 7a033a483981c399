import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { zipSize } from '../../platform/archive/read-zip';
import type { Contained } from '../../platform/contained/tasks';
import { Forbidden } from '../../platform/errors/errors';
import type { JobInHand, JobWork } from '../../platform/jobs/jobs';
import type { JobRecord } from '../../platform/jobs/job.model';
import type { Store, Tx } from '../../platform/store/store';
import type { JobService } from '../jobs/job.service';
import type { TemplateArchiveStep } from './template-files';
import type { PackedTemplate } from './template-packing';
import type { TemplateTasks } from './template-tasks';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import type { TemplateWriting } from './template-writing';

export interface TemplateImportDependencies {
  readonly store: Store;
  readonly jobs: Pick<JobService, 'start'>;
  readonly writing: TemplateWriting;
  readonly contained: Contained<TemplateTasks>;
}

/** Progress in percent when everything has been read. */
const READ = 80;

/** For requests without a job: progress is ignored, and there is no cancellation. */
const NOBODY_WATCHES: Pick<JobInHand, 'progress' | 'signal'> = {
  progress: () => Promise.resolve(),
  signal: new AbortController().signal,
};

/** Formats the result of a job like the response of a synchronous request. */
export type Told = (records: readonly TemplateRecord[]) => unknown;

/** Imports templates of any version from files; an archive is imported completely or not at all. */
export function createTemplateImport({
  store,
  jobs,
  writing,
  contained,
}: TemplateImportDependencies) {
  /** Replaces an existing template with this id, which needs the update permission. */
  async function write(actor: Actor, template: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    const before = await writing.byTemplateId(template.templateId, tx);
    if (!before) return writing.insert(actor, template, tx);
    if (!allows(templatePolicy.update, actor))
      throw new Forbidden(
        `There is a template ${template.templateId}: to replace it needs ${templatePolicy.update}.`,
      );
    return writing.replace(actor, before, template, tx);
  }

  /** Few jobs run at a time, so an import job may wait for a free slot. */
  const unpacked = async (
    bytes: Buffer,
    job: Pick<JobInHand, 'progress' | 'signal'>,
  ): Promise<PackedTemplate[]> =>
    contained.run('templates', bytes, {
      size: await zipSize(bytes),
      isPatient: job !== NOBODY_WATCHES,
      signal: job.signal,
      onReport: (step) => {
        const { read, entries } = step as TemplateArchiveStep;
        return job.progress((READ * read) / Math.max(entries, read), `${read} of ${entries} read.`);
      },
    });

  const readOne = (
    bytes: Buffer,
    job: Pick<JobInHand, 'signal'> = NOBODY_WATCHES,
  ): Promise<PackedTemplate> =>
    contained.run('template', bytes, {
      size: bytes.length,
      isPatient: job !== NOBODY_WATCHES,
      signal: job.signal,
    });

  async function writeAll(
    actor: Actor,
    templates: readonly PackedTemplate[],
    { progress, signal }: Pick<JobInHand, 'progress' | 'signal'>,
    tx: Tx,
  ): Promise<TemplateRecord[]> {
    const records: TemplateRecord[] = [];
    for (const template of templates) {
      signal.throwIfAborted();
      records.push(await write(actor, template, tx));
      await progress(
        READ + ((100 - READ) * records.length) / templates.length,
        `${records.length} of ${templates.length} written.`,
      );
    }
    return records;
  }

  /** Detects an archive by content, not by file name. */
  const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 2) === 'PK';

  const templatesIn = async (
    bytes: Buffer,
    job: Pick<JobInHand, 'progress' | 'signal'>,
  ): Promise<PackedTemplate[]> => {
    if (isArchive(bytes)) return unpacked(bytes, job);
    return [await readOne(bytes, job)];
  };

  const work =
    (actor: Actor, read: (job: JobInHand) => Promise<PackedTemplate[]>, told: Told): JobWork =>
    async (job) => {
      const templates = await read(job);
      await store.transaction(async (tx) => {
        await job.succeed(told(await writeAll(actor, templates, job, tx)), tx);
      });
    };

  return {
    /**
     * Stores the template of a JSON file; replaces one with the same id.
     * @throws Refused   TEMPLATE_INVALID
     * @throws Forbidden the actor may not replace the existing template
     */
    async importFile(actor: Actor, bytes: Buffer): Promise<TemplateRecord> {
      const template = await readOne(bytes);
      return store.transaction((tx) => write(actor, template, tx));
    },

    /**
     * Stores the templates of an archive under new ids, all or none.
     * @throws Refused  TEMPLATE_INVALID with each wrong path, starting with the file name
     * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID
     */
    async importArchive(actor: Actor, bytes: Buffer): Promise<TemplateRecord[]> {
      const templates = await unpacked(bytes, NOBODY_WATCHES);
      return store.transaction((tx) => writeAll(actor, templates, NOBODY_WATCHES, tx));
    },

    /** `importArchive` as a background job. */
    startArchive: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> =>
      jobs.start(
        actor,
        'template-import',
        templatePolicy.create,
        work(actor, (job) => unpacked(bytes, job), told),
      ),

    /** Imports a file as a background job: an archive, or a single template. */
    startImport: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> =>
      jobs.start(
        actor,
        'template-import',
        templatePolicy.create,
        work(actor, (job) => templatesIn(bytes, job), told),
      ),
  };
}
