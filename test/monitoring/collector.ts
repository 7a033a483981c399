import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { until } from '../support/until';

/** A span as OTLP/HTTP sends it in JSON. */
export interface SentSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly attributes: readonly { readonly key: string; readonly value: object }[];
  readonly status: { readonly code?: number };
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
}

export interface Collector {
  readonly url: string;
  readonly spans: SentSpan[];
  /** Bodies as they were received. */
  readonly texts: string[];
  /** Resolves with the first span that matches. */
  until(matches: (span: SentSpan) => boolean): Promise<SentSpan>;
  close(): Promise<void>;
}

/** An OTLP/HTTP collector that keeps what it receives. */
export async function openCollector(): Promise<Collector> {
  const spans: SentSpan[] = [];
  const texts: string[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString();
      texts.push(text);
      if (request.url === '/v1/traces')
        for (const { scopeSpans } of JSON.parse(text).resourceSpans)
          for (const scope of scopeSpans) spans.push(...scope.spans);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans,
    texts,
    until: (matches) => until(() => spans.find(matches)),
    close: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** The value of an attribute of a span. */
export const attributeOf = ({ attributes }: SentSpan, key: string): unknown =>
  Object.values(attributes.find((each) => each.key === key)?.value ?? {})[0];
