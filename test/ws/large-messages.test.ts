import { Socket } from '../../src/platform/ws/socket';
import type { Transport } from '../../src/platform/ws/transport';

/** A connection whose client reads when `read` is called. */
class Unread {
  readonly [name: string]: unknown;
  readonly protocol = 'graphql-transport-ws';
  readonly OPEN = 1;
  readonly CLOSED = 3;
  readyState = 1;
  bufferedAmount = 0;
  closedWith: number | null = null;
  private waiting: (() => void)[] = [];
  readonly messages: string[] = [];

  on(): void {}
  once(): void {}
  send(message: string | Buffer, _options: unknown, sent: () => void): void {
    this.bufferedAmount += Buffer.byteLength(message);
    this.messages.push(message.toString());
    this.waiting.push(sent);
  }
  close(code: number): void {
    this.closedWith = code;
  }
  read(): void {
    this.bufferedAmount = 0;
    for (const sent of this.waiting.splice(0)) sent();
  }
}

describe.each(['x', 'é', '漢'])('a message of many %s', (letter) => {
  it.each([0.5, 0.9, 1.1, 3])('and %d MiB leaves room for the next one', async (mebibytes) => {
    const connection = new Unread();
    const socket = new Socket(
      connection as unknown as Transport,
      null,
      {} as never,
      { onDisconnected: () => undefined } as never,
    );
    const large = letter.repeat((mebibytes * 1024 * 1024) / Buffer.byteLength(letter));
    const sent = [socket.send(large)];
    await new Promise(setImmediate);
    sent.push(socket.send('small'));
    await new Promise(setImmediate);
    connection.read();
    await Promise.all(sent);
    expect(connection.closedWith).toBeNull();
    expect(connection.messages).toEqual([large, 'small']);
  });
});
