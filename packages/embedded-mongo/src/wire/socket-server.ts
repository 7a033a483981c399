import { createServer } from 'node:net';
import type { Server, Socket } from 'node:net';
import type { Store } from '../store';
import { Client } from './clients';
import type { RefusedClients } from './clients';
import { dispatch } from './dispatch';
import type { Log } from '../log';
import { MessageReader, parseMessage } from './messages';

/** Maximum queued messages of a connection; then the socket is not read. */
const MAX_WAITING = 100;

/** The socket the driver connects to. */
export class StoreServer {
  private readonly sockets = new Set<Socket>();
  private readonly answering = new Set<Promise<void>>();
  private readonly server: Server;

  constructor(
    private readonly store: Store,
    private readonly log: Log,
    private readonly refusedClients?: RefusedClients,
  ) {
    this.server = createServer((socket) => this.serve(socket));
  }

  async listen(path: string): Promise<void> {
    await new Promise<void>((resolve, reject) => {
      this.server.once('error', reject);
      this.server.listen(path, () => {
        this.server.off('error', reject);
        resolve();
      });
    });
  }

  /** Stops listening, drops the connections and waits until no command runs any more. */
  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()));
    for (const socket of this.sockets) socket.destroy();
    await closed;
    await Promise.all(this.answering);
  }

  private serve(socket: Socket): void {
    this.sockets.add(socket);
    const reader = new MessageReader();
    const client = new Client(this.refusedClients, () => socket.destroyed);
    // The messages of one connection are answered in the order they came.
    let last = Promise.resolve();
    let waiting = 0;
    socket.on('data', (bytes: Buffer) => {
      try {
        for (const message of reader.push(bytes)) {
          waiting++;
          last = this.tracked(
            last
              .then(() => this.answer(socket, message, client))
              .finally(() => {
                if (--waiting <= MAX_WAITING) socket.resume();
              }),
          );
        }
        if (waiting > MAX_WAITING) socket.pause();
      } catch (error) {
        this.drop(socket, error);
      }
    });
    // A client that goes away is not an error of the store.
    socket.on('error', () => socket.destroy());
    socket.on('close', () => this.sockets.delete(socket));
  }

  private tracked(answer: Promise<void>): Promise<void> {
    this.answering.add(answer);
    return answer.finally(() => this.answering.delete(answer));
  }

  private async answer(socket: Socket, bytes: Buffer, client: Client): Promise<void> {
    if (socket.destroyed) return;
    try {
      const message = parseMessage(bytes);
      const parts = await dispatch(this.store, message, client, this.log);
      if (message.silent || socket.destroyed) return;
      socket.cork();
      for (const part of parts) socket.write(part);
      socket.uncork();
      if (socket.writableNeedDrain) await waitForDrain(socket);
    } catch (error) {
      this.drop(socket, error);
    }
  }

  private drop(socket: Socket, error: unknown): void {
    this.log('error', 'the embedded store closed a connection', {
      error: error instanceof Error ? error.message : String(error),
    });
    socket.destroy();
  }
}

/** Resolves when the output buffer is drained or the connection is closed. */
function waitForDrain(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      socket.off('drain', done);
      socket.off('close', done);
      resolve();
    };
    socket.on('drain', done);
    socket.on('close', done);
    if (socket.destroyed) done();
  });
}
