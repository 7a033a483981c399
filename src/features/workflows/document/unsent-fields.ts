import { isJsonObject } from './json';
import type { JsonObject } from './json';
import { connectorKey } from './two-sides';
import type { MethodDocument, WorkflowDocument } from './document-shape';

/**
 * Fields that no released client knows. A save by such a client keeps them for each step that it
 * recognises. Every new field of a workflow, a step or a request is added here.
 */
const UNKNOWN_TO_RELEASED = {
  document: [],
  method: [
    'timeout',
    'retries',
    'backoff',
    'required',
    'repeatable',
    'successStatus',
    'enabled',
    'fileName',
  ],
  request: ['responseType'],
  operator: ['enabled'],
} as const satisfies Record<string, readonly string[]>;

/** Returns the stored values of fields that were not sent. */
export const unsentFields = (
  names: readonly string[],
  sent: JsonObject,
  stored: JsonObject,
): JsonObject =>
  Object.fromEntries(
    names
      .filter((name) => sent[name] === undefined && stored[name] !== undefined)
      .map((name) => [name, stored[name]]),
  );

/** Keeps what a released client does not send because it does not know it. */
export function keepUnknownFields(
  sent: WorkflowDocument,
  stored: WorkflowDocument,
): WorkflowDocument {
  const steps = [...stored.fromConnector.methods, ...stored.fromConnector.operators];
  const before = new Map<string, JsonObject>(steps.map((step) => [step.id, step]));
  return {
    ...sent,
    ...unsentFields(UNKNOWN_TO_RELEASED.document, sent, stored),
    fromConnector: {
      ...sent.fromConnector,
      methods: sent.fromConnector.methods.map((method) =>
        withUnknownFields(method, before.get(method.id)),
      ),
      operators: sent.fromConnector.operators.map((operator) => ({
        ...operator,
        ...unsentFields(UNKNOWN_TO_RELEASED.operator, operator, before.get(operator.id) ?? {}),
      })),
    },
  };
}

/** The fields of a method belong to what it calls. */
function withUnknownFields(method: MethodDocument, before: JsonObject | undefined): MethodDocument {
  if (before === undefined || !callsTheSame(method, before)) return method;
  const { request } = method;
  return {
    ...method,
    ...unsentFields(UNKNOWN_TO_RELEASED.method, method, before),
    ...(isJsonObject(request) &&
      isJsonObject(before.request) && {
        request: {
          ...request,
          ...unsentFields(UNKNOWN_TO_RELEASED.request, request, before.request),
        },
      }),
  };
}

/** Whether two methods call the same operation of the same connector, or no connector. */
function callsTheSame(one: JsonObject, other: JsonObject): boolean {
  const key = keyOf(one.connector);
  return key === keyOf(other.connector) && (key === null || one.name === other.name);
}

const keyOf = (connector: unknown): string | null =>
  isJsonObject(connector) ? connectorKey(connector) : null;
