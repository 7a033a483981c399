import { ObjectId } from 'bson';
import { readZip } from '../../platform/archive/read-zip';
import type { Report } from '../../platform/contained/tasks';
import { BadInput } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import { parseJsonFile } from '../../platform/json/parse-json';
import { packJson } from '../workflows/workflow-document.service';
import type { PackedJson } from '../workflows/workflow-document.service';
import { templateBody } from './body/template-body';
import type { TemplateBody } from './body/template-body';
import {
  newTemplateId,
  prefixPaths,
  readTemplate,
  templateInvalid,
  throwAsOne,
} from './template.rules';
import type { SentTemplate, TemplateFacts } from './template.rules';

/** Maximum number of errors reported for an archive; reading stops there. */
const MAX_ERRORS = 100;
/** Maximum number of non-JSON files named in the warnings. */
const MAX_FILES_NAMED = 100;

/** A template with a compressed body, ready to be written. Created outside of transactions. */
export interface PackedTemplate extends TemplateFacts, Omit<TemplateBody, 'document'> {
  readonly templateId: string;
  readonly content: PackedJson;
}

export interface TemplateArchiveStep {
  readonly read: number;
  readonly entries: number;
}

export async function packTemplate(
  templateId: string,
  { name, description, license }: TemplateFacts,
  { document, connectors, leftOut, warnings }: TemplateBody,
): Promise<PackedTemplate> {
  const content = await packJson(new ObjectId().toHexString(), document);
  return { templateId, name, description, license, connectors, leftOut, warnings, content };
}

/**
 * Converts and packs a template from a client or a file.
 * @throws Refused TEMPLATE_INVALID
 */
export const packSentTemplate = async (
  templateId: string,
  sent: SentTemplate,
): Promise<PackedTemplate> =>
  packTemplate(templateId, sent, templateBody(sent.connection, sent.version, 'file'));

/** @throws Refused TEMPLATE_INVALID not JSON, or not a template */
function readFile(bytes: Buffer): SentTemplate {
  let value: unknown;
  try {
    value = parseJsonFile(bytes);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    const message = `The file is not valid JSON. ${error.message}`;
    throw templateInvalid([{ code: 'TEMPLATE_INVALID', path: [], message }]);
  }
  return readTemplate(value);
}

/**
 * Reads a template of any version from a JSON file.
 * @throws Refused TEMPLATE_INVALID
 */
async function readTemplateFile(bytes: Buffer): Promise<PackedTemplate> {
  const sent = readFile(bytes);
  return packSentTemplate(sent.templateId ?? newTemplateId(), sent);
}

/**
 * Reads the templates of an archive; each gets a new id.
 * @param report receives the number of files read
 * @throws Refused TEMPLATE_INVALID with each wrong path, starting with the file name
 * @throws BadInput ZIP_FILE_REQUIRED, ZIP_INVALID
 */
async function readTemplateArchive(
  bytes: Buffer,
  report: (step: TemplateArchiveStep) => void | Promise<void>,
): Promise<PackedTemplate[]> {
  const findings = new Findings();
  const templates: PackedTemplate[] = [];
  const skipped: string[] = [];
  let read = 0;
  for await (const { name, bytes: file, entries } of readZip(bytes)) {
    read += 1;
    if (/\.json$/i.test(name)) {
      const template = await findings.of(() =>
        prefixPaths([name], async () => packSentTemplate(newTemplateId(), readFile(file))),
      );
      if (template) templates.push(template);
    } else if (skipped.length < MAX_FILES_NAMED)
      skipped.push(`${name}: Not a .json file; it was not imported.`);
    if (findings.count >= MAX_ERRORS) break;
    await report({ read, entries });
  }
  throwAsOne(findings);
  if (templates.length === 0) {
    const message = 'The archive contains no template.';
    throw templateInvalid([{ code: 'TEMPLATE_INVALID', path: ['file'], message }]);
  }
  const [first, ...others] = templates;
  return [{ ...first, warnings: [...first.warnings, ...skipped] }, ...others];
}

/** Tasks that read template files; large files are read in a separate process. */
export const templateTasks = {
  template: (file: Buffer): Promise<PackedTemplate> => readTemplateFile(file),
  templates: (archive: Buffer, report: Report): Promise<PackedTemplate[]> =>
    readTemplateArchive(archive, report),
};

export type TemplateTasks = typeof templateTasks;
