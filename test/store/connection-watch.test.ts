import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import type { Connection } from 'mongoose';
import { watchConnection } from '../../src/platform/store/startup/connection-watch';
import { storeProxy } from '../support/peers/store-proxy';
import type { StoreProxy } from '../support/peers/store-proxy';
import { until } from '../support/until';

let dir: string;
let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
let proxy: StoreProxy;
let connection: Connection;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-watch-'));
  store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  proxy = await storeProxy(store.uri);
  connection = await mongoose
    .createConnection(proxy.uri, { serverSelectionTimeoutMS: 200 })
    .asPromise();
});
afterAll(async () => {
  await connection.destroy();
  await proxy.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});

const TIMES = [10, 50] as const;
const lostPings = (name: string): 'cut before' | null => (name === 'ping' ? 'cut before' : null);

it('a connection that does not reach a database which others reach ends the service', async () => {
  proxy.inject(lostPings);
  const other = mongoose.createConnection(store.uri);
  const watch = watchConnection(
    connection,
    async () => {
      await (await other.asPromise()).db?.command({ ping: 1 });
    },
    TIMES,
  );
  await expect(watch.failed).rejects.toThrow('The database answers a new connection');
  await other.destroy();
});

it('the service waits for a database that no connection reaches', async () => {
  proxy.inject(lostPings);
  let tries = 0;
  const watch = watchConnection(
    connection,
    () => {
      tries += 1;
      return Promise.reject(new Error('not reached'));
    },
    TIMES,
  );
  let failed = false;
  watch.failed.catch(() => {
    failed = true;
  });
  await until(() => Promise.resolve(tries > 2));
  // It answers again: no other connection is tried.
  proxy.inject(() => null);
  await until(() => connection.db!.command({ ping: 1 }).then(Boolean, () => null));
  expect(failed).toBe(false);
  watch.stop();
});
