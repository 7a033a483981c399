import { marked, printMasked } from '../../platform/redaction';
import type { RecordedExchange, RequestSegment, ResponseSegment } from '../events';
import type { OutboundRequest, OutboundResponse, RuledValues } from '../ports';
import type { Exchange } from '../reference/scope';
import { formatOfMediaType } from '../request/body-format';
import { headerValue } from '../request/headers';
import type { RunSecrets } from '../secrets/run-secrets';
import { BinaryValue, describeBinary, toText } from '../value';
import type { Value } from '../value';

export interface Answer {
  readonly response: OutboundResponse;
  readonly body: Value;
  readonly durationMs: number;
}

const LONGEST_LABEL = 200;
const LONGEST_URL = 8_000;
const LONGEST_HEADER = 8_000;

/** Creates the recorded requests and responses of a run: truncated, secrets masked. */
export class SegmentRecorder {
  constructor(
    private readonly secrets: RunSecrets,
    private readonly maxLength: number,
    private readonly ruledValues: RuledValues | undefined = undefined,
  ) {}

  /**
   * Records request and response. Secrets of both are found before either is written: a login
   * response contains the token of the next call, and some systems return what was sent.
   */
  exchange(request: OutboundRequest, sent: Value, answer: Answer | null): RecordedExchange {
    this.learn(request, sent, answer);
    return {
      request: this.request(request, sent),
      ...(answer && { response: this.response(answer) }),
    };
  }

  /** Finds the secrets of a request and its response. */
  learn(request: OutboundRequest, sent: Value, answer: Omit<Answer, 'durationMs'> | null): void {
    this.secrets.learn.request(request, sent);
    this.learnRuled(request.headers, request.body, request.url);
    if (answer === null) return;
    this.secrets.learn.response(answer.response, answer.body);
    if (!(answer.body instanceof BinaryValue))
      this.learnRuled(
        answer.response.headers,
        typeof answer.body === 'string' ? answer.body : answer.response.body,
      );
  }

  /** Finds the values that rules select in an earlier exchange, which later steps may have sent. */
  learnKept({ request, headers, body }: Exchange): void {
    this.learnRuledIn(request);
    this.learnRuledIn(body, headers);
  }

  /** Finds the values that rules select in the body of an exchange or the parameters of the run. */
  learnRuledIn(body: Value, headers: Exchange['headers'] = {}): void {
    if (this.ruledValues !== undefined)
      this.learnRuled(headers, body instanceof BinaryValue ? '' : toText(body));
  }

  private learnRuled(
    headers: Readonly<Record<string, string | string[]>>,
    body: string | Buffer = '',
    url = '',
  ): void {
    const { ruledValues } = this;
    if (ruledValues === undefined) return;
    const contentType =
      Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
    const values = [url, ...Object.entries(headers).flat(2)].flatMap((text) =>
      ruledValues(text, null),
    );
    for (const value of [...values, ...ruledValues(body.toString(), String(contentType))])
      this.secrets.addRuled(value);
  }

  /** Masks and truncates a short value, such as a loop key. */
  label(value: string | number): string | number {
    if (typeof value === 'number') return value;
    const isCut = value.length > LONGEST_LABEL;
    return marked(this.secrets.mask(value.slice(0, LONGEST_LABEL), isCut), isCut, value.length);
  }

  private request(request: OutboundRequest, sent: Value): RequestSegment {
    const { url, method, headers, body } = request;
    const isCut = url.length > LONGEST_URL;
    return {
      url: marked(this.secrets.url(url.slice(0, LONGEST_URL), isCut), isCut, url.length),
      method,
      header: this.secrets.headers(headers, LONGEST_HEADER),
      payload: this.payload(sent, body, headerValue(headers, 'content-type')),
    };
  }

  private response({ response, body, durationMs }: Answer): ResponseSegment {
    const type = response.headers['content-type'];
    return {
      status: response.status,
      durationMs,
      header: this.secrets.headers(response.headers, LONGEST_HEADER),
      payload: this.payload(body, response.body, Array.isArray(type) ? type[0] : type),
    };
  }

  private payload(
    value: Value,
    raw: string | Buffer | undefined,
    contentType: string | undefined,
  ): string {
    if (raw === undefined || raw.length === 0) return '';
    if (value instanceof BinaryValue) return value.description;
    const format = formatOfMediaType(contentType ?? '');
    const isForm = format === 'form';
    // JSON is masked as a tree, so that whole values are hidden; forms and XML are masked as text.
    if (typeof value === 'object' && !isForm && format !== 'xml') {
      const printed = printMasked(value, this.maxLength, this.secrets, describeBinary);
      return marked(printed.text, printed.isCut, raw.length);
    }
    const text = typeof raw === 'string' ? raw : toText(value);
    const isCut = text.length > this.maxLength;
    const shown = text.slice(0, this.maxLength);
    return marked(
      isForm ? this.secrets.form(shown, isCut) : this.secrets.mask(shown, isCut),
      isCut,
      raw.length,
    );
  }
}
