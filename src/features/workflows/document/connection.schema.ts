import { z } from 'zod';
import { isJsonObject } from './json';
import { DESCRIPTION_LENGTH, METHOD_TYPES } from './workflow-document';
import { TITLE_LENGTH } from './title';

const text = { type: ['string', 'null'] };

const ENABLED = { description: 'False: it is skipped, with everything in it.' };

const step = (required: readonly string[], more: Record<string, unknown>) => ({
  type: 'object',
  required,
  properties: { id: { type: 'string' }, index: text, ...more },
  additionalProperties: true,
});

/** The document shape of spec 2.8. `ids`: the id fields that a saved step always has. */
const connectionShape = (ids: readonly string[]) =>
  ({
    title: { type: 'string', minLength: 1, maxLength: TITLE_LENGTH },
    description: { type: ['string', 'null'], maxLength: DESCRIPTION_LENGTH },
    fromConnector: {
      type: 'object',
      ...(ids.length > 0 && { required: ['connectorId', 'title', 'methods', 'operators'] }),
      properties: {
        connectorId: { type: 'integer', default: -1 },
        title: { type: 'string', default: 'DEFAULT' },
        methods: {
          type: 'array',
          items: step(ids, {
            name: text,
            label: text,
            color: text,
            methodType: { type: ['string', 'null'], enum: [...METHOD_TYPES, null] },
            connector: { type: ['object', 'null'] },
            request: { type: ['object', 'null'] },
            response: { type: ['object', 'null'] },
            timeout: { description: 'Timeout including all attempts, ms.' },
            retries: { description: 'Number of retries.' },
            backoff: { description: 'Pause before the first retry, ms.' },
            dataAggregator: {
              description: 'Id of the aggregator that is evaluated over its calls.',
            },
            required: {
              description: 'True: it ends with REFERENCE_EMPTY if one of its references is null.',
            },
            repeatable: {
              description:
                'True: what it sends may be sent again when its run goes on after a crash, whatever its HTTP method.',
            },
            successStatus: {
              description:
                'Statuses that count as success, such as `200-299, 404`. Missing: those below 400, or as the operation says.',
            },
            enabled: ENABLED,
            fileName: {
              description: 'Name of the files in its form-data body, with references in it.',
            },
          }),
        },
        operators: {
          type: 'array',
          items: step([...ids, 'expression'], {
            type: text,
            iterator: text,
            expression: { type: 'string', minLength: 1 },
            enabled: ENABLED,
          }),
        },
      },
      additionalProperties: true,
    },
    toConnector: { type: 'null' },
    fieldBinding: { type: 'array', items: { type: 'object', additionalProperties: true } },
    ui: { description: 'The layout; stored unchanged.' },
  }) as const;

/** Not parsed here: the service reads it and keeps fields that it does not know. */
export const ConnectionInput = z
  .unknown()
  .refine(isJsonObject, 'Expected a JSON object.')
  .meta({
    id: 'ConnectionInput',
    override: {
      type: 'object',
      required: ['title'],
      properties: {
        ...connectionShape([]),
        toConnector: {
          type: ['object', 'null'],
          description:
            'The second container of a workflow of the 4.x line, which is converted; null otherwise.',
        },
      },
      additionalProperties: true,
    },
  });

export const ConnectionAnswer = z.unknown().meta({
  id: 'Connection',
  override: {
    type: 'object',
    required: ['connectionId', 'nodeId', 'title', 'fromConnector', 'toConnector', 'fieldBinding'],
    properties: {
      connectionId: { type: 'integer', format: 'int32', minimum: 1 },
      nodeId: { type: 'string', description: 'Id of the current version snapshot.' },
      ...connectionShape(['id']),
    },
    additionalProperties: true,
  },
});

/** A workflow as the released clients read it: in two containers for the 4.x client. */
export const ReleasedConnectionAnswer = z.unknown().meta({
  id: 'ReleasedConnection',
  override: {
    type: 'object',
    required: ['connectionId', 'nodeId', 'title', 'fromConnector', 'toConnector', 'fieldBinding'],
    properties: {
      id: { type: 'integer', format: 'int32', minimum: 1 },
      connectionId: { type: 'integer', format: 'int32', minimum: 1 },
      nodeId: { type: 'string', description: 'Id of the current version snapshot.' },
      title: { type: 'string' },
      fromConnector: { type: 'object', additionalProperties: true },
      toConnector: { type: ['object', 'null'], additionalProperties: true },
      fieldBinding: { type: 'array', items: { type: 'object', additionalProperties: true } },
    },
    additionalProperties: true,
  },
});

/** A workflow without calls, for the API examples. */
export const CONNECTION_EXAMPLE = {
  title: 'An example',
  fromConnector: {
    methods: [],
    operators: [{ id: 'o1', index: '0', type: 'if', expression: '1 = 1' }],
  },
  fieldBinding: [],
};
