import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../src/config/load';
import { createDomain } from '../../../src/domain';
import type { Domain } from '../../../src/domain';
import type { Actor } from '../../../src/platform/access/actor';
import { createInProcessBus } from '../../../src/platform/events/bus';
import { createLogger } from '../../../src/platform/log/logger';
import { connectStore } from '../../../src/platform/store/startup/connect';
import type { ConnectedStore } from '../../../src/platform/store/startup/connect';
import { ADMIN_EMAIL, ADMIN_PASSWORD } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { ORIGIN } from '../../support/service/origin';
import { storeCalls } from '../../support/store/stored';
import { quickHashes } from '../../support/service/quick-hashes';
import { signIn as signInTo } from '../../support/service/sign-in';

/** Longer than the session cache TTL. */
const LATER_MS = 2_001;
const clock = movingClock();
let dir: string;
let connected: ConnectedStore;
let domain: Domain;

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-authenticate-'));
  const { config } = loadConfig({ DATA_DIR: dir, ADMIN_EMAIL, ADMIN_PASSWORD }, dir);
  const log = createLogger({ log: { level: 'silent' } });
  connected = await connectStore(config, log, { placement: 'inline', durability: 'test' });
  domain = await createDomain({
    config,
    log,
    hashes: quickHashes,
    clock,
    bus: createInProcessBus(() => undefined),
    store: connected.store,
  });
  await domain.prepare();
});
afterAll(async () => {
  await domain.stop();
  await connected.close();
  rmSync(dir, { recursive: true, force: true });
});

const signIn = (): Promise<string> =>
  signInTo(domain.services, ADMIN_EMAIL, ADMIN_PASSWORD, ORIGIN);
const states = async (token: string, times: number): Promise<Set<string>> =>
  new Set(
    (
      await Promise.all(
        Array.from({ length: times }, async () => domain.authenticate(token, ORIGIN)),
      )
    ).map(({ state }) => state),
  );
const actorOf = async (token: string): Promise<Actor> => {
  const authentication = await domain.authenticate(token, ORIGIN);
  if (authentication.state !== 'signed-in') throw new Error(authentication.state);
  return authentication.actor;
};

it('concurrent requests with one token cause one store read and one activity update', async () => {
  const token = await signIn();
  clock.forward(70_000);
  const calls = await storeCalls(async () =>
    expect(await states(token, 1_000)).toEqual(new Set(['signed-in'])),
  );
  expect(calls.filter((call) => /^(users|sessions)\./.test(call)).sort()).toEqual([
    'sessions.find',
    'sessions.updateOne',
    'users.find',
  ]);
  const again = () => storeCalls(() => states(token, 1_000), { remembers: true });
  // The session was written.
  expect(await again()).toEqual(['sessions.find']);
  expect(await again()).toEqual([]);
});

it('a session read that is pending at logout is not cached', async () => {
  for (let round = 0; round < 3; round++) {
    const token = await signIn();
    const actor = await actorOf(token);
    clock.forward(LATER_MS);
    const before = states(token, 20);
    await domain.services.sessions.logout(actor);
    const after = states(token, 20);
    expect(await after).toEqual(new Set(['rejected']));
    await before;
    expect(await states(token, 1)).toEqual(new Set(['rejected']));
  }
});

it.each([
  ['an ended session', 'sessions', { revoked: true }],
  ['a disabled user', 'users', { disabledAt: new Date() }],
])('%s is refused at once, also if another program wrote it', async (_what, collection, change) => {
  const token = await signIn();
  const { sessionId, userId } = await actorOf(token);
  const rows = connected.store.connection.collection<{ _id: number | string }>(collection);
  const filter = { _id: collection === 'users' ? userId : sessionId };
  const [before] = await rows.find(filter).toArray();
  await rows.updateOne(filter, { $set: change });
  expect(await states(token, 2)).toEqual(new Set(['rejected']));
  await rows.replaceOne(filter, before);
  expect(await states(token, 2)).toEqual(new Set(['signed-in']));
});
