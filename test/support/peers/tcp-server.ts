import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export interface TcpServer {
  readonly port: number;
  /** Connections that are open now, the most that were open at once, and all. */
  readonly sockets: { open: number; most: number; all: number };
  close(): Promise<void>;
}

/** A server that does with each connection what a test says; by default nothing. */
export async function startTcpServer(
  serve: (socket: Socket) => void = () => undefined,
): Promise<TcpServer> {
  const sockets = { open: 0, most: 0, all: 0 };
  const all = new Set<Socket>();
  const server = createServer((socket) => {
    all.add(socket);
    sockets.open += 1;
    sockets.all += 1;
    sockets.most = Math.max(sockets.most, sockets.open);
    socket.on('error', () => undefined);
    socket.on('close', () => {
      all.delete(socket);
      sockets.open -= 1;
    });
    serve(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of all) socket.destroy();
      }),
  };
}
