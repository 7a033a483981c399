import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { Audience } from '../../platform/http/dialects/released-client';
import type { HeaderItem, Invoker, InvokerBody, InvokerOperation, InvokerResult } from './invoker';
import { ATTRIBUTES_FIELD, VALUE_FIELD } from '../../engine/reference/xml-marks';
import type { ImportedInvoker } from './invoker-import.service';

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
  .meta({ id: 'InvokerBody', description: 'The body of a request or a response.' });

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
const OperationBody = z
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
            'All failures, each with a different status; omitted if `fail` is the only one.',
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
      description: 'The data that a connector needs, with defaults. Computed fields are omitted.',
    }),
    operations: z
      .array(OperationBody)
      .meta({ description: 'Several may have the same name; a lookup by name finds the first.' }),
    warnings: z.array(z.string()).optional().meta({
      description:
        'Assumptions made while its XML was parsed, each with its line; omitted if there are none, and in lists.',
    }),
  })
  .meta({ id: 'Invoker', description: 'A description of the interface of a remote system.' });

const ImportedBody = z
  .object({
    id: z.string().meta({ description: 'The name of the invoker.' }),
    warnings: z.array(z.string()).optional().meta({
      description:
        'Assumptions made while the file was parsed, each with its line; omitted if there are none.',
    }),
  })
  .meta({ id: 'ImportedInvoker' });

interface InvokerPresenters {
  readonly one: Presenter<[Invoker, Audience]>;
  readonly list: Presenter<[AsyncIterable<Invoker>]>;
  readonly operation: Presenter<[InvokerOperation]>;
  readonly imported: Presenter<[ImportedInvoker]>;
  readonly importedAll: Presenter<[readonly ImportedInvoker[]]>;
  /** Whether an uploaded file is an edit by a client that does not know visibilities. */
  readonly areUploadsEdits: boolean;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly invokers: InvokerPresenters;
  }
}

const header = (items: readonly HeaderItem[]): Record<string, string> =>
  Object.fromEntries(items.map(({ name, value }) => [name, value]));

const body = (of: InvokerBody | null) =>
  of && { type: of.type, format: of.format, data: of.data, fields: of.value };

const resultOf = (of: InvokerResult) => ({
  id: null,
  status: of.status,
  header: of.header.length > 0 ? header(of.header) : null,
  body: body(of.body),
});
const result = (of: InvokerResult | null) => of && resultOf(of);

const operation = ({
  name,
  type,
  request,
  success,
  fail,
  fails,
}: InvokerOperation): z.output<typeof OperationBody> => ({
  name,
  type,
  request: {
    id: null,
    endpoint: request.endpoint,
    method: request.method,
    header: header(request.header),
    body: body(request.body),
  },
  response: {
    id: null,
    name: null,
    success: result(success),
    fail: result(fail),
    ...(fails.length > 1 && { fails: fails.map(resultOf) }),
  },
});

const orOmitted = (text: string | null): string | undefined => text ?? undefined;

/** The representation that released frontends read, also inside a connector. */
export const presentInvoker = ({
  name,
  description,
  hint,
  icon,
  authType,
  requiredData,
  operations,
}: Invoker): z.output<typeof InvokerShape> => ({
  name,
  description: orOmitted(description),
  hint: orOmitted(hint),
  icon: orOmitted(icon),
  authType: orOmitted(authType),
  requiredData: Object.fromEntries(
    requiredData
      .filter(({ visibility }) => visibility !== 'private')
      .map((field) => [field.name, field.value]),
  ),
  operations: operations.map(operation),
});

async function* each(
  invokers: AsyncIterable<Invoker>,
): AsyncGenerator<z.output<typeof InvokerShape>, void, void> {
  for await (const invoker of invokers) yield presentInvoker(invoker);
}

const imported = ({ record, warnings }: ImportedInvoker): z.output<typeof ImportedBody> => ({
  id: record.name,
  ...(warnings.length > 0 && { warnings: [...warnings] }),
});

const presentOne = (invoker: Invoker): z.output<typeof InvokerShape> => ({
  ...presentInvoker(invoker),
  ...(invoker.warnings.length > 0 && { warnings: [...invoker.warnings] }),
});

/** The documented representations of invokers, which are those of the released line. */
export const documentedInvokers: InvokerPresenters = {
  one: presenter(InvokerShape, presentOne),
  list: presenter(InvokerShape.array(), each),
  operation: presenter(OperationBody, operation),
  imported: presenter(ImportedBody, imported),
  importedAll: presenter(ImportedBody.array(), (invokers: readonly ImportedInvoker[]) =>
    invokers.map(imported),
  ),
  areUploadsEdits: false,
};

type OperationShape = z.output<typeof OperationBody>;
type BodyShape = z.output<typeof InvokerBodyShape>;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether the fields have the form of the XML editor of the 4.x client: no text but in a value. */
function isXmlForm(value: unknown): boolean {
  if (Array.isArray(value)) return value.every((entry) => isObject(entry) && isXmlForm(entry));
  if (!isObject(value)) return typeof value !== 'string' || value === '';
  return Object.entries(value).every(([name, part]) =>
    name === VALUE_FIELD || name === ATTRIBUTES_FIELD ? true : isXmlForm(part),
  );
}

/** The 4.x client shows each format but JSON as XML, and does not return from texts elsewhere. */
const drawable = (shape: BodyShape | null): BodyShape | null =>
  shape && {
    ...shape,
    format: shape.format === 'xml' && isXmlForm(shape.fields) ? 'xml' : 'json',
  };

const drawableResult = <R extends { readonly body: BodyShape | null }>(shape: R): R => ({
  ...shape,
  body: drawable(shape.body),
});

const drawableOperation = ({ request, response, ...rest }: OperationShape): OperationShape => ({
  ...rest,
  request: drawableResult(request),
  response: {
    ...response,
    success: response.success && drawableResult(response.success),
    fail: response.fail && drawableResult(response.fail),
    ...(response.fails && { fails: response.fails.map(drawableResult) }),
  },
});

const ReleasedImport = ImportedBody.extend({
  path: z.string().meta({ description: 'Path of its XML.' }),
}).meta({ id: 'ReleasedImportedInvoker' });

const presentReleasedImport = (invoker: ImportedInvoker): z.output<typeof ReleasedImport> => ({
  ...imported(invoker),
  path: `/api/invoker/${encodeURIComponent(invoker.record.name)}/xml`,
});

export const releasedInvokers: InvokerPresenters = {
  ...documentedInvokers,
  one: presenter(InvokerShape, (invoker: Invoker, { client }: Audience) => {
    const shown = presentOne(invoker);
    return client() === '4.x'
      ? { ...shown, operations: shown.operations.map(drawableOperation) }
      : shown;
  }),
  imported: presenter(ReleasedImport, presentReleasedImport),
  importedAll: presenter(ReleasedImport.array(), (invokers: readonly ImportedInvoker[]) =>
    invokers.map(presentReleasedImport),
  ),
  areUploadsEdits: true,
};
