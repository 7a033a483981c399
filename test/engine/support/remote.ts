import { createServer } from 'node:http';
import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export type Handler = (request: Received, response: ServerResponse) => void | Promise<void>;

/** A remote system on the loopback interface that records its requests. */
export interface Remote {
  readonly url: string;
  readonly received: Received[];
  /** Resolves when the next request arrives. */
  nextRequest(): Promise<Received>;
  close(): Promise<void>;
}

export async function startRemote(handler: Handler): Promise<Remote> {
  const received: Received[] = [];
  const waiting: ((request: Received) => void)[] = [];
  const listener: RequestListener = (request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const seen = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      };
      received.push(seen);
      waiting.splice(0).forEach((resolve) => resolve(seen));
      void handler(seen, response);
    });
  };
  const server = createServer(listener);
  // Keep-alive could close a connection on which a request is already waiting.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    nextRequest: () => new Promise((resolve) => waiting.push(resolve)),
    close: () => closeServer(server),
  };
}

export function answerJson(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}
