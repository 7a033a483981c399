import { wrapBareBody } from '../request/body-format';
import type { BodyDoc, ConnectorDoc, MethodDoc, OperatorDoc, RequestDoc } from '../snapshot';

/**
 * Sanitizes saved data, which may not match its type. In the result, every text is a string or null
 * and every list is an array.
 */
export function cleanMethod(method: MethodDoc): MethodDoc {
  const {
    id,
    index,
    name,
    label,
    color,
    methodType,
    request,
    connector,
    timeout,
    retries,
    backoff,
    dataAggregator,
    required,
    repeatable,
    successStatus,
    enabled,
    fileName,
    jump,
  } = recordOf(method);
  return {
    id: textOf(id),
    index: textOf(index),
    name: textOf(name),
    label: textOf(label),
    color: textOf(color),
    methodType: textOf(methodType),
    connector: cleanConnector(recordOf(connector)),
    request: cleanRequest(recordOf(request)),
    timeout: textOf(timeout),
    retries: textOf(retries),
    backoff: textOf(backoff),
    dataAggregator: textOf(dataAggregator),
    required: required === true,
    repeatable: repeatable === true,
    successStatus: textOf(successStatus),
    enabled: enabled !== false,
    fileName: textOf(fileName),
    jump: jump ?? null,
  };
}

export function cleanOperator(operator: OperatorDoc): OperatorDoc {
  const { id, index, type, expression, iterator, enabled, condition } = recordOf(operator);
  return {
    id: textOf(id),
    index: textOf(index),
    type: textOf(type),
    expression: textOf(expression),
    iterator: textOf(iterator),
    enabled: enabled !== false,
    condition,
  };
}

export function listOf<Item>(value: readonly Item[] | null | undefined): readonly Item[] {
  return Array.isArray(value) ? (value as readonly Item[]) : [];
}

/** Returns a field of a value of any type. */
export function fieldOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<string, unknown>)[name]
    : undefined;
}

function cleanConnector({ connectorId, invoker }: Readonly<Record<string, unknown>>): ConnectorDoc {
  return {
    connectorId: textOf(connectorId),
    invoker: textOf(recordOf(invoker).name) ?? textOf(invoker),
  };
}

function cleanRequest({
  endpoint,
  method,
  header,
  body,
  responseType,
}: Readonly<Record<string, unknown>>): RequestDoc {
  return {
    endpoint: textOf(endpoint),
    method: textOf(method),
    header: recordOf(header),
    body: cleanBody(body),
    responseType: textOf(responseType),
  };
}

function cleanBody(body: unknown): BodyDoc | null {
  if (typeof body !== 'object' || body === null) return null;
  const { type, format, data, fields } = recordOf(wrapBareBody(body));
  return { type: textOf(type), format: textOf(format), data: textOf(data), fields };
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};
}

/** Converts numbers and booleans to text; anything else becomes null. */
function textOf(value: unknown): string | null {
  if (typeof value === 'string') return value;
  return typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : null;
}
