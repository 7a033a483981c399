import { readZip } from '../../platform/archive/read-zip';
import { Findings } from '../../platform/errors/findings';
import { parseJson } from '../../platform/json/parse-json';
import { templateBody } from './body/template-body';
import { placed, refuseTogether } from './placed';
import { packTemplate } from './template-packing';
import type { PackedTemplate } from './template-packing';
import { newTemplateId, readTemplate, templateInvalid } from './template.rules';
import type { SentTemplate } from './template.rules';

/** Reasons that are told of an archive; what comes after is not looked at. */
const MOST_REASONS = 100;
/** Files of an archive that are named because they are not JSON. */
const MAX_FILES_NAMED = 100;

/** How many files of an archive were read, of how many. */
export interface TemplateArchiveStep {
  readonly read: number;
  readonly entries: number;
}

/** @throws Refused TEMPLATE_INVALID it is no JSON, or no template */
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
 * Reads the templates of an archive, under new ids.
 * @param report how many files have been read
 * @throws Refused  TEMPLATE_INVALID with every place that is wrong, the name of the file first
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
