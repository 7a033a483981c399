import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { HeaderItem, Invoker, InvokerBody, InvokerOperation, InvokerResult } from './invoker';
import type { ImportedInvoker } from './invoker-import';
import { ImportedBody, InvokerShape, OperationBody } from './invoker.schema';

export interface InvokerPresenters {
  readonly one: Presenter<[Invoker]>;
  readonly list: Presenter<[AsyncIterable<Invoker>]>;
  readonly operation: Presenter<[InvokerOperation]>;
  readonly imported: Presenter<[ImportedInvoker]>;
  readonly importedAll: Presenter<[readonly ImportedInvoker[]]>;
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

const orLeftOut = (text: string | null): string | undefined => text ?? undefined;

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
  description: orLeftOut(description),
  hint: orLeftOut(hint),
  icon: orLeftOut(icon),
  authType: orLeftOut(authType),
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
};
