import { z } from 'zod';
import { QueryFlag } from '../../platform/http/scalars';
import { MOST_AT_ONCE } from '../../platform/store/records';

export const NewInvokerInput = z
  .object({
    xml: z.string(),
    name: z.string().nullish().meta({ description: 'Ignored: the XML contains the name.' }),
  })
  .meta({ id: 'NewInvoker' });

const FieldInput = z
  .object({
    name: z.string(),
    type: z.string(),
    value: z.union([z.string(), z.number(), z.boolean()]).nullish(),
  })
  .meta({ id: 'InvokerFieldInput' });

/** Fields that released frontends add to a body of an operation. */
export const FieldPatchInput = z
  .object({
    method: z.string().meta({ description: 'Name of the operation.' }),
    path: z.string().max(10_000).meta({
      description:
        '`(request)`, `(response.success)` or `(response.fail)`, followed by the names of the enclosing fields, separated by dots.',
    }),
    fields: z.array(FieldInput).min(1).max(MOST_AT_ONCE),
  })
  .meta({ id: 'InvokerFieldPatch' });

/** `{"identifiers":["Demo"]}` */
export const NamesInput = z
  .object({ identifiers: z.array(z.string()).max(MOST_AT_ONCE) })
  .meta({ id: 'InvokerNames' });

export const NameParams = z.object({ name: z.string() });
export const FileParams = z.object({ fileName: z.string() });
export const ForceQuery = z.object({
  force: QueryFlag.optional().meta({
    description: 'Deletes an invoker even if it is in use.',
  }),
});
