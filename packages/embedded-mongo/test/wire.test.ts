import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';
import { BSON } from 'mongodb';
import type { Document } from 'mongodb';
import { longIt } from '../../../test/support/long';
import { storeFixture } from './support/store-fixture';
import { openForTests } from '../../../test/support/open-for-tests';

const OP_MSG = 2013;
const MORE_TO_COME = 2;

/** The bytes of one OP_MSG; `length` and `flags` may be wrong. */
function message(
  command: Document,
  { flags = 0, length }: { flags?: number; length?: number } = {},
): Buffer {
  const body = BSON.serialize(command);
  const head = Buffer.alloc(21);
  head.writeInt32LE(length ?? head.length + body.length, 0);
  head.writeInt32LE(OP_MSG, 12);
  head.writeUInt32LE(flags, 16);
  return Buffer.concat([head, body]);
}

const ping = message({ ping: 1, $db: 'hypha' });

describe('the socket of the store', () => {
  const sockets: Socket[] = [];
  const fixture = openForTests(storeFixture);
  afterEach(() => sockets.splice(0).forEach((socket) => socket.destroy()));

  function opened(): Socket {
    const socket = connect({ path: join(fixture.dir, 's.sock'), allowHalfOpen: true });
    sockets.push(socket);
    return socket;
  }

  /** The received bytes until the store closes the connection. */
  async function untilClosed(bytes: Buffer, end: boolean): Promise<Document[]> {
    const socket = opened();
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    if (end) socket.end(bytes);
    else socket.write(bytes);
    await once(socket, 'end');
    return repliesIn(Buffer.concat(parts));
  }

  function repliesIn(bytes: Buffer): Document[] {
    const replies: Document[] = [];
    for (let at = 0; at < bytes.length; at += bytes.readInt32LE(at))
      replies.push(BSON.deserialize(bytes.subarray(at + 21, at + bytes.readInt32LE(at))));
    return replies;
  }

  it.each([
    ['a length of zero', message({ ping: 1 }, { length: 0 })],
    ['a negative length', message({ ping: 1 }, { length: -1 })],
    ['an enormous length', message({ ping: 1 }, { length: 0x7fff_ffff })],
    ['a length that ends in the flags', message({ ping: 1 }, { length: 17 })],
    ['a length that ends before the command', message({ ping: 1 }, { length: 21 })],
    ['an unknown required flag', message({ ping: 1, $db: 'hypha' }, { flags: 4 })],
    [
      'another operation',
      Buffer.concat([ping.subarray(0, 12), Buffer.from([0xd1, 7, 0, 0]), ping.subarray(16)]),
    ],
    [
      'a section of an unknown kind',
      Buffer.concat([ping.subarray(0, 20), Buffer.from([9]), ping.subarray(21)]),
    ],
    [
      'an invalid document',
      Buffer.concat([ping.subarray(0, 30), Buffer.alloc(ping.length - 30, 0x7f)]),
    ],
  ])('closes a connection that sends %s, and serves the others', async (_what, bytes) => {
    expect(await untilClosed(bytes, false)).toEqual([]);
    expect(await fixture.db.command({ ping: 1 })).toEqual({ ok: 1 });
  });

  it('waits for a complete message', async () => {
    for (let length = 1; length < ping.length; length += 7) {
      const socket = opened();
      socket.end(ping.subarray(0, length));
      socket.resume();
      await once(socket, 'end');
    }
    expect(await fixture.db.command({ ping: 1 })).toEqual({ ok: 1 });
  });

  it('runs commands without a reply, and answers pipelined messages in order', async () => {
    const rows = await fixture.collection<{ _id: number }>();
    const command = (_id: number): Document => ({
      insert: rows.collectionName,
      documents: [{ _id }],
      $db: 'hypha',
    });
    const socket = opened();
    const silent = message(command(1), { flags: MORE_TO_COME });
    socket.write(
      Buffer.concat([
        silent,
        ...Array.from({ length: 300 }, () => message(command(2))),
        message({ count: rows.collectionName, $db: 'hypha' }),
      ]),
    );
    const parts: Buffer[] = [];
    await new Promise<void>((resolve) =>
      socket.on('data', (part: Buffer) => {
        parts.push(part);
        if (repliesWhole(Buffer.concat(parts)) === 301) resolve();
      }),
    );
    const replies = repliesIn(Buffer.concat(parts));
    expect(replies[0]).toEqual({ n: 1, ok: 1 });
    expect(replies.slice(1, 300).every(({ writeErrors }) => Array.isArray(writeErrors))).toBe(true);
    expect(replies[300]).toEqual({ n: 2, ok: 1 });
  });

  function repliesWhole(bytes: Buffer): number {
    let count = 0;
    for (
      let at = 0;
      at + 4 <= bytes.length && at + bytes.readInt32LE(at) <= bytes.length;
      at += bytes.readInt32LE(at)
    )
      count++;
    return count;
  }

  longIt('processes nothing ahead for a client that does not read', async () => {
    const rows = await fixture.collection<{ _id: number; text: string }>();
    await rows.insertMany(
      Array.from({ length: 4 }, (_, _id) => ({ _id, text: 'x'.repeat(1_000_000) })),
    );
    const socket = opened().pause();
    const find = message({ find: rows.collectionName, $db: 'hypha' });
    socket.write(
      Buffer.concat([
        ...Array.from({ length: 20 }, () => find),
        message({ insert: rows.collectionName, documents: [{ _id: 99 }], $db: 'hypha' }),
      ]),
    );
    // Far more iterations of the event loop than the commands above need.
    for (let turn = 0; turn < 200; turn++) expect(await rows.countDocuments({ _id: 99 })).toBe(0);
    let bytes = 0;
    await new Promise<void>(
      (resolve) =>
        void socket
          .on('data', (part: Buffer) => {
            bytes += part.length;
            if (bytes > 80_000_000) resolve();
          })
          .resume(),
    );
    while ((await rows.countDocuments({ _id: 99 })) === 0);
    expect(await rows.countDocuments()).toBe(5);
  });
});
