import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import mongoose from 'mongoose';
import { loadConfig } from '../../src/config/load';
import { createHints } from '../../src/platform/events/redis-hints';
import { createLogger } from '../../src/platform/log/logger';
import { CommitFeed } from '../../src/platform/store/commits/commit-feed';
import { NEVER_FULL } from '../../src/platform/store/full-disk';
import { schemaOf } from '../../src/platform/store/schema';
import { Store } from '../../src/platform/store/store';
import { REDIS_SERVER, REDIS_USER, startRedis } from '../support/peers/redis-server';
import type { RedisServer } from '../support/peers/redis-server';
import { startTcpServer } from '../support/peers/tcp-server';
import { until } from '../support/until';

interface Widget {
  readonly _id: number;
  readonly title: string;
}
const widgetSchema = schemaOf<Widget>({ _id: Number, title: String });
/** Longer than a test. */
const NEVER_MS = 3_600_000;

let dir: string;
let server: Awaited<ReturnType<typeof openEmbeddedStore>>;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-hints-'));
  server = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
});
afterAll(async () => {
  await server.close();
  rmSync(dir, { recursive: true, force: true });
});

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A process that never looks for commits of others unless it gets a hint. */
async function openProcess(redisUrl: string) {
  const connection = await mongoose
    .createConnection(server.uri, { autoIndex: false, autoCreate: false })
    .asPromise();
  const feed = new CommitFeed(connection, NEVER_MS);
  const store = new Store(connection, false, null, NEVER_FULL, feed);
  const widgets = store.collection('Widget', widgetSchema, 'widgets');
  await store.prepare();
  const lines: Record<string, unknown>[] = [];
  const log = createLogger(
    { log: { level: 'info' } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const { config } = loadConfig({ MONGODB_URI: server.uri, REDIS_URL: redisUrl }, dir);
  const hints = createHints(config, feed, log);
  if (!hints) throw new Error('There are no hints.');
  const received: unknown[] = [];
  feed.onEvents = (events) => received.push(...events.map(([, event]) => event));
  hints.start();
  closing.push(async () => {
    await hints.stop();
    await feed.stop();
    await connection.close();
  });
  return {
    hints,
    lines,
    /** Sends an event, which others receive when they look. */
    send: (event: string) => feed.send('topic', event),
    received,
    write: (title: string) => widgets.upsert({ _id: 1 }, { $set: { title } }),
    /** From memory unless the process knows of a change. */
    title: async () => (await widgets.byId(1))?.title,
  };
}

type Process = Awaited<ReturnType<typeof openProcess>>;
const areUp = (...processes: Process[]) => until(() => processes.every(({ hints }) => hints.isUp));
const messagesOf = ({ lines }: Process): unknown[] => lines.map(({ msg }) => msg);

const LOST = 'no Redis: changes by other processes arrive up to a second late';

const described = REDIS_SERVER === undefined ? describe.skip : describe;

described('with a Redis server', () => {
  let redis: RedisServer;
  beforeEach(async () => {
    redis = await startRedis();
    closing.push(() => redis.close());
  });

  it('a change is known to another process without a request and without polling', async () => {
    const [left, right] = [await openProcess(redis.url()), await openProcess(redis.url())];
    await areUp(left, right);
    for (const title of ['first', 'second', 'third']) {
      await left.write(title);
      await until(async () => (await right.title()) === title);
    }
    expect([...left.lines, ...right.lines]).toEqual([]);
    expect(right.hints.version).toMatch(/^\d+\./);
    expect(right.hints.location).toBe(`localhost:${redis.port}`);
  });

  it('what was changed while Redis was killed is known when it is back, with one line each', async () => {
    const [left, right] = [await openProcess(redis.url()), await openProcess(redis.url())];
    await areUp(left, right);
    left.send('before');
    await until(() => right.received.length === 1);
    await redis.kill();
    await until(() => !left.hints.isUp && !right.hints.isUp);
    for (let nth = 0; nth < 20; nth += 1) await left.write(`while it was away ${nth}`);
    left.send('while it was away');
    await redis.start();
    await until(() => right.received.length === 2);
    await areUp(left, right);
    left.send('after');
    await until(() => right.received.length === 3);
    expect(right.received).toEqual(['before', 'while it was away', 'after']);
    expect(await right.title()).toBe('while it was away 19');
    expect(messagesOf(right)).toEqual([LOST, 'Redis is back']);
  });

  it('a Redis that is halted is lost, and changes do not wait for it', async () => {
    const [left, right] = [await openProcess(redis.url()), await openProcess(redis.url())];
    await areUp(left, right);
    redis.pause();
    await left.write('while it was halted');
    left.send('while it was halted');
    await until(() => !left.hints.isUp && !right.hints.isUp);
    redis.resume();
    await until(() => right.received.length === 1);
    await areUp(left, right);
    expect(await right.title()).toBe('while it was halted');
    expect(messagesOf(right)).toEqual([LOST, 'Redis is back']);
  });

  it.each([
    ['a wrong password', { ...REDIS_USER, password: 'wrong' }, /WRONGPASS/],
    ['no password', { name: '', password: '' }, /NOAUTH/],
  ])('%s is reported without the password', async (_name, user, reason) => {
    const left = await openProcess(redis.url(user));
    await until(() => left.lines.length > 0);
    expect(left.lines).toEqual([
      expect.objectContaining({
        msg: LOST,
        reason: expect.stringMatching(reason) as string,
        redis: `localhost:${redis.port}`,
      }),
    ]);
    expect(JSON.stringify(left.lines)).not.toContain('"wrong"');
    expect(left.hints.warning).toMatch(reason);
    await left.write('without Redis');
    expect(await left.title()).toBe('without Redis');
  });
});

described('with a Redis server with TLS', () => {
  it.each([
    ['a certificate that is not trusted', 'rediss', /^self-signed certificate$/],
    ['a connection without TLS', 'redis', /closed|ECONNRESET|timed out/],
  ])('%s is reported', async (_name, scheme, reason) => {
    const redis = await startRedis({ isEncrypted: true });
    closing.push(() => redis.close());
    const left = await openProcess(redis.url().replace('rediss', scheme));
    await until(() => left.lines.length > 0);
    expect(left.lines[0]).toMatchObject({ msg: LOST, reason: expect.stringMatching(reason) });
  });
});

it('a server that accepts connections and never answers is not waited for', async () => {
  const silent = await startTcpServer(() => undefined);
  closing.push(() => silent.close());
  const left = await openProcess(`redis://127.0.0.1:${silent.port}`);
  await left.write('at once');
  expect(await left.title()).toBe('at once');
  await until(() => left.lines.length > 0);
  expect(left.lines[0]).toMatchObject({ msg: LOST, reason: 'Command timed out' });
  await left.hints.stop();
  expect(messagesOf(left)).toEqual([LOST]);
});
