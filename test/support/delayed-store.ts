import { createConnection, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';

/** A database that accepts connections and says nothing until it is told to. */
export interface DelayedStore {
  readonly uri: string;
  /** Resolves when somebody waits for an answer. */
  readonly asked: Promise<void>;
  /** Answers from now on, also what was asked before. */
  answer(): void;
  close(): Promise<void>;
}

/** An embedded store of its own behind a TCP port, as a MongoDB is. */
export async function startDelayedStore(): Promise<DelayedStore> {
  const dir = mkdtempSync(join(tmpdir(), 'hypha-delayed-'));
  const store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  const path = decodeURIComponent(/^mongodb:\/\/([^/?]+)/.exec(store.uri)?.[1] ?? '');
  let answering = false;
  const waiting: (() => void)[] = [];
  const open = new Set<Socket>();
  let heard: () => void;
  const asked = new Promise<void>((resolve) => {
    heard = resolve;
  });
  const server = createServer((client) => {
    open.add(client);
    client.on('error', () => undefined).once('close', () => open.delete(client));
    const connect = (): void => {
      if (client.destroyed) return;
      const upstream = createConnection(path);
      open.add(upstream);
      upstream
        .on('error', () => client.destroy())
        .once('close', () => {
          open.delete(upstream);
          client.destroy();
        });
      client.once('close', () => upstream.destroy());
      client.pipe(upstream).pipe(client);
    };
    if (answering) connect();
    else {
      client.once('readable', () => heard());
      waiting.push(connect);
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    uri: `mongodb://127.0.0.1:${port}/hypha?directConnection=true`,
    asked,
    answer() {
      answering = true;
      for (const connect of waiting.splice(0)) connect();
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of open) socket.destroy();
      await closed;
      await store.close();
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
