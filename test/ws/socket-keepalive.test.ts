import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { Socket } from '../../src/platform/ws/socket';
import { ORIGIN } from '../support/service/origin';

describe('the keep-alive of a socket', () => {
  const server = new WebSocketServer({ port: 0 });
  afterAll(() => {
    for (const connection of server.clients) connection.terminate();
    server.close();
  });

  const connect = async (
    autoPong: boolean,
  ): Promise<{ socket: Socket; client: WebSocket; connection: WebSocket }> => {
    const opened = once(server, 'connection') as Promise<[WebSocket, IncomingMessage]>;
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`, {
      autoPong,
    });
    const [connection, request] = await opened;
    await once(client, 'open');
    return {
      socket: new Socket(
        connection,
        request.socket,
        { ...ORIGIN, origin: ORIGIN },
        { onDisconnected: () => undefined, onClosed: () => undefined, onFailed: () => undefined },
      ),
      client,
      connection,
    };
  };

  it('disconnects a client that does not answer a ping before the next one', async () => {
    const { socket, client } = await connect(false);
    const closed = once(client, 'close');
    const pinged = once(client, 'ping');
    socket.ping();
    await pinged;
    expect(client.readyState).toBe(WebSocket.OPEN);
    socket.ping();
    expect((await closed)[0]).toBe(1006);
  });

  it('keeps a client that answers or sends any message', async () => {
    const { socket, client, connection } = await connect(true);
    for (let round = 0; round < 3; round += 1) {
      const ponged = once(connection, 'pong');
      socket.ping();
      await ponged;
    }
    const quiet = await connect(false);
    const message = once(quiet.connection, 'message');
    quiet.socket.ping();
    quiet.client.send('hello');
    expect(String((await message)[0])).toBe('hello');
    quiet.socket.ping();
    expect([client.readyState, quiet.connection.readyState]).toEqual([
      WebSocket.OPEN,
      WebSocket.OPEN,
    ]);
  });
});
