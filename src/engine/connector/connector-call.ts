import { usesSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import type { ConnectorDoc, MethodDoc, RequestDoc } from '../snapshot';
import type { GivenSource } from '../text/template';
import type { Operation, PageParameter, RunConnector } from './invoker-facts';

/** Connectors of a run by id. */
export type RunConnectors = ReadonlyMap<number, RunConnector>;

/** The connector operation that a step calls. */
export interface ConnectorCall {
  readonly connector: RunConnector;
  readonly operation: Operation;
  /** Pagination of the operation or else of the invoker; empty: not paged. */
  readonly pagination: readonly PageParameter[];
  /** Connector fields and page parameters that the request uses. */
  readonly given: readonly GivenSource[];
}

/**
 * Returns the id of the connector that a step calls: its own, or for legacy data without types that
 * of the workflow. Returns null if there is none.
 */
export function connectorIdOf(
  { methodType, connector }: MethodDoc,
  workflowConnector: ConnectorDoc['connectorId'],
): number | null {
  const isTyped = (methodType ?? '') !== '';
  const id = Number(connector?.connectorId ?? (isTyped ? null : workflowConnector) ?? -1);
  return Number.isSafeInteger(id) && id > 0 ? id : null;
}

/**
 * Finds connector and operation of a step. A returned error ends the run when it reaches the step.
 */
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
  // Page parameters contain response data, so secrets are not filled in.
  if (paged.some(({ value }) => usesSecret(value)))
    return new EngineError(
      'SECRET_NOT_ALLOWED_HERE',
      `The pagination of the operation ${operation.name} uses a named secret.`,
    );
  return { connector, operation, pagination: paged };
}

/** Error message for a connector with suspended fields. */
export const suspensionMessage = (title: string, fields: readonly string[]): string =>
  `Values of the connector ${JSON.stringify(title.slice(0, 100))} would be sent to an origin they were not entered for: ${fields
    .slice(0, 10)
    .map((name) => JSON.stringify(name.slice(0, 100)))
    .join(', ')}. ` + 'Enter them again, or confirm them with the master password.';

/** Merges the request of the step over that of the operation. A null header removes the header. */
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
