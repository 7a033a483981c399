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

/** A template in a list; `body` is null if only metadata is requested. */
export interface ListedTemplate {
  readonly record: TemplateRecord;
  readonly body: JsonObject | null;
}

/**
 * REST shapes of templates. The text argument is the base URL of the request, for download links.
 */
export interface TemplatePresenters {
  readonly one: Presenter<[ListedTemplate, string]>;
  readonly list: Presenter<[AsyncIterable<ListedTemplate>, string]>;
  /** A workflow as a template that is not stored. */
  readonly unsaved: Presenter<[UnsavedTemplate]>;
  /** The downloaded file. */
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

/** The id and download URL of an uploaded template. */
export const presentUpload = (
  { templateId, warnings = [] }: Pick<TemplateRecord, 'templateId' | 'warnings'>,
  baseUrl: string,
): { id: string; path: string; warnings?: string[] } => ({
  id: templateId,
  path: `${baseUrl}/api/template/file/${templateId}.json`,
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

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
