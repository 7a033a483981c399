import type { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import type { HeaderItem, Invoker, InvokerBody, InvokerOperation, InvokerResult } from './invoker';
import type { InvokerRecord } from './invoker.model';
import { ImportedBody, InvokerShape, OperationBody } from './invoker.schema';

/** Invokers as REST shows them. */
export interface InvokerPresenters {
  readonly one: Presenter<[Invoker]>;
  readonly list: Presenter<[AsyncIterable<Invoker>]>;
  readonly operation: Presenter<[InvokerOperation]>;
  readonly imported: Presenter<[InvokerRecord]>;
  readonly importedAll: Presenter<[readonly InvokerRecord[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly invokers: InvokerPresenters;
  }
}

const header = (items: readonly HeaderItem[]): Record<string, string> => Object.fromEntries(items.map(({ name, value }) => [name, value]));

const body = (of: InvokerBody | null) => of && { type: of.type, format: of.format, data: of.data, fields: of.value };

const result = (of: InvokerResult | null) => of && { id: null, status: of.status, header: of.header.length > 0 ? header(of.header) : null, body: body(of.body) };

const operation = ({ name, type, request, success, fail }: InvokerOperation): z.output<typeof OperationBody> => ({
  name,
  type,
  request: { id: null, endpoint: request.endpoint, method: request.method, header: header(request.header), body: body(request.body) },
  response: { id: null, name: null, success: result(success), fail: result(fail) },
});

const orLeftOut = (text: string | null): string | undefined => text ?? undefined;

/** The shape that released frontends read, also inside a connector. */
export const presentInvoker = ({ name, description, hint, icon, authType, requiredData, operations }: Invoker): z.output<typeof InvokerShape> => ({
  name,
  description: orLeftOut(description),
  hint: orLeftOut(hint),
  icon: orLeftOut(icon),
  authType: orLeftOut(authType),
  requiredData: Object.fromEntries(requiredData.filter(({ visibility }) => visibility !== 'private').map((field) => [field.name, field.value])),
  operations: operations.map(operation),
});

async function* each(invokers: AsyncIterable<Invoker>): AsyncGenerator<z.output<typeof InvokerShape>, void, void> {
  for await (const invoker of invokers) yield presentInvoker(invoker);
}

const imported = ({ name }: InvokerRecord): z.output<typeof ImportedBody> => ({ id: name });

/** The documented shapes of invokers, which are those of the released line. */
export const documentedInvokers: InvokerPresenters = {
  one: presenter(InvokerShape, presentInvoker),
  list: presenter(InvokerShape.array(), each),
  operation: presenter(OperationBody, operation),
  imported: presenter(ImportedBody, imported),
  importedAll: presenter(ImportedBody.array(), (rows: readonly InvokerRecord[]) => rows.map(imported)),
};
