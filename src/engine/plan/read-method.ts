import { httpMethodOf } from './plan';
import { compileBodyDoc } from '../request/body';
import { HEADER_NAME } from '../request/headers';
import type { HeaderTemplate } from '../request/headers';
import { requestSources } from '../request/request';
import type { RequestTemplate } from '../request/request';
import type { MethodDoc, RequestDoc } from '../snapshot';
import { parseTemplate, secretsAmong } from '../text/template';
import type { ProblemReport } from './problems';

const COLOR = /^#[0-9A-Fa-f]{6}$/;

/** `#RRGGBB` in upper case, null when there is none. */
export function readColor(method: MethodDoc, report: ProblemReport): string | null {
  const color = method.color ?? '';
  if (color === '') return null;
  if (COLOR.test(color)) return color.toUpperCase();
  report.add(
    'COLOR_INVALID',
    'color',
    `The colour ${JSON.stringify(color)} is not of the form #RRGGBB.`,
  );
  return null;
}

/** Returns the id of the aggregator, or null if it is 0 or invalid. */
export function readAggregator({ dataAggregator }: MethodDoc): number | null {
  return /^[1-9]\d{0,9}$/.test(dataAggregator ?? '') ? Number(dataAggregator) : null;
}

/**
 * Returns the effective type of a method. Legacy data has no type: it calls its own connector or
 * that of the workflow, and without a connector it is an HTTP request.
 */
export function executedAs(
  method: MethodDoc,
  workflowConnector: number | string | null | undefined,
): string {
  if (method.methodType !== null && method.methodType !== undefined && method.methodType !== '')
    return method.methodType;
  if ((method.connector?.invoker ?? '') !== '') return 'CONNECTOR';
  return Number(method.connector?.connectorId ?? workflowConnector ?? -1) > 0
    ? 'CONNECTOR'
    : 'HTTP_REQUEST';
}

/**
 * Parses a request; returns null if a part is invalid.
 * @param needsUrl false if the operation of an invoker defines the URL
 */
export function readRequest(
  request: RequestDoc | null | undefined,
  needsUrl: boolean,
  report: ProblemReport,
): RequestTemplate | null {
  const method = readVerb(request?.method, report);
  const endpoint = request?.endpoint ?? '';
  if (needsUrl && endpoint.trim() === '')
    report.add('REQUEST_URL_IS_EMPTY', 'request.endpoint', 'The request has no URL.');
  const url = report.attempt('request.endpoint', 'REFERENCE_SYNTAX', () =>
    parseTemplate(endpoint.trim()),
  );
  const headers: (HeaderTemplate | null)[] = Object.entries(request?.header ?? {}).map(
    ([name, value]) => readHeader(name, value, report),
  );
  const body = report.attempt('request.body', 'REFERENCE_SYNTAX', () => ({
    template: compileBodyDoc(request?.body, contentTypeOf(request)),
  }));
  if (method === null || url === null || (needsUrl && url.length === 0) || body === null)
    return null;
  const template = {
    method,
    url,
    headers: headers.filter((header) => header !== null),
    body: body.template,
    takesText: request?.responseType?.trim().toLowerCase() === 'text',
  };
  return { ...template, secrets: secretsAmong(requestSources(template)) };
}

/** Adds the name that the step gives to the files in its body. */
export function withFileName(
  request: RequestTemplate,
  { fileName }: MethodDoc,
  report: ProblemReport,
): RequestTemplate {
  const text = fileName?.trim() ?? '';
  if (text === '') return request;
  const template = report.attempt('fileName', 'REFERENCE_SYNTAX', () => parseTemplate(text));
  return template === null ? request : { ...request, fileName: template };
}

/** Content type as written in the workflow; undefined if it is not a string. */
function contentTypeOf(request: RequestDoc | null | undefined): string | undefined {
  const value = Object.entries(request?.header ?? {}).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  return typeof value === 'string' ? value : undefined;
}

function readVerb(verb: string | null | undefined, report: ProblemReport): string | null {
  const method = httpMethodOf((verb ?? '').trim() || 'GET');
  if (method !== null) return method;
  report.add(
    'REQUEST_METHOD_INVALID',
    'request.method',
    `The HTTP method ${JSON.stringify(verb)} is not supported.`,
  );
  return null;
}

function readHeader(name: string, value: unknown, report: ProblemReport): HeaderTemplate | null {
  if (value === null || value === undefined) return null;
  if (!HEADER_NAME.test(name)) {
    report.add(
      'REQUEST_HEADER_INVALID',
      `request.header.${name}`,
      `${JSON.stringify(name)} is no name of a header.`,
    );
    return null;
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    report.add(
      'REQUEST_HEADER_INVALID',
      `request.header.${name}`,
      `The value of the header ${name} is no text.`,
    );
    return null;
  }
  const template = report.attempt(`request.header.${name}`, 'REFERENCE_SYNTAX', () =>
    parseTemplate(String(value)),
  );
  return template === null ? null : { name, value: template };
}
