import { usesSecret } from '../../platform/secrets';
import { EngineError } from '../errors';
import { bodyFormat, MEDIA_TYPES, mediaTypeIn } from '../request/body-format';
import type { BodyFormat } from '../request/body-format';
import { withPlainQuery } from '../request/body';
import { QueryWriter } from '../request/graphql-query';
import { headerText, setHeader } from '../request/headers';
import { writeMultipart } from '../request/multipart-body';
import { UrlPlace, valueOfConnector } from '../request/url';
import { writeXmlBody } from '../request/xml-body';
import type { ValueWriter } from '../text/template';
import type { Value } from '../value';
import { isFormOfJson } from './invoker-facts';
import type { Operation } from './invoker-facts';
import { filled, textsIn } from './text-template';
import type { FieldValue } from './text-template';

/** A call that is ready to be sent. */
export interface PreparedCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly body?: string | Buffer;
}

/** What a request is made of: its body before it is written in its format. */
export interface Prepared {
  readonly call: PreparedCall;
  readonly sent: Value;
}

const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS']);

/**
 * Builds the request of an operation with credentials outside of a step: for the check of a
 * connector, or to compute a value. Named secrets are rejected: only workflow authors may use them.
 * @throws EngineError SECRET_NOT_ALLOWED_HERE, REQUEST_HEADER_UNSAFE, and errors of values
 */
export async function prepared(
  operation: Operation,
  invoker: string,
  valueOf: FieldValue,
): Promise<Prepared> {
  const { endpoint, method, header, body } = operation.request;
  for (const text of textsIn([endpoint, header, body?.value])) {
    if (usesSecret(text))
      throw new EngineError(
        'SECRET_NOT_ALLOWED_HERE',
        `The operation ${operation.name.slice(0, 100)} uses a named secret and is called by no step.`,
      );
  }
  const url = (await filled(endpoint, valueOf, new UrlWriter())).trim();
  const headers: Record<string, string> = {};
  for (const { name, value } of header)
    headers[name] = headerText(name, await filled(value, valueOf));
  const verb = method.trim().toUpperCase();
  if (body === null || (isEmpty(body.value) && WITHOUT_BODY.has(verb)))
    return { call: { method: verb, url, headers }, sent: null };
  const contentType = Object.entries(headers).find(
    ([name]) => name.toLowerCase() === 'content-type',
  )?.[1];
  const format = bodyFormat(contentType, body.format, body.data);
  const isGraphql = body.data.toLowerCase() === 'graphql';
  const sent = (await filledTree(body.value, valueOf, isGraphql ? ['query'] : [])) as Value;
  if (format === 'multipart' && typeof sent !== 'string') {
    const { bytes, mediaType } = writeMultipart(sent);
    setHeader(headers, 'Content-Type', mediaType);
    return { call: { method: verb, url, headers, body: bytes }, sent };
  }
  if (contentType === undefined)
    headers['Content-Type'] = mediaTypeIn(body.data) ?? MEDIA_TYPES[format];
  const text = bodyText(isGraphql ? withPlainQuery(sent) : sent, format, invoker);
  return { call: { method: verb, url, headers, body: text }, sent };
}

/** Writes values into a URL, encoded for their position. */
class UrlWriter implements ValueWriter {
  private readonly place = new UrlPlace();

  pass(text: string): void {
    this.place.pass(text);
  }

  write(value: string): string {
    const written = valueOfConnector(this.place.zone, value);
    this.place.pass(written);
    return written;
  }
}

const isEmpty = (fields: unknown): boolean =>
  fields === null ||
  fields === undefined ||
  fields === '' ||
  (typeof fields === 'object' && Object.keys(fields).length === 0);

/** @param queries names of fields that contain GraphQL documents */
async function filledTree(
  node: unknown,
  valueOf: FieldValue,
  queries: readonly string[] = [],
): Promise<unknown> {
  if (typeof node === 'string') return filled(node, valueOf);
  if (typeof node !== 'object' || node === null) return node;
  if (Array.isArray(node)) {
    const items: unknown[] = [];
    for (const item of node) items.push(await filledTree(item, valueOf));
    return items;
  }
  const fields: [string, unknown][] = [];
  for (const [name, value] of Object.entries(node)) {
    fields.push([
      name,
      await (queries.includes(name) && typeof value === 'string'
        ? filled(value, valueOf, new QueryWriter())
        : filledTree(value, valueOf)),
    ]);
  }
  return Object.fromEntries(fields);
}

function bodyText(fields: unknown, format: BodyFormat, invoker: string): string {
  switch (format) {
    case 'json':
      return JSON.stringify(fields);
    case 'text':
    case 'multipart':
      return typeof fields === 'string' ? fields : JSON.stringify(fields);
    case 'form':
      return formText(fields, invoker);
    case 'xml':
      return typeof fields === 'string' ? fields : writeXmlBody(fields as Value);
  }
}

function formText(fields: unknown, invoker: string): string {
  if (typeof fields === 'string') return fields;
  if (typeof fields !== 'object' || fields === null) return '';
  if (isFormOfJson(invoker))
    return new URLSearchParams({ request: JSON.stringify(fields) }).toString();
  const form = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    for (const entry of Array.isArray(value) ? (value as unknown[]) : [value])
      form.append(
        name,
        typeof entry === 'string' ? entry : entry == null ? '' : JSON.stringify(entry),
      );
  }
  return form.toString();
}
