import { z } from 'zod';
import { AnswerId } from '../../../platform/http/scalars';
import { MOST_OPERATIONS } from './patch';

/** Not parsed here: the service reads it and reports what is wrong with each operation. */
export const JsonPatch = z
  .unknown()
  .refine(Array.isArray, 'Expected a list of operations.')
  .meta({
    id: 'JsonPatch',
    override: {
      type: 'array',
      maxItems: MOST_OPERATIONS,
      items: {
        type: 'object',
        required: ['op', 'path'],
        properties: {
          op: { type: 'string', enum: ['add', 'remove', 'replace', 'move', 'copy', 'test'] },
          path: {
            type: 'string',
            description: 'A JSON pointer; `-` is the place behind the last entry of a list.',
          },
          from: { type: 'string', description: 'A JSON pointer, of `move` and `copy`.' },
          value: { description: 'Of `add`, `replace` and `test`.' },
        },
      },
    },
  });

export const PatchAnswer = z
  .object({
    connectionId: AnswerId,
    nodeId: z
      .string()
      .meta({ description: 'Id of the version snapshot that the workflow is now.' }),
    id: z.string().optional().meta({
      description: 'Id of the first method, operator or field binding that the patch added.',
    }),
  })
  .meta({ id: 'PatchedConnection' });
