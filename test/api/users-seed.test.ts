import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load';
import { createDomain } from '../../src/domain';
import type { Domain } from '../../src/domain';
import { seed } from '../../src/features/users/seed.service';
import { createPasswords } from '../../src/platform/crypto/passwords';
import { createWorkQueue } from '../../src/platform/crypto/work-queue';
import { createInProcessBus } from '../../src/platform/events/bus';
import { createLogger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/connect';
import type { ConnectedStore } from '../../src/platform/store/connect';
import { systemClock } from '../../src/platform/clock/clock';
import { collected } from '../support/collected';
import { ORIGIN as origin } from '../support/origin';

const log = createLogger({ log: { level: 'silent' } });
let dir: string;
let connected: ConnectedStore;
let domain: Domain;

/** An empty store, and a service on it that was not prepared. */
async function start(env: Record<string, string>): Promise<void> {
  const { config } = loadConfig({ DATA_DIR: dir, ...env }, dir);
  connected = await connectStore(config, log, { placement: 'inline', durability: 'test' });
  domain = await createDomain({ config, log, clock: systemClock, bus: createInProcessBus(() => undefined), store: connected.store });
}

async function stop(): Promise<void> {
  await domain.stop();
  await connected.close();
}

beforeEach(() => { dir = mkdtempSync(join(tmpdir(), 'hypha-seed-')); });
afterEach(async () => {
  await stop();
  rmSync(dir, { recursive: true, force: true });
});

it('makes an administrator with a generated password, told once', async () => {
  await start({});
  const first = await domain.prepare();
  expect(first).toEqual({ email: 'admin@hypha.local', generatedPassword: expect.stringMatching(/^\w{20}$/) });
  const password = first?.generatedPassword ?? '';
  await domain.services.login.login({ email: 'admin@hypha.local', password }, origin);
  expect(JSON.stringify(await connected.store.connection.collection('audit_events').find().toArray())).not.toContain(password);

  await stop();
  await start({ ADMIN_PASSWORD: 'another one, too late' });
  expect(await domain.prepare()).toBeNull();
  await domain.services.login.login({ email: 'admin@hypha.local', password }, origin);
  expect(await collected(domain.services.users.list())).toHaveLength(1);
});

it('keeps to itself a password that was given', async () => {
  await start({ ADMIN_EMAIL: 'boss@hypha.test', ADMIN_PASSWORD: 'given by the operator', PRODUCT_PREFIX: 'hypha' });
  expect(await domain.prepare()).toEqual({ email: 'boss@hypha.test', generatedPassword: null });
  await domain.services.login.login({ email: 'boss@hypha.test', password: 'given by the operator' }, origin);
});

it('leaves nothing of a start that died in the middle, and the next one is the first', async () => {
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  const { store } = connected;
  await store.prepare();
  const passwords = createPasswords(createWorkQueue({ concurrency: 1, capacity: 1 }));
  const { directory, users } = domain.services;
  const dies: typeof users = {
    ...users,
    createFirst: async (...user) => {
      await users.createFirst(...user);
      throw new Error('killed');
    },
  };
  await expect(seed({ store, directory, users: dies, passwords }, { email: 'a@hypha.test', password: 'not to be kept' })).rejects.toThrow('killed');
  for (const name of ['users', 'groups', 'permissions', 'components', 'directory_state']) expect([name, await store.connection.collection(name).countDocuments()]).toEqual([name, 0]);

  expect(await domain.prepare()).toEqual({ email: 'admin@hypha.local', generatedPassword: null });
  expect((await collected(users.list())).map(({ id, email }) => [id, email])).toEqual([[1, 'admin@hypha.local']]);
  expect((await collected(users.list()))[0]?.groupId).toBe(1);
});

it('does not bring back what an administrator took away', async () => {
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  await domain.prepare();
  const { session: _session, token } = await domain.services.login.login({ email: 'admin@hypha.local', password: 'given by the operator' }, origin);
  const authentication = await domain.authenticate(token, origin);
  if (authentication.state !== 'signed-in') throw new Error(authentication.state);
  await domain.services.groups.update(authentication.actor, 2, { components: [] });
  await stop();
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  await domain.prepare();
  expect(domain.services.groups.get(2).components).toEqual([]);
});
