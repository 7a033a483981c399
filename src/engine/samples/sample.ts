import { markOf } from '../../platform/redaction';
import type { ResponseSegment, Sample } from '../events';
import type { Samples } from '../ports';
import type { Exchange } from '../reference/scope';
import { headerValue } from '../request/headers';
import { isXml, readBody, readXmlBody } from '../response/read-body';
import { BinaryValue } from '../value';
import type { Value } from '../value';
import { closedJson } from './closed-json';

/** Maximum bytes of XML in a sample. */
const MAX_XML_BYTES = 1024 * 1024;

interface SampleBody {
  readonly value: Value;
  /** The rest was not recorded; of JSON, the complete part is the value. */
  readonly isCut: boolean;
}

/** Reads a recorded body as a run reads it. */
export function readSampleBody({
  payload,
  header,
}: Pick<ResponseSegment, 'payload' | 'header'>): SampleBody {
  const mark = markOf(payload);
  const text = payload.slice(0, payload.length - mark.length);
  const headers = { 'content-type': headerValue(header, 'content-type') ?? '' };
  const read = (content: string): Value =>
    readBody({ status: 200, headers, body: Buffer.from(content) }, false).value;
  const body = read((mark !== '' && /^\s*[[{]/.test(text) && closedJson(text)) || text);
  return { value: body instanceof BinaryValue ? text : body, isCut: mark !== '' };
}

/** Returns the exchange that references read; undefined without a response. */
export async function exchangeOf({ request, response }: Sample): Promise<Exchange | undefined> {
  if (response === null) return undefined;
  const { value } = readSampleBody(response);
  const exchange = {
    request: request && readSampleBody(request).value,
    status: response.status,
    headers: response.header,
    body: value,
  };
  if (typeof value !== 'string' || !isXml({ headers: response.header }, value)) return exchange;
  const root = await readXmlBody(value, MAX_XML_BYTES);
  return root instanceof Error ? exchange : { ...exchange, xml: root };
}

/** The exchanges of samples by colour. */
export async function exchangesOf(samples: Samples): Promise<ReadonlyMap<string, Exchange>> {
  const exchanges = new Map<string, Exchange>();
  for (const [color, sample] of samples) {
    const exchange = await exchangeOf(sample);
    if (exchange !== undefined) exchanges.set(color, exchange);
  }
  return exchanges;
}
