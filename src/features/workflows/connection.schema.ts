import { z } from 'zod';
import { isJsonObject } from './json';

const step = (more: Record<string, unknown>) => ({
  type: 'object', properties: { id: { type: 'string' }, index: { type: ['string', 'null'] }, ...more }, additionalProperties: true,
});

const text = { type: ['string', 'null'] };

const CONNECTION_SHAPE = {
  title: { type: 'string', minLength: 1, maxLength: 128 },
  description: { type: ['string', 'null'], maxLength: 512 },
  fromConnector: {
    type: 'object',
    properties: {
      connectorId: { type: 'integer', default: -1 },
      title: { type: 'string', default: 'DEFAULT' },
      methods: {
        type: 'array',
        items: step({
          name: text, label: text, color: text,
          methodType: { enum: ['CONNECTOR', 'HTTP_REQUEST', 'WEBHOOK', null] },
          connector: { type: ['object', 'null'] }, request: { type: ['object', 'null'] }, response: { type: ['object', 'null'] },
        }),
      },
      operators: { type: 'array', items: step({ type: text, iterator: text, expression: { type: 'string', minLength: 1 } }) },
    },
    additionalProperties: true,
  },
  toConnector: { type: 'null' },
  fieldBinding: { type: 'array', items: { type: 'object', additionalProperties: true } },
  ui: { description: 'The layout; kept as it came.' },
} as const;

/** Passed on as it came: the service reads it, so that fields nobody here knows stay untouched. */
export const ConnectionInput = z.unknown().refine(isJsonObject, 'Expected a JSON object.').meta({
  id: 'ConnectionInput',
  override: { type: 'object', required: ['title'], properties: CONNECTION_SHAPE, additionalProperties: true },
});

/** What was saved, with its ids. */
export const ConnectionAnswer = z.unknown().meta({
  id: 'Connection',
  override: {
    type: 'object',
    properties: {
      connectionId: { type: 'integer' },
      nodeId: { type: 'string', description: 'Id of the newest version snapshot.' },
      ...CONNECTION_SHAPE,
    },
    additionalProperties: true,
  },
});
