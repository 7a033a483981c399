import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { JsonObject } from '../workflows/workflow-document.service';
import { TEMPLATE_VERSION } from './conversion/template-versions';
import {
  TemplateBody,
  TemplateFile,
  TemplateList,
  UploadedTemplate,
  UploadedTemplates,
} from './template.schema';
import type { UnsavedTemplate } from './template-creation';
import type { TemplateRecord } from './template.model';

/** A template as it is listed; without a body where only metadata is asked for. */
export interface ListedTemplate {
  readonly record: TemplateRecord;
  readonly body: JsonObject | null;
}

/** Templates as REST shows them, for whoever reached us at a base URL. */
export interface TemplatePresenters {
  readonly one: Presenter<[ListedTemplate, string]>;
  readonly list: Presenter<[AsyncIterable<ListedTemplate>, string]>;
  /** A workflow as a template that is not stored. */
  readonly unsaved: Presenter<[UnsavedTemplate]>;
  /** What is downloaded. */
  readonly file: Presenter<[ListedTemplate]>;
  readonly uploaded: Presenter<[TemplateRecord, string]>;
  readonly uploadedList: Presenter<[readonly TemplateRecord[], string]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly templates: TemplatePresenters;
  }
}

const present = (
  {
    record: { templateId, name, description, productVersion, warnings = [] },
    body,
  }: ListedTemplate,
  baseUrl: string,
) => ({
  templateId,
  name,
  description,
  version: productVersion,
  link: `${baseUrl}/api/template/${templateId}`,
  ...(body && { connection: body }),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

async function* presentAll(templates: AsyncIterable<ListedTemplate>, baseUrl: string) {
  for await (const template of templates) yield present(template, baseUrl);
}

/** Where the file of a template is downloaded. */
export const presentUpload = (
  { templateId, warnings = [] }: Pick<TemplateRecord, 'templateId' | 'warnings'>,
  baseUrl: string,
): { id: string; path: string; warnings?: string[] } => ({
  id: templateId,
  path: `${baseUrl}/api/template/file/${templateId}.json`,
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

/** The documented shapes of templates. */
export const documentedTemplates: TemplatePresenters = {
  one: presenter(TemplateBody, present),
  list: presenter(TemplateList, presentAll),
  unsaved: presenter(TemplateBody, ({ templateId, name, description, body }: UnsavedTemplate) => ({
    templateId,
    name,
    description,
    version: TEMPLATE_VERSION,
    link: null,
    connection: body.document,
  })),
  file: presenter(
    TemplateFile,
    ({
      record: { templateId, name, description, license, productVersion },
      body,
    }: ListedTemplate) => ({
      templateId,
      name,
      description,
      license,
      version: productVersion,
      link: null,
      connection: body ?? {},
    }),
  ),
  uploaded: presenter(UploadedTemplate, presentUpload),
  uploadedList: presenter(
    UploadedTemplates,
    (records: readonly TemplateRecord[], baseUrl: string) =>
      records.map((record) => presentUpload(record, baseUrl)),
  ),
};
