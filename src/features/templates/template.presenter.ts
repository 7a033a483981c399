import { z } from 'zod';
import type { ErrorCode } from '../../platform/errors/codes';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { withKnownClient } from '../../platform/http/dialects/released-client';
import type { Audience } from '../../platform/http/dialects/released-client';
import { requireShownWhole } from '../workflows/released-documents.service';
import type { ReleasedDocuments } from '../workflows/released-documents.service';
import type { WorkflowDocument } from '../workflows/document/workflow-document';
import { isJsonObject } from '../workflows/workflow-document.service';
import { TEMPLATE_VERSION } from './conversion/template-versions';
import type { TemplateRecord } from './template.model';
import { TEMPLATE_LENGTHS } from './template.rules';
import type { UnsavedTemplate } from './template.service';
import type { ListedTemplate } from './template-reads';

export { TEMPLATE_VERSION };

const Uuid = z.string().meta({ override: { type: 'string', format: 'uuid' } });

/** A workflow of any shape; the stored one has the 5.0 shape. */
const Connection = z.unknown().meta({
  override: {
    type: 'object',
    additionalProperties: true,
    description:
      'The workflow (spec 2.8), without connectors and secrets. A method contains the invoker and the original title of its connector; `connectorId` is null.',
  },
});

const TemplateBody = z
  .object({
    templateId: Uuid,
    name: z.string(),
    description: z.string().nullable(),
    version: z
      .string()
      .meta({ description: 'Version of the product whose form the workflow has.' }),
    link: z
      .string()
      .nullable()
      .meta({
        override: {
          type: ['string', 'null'],
          format: 'uri',
          description: 'URL of the template; null if it is not stored.',
        },
      }),
    connection: Connection.optional().meta({
      description: 'Omitted if only metadata is requested.',
    }),
    warnings: z.array(z.string()).optional().meta({
      description: 'Assumptions about a file of an older version. Omitted if there are none.',
    }),
  })
  .meta({ id: 'Template' });

const TemplateFile = z
  .object({
    templateId: Uuid,
    name: z.string(),
    description: z.string().nullable(),
    license: z.string().nullable(),
    version: z.string(),
    link: z.null(),
    connection: Connection,
  })
  .meta({ id: 'TemplateFile' });

const UploadedTemplate = z
  .object({
    id: Uuid,
    path: z.string().meta({
      override: { type: 'string', format: 'uri', description: 'Download URL of the file.' },
    }),
    warnings: z.array(z.string()).optional().meta({
      description: 'Assumptions about the file, each with its path. Omitted if there are none.',
    }),
  })
  .meta({ id: 'UploadedTemplate' });

/**
 * REST shapes of templates. The text argument is the base URL of the request, for download links.
 */
interface TemplatePresenters {
  readonly one: Presenter<[ListedTemplate, Audience, ReleasedDocuments]>;
  readonly list: Presenter<[AsyncIterable<ListedTemplate>, Audience, ReleasedDocuments]>;
  /** A workflow as a template that is not stored. */
  readonly unsaved: Presenter<[UnsavedTemplate, Audience, ReleasedDocuments]>;
  /** The downloaded file. */
  readonly file: Presenter<[ListedTemplate]>;
  readonly uploaded: Presenter<[TemplateRecord, string]>;
  readonly uploadedList: Presenter<[readonly TemplateRecord[], string]>;
  /**
   * Checks that the client was shown the whole workflow of a template that it sends.
   * @throws Refused WORKFLOW_NEEDS_5X_CLIENT
   */
  readonly check: (template: unknown, audience: Audience) => void;
  readonly checkErrors: readonly ErrorCode[];
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
  { baseUrl }: Audience,
) => ({
  templateId,
  name,
  description,
  version: productVersion,
  link: `${baseUrl}/api/template/${templateId}`,
  ...(body && { connection: body }),
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

async function* presentAll(templates: AsyncIterable<ListedTemplate>, audience: Audience) {
  for await (const template of templates) yield present(template, audience);
}

const presentUnsaved = ({ templateId, name, description, body }: UnsavedTemplate) => ({
  templateId,
  name,
  description,
  version: TEMPLATE_VERSION,
  link: null,
  connection: body.document,
});

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
  list: presenter(z.array(TemplateBody), presentAll),
  unsaved: presenter(TemplateBody, presentUnsaved),
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
    z.array(UploadedTemplate),
    (records: readonly TemplateRecord[], baseUrl: string) =>
      records.map((record) => presentUpload(record, baseUrl)),
  ),
  check: () => {},
  checkErrors: [],
};

/** Converts the workflow of a template for the client. */
async function forClient<T extends { readonly connection?: unknown }>(
  template: T,
  { client }: Audience,
  documents: ReleasedDocuments,
): Promise<T> {
  // Bodies are stored in the shape of workflows.
  const connection = template.connection as WorkflowDocument | undefined;
  return connection
    ? { ...template, connection: await documents.present(connection, client()) }
    : template;
}

async function* presentReleasedAll(
  templates: AsyncIterable<ListedTemplate>,
  audience: Audience,
  documents: ReleasedDocuments,
) {
  for await (const template of presentAll(templates, audience))
    yield await forClient(template, audience, documents);
}

export const releasedTemplates: TemplatePresenters = {
  ...documentedTemplates,
  one: presenter(
    TemplateBody,
    (template: ListedTemplate, audience: Audience, documents: ReleasedDocuments) =>
      forClient(present(template, audience), audience, documents),
  ),
  list: presenter(
    z.array(TemplateBody),
    (templates: AsyncIterable<ListedTemplate>, audience: Audience, documents: ReleasedDocuments) =>
      presentReleasedAll(templates, withKnownClient(audience), documents),
  ),
  unsaved: presenter(
    TemplateBody,
    (template: UnsavedTemplate, audience: Audience, documents: ReleasedDocuments) =>
      forClient(presentUnsaved(template), audience, documents),
  ),
  check: (template, { client }) => {
    if (client() === '4.x' && isJsonObject(template)) requireShownWhole(template.connection);
  },
  checkErrors: ['WORKFLOW_NEEDS_5X_CLIENT'],
};

/** Not parsed here: the service reads templates of every version. */
export const TemplateInput = z
  .unknown()
  .refine(isJsonObject, 'Expected a JSON object.')
  .meta({
    id: 'TemplateInput',
    override: {
      type: 'object',
      required: ['connection'],
      additionalProperties: true,
      properties: {
        templateId: { type: ['string', 'null'] },
        name: {
          type: ['string', 'null'],
          maxLength: TEMPLATE_LENGTHS.name,
          description: 'Default: the title of the workflow.',
        },
        description: { type: ['string', 'null'], maxLength: TEMPLATE_LENGTHS.description },
        license: { type: ['string', 'null'], maxLength: TEMPLATE_LENGTHS.license },
        version: {
          type: ['string', 'null'],
          maxLength: TEMPLATE_LENGTHS.version,
          description:
            'Version of the product that wrote it; the workflow is converted to the form of 5.0.',
        },
        connection: {
          type: 'object',
          additionalProperties: true,
          description: 'A workflow of the 5.0 or the 4.x shape.',
        },
      },
    },
  });

export const TemplateIdentifiers = z
  .object({ identifiers: z.array(z.string()) })
  .meta({ id: 'TemplateIdentifiers' });

/** A template without calls, for the API examples. */
export const TEMPLATE_EXAMPLE = {
  name: 'An example',
  description: 'Makes no calls.',
  version: '5.0',
  connection: {
    title: 'An example',
    fromConnector: {
      methods: [],
      operators: [{ id: 'o1', index: '0', type: 'if', expression: '1 = 1' }],
    },
    fieldBinding: [],
  },
};
