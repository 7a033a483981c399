import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import WebSocket from 'ws';
import type { Peer } from './peer';

/** Clients that connect at the same time. */
const AT_ONCE = 50;

/** Many sockets at one peer, each with a subscription, that count what they are sent. */
export class SocketGroup {
  private received = 0;
  private awaited: { readonly count: number; readonly reached: () => void } | null = null;
  /** What the first of them was sent last. */
  last: any = null;

  private constructor(readonly sockets: WebSocket[]) {
    for (const socket of sockets) {
      socket.on('message', (data: Buffer) => {
        const text = data.toString('latin1');
        if (!text.includes('"type":"next"')) {
          if (/"type":"(complete|error)"/.test(text))
            throw new Error(`A subscription ended: ${text}`);
          return;
        }
        if (text.includes('"errors"')) throw new Error(`A subscriber met an error: ${text}`);
        if (socket === sockets[0]) this.last = JSON.parse(data.toString());
        this.received += 1;
        if (this.awaited && this.received >= this.awaited.count) this.awaited.reached();
      });
    }
  }

  /** So many sockets, connected and signed in. */
  static async connect({ url, tokens }: Peer, many: number): Promise<SocketGroup> {
    const sockets: WebSocket[] = [];
    while (sockets.length < many) {
      const before = sockets.length;
      sockets.push(
        ...(await Promise.all(
          Array.from({ length: Math.min(AT_ONCE, many - before) }, (_, nth) =>
            connected(url, tokens[(before + nth) % tokens.length]),
          ),
        )),
      );
    }
    return new SocketGroup(sockets);
  }

  subscribe(query: string, variables: object): void {
    for (const socket of this.sockets)
      socket.send(
        JSON.stringify({ id: randomUUID(), type: 'subscribe', payload: { query, variables } }),
      );
  }

  /** Resolves when so many messages have come since the last time. */
  async messages(count: number): Promise<void> {
    if (this.received < count)
      await new Promise<void>((reached) => {
        this.awaited = { count, reached };
      });
    this.awaited = null;
    if (this.received !== count)
      throw new Error(`${this.received} messages came, ${count} were expected.`);
    this.received = 0;
  }

  /** Resolves when everything they have sent has been taken in. */
  async flush(): Promise<void> {
    await Promise.all(
      this.sockets.map(async (socket) => {
        const answer = new Promise<void>((resolve) => {
          const listen = (data: Buffer): void => {
            if (!data.toString('latin1').includes('"type":"pong"')) return;
            socket.off('message', listen);
            resolve();
          };
          socket.on('message', listen);
        });
        socket.send('{"type":"ping"}');
        await answer;
      }),
    );
  }

  async close(): Promise<void> {
    await Promise.all(
      this.sockets.map(async (socket) => {
        socket.close();
        await once(socket, 'close');
      }),
    );
  }
}

async function connected(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/graphql`, 'graphql-transport-ws', {
    perMessageDeflate: false,
  });
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'connection_init', payload: { Authorization: token } }));
  await once(socket, 'message');
  return socket;
}
