import type { IncomingHttpHeaders } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { openForTests } from '../open-for-tests';

/** A request that the remote system received. */
export interface Received {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface RemoteAnswer {
  readonly status?: number;
  readonly body?: unknown;
  /** Replaces the JSON body. */
  readonly text?: string;
  readonly headers?: Record<string, string>;
}

export interface RemoteSystem {
  readonly url: string;
  /** In order of arrival. */
  readonly received: Received[];
  /** Resolves with the next request, including one that has already arrived. */
  next(): Promise<Received>;
  /** Clears the received requests. */
  forget(): void;
  close(): Promise<void>;
}

/** An HTTP server on a loopback port. A handler that never resolves keeps the caller waiting. */
export async function remoteSystem(
  answer: (request: Received) => RemoteAnswer | Promise<RemoteAnswer>,
): Promise<RemoteSystem> {
  const received: Received[] = [];
  const unread: Received[] = [];
  const readers: ((request: Received) => void)[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url = '', headers } = request;
      const seen: Received = { method, path: url, headers, body: Buffer.concat(chunks).toString() };
      received.push(seen);
      const reader = readers.shift();
      if (reader) reader(seen);
      else unread.push(seen);
      void Promise.resolve(answer(seen)).then(
        ({ status = 200, body = {}, text = JSON.stringify(body), headers: more }) => {
          response.writeHead(status, { 'content-type': 'application/json', ...more }).end(text);
        },
      );
    });
  });
  // Otherwise a busy test process closes connections on which a request is waiting.
  server.keepAliveTimeout = 0;
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    next: () =>
      new Promise((resolve) => {
        const seen = unread.shift();
        if (seen) resolve(seen);
        else readers.push(resolve);
      }),
    forget() {
      received.length = 0;
      unread.length = 0;
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** A remote system that holds requests to `/held` until a test releases them, and answers others at once. */
export async function holdingRemote(
  answer: (request: Received) => RemoteAnswer = () => ({}),
): Promise<RemoteSystem & { release(): void }> {
  let release: (held: RemoteAnswer) => void = () => undefined;
  const remote = await remoteSystem((request) =>
    request.path === '/held'
      ? new Promise((resolve) => {
          release = resolve;
        })
      : answer(request),
  );
  return { ...remote, release: () => release({}) };
}

/** A remote system that is open during the tests of this file or block. */
export const testRemote = (answer: Parameters<typeof remoteSystem>[0]): RemoteSystem =>
  openForTests(() => remoteSystem(answer));
