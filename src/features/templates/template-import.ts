import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import { readZip } from '../../platform/archive/read-zip';
import { Forbidden } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { JobInHand, JobWork } from '../../platform/jobs/jobs';
import type { JobRecord } from '../../platform/jobs/job.model';
import { parseJson } from '../../platform/json/parse-json';
import type { Store, Tx } from '../../platform/store/store';
import type { JobService } from '../jobs/job.service';
import { templateBody } from './body/template-body';
import { placed, refuseTogether } from './placed';
import type { TemplateRecord } from './template.model';
import { templatePolicy } from './template.policy';
import { newTemplateId, readTemplate, templateInvalid } from './template.rules';
import type { SentTemplate } from './template.rules';
import type { PackedTemplate, TemplateWriting } from './template-writing';

export interface TemplateImportDependencies {
  readonly store: Store;
  readonly jobs: Pick<JobService, 'start'>;
  readonly writing: TemplateWriting;
}

/** How far the work is when everything has been read. */
const READ = 80;
/** Reasons that are told of an archive; what comes after is not looked at. */
const MOST_REASONS = 100;
/** Files of an archive that are named because they are no JSON. */
const MAX_FILES_NAMED = 100;

/** Somebody who waits for the end himself. */
const NOBODY_WATCHES: Pick<JobInHand, 'progress' | 'signal'> = { progress: () => Promise.resolve(), signal: new AbortController().signal };

/** Answers what the request would have answered, for the result of a job. */
export type Told = (records: readonly TemplateRecord[]) => unknown;

/** Reading templates from files: of any version, all of an archive or none. */
export function createTemplateImport({ store, jobs, writing }: TemplateImportDependencies) {
  /** @throws Refused TEMPLATE_INVALID it is no JSON, or no template */
  const readFile = async (bytes: Buffer): Promise<SentTemplate> => readTemplate(await parseJson(bytes).catch((error: unknown) => {
    if (error instanceof Error && 'kind' in error && error.kind === 'malformed') throw templateInvalid([{ code: 'TEMPLATE_INVALID', path: [], message: `The file should be JSON. ${error.message}` }]);
    throw error;
  }));

  const ready = async (templateId: string, sent: SentTemplate): Promise<PackedTemplate> => writing.pack(templateId, sent, await templateBody(sent.connection, sent.version, 'file'));

  /** The template with this id is replaced, which asks for the right to do that. */
  async function write(actor: Actor, template: PackedTemplate, tx: Tx): Promise<TemplateRecord> {
    const before = await writing.byTemplateId(template.templateId, tx);
    if (!before) return writing.insert(actor, template, tx);
    if (!allows(templatePolicy.update, actor)) throw new Forbidden(`There is a template ${template.templateId}: to replace it needs ${templatePolicy.update}.`);
    return writing.replace(actor, before, template, tx);
  }

  async function unpacked(bytes: Buffer, { progress, signal }: Pick<JobInHand, 'progress' | 'signal'>): Promise<PackedTemplate[]> {
    const [found, templates, left]: [Findings, PackedTemplate[], string[]] = [new Findings(), [], []];
    let files = 0;
    for await (const { name, bytes: file, entries } of readZip(bytes)) {
      signal.throwIfAborted();
      files += 1;
      if (/\.json$/i.test(name)) {
        const template = await found.of(() => placed([name], async () => ready(newTemplateId(), await readFile(file))));
        if (template) templates.push(template);
      } else if (left.length < MAX_FILES_NAMED) left.push(`${name}: This is no .json file; it was not imported.`);
      if (found.count >= MOST_REASONS) break;
      await progress(READ * files / Math.max(entries, files), `${files} of ${entries} read.`);
    }
    refuseTogether(found);
    const [first, ...others] = templates;
    if (!first) throw templateInvalid([{ code: 'TEMPLATE_INVALID', path: ['file'], message: 'There is no template in the archive.' }]);
    return [{ ...first, warnings: [...first.warnings, ...left] }, ...others];
  }

  async function writeAll(actor: Actor, templates: readonly PackedTemplate[], { progress, signal }: Pick<JobInHand, 'progress' | 'signal'>, tx: Tx): Promise<TemplateRecord[]> {
    const records: TemplateRecord[] = [];
    for (const template of templates) {
      signal.throwIfAborted();
      records.push(await write(actor, template, tx));
      await progress(READ + (100 - READ) * records.length / templates.length, `${records.length} of ${templates.length} written.`);
    }
    return records;
  }

  /** Is it an archive, whatever it is called? */
  const isArchive = (bytes: Buffer): boolean => bytes.toString('latin1', 0, 2) === 'PK';

  const templatesIn = async (bytes: Buffer, job: Pick<JobInHand, 'progress' | 'signal'>): Promise<PackedTemplate[]> => {
    if (isArchive(bytes)) return unpacked(bytes, job);
    const sent = await readFile(bytes);
    return [await ready(sent.templateId ?? newTemplateId(), sent)];
  };

  const work = (actor: Actor, read: (job: JobInHand) => Promise<PackedTemplate[]>, told: Told): JobWork => async (job) => {
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
      const sent = await readFile(bytes);
      const template = await ready(sent.templateId ?? newTemplateId(), sent);
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
    startArchive: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> => jobs.start(actor, 'template-import', templatePolicy.create, work(actor, (job) => unpacked(bytes, job), told)),

    /** Stores what is in a file in the background: an archive, or one template. */
    startImport: (actor: Actor, bytes: Buffer, told: Told): Promise<JobRecord> => jobs.start(actor, 'template-import', templatePolicy.create, work(actor, (job) => templatesIn(bytes, job), told)),
  };
}
