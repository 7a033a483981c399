import type { ConnectorCall } from '../connector/connector-call';
import { hasFailed } from '../connector/judge-answer';
import { Pages } from '../connector/pages';
import { withUrlValues, withWrittenValues } from '../connector/written-values';
import { EngineError } from '../errors';
import type { OutboundRequest } from '../ports';
import { isFailure } from '../reference/scope';
import type { Exchange } from '../reference/scope';
import type { RequestTemplate } from '../request/request';
import type { RunContext } from './context';
import { exchangeWith } from './http-step';
import { exchangeRenewing } from './renewed-credentials';
import { emptyTrace } from './step-executor';
import type { StepTrace } from './step-executor';

/**
 * Calls an operation page by page within the timeout of the step. Returns the first page with the
 * items of all pages, or the page that failed; the trace has the last page.
 * @throws EngineError PAGES_REPEAT, PAGE_WITHOUT_LIST, OUTBOUND_TOO_LARGE all pages together exceed
 *   the response limit, and errors of a call
 */
export async function executePages(
  { connector, operation, pagination, given }: ConnectorCall,
  template: RequestTemplate,
  context: RunContext,
  trace: StepTrace,
  deadline: number,
): Promise<Exchange> {
  const pages = new Pages(pagination);
  const cookies = context.credentials.cookiesOf(connector);
  let bytes = 0;
  let last: OutboundRequest | null = null;
  for (let goesOn = true; goesOn;) {
    const page = emptyTrace();
    const link = last === null ? null : pages.linkFrom(last.url);
    let exchange: Exchange;
    try {
      const { written } = pages;
      const request = withWrittenValues(
        link === null ? template : { ...template, url: [link] },
        written,
      );
      const urlOf =
        link === null ? (url: string): string => withUrlValues(url, written) : undefined;
      exchange = await exchangeRenewing(
        given,
        (name) => pages.valueOf(name),
        context,
        page,
        deadline,
        (credentials) =>
          exchangeWith(request, context, page, {
            deadline,
            credentials,
            verifyTls: connector.verifyTls,
            cookies,
            readsFields: true,
            urlOf,
          }),
      );
    } catch (error) {
      Object.assign(trace, page);
      throw error;
    }
    exchange = { ...exchange, failed: hasFailed(operation, exchange.status, exchange.body) };
    if (last === null || isFailure(exchange)) Object.assign(trace, page);
    if (isFailure(exchange)) return exchange;
    bytes += page.response?.body.length ?? 0;
    if (bytes > context.limits.maxResponseBytes)
      throw new EngineError(
        'OUTBOUND_TOO_LARGE',
        `The pages are larger than ${context.limits.maxResponseBytes} bytes together.`,
      );
    goesOn = pages.take(exchange);
    if (last !== null && goesOn && isSame(last, page.request))
      throw new EngineError(
        'PAGES_REPEAT',
        'The pages do not come to an end: one was asked for twice.',
      );
    last = page.request;
    await context.breather.breathe();
  }
  const { whole } = pages;
  if (whole === null) throw new EngineError('PAGE_WITHOUT_LIST', 'There is no page.');
  trace.body = whole.body;
  trace.moreBytes = bytes - (trace.response?.body.length ?? 0);
  return whole;
}

/** Returns whether the request is identical to the last one and would return the same page. */
function isSame(last: OutboundRequest, next: OutboundRequest | null): boolean {
  return (
    last.url === next?.url &&
    last.body === next.body &&
    JSON.stringify(last.headers) === JSON.stringify(next.headers)
  );
}
