import { z } from 'zod';
import { QueryFlag } from '../../platform/http/scalars';
import { MOST_AT_ONCE } from '../../platform/store/records';

const Header = z.record(z.string(), z.string());

const InvokerBodyShape = z
  .object({
    type: z.string(),
    format: z.string(),
    data: z.string(),
    fields: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The fields by name: objects, lists, texts and null.' }),
  })
  .meta({ id: 'InvokerBody', description: 'The body of a request or an answer.' });

const InvokerRequestShape = z
  .object({
    id: z.null(),
    endpoint: z.string(),
    method: z.string(),
    header: Header,
    body: InvokerBodyShape.nullable(),
  })
  .meta({ id: 'InvokerRequest' });

const InvokerResultShape = z
  .object({
    id: z.null(),
    status: z.string(),
    header: Header.nullable(),
    body: InvokerBodyShape.nullable(),
  })
  .meta({ id: 'InvokerResult' });

/** An operation for released frontends; ids and names of responses are null. */
export const OperationBody = z
  .object({
    name: z.string(),
    type: z.string(),
    request: InvokerRequestShape,
    response: z
      .object({
        id: z.null(),
        name: z.null(),
        success: InvokerResultShape.nullable(),
        fail: InvokerResultShape.nullable(),
        fails: z.array(InvokerResultShape).optional().meta({
          description:
            'All failures, each of another status; left out where `fail` is the only one.',
        }),
      })
      .meta({ id: 'InvokerResponse' }),
  })
  .meta({ id: 'InvokerOperation', description: 'A call of the remote system.' });

/** An invoker for released frontends; missing values are omitted instead of null. */
export const InvokerShape = z
  .object({
    name: z.string(),
    description: z.string().optional(),
    hint: z.string().optional(),
    icon: z.string().optional(),
    authType: z.string().optional(),
    requiredData: z.record(z.string(), z.string()).meta({
      description: 'What a connector is asked for, with defaults. What is computed is left out.',
    }),
    operations: z
      .array(OperationBody)
      .meta({ description: 'Several may have one name: the first is found by it.' }),
    warnings: z.array(z.string()).optional().meta({
      description:
        'What was assumed while its XML was read, each with its line; left out where nothing was, and in lists.',
    }),
  })
  .meta({ id: 'Invoker', description: 'A description of the interface of a remote system.' });

export const ImportedBody = z
  .object({
    id: z.string().meta({ description: 'The name of the invoker.' }),
    warnings: z.array(z.string()).optional().meta({
      description: 'What was assumed of the file, each with its line; left out where nothing was.',
    }),
  })
  .meta({ id: 'ImportedInvoker' });

export const ResultBody = z.object({ result: z.boolean() }).meta({ id: 'Result' });

export const NewInvokerInput = z
  .object({
    xml: z.string(),
    name: z.string().nullish().meta({ description: 'Not looked at: the XML has it.' }),
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
        '`(request)`, `(response.success)` or `(response.fail)`, and behind dots the names of the fields around the new ones.',
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
    description: 'Delete what is in use, too: what uses it stays.',
  }),
});
