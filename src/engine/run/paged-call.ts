import type { ConnectorCall } from '../connector/connector-call';
import { hasFailed } from '../connector/remote-answer';
import { isPlaceInRequest, withUrlValues, withWrittenValues } from '../connector/written-values';
import { EngineError } from '../errors';
import type { OutboundRequest } from '../ports';
import { isFailure } from '../reference/scope';
import type { Exchange } from '../reference/scope';
import type { RequestTemplate } from '../request/request';
import type { RunContext } from './context';
import { nextLink } from '../response/link-header';
import { exchangeWith } from './http-step';
import { emptyTrace, exchangeRenewing } from './step-executor';
import type { StepTrace } from './step-executor';
import type { TimeBudget } from './time-budget';
import type { XmlElement } from '../../platform/xml/read-xml';
import { isList, toText } from '../value';
import type { Value } from '../value';
import {
  elementsAt,
  partsOf,
  textAt,
  valueAt,
  withElementsAt,
  withValueAt,
  xmlTextOf,
} from '../connector/answer-path';
import type { PageParameter } from '../connector/invoker-facts';
import type { WrittenValue } from '../connector/written-values';

/** `response.body.$.items`, `response.header.$.Link` */
const OF_ANSWER = /^response\.(body|header)(?:\.(.*))?$/s;
const COUNTS: ReadonlySet<string> = new Set(['size', 'limit', 'offset', 'page']);
/** Parameters that increase from page to page. */
const STEPS: ReadonlySet<string> = new Set(['offset', 'page']);
/** Page parameters of one operation and the items of the pages read so far. */
export class Pages {
  private readonly values = new Map<string, Value>();
  private readonly items: Value[] = [];
  /** Items of XML responses. */
  private readonly elements: XmlElement[] = [];
  private readonly place: readonly (string | number)[];
  private first: Exchange | null = null;

  constructor(private readonly parameters: readonly PageParameter[]) {
    for (const { name, value } of parameters) {
      // A parameter that is both read and written has two entries; one has the initial value.
      if (!this.values.has(name) || value.trim() !== '')
        this.values.set(name, initialOf(name, value.trim()));
    }
    const [, part, path = ''] =
      OF_ANSWER.exec(parameters.find(({ name }) => name === 'result')?.ref ?? '') ?? [];
    this.place = part === 'body' ? partsOf(path) : [];
  }

  valueOf(name: string): Value {
    return this.values.get(name) ?? null;
  }

  /** Parameters to write into the next request. */
  get written(): WrittenValue[] {
    return this.parameters.flatMap(({ name, action, ref }) => {
      const value = this.valueOf(name);
      return action === 'write' && isPlaceInRequest(ref) && toText(value) !== ''
        ? [{ ref, value }]
        : [];
    });
  }

  /** URL of the next page according to the last response; null: use that of the operation. */
  linkFrom(url: string): string | null {
    const link = toText(this.valueOf('link'));
    return this.first !== null && link !== '' && URL.canParse(link, url)
      ? new URL(link, url).href
      : null;
  }

  /**
   * Adds a page.
   * @returns whether there is another page
   * @throws EngineError PAGE_WITHOUT_LIST
   */
  take(page: Exchange): boolean {
    const brought = this.collect(page);
    this.first ??= page;
    for (const parameter of this.parameters) {
      const { name, ref } = parameter;
      if (name === 'result') continue;
      if (ref?.startsWith('response')) this.values.set(name, valueIn(page, ref));
      else if (this.counts(parameter))
        this.values.set(
          name,
          numberOf(this.valueOf(name)) + (name === 'page' ? 1 : numberOf(this.valueOf('limit'))),
        );
    }
    return this.goesOn(brought);
  }

  /** Returns the number of items of a page. */
  private collect({ body, xml }: Exchange): number {
    if (xml !== undefined) {
      const elements = elementsAt(xml, this.place);
      for (const element of elements) this.elements.push(element);
      return elements.length;
    }
    const items = valueAt(body, this.place) ?? [];
    if (!isList(items))
      throw new EngineError(
        'PAGE_WITHOUT_LIST',
        'A page has no list where the pagination of the operation says its items are.',
      );
    for (const item of items) this.items.push(item);
    return items.length;
  }

  /** Whether to increment: a value that is only written would request the same page forever. */
  private counts(parameter: PageParameter): boolean {
    if (parameter.action === 'increment') return true;
    const [first, ...others] = this.parameters.filter(({ name }) => name === parameter.name);
    return (
      parameter === first &&
      STEPS.has(parameter.name) &&
      [first, ...others].every(({ action }) => action === 'write')
    );
  }

  /** The first page, with the items of all pages in place of its own. */
  get whole(): Exchange | null {
    const { first } = this;
    if (first?.xml !== undefined) {
      if (this.elements.length === 0) return first;
      const xml = withElementsAt(first.xml, this.place, this.elements);
      return { ...first, xml, body: xmlTextOf(xml) };
    }
    if (
      first === null ||
      (this.items.length === 0 && valueAt(first.body, this.place) === undefined)
    )
      return first;
    return { ...first, body: withValueAt(first.body, this.place, this.items) };
  }

  private goesOn(brought: number): boolean {
    const hasMore = toText(this.valueOf('has_more')).trim().toLowerCase();
    if (hasMore !== '') return hasMore === 'true' || hasMore === '1';
    // An empty page is the last one, even if the response says otherwise.
    if (toText(this.valueOf('size')) !== '')
      return (
        brought > 0 && this.items.length + this.elements.length < numberOf(this.valueOf('size'))
      );
    if (['cursor', 'next'].some((name) => isToken(this.valueOf(name)))) return true;
    const link = toText(this.valueOf('link'));
    return link !== '' && !link.slice(link.indexOf('?') + 1 || link.length).includes('null');
  }
}

/** Counts are numbers from the first page on. */
function initialOf(name: string, text: string): Value {
  if (COUNTS.has(name))
    return text === ''
      ? name === 'limit'
        ? 0
        : null
      : /^\d{1,15}$/.test(text)
        ? Number(text)
        : text;
  return text === '' ? null : text;
}

const isToken = (value: Value): boolean => !['', 'null', 'false'].includes(toText(value).trim());

function numberOf(value: Value): number {
  const number = Number(toText(value));
  return Number.isFinite(number) ? number : 0;
}

function valueIn(page: Exchange, ref: string): Value {
  const [, part, path = ''] = OF_ANSWER.exec(ref) ?? [];
  if (part === 'body')
    return (
      (page.xml === undefined
        ? valueAt(page.body, partsOf(path))
        : textAt(page.xml, partsOf(path))) ?? null
    );
  const name = path.replace(/^\$\.?/, '').toLowerCase();
  const header = Object.hasOwn(page.headers, name) ? page.headers[name] : undefined;
  return header === undefined ? null : nextLink([header].flat().join(', '));
}

/**
 * Calls an operation page by page within the timeout of the step. Returns the first page with the
 * items of all pages, or the page that failed; the trace has the last page.
 * @throws EngineError PAGES_REPEAT, PAGE_WITHOUT_LIST, OUTBOUND_TOO_LARGE all pages together exceed
 *   the response limit, and errors of a call
 */
export async function executePages(
  call: ConnectorCall,
  template: RequestTemplate,
  context: RunContext,
  trace: StepTrace,
  time: TimeBudget,
): Promise<Exchange> {
  const pages = new Pages(call.pagination);
  const { maxResponseBytes } = context.limits;
  let bytes = 0;
  let last: OutboundRequest | null = null;
  for (let goesOn = true; goesOn;) {
    const page = emptyTrace();
    const link = last === null ? null : pages.linkFrom(last.url);
    let exchange: Exchange;
    try {
      exchange = await exchangePage(call, template, context, page, { pages, link, time });
    } catch (error) {
      Object.assign(trace, page);
      throw error;
    }
    if (last === null || isFailure(exchange)) Object.assign(trace, page);
    if (isFailure(exchange)) return exchange;
    bytes += page.response?.body.length ?? 0;
    if (bytes > maxResponseBytes)
      throw new EngineError(
        'OUTBOUND_TOO_LARGE',
        `The pages are larger than ${maxResponseBytes} bytes together.`,
      );
    goesOn = pages.take(exchange);
    if (last !== null && goesOn && isSame(last, page.request))
      throw new EngineError(
        'PAGES_REPEAT',
        'The pages do not come to an end: one was asked for twice.',
      );
    last = page.request;
    await context.pause.yieldToEventLoop();
  }
  const { whole: joined } = pages;
  if (joined === null) throw new EngineError('PAGE_WITHOUT_LIST', 'There is no page.');
  trace.body = joined.body;
  trace.moreBytes = bytes - (trace.response?.body.length ?? 0);
  return joined;
}

/** Requests the next page: at its `link` if there is one, else with the page parameters. */
async function exchangePage(
  { connector, operation, given: sources }: ConnectorCall,
  template: RequestTemplate,
  context: RunContext,
  trace: StepTrace,
  {
    pages,
    link,
    time,
  }: { readonly pages: Pages; readonly link: string | null; readonly time: TimeBudget },
): Promise<Exchange> {
  const { written } = pages;
  const request = withWrittenValues(
    link === null ? template : { ...template, url: [link] },
    written,
  );
  const options = {
    time,
    verifyTls: connector.verifyTls,
    cookies: context.credentials.cookiesOf(connector),
    readsFields: true,
    urlOf: link === null ? (url: string): string => withUrlValues(url, written) : undefined,
  };
  const exchange = await exchangeRenewing(
    sources,
    (name) => pages.valueOf(name),
    context,
    trace,
    time,
    (credentials) => exchangeWith(request, context, trace, { ...options, credentials }),
  );
  return { ...exchange, failed: hasFailed(operation, exchange.status, exchange.body) };
}

/** Returns whether the request is identical to the last one and would return the same page. */
function isSame(last: OutboundRequest, next: OutboundRequest | null): boolean {
  return (
    last.url === next?.url &&
    last.body === next.body &&
    JSON.stringify(last.headers) === JSON.stringify(next.headers)
  );
}
