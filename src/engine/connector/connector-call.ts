import { usesSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { ConnectorDoc, MethodDoc, RequestDoc } from '../snapshot';
import type { GivenSource } from '../text/template';
import type { Operation, PageParameter, RunConnector } from './invoker-facts';

/** The connectors of a run, by id. */
export type RunConnectors = ReadonlyMap<number, RunConnector>;

/** What a step calls by its connector. */
export interface ConnectorCall {
  readonly connector: RunConnector;
  readonly operation: Operation;
  /** Of the operation, else of the invoker; empty: its answer is one page. */
  readonly pagination: readonly PageParameter[];
  /** What its request is given of connectors and of pages. */
  readonly given: readonly GivenSource[];
}

/** The id of the connector that a step calls: its own, or for data without types that of the workflow. Null: it names none. */
export function connectorIdOf(
  { methodType, connector }: MethodDoc,
  workflowConnector: ConnectorDoc['connectorId'],
): number | null {
  const isTyped = (methodType ?? '') !== '';
  const id = Number(connector?.connectorId ?? (isTyped ? null : workflowConnector) ?? -1);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/** The connector and the operation that a step calls; what is missing ends the run when the step is reached. */
export function findCall(
  method: MethodDoc,
  workflowConnector: ConnectorDoc['connectorId'],
  connectors: RunConnectors,
): Omit<ConnectorCall, 'given'> | EngineError {
  const id = connectorIdOf(method, workflowConnector);
  const connector = id === null ? undefined : connectors.get(id);
  if (connector === undefined)
    return new EngineError(
      'CONNECTOR_NOT_FOUND',
      id === null ? 'The step calls a connector and names none.' : `There is no connector ${id}.`,
    );
  const { invoker } = connector;
  if (invoker === null)
    return new EngineError(
      'INVOKER_NOT_FOUND',
      `There is no invoker ${connector.invokerName.slice(0, 100)}, which the connector ${connector.id} uses.`,
    );
  const operation = invoker.operations.find(({ name }) => name === method.name);
  if (operation === undefined)
    return new EngineError(
      'OPERATION_NOT_FOUND',
      `The invoker ${invoker.name} has no operation ${JSON.stringify((method.name ?? '').slice(0, 100))}.`,
    );
  const pagination = operation.pagination.length > 0 ? operation.pagination : invoker.pagination;
  const paged = operation.type === 'page' ? pagination : [];
  // What is carried from page to page is data, as what answers bring is: nothing in it is filled in.
  if (paged.some(({ value }) => usesSecret(value)))
    return new EngineError(
      'SECRET_NOT_ALLOWED_HERE',
      `The pagination of the operation ${operation.name} uses a named secret.`,
    );
  return { connector, operation, pagination: paged };
}

/** What is said of a connector with suspended fields. */
export const suspensionMessage = (title: string, fields: readonly string[]): string =>
  `Values of the connector ${JSON.stringify(title.slice(0, 100))} would be sent to an origin they were not entered for: ${fields
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ')}. ` + 'Enter them again, or confirm them with the master password.';

/** What the step says, and of what it does not say, what the operation says. A header that the step has as null is not sent. */
export function requestOfCall(
  request: RequestDoc | null | undefined,
  { request: operation }: Operation,
): RequestDoc {
  const own = Object.entries(request?.header ?? {});
  const names = new Set(own.map(([name]) => name.toLowerCase()));
  const inherited = operation.header
    .filter(({ name }) => !names.has(name.toLowerCase()))
    .map(({ name, value }) => [name, value] as const);
  const { body } = operation;
  return {
    endpoint: orElse(request?.endpoint, operation.endpoint),
    method: orElse(request?.method, operation.method),
    header: Object.fromEntries([...inherited, ...own]),
    body: request?.body
      ? {
          ...request.body,
          format: orElse(request.body.format, body?.format ?? null),
          data: orElse(request.body.data, body?.data ?? null),
        }
      : body && { type: body.type, format: body.format, data: body.data, fields: body.value },
    responseType: request?.responseType,
  };
}

const orElse = <Text extends string | null>(
  own: string | null | undefined,
  inherited: Text,
): string | Text => (own === null || own === undefined || own.trim() === '' ? inherited : own);
