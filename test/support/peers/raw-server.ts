import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import type { TlsOptions } from 'node:tls';
import { CERTIFICATE, KEY } from './untrusted-server';

/** A server that sends bytes as they are, which no HTTP library would. */
export interface RawServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param answer returns all bytes of the response to a path
 * @param tls options of a server with TLS and an untrusted certificate
 */
export async function startRaw(
  answer: (path: string) => Buffer,
  tls: TlsOptions | null = null,
): Promise<RawServer> {
  const sockets = new Set<Socket>();
  const serve = (socket: Socket): void => {
    sockets.add(socket.on('error', () => undefined));
    socket.once('data', (request: Buffer) =>
      socket.end(answer(request.toString('latin1').split(' ')[1])),
    );
  };
  const server =
    tls === null
      ? createServer(serve)
      : createTlsServer({ key: KEY, cert: CERTIFICATE, ...tls }, serve);
  server.on('tlsClientError', () => undefined);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `${tls === null ? 'http' : 'https'}://127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
