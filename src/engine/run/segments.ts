import type { RequestSegment, ResponseSegment } from '../events';
import type { OutboundRequest, OutboundResponse } from '../ports';
import { bodyFormat } from '../request/body-format';
import { headerValue } from '../request/headers';
import type { Value } from '../value';
import { printMasked } from './masked-json';
import type { Masker } from './masking';

export interface Segments {
  request: RequestSegment;
  response?: ResponseSegment;
}

/** Makes the segments of one run: secrets masked, payloads cut. */
export class SegmentRecorder {
  constructor(private readonly masker: Masker, private readonly maxLength: number) {}

  /**
   * What was sent and what came back. Either side may give away a secret of the other: a login answers the token of the next call, and
   * some systems send back what they were sent. So both are read before either counts.
   */
  exchange(request: OutboundRequest, sent: Value, answer: { response: OutboundResponse; body: Value; durationMs: number } | null): Segments {
    const first = this.request(request, sent);
    if (answer === null) return { request: first };
    const known = this.masker.known;
    const response = this.response(answer.response, answer.body, answer.durationMs);
    return { request: this.masker.known === known ? first : this.request(request, sent), response };
  }

  private request(request: OutboundRequest, sent: Value): RequestSegment {
    this.masker.learnFromUrl(request.url);
    return {
      method: request.method,
      header: this.masker.headers(request.headers),
      payload: this.payload(sent, request.body, headerValue(request.headers, 'content-type')),
      // Last, so that what the headers and the body gave away is known.
      url: this.masker.url(request.url),
    };
  }

  private response(response: OutboundResponse, body: Value, durationMs: number): ResponseSegment {
    return {
      status: response.status,
      durationMs,
      header: this.masker.headers(response.headers),
      payload: this.payload(body, response.body, headerValue(flat(response.headers), 'content-type')),
    };
  }

  /** A short value for an event, such as the key of a loop. */
  label(value: string | number): string | number {
    return typeof value === 'number' ? value : cut(this.masker.byValue(value), 200, value.length);
  }

  /** A text of the workflow itself, which may spell a secret out. */
  text(text: string): string {
    return this.masker.byValue(text);
  }

  private payload(value: Value, raw: string | Buffer | undefined, contentType: string | undefined): string {
    if (raw === undefined || raw.length === 0) return '';
    if (typeof value === 'object' && bodyFormat(contentType, null) !== 'form') return cut(printMasked(value, this.masker, this.maxLength), this.maxLength, raw.length);
    const text = typeof raw === 'string' ? raw : typeof value === 'object' ? '' : String(value);
    const shortened = text.slice(0, this.maxLength + 1_000);
    const masked = bodyFormat(contentType, null) === 'form' ? this.form(shortened) : this.masker.text(shortened);
    return cut(masked, this.maxLength, raw.length);
  }

  private form(text: string): string {
    return this.masker.byValue(text.split('&').map((parameter) => this.masker.parameter(parameter)).join('&'));
  }
}

function cut(text: string, limit: number, fullLength: number): string {
  return text.length <= limit ? text : `${text.slice(0, limit)}… (cut, ${fullLength} in all)`;
}

function flat(headers: Readonly<Record<string, string | string[]>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
}
