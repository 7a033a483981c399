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

/** How far the work is when everything has been read. */
const READ = 80;

/** Somebody who waits for the end himself. */
const NOBODY_WATCHES: Pick<JobInHand, 'progress' | 'signal'> = {
  progress: () => Promise.resolve(),
  signal: new AbortController().signal,
};

/** Answers what the request would have answered, for the result of a job. */
export type Told = (records: readonly TemplateRecord[]) => unknown;

/** Reading templates from files: of any version, all of an archive or none. */
export function createTemplateImport({
  store,
  jobs,
  writing,
  contained,
}: TemplateImportDependencies) {
  /** The template with this id is replaced, which asks for the right to do that. */
  async function write(actor: Actor, template: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    const before = await writing.byTemplateId(template.templateId, tx);
    if (!before) return writing.insert(actor, template, tx);
    if (!allows(templatePolicy.update, actor))
      throw new Forbidden(
        `There is a template ${template.templateId}: to replace it needs ${templatePolicy.update}.`,
      );
    return writing.replace(actor, before, template, tx);
  }

  /** Jobs are few at a time, so what they read waits as long as it takes. */
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

  /** Is it an archive, whatever it is called? */
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
     * Stores the template of a JSON file; one with the same id is replaced.
     * @throws Refused   TEMPLATE_INVALID
     * @throws Forbidden it would replace one, and the actor may not
     */
    async importFile(actor: Actor, bytes: Buffer): Promise<TemplateRecord> {
      const template = await readOne(bytes);
      return store.transaction((tx) => write(actor, template, tx));
    },

    /**
     * Stores the templates of an archive under new ids, all or none.
     * @throws Refused  TEMPLATE_INVALID with every place that is wrong, the name of the file first
     * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID
     */
    async importArchive(actor: Actor, bytes: Buffer): Promise<TemplateRecord[]> {
      const templates = await unpacked(bytes, NOBODY_WATCHES);
      return store.transaction((tx) => writeAll(actor, templates, NOBODY_WATCHES, tx));
    },

    /** The same in the background. */
    startArchive: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> =>
      jobs.start(
        actor,
        'template-import',
        templatePolicy.create,
        work(actor, (job) => unpacked(bytes, job), told),
      ),

    /** Stores what is in a file in the background: an archive, or one template. */
    startImport: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> =>
      jobs.start(
        actor,
        'template-import',
        templatePolicy.create,
        work(actor, (job) => templatesIn(bytes, job), told),
      ),
  };
}
