import { z } from 'zod';
import { isJsonObject } from '../workflows/workflow-document.service';
import { TEMPLATE_LENGTHS } from './template.rules';

const Uuid = z.string().meta({ override: { type: 'string', format: 'uuid' } });

/** A workflow of any shape; the stored one has the 5.0 shape. */
const Connection = z.unknown().meta({
  override: {
    type: 'object',
    additionalProperties: true,
    description:
      'The workflow (spec 2.8), without connectors and secrets: a method says the invoker of its connector and what that was called, `connectorId` is null.',
  },
});

export const TemplateBody = z
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
          description: 'Where it is read; null for one that is not stored.',
        },
      }),
    connection: Connection.optional().meta({
      description: 'Left out where only metadata is asked for.',
    }),
    warnings: z.array(z.string()).optional().meta({
      description: 'What was assumed of a file of an older version; left out where nothing was.',
    }),
  })
  .meta({ id: 'Template' });

export const TemplateList = z.array(TemplateBody);

export const TemplateFile = z
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

export const UploadedTemplate = z
  .object({
    id: Uuid,
    path: z.string().meta({
      override: { type: 'string', format: 'uri', description: 'Where its file is downloaded.' },
    }),
    warnings: z.array(z.string()).optional().meta({
      description: 'What was assumed of the file, each with its place; left out where nothing was.',
    }),
  })
  .meta({ id: 'UploadedTemplate' });

export const UploadedTemplates = z.array(UploadedTemplate);

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
          description: 'Without it: the title of the workflow.',
        },
        description: { type: ['string', 'null'], maxLength: TEMPLATE_LENGTHS.description },
        license: { type: ['string', 'null'], maxLength: TEMPLATE_LENGTHS.license },
        version: {
          type: ['string', 'null'],
          maxLength: TEMPLATE_LENGTHS.version,
          description:
            'Version of the product that wrote it; the workflow is brought to the form of 5.0.',
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
  description: 'Calls nobody.',
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
