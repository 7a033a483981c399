import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load';
import { createDomain } from '../../../src/domain';
import type { Domain } from '../../../src/domain';
import { Seed } from '../../../src/features/users/seed.service';
import type { FirstAdministrator } from '../../../src/feature';
import { UserRecords } from '../../../src/features/users/user-records';
import { createPasswords } from '../../../src/platform/crypto/passwords';
import { WorkQueue } from '../../../src/platform/queues';
import { createInProcessBus } from '../../../src/platform/events/bus';
import { createLogger } from '../../../src/platform/log/logger';
import type { ConnectedStore } from '../../../src/platform/store/startup/connect';
import { Store } from '../../../src/platform/store/store';
import { systemClock } from '../../../src/platform/clock/clock';
import { connectDomain } from '../../support/store/domain-fixture';
import { collected } from '../../support/store/collected';
import { ORIGIN as origin } from '../../support/service/origin';
import { quickHashes } from '../../support/service/quick-hashes';
import { longIt } from '../../support/long';
import { signIn } from '../../support/service/sign-in';

const log = createLogger({ log: { level: 'silent' } });
let dir: string;
let connected: ConnectedStore;
let domain: Domain;

async function start(env: Record<string, string>): Promise<void> {
  ({ connected, domain } = await connectDomain(dir, env));
}

/** Runs the seed and returns the reported password, if any. `isRead`: the operator could read it. */
async function prepare(isRead = true): Promise<FirstAdministrator | null> {
  let firstAdministrator: FirstAdministrator | null = null;
  await domain.prepare((administrator) => {
    firstAdministrator = administrator;
    return Promise.resolve(isRead);
  });
  return firstAdministrator;
}

async function stop(): Promise<void> {
  await domain.stop();
  await connected.close();
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-seed-'));
});
afterEach(async () => {
  await stop();
  rmSync(dir, { recursive: true, force: true });
});

it('the seed creates an administrator with a generated password and reports it once', async () => {
  await start({});
  const first = await prepare();
  expect(first).toEqual({
    email: 'admin@hypha.local',
    generatedPassword: expect.stringMatching(/^\w{20}$/),
    isRenewed: false,
  });
  const password = first?.generatedPassword ?? '';
  await domain.services.login.login({ email: 'admin@hypha.local', password }, origin);
  expect(
    JSON.stringify(await connected.store.connection.collection('audit_events').find().toArray()),
  ).not.toContain(password);

  await stop();
  await start({ ADMIN_PASSWORD: 'another one, too late' });
  expect(await prepare()).toBeNull();
  await domain.services.login.login({ email: 'admin@hypha.local', password }, origin);
  expect(await collected(domain.services.userRecords.list())).toHaveLength(1);
});

it('the seed does not report a given password', async () => {
  await start({
    ADMIN_EMAIL: 'boss@hypha.test',
    ADMIN_PASSWORD: 'given by the operator',
    PRODUCT_PREFIX: 'hypha',
  });
  expect(await prepare()).toEqual({
    email: 'boss@hypha.test',
    generatedPassword: null,
    isRenewed: false,
  });
  await domain.services.login.login(
    { email: 'boss@hypha.test', password: 'given by the operator' },
    origin,
  );
});

it('the seed leaves nothing after an aborted start, and the next start is the first', async () => {
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  const { store } = connected;
  await store.prepare();
  const passwords = createPasswords(new WorkQueue({ concurrency: 1, capacity: 1 }));
  const { directory, audit } = domain.services;
  class DyingRecords extends UserRecords {
    override async insert(...user: Parameters<UserRecords['insert']>): Promise<never> {
      await super.insert(...user);
      throw new Error('killed');
    }
  }
  const core = { store, bus: createInProcessBus(() => undefined), clock: systemClock, log };
  const seed = new Seed({ core, directory, users: new DyingRecords(store, audit), passwords });
  await expect(
    seed.run({ email: 'a@hypha.test', password: 'not to be kept' }, () => Promise.resolve(true)),
  ).rejects.toThrow('killed');
  for (const name of [
    'users',
    'groups',
    'permissions',
    'components',
    'directory_state',
    'first_administrators',
  ])
    expect([name, await store.connection.collection(name).countDocuments()]).toEqual([name, 0]);

  expect(await prepare()).toEqual({
    email: 'admin@hypha.local',
    generatedPassword: null,
    isRenewed: false,
  });
  expect(
    (await collected(domain.services.userRecords.list())).map(({ id, email }) => [id, email]),
  ).toEqual([[1, 'admin@hypha.local']]);
  expect((await collected(domain.services.userRecords.list()))[0]?.groupId).toBe(1);
});

longIt('the seed does not restore what an administrator removed', async () => {
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  await prepare();
  const token = await signIn(domain.services, 'admin@hypha.local', 'given by the operator', origin);
  const authentication = await domain.authenticate(token, origin);
  if (authentication.state !== 'signed-in') throw new Error(authentication.state);
  await domain.services.groups.update(authentication.actor, 2, { components: [] });
  await stop();
  await start({ ADMIN_PASSWORD: 'given by the operator' });
  await prepare();
  expect(domain.services.groups.get(2).components).toEqual([]);
});

describe('an administrator whose password cannot have been read', () => {
  const email = 'admin@hypha.local';
  const lets = async (password: string): Promise<boolean> =>
    domain.services.login.login({ email, password }, origin).then(
      () => true,
      () => false,
    );
  const restart = async (env: Record<string, string> = {}): Promise<void> => {
    await stop();
    await start(env);
  };

  longIt('gets a new password at each start until it can be read', async () => {
    await start({});
    const passwords: string[] = [];
    for (const isRead of [false, false, true]) {
      const administrator = await prepare(isRead);
      expect(administrator).toMatchObject({ email, isRenewed: passwords.length > 0 });
      passwords.push(administrator?.generatedPassword ?? '');
      await restart();
    }
    expect(new Set(passwords).size).toBe(3);
    expect(await prepare()).toBeNull();
    expect([await lets(passwords[0]), await lets(passwords[1]), await lets(passwords[2])]).toEqual([
      false,
      false,
      true,
    ]);
    const audit = await connected.store.connection
      .collection('audit_events')
      .find({ action: 'user.password' })
      .toArray();
    expect(audit.map(({ actor }) => actor.email)).toEqual(['system', 'system']);
    expect(JSON.stringify(audit)).not.toMatch(new RegExp(passwords.join('|')));
  });

  longIt('gets the password that the operator sets later, under the current e-mail', async () => {
    await start({});
    await prepare(false);
    await restart({ ADMIN_PASSWORD: 'chosen by the operator', ADMIN_EMAIL: 'other@hypha.test' });
    expect(await prepare(false)).toEqual({ email, generatedPassword: null, isRenewed: true });
    expect(await lets('chosen by the operator')).toBe(true);
    await restart();
    expect(await prepare()).toBeNull();
  });

  it.each<[string, (password: string) => Promise<unknown>]>([
    ['has signed in', async (password) => expect(await lets(password)).toBe(true)],
    [
      'has a new password',
      async () =>
        connected.store.connection
          .collection<{ _id: number }>('users')
          .updateOne({ _id: 1 }, { $inc: { credentialVersion: 1 } }),
    ],
    [
      'was deleted',
      async () =>
        connected.store.connection.collection<{ _id: number }>('users').deleteOne({ _id: 1 }),
    ],
  ])('is left alone if the user %s', async (_what, happens) => {
    await start({});
    await happens((await prepare(false))?.generatedPassword ?? '');
    await restart();
    expect(await prepare()).toBeNull();
  });

  it('does not exist if the operator chose the password', async () => {
    await start({ ADMIN_PASSWORD: 'given by the operator' });
    await prepare(false);
    await restart();
    expect(await prepare()).toBeNull();
    expect(await lets('given by the operator')).toBe(true);
  });
});

longIt('exactly one of two processes that start at once reports the administrator', async () => {
  await start({});
  const { config } = loadConfig({ DATA_DIR: dir }, dir);
  const administrators: FirstAdministrator[] = [];
  const notify = async (administrator: FirstAdministrator): Promise<boolean> => {
    // Gives the other process every chance to consider the unreported password lost.
    await new Promise((resolve) => {
      setTimeout(resolve, 500);
    });
    administrators.push(administrator);
    return true;
  };
  const shared = (): Store => new Store(connected.store.connection);
  const domains = await Promise.all(
    [1, 2].map(() =>
      createDomain({
        config,
        log,
        hashes: quickHashes,
        clock: systemClock,
        bus: createInProcessBus(() => undefined),
        store: shared(),
      }),
    ),
  );
  await Promise.all(domains.map((each) => each.prepare(notify)));
  expect(administrators).toEqual([expect.objectContaining({ isRenewed: false })]);
  await domains[0].services.login.login(
    { email: 'admin@hypha.local', password: administrators[0]?.generatedPassword ?? '' },
    origin,
  );
  for (const each of domains) await each.stop();
});
