import { readZip } from '../../platform/archive/read-zip';
import { Findings } from '../../platform/errors/findings';
import { parseJson } from '../../platform/json/parse-json';
import { templateBody } from './body/template-body';
import { placed, refuseTogether } from './placed';
import { packTemplate } from './template-packing';
import type { PackedTemplate } from './template-packing';
import { newTemplateId, readTemplate, templateInvalid } from './template.rules';
import type { SentTemplate } from './template.rules';

/** Maximum number of errors reported for an archive; reading stops there. */
const MOST_REASONS = 100;
/** Maximum number of non-JSON files named in an error. */
const MAX_FILES_NAMED = 100;

export interface TemplateArchiveStep {
  readonly read: number;
  readonly entries: number;
}

/** @throws Refused TEMPLATE_INVALID not JSON, or not a template */
const readFile = async (bytes: Buffer): Promise<SentTemplate> =>
  readTemplate(
    await parseJson(bytes).catch((error: unknown) => {
      if (error instanceof Error && 'kind' in error && error.kind === 'malformed')
        throw templateInvalid([
          {
            code: 'TEMPLATE_INVALID',
            path: [],
            message: `The file should be JSON. ${error.message}`,
          },
        ]);
      throw error;
    }),
  );

const ready = async (templateId: string, sent: SentTemplate): Promise<PackedTemplate> =>
  packTemplate(templateId, sent, await templateBody(sent.connection, sent.version, 'file'));

/**
 * Reads a template of any version from a JSON file.
 * @throws Refused TEMPLATE_INVALID
 */
export async function readTemplateFile(bytes: Buffer): Promise<PackedTemplate> {
  const sent = await readFile(bytes);
  return ready(sent.templateId ?? newTemplateId(), sent);
}

/**
 * Reads the templates of an archive; each gets a new id.
 * @param report receives the number of files read
 * @throws Refused  TEMPLATE_INVALID with each wrong path, starting with the file name
 * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID
 */
export async function readTemplateArchive(
  bytes: Buffer,
  report: (step: TemplateArchiveStep) => void | Promise<void>,
): Promise<PackedTemplate[]> {
  const [found, templates, left]: [Findings, PackedTemplate[], string[]] = [new Findings(), [], []];
  let read = 0;
  for await (const { name, bytes: file, entries } of readZip(bytes)) {
    read += 1;
    if (/\.json$/i.test(name)) {
      const template = await found.of(() =>
        placed([name], async () => ready(newTemplateId(), await readFile(file))),
      );
      if (template) templates.push(template);
    } else if (left.length < MAX_FILES_NAMED)
      left.push(`${name}: This is no .json file; it was not imported.`);
    if (found.count >= MOST_REASONS) break;
    await report({ read, entries });
  }
  refuseTogether(found);
  const [first, ...others] = templates;
  if (!first)
    throw templateInvalid([
      { code: 'TEMPLATE_INVALID', path: ['file'], message: 'There is no template in the archive.' },
    ]);
  return [{ ...first, warnings: [...first.warnings, ...left] }, ...others];
}
