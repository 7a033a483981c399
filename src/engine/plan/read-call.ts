import type { RunConnectors, ConnectorCall } from '../connector/connector-call';
import { findCall, requestOfCall, suspensionMessage } from '../connector/connector-call';
import { givenSources, withGivenValues } from '../connector/fields-in-request';
import { isFormOfJson } from '../connector/invoker-facts';
import { EngineError } from '../errors';
import { isJsonFormat } from '../request/body-format';
import type { RequestTemplate } from '../request/request';
import { parseStatusRanges } from '../response/status-ranges';
import type { StatusRanges } from '../response/status-ranges';
import type { ConnectorDoc, MethodDoc } from '../snapshot';
import type { ProblemReport } from './problems';
import { readRequest } from './read-method';
import type { MethodNode } from './plan';

/** Maximum characters of a list of statuses. */
const MAX_STATUS_TEXT = 255;
const HOUR_MS = 60 * 60 * 1_000;
/** Settings of a method with their maximum values. */
const SETTINGS = { timeout: HOUR_MS, retries: 10, backoff: 60_000 } as const;

/** Reads timeout and retry settings of a method; null if missing or invalid. */
export function readAttempts(
  doc: MethodDoc,
  report: ProblemReport,
): Pick<MethodNode, 'timeoutMs' | 'retries' | 'backoffMs'> {
  const read = (name: keyof typeof SETTINGS): number | null => {
    const text = (doc[name] ?? '').trim();
    if (text === '') return null;
    if (/^\d{1,9}$/.test(text) && Number(text) <= SETTINGS[name]) return Number(text);
    report.add(
      'STEP_SETTING_INVALID',
      name,
      `${name} is a whole number from 0 to ${SETTINGS[name]}.`,
    );
    return null;
  };
  // A timeout of 0 means not set, as for connectors.
  return {
    timeoutMs: read('timeout') || null,
    retries: read('retries'),
    backoffMs: read('backoff'),
  };
}

/** Reads which statuses count as success; null if that is not set or invalid. */
export function readSuccessStatus(
  { successStatus }: MethodDoc,
  report: ProblemReport,
): StatusRanges | null {
  const text = successStatus?.trim() ?? '';
  if (text === '') return null;
  const ranges = text.length > MAX_STATUS_TEXT ? null : parseStatusRanges(text);
  if (ranges === null)
    report.add(
      'STEP_SETTING_INVALID',
      'successStatus',
      'successStatus is a list of statuses from 100 to 599, such as 200-299, 404.',
    );
  return ranges;
}

/** The statuses that a step counts as success replace what its operation says. */
export const withSuccessStatus = (
  call: MethodNode['call'],
  successStatus: MethodNode['successStatus'],
): MethodNode['call'] =>
  call === null || call instanceof EngineError || successStatus === null
    ? call
    : { ...call, operation: { ...call.operation, successStatus } };

/** A step with a connector call. */
interface ReadCall {
  readonly request: RequestTemplate | null;
  readonly call: ConnectorCall | EngineError;
  /** Timeout of the connector; null: not set. */
  readonly timeoutMs: number | null;
}

/** Reads the connector call of a step and its request, completed from the operation. */
export function readCall(
  doc: MethodDoc,
  workflowConnector: ConnectorDoc['connectorId'],
  connectors: RunConnectors,
  report: ProblemReport,
): ReadCall {
  const call = findCall(doc, workflowConnector, connectors);
  if (call instanceof EngineError)
    return {
      request: readRequest(doc.request, false, report),
      call,
      timeoutMs: null,
    };
  const { connector, operation, pagination } = call;
  const timeoutMs = connector.timeoutMs || null;
  const written = readRequest(requestOfCall(doc.request, operation), true, report);
  if (written === null) return { request: null, call: { ...call, given: [] }, timeoutMs };
  const parameters = new Set(pagination.map(({ name }) => name));
  const request = withGivenValues(written, {
    connectorId: connector.id,
    hasField: (id, name) =>
      connectors.get(id)?.invoker?.requiredData.some((field) => field.name === name) ?? false,
    hasParameter: (name) => parameters.has(name),
  });
  const sources = givenSources(request);
  for (const id of new Set([
    connector.id,
    ...sources.flatMap(({ connectorId }) => connectorId ?? []),
  ])) {
    const used = connectors.get(id);
    if (used !== undefined && used.suspended.length > 0)
      report.add(
        'CREDENTIALS_NEED_CONFIRMATION',
        'connector',
        suspensionMessage(used.title, used.suspended),
      );
  }
  const declared = operation.success?.body?.format.trim().toLowerCase() ?? '';
  const body = request.body && {
    ...request.body,
    isFormOfJson: isFormOfJson(connector.invokerName),
  };
  return {
    request: {
      ...request,
      body,
      takesText: request.takesText || declared === 'text',
      takesXml: declared === 'xml',
      takesJson: isJsonFormat(declared),
    },
    call: { ...call, given: sources },
    timeoutMs,
  };
}
