import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { codeOf as codeAt } from '../../support/calls/account-calls';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { storeProxy } from '../../support/peers/store-proxy';
import type { StoreFault, StoreProxy } from '../../support/peers/store-proxy';
import { startService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { MASTER_PASSWORD } from '../../support/service/master-password';
import { movingClock } from '../../support/service/moving-clock';

/* Two services at one store count attempts as one does. */

const HOUR_MS = 3_600_000;
const ADDRESS_FAILURES = 12;
const clock = movingClock();

let dir: string;
let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
/** Between the second service and the store. */
let proxy: StoreProxy;
let mail: MailServer;
let services: readonly [TestService, TestService];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-attempts-'));
  store = await openEmbeddedStore({ dir, placement: 'inline', durability: 'test' });
  proxy = await storeProxy(store.uri);
  mail = await startMailServer();
  const start = (uri: string): Promise<TestService> =>
    startService({
      clock,
      env: {
        ...mail.env,
        MONGODB_URI: uri,
        HYPHA_TOKEN_SECRET: 'the secret of both services, which is long enough',
        HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD,
        HYPHA_TRUSTED_PROXIES: 'loopback',
        HYPHA_LIMITS_LOGIN_ADDRESS_FAILURES: String(ADDRESS_FAILURES),
        HYPHA_TOKEN_ACTIVITY_TIME: '864000',
        HYPHA_TOKEN_EXPIRATION_TIME: '864000',
      },
    });
  services = [await start(store.uri), await start(proxy.uri)];
});
afterAll(async () => {
  for (const service of services) await service.close();
  await mail.close();
  await proxy.close();
  await store.close();
  rmSync(dir, { recursive: true, force: true });
});
afterEach(() => {
  proxy.inject(() => null);
  // Failures of one test do not count in the next one.
  clock.forward(HOUR_MS);
});

const NETWORK = '203.0.113.1';
const post = (
  nth: number,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answer> =>
  services[nth % 2].api('POST', path, {
    token: null,
    body,
    headers: { 'x-forwarded-for': NETWORK, ...headers },
  });
const login = (nth: number, email: string, password = 'wrong password'): Promise<Answer> =>
  post(nth, '/login', { email, password });
const member = () => services[0].userWith(['MYPROFILE:READ']);

/** The statuses of so many attempts, one after the other, at both services in turn. */
async function statuses(
  times: number,
  attempt: (nth: number) => Promise<Answer>,
): Promise<number[]> {
  const seen: number[] = [];
  for (let nth = 0; nth < times; nth += 1) seen.push((await attempt(nth)).status);
  return seen;
}
const all = (length: number, status: number): number[] => Array.from({ length }, () => status);
const locks = async (attempt: (nth: number) => Promise<Answer>): Promise<unknown[]> =>
  Promise.all(
    [0, 1].map(async (nth) => {
      const { status, headers } = await attempt(nth);
      return [status, headers.get('retry-after')];
    }),
  );
const LOCKED_AT_BOTH = [
  [429, '30'],
  [429, '30'],
];

it('failed logins at two services lock the account at both', async () => {
  const { email, password } = await member();
  expect(await statuses(5, (nth) => login(nth, email))).toEqual(all(5, 401));
  expect(await locks((nth) => login(nth, email, password))).toEqual(LOCKED_AT_BOTH);
  clock.forward(30_000);
  expect((await login(1, email, password)).status).toBe(200);
});

it('a login at one service clears the failures that the other one has counted', async () => {
  const { email, password } = await member();
  expect(await statuses(4, () => login(1, email))).toEqual(all(4, 401));
  expect((await login(0, email, password)).status).toBe(200);
  expect(await statuses(4, (nth) => login(nth, email))).toEqual(all(4, 401));
  expect((await login(1, email, password)).status).toBe(200);
});

it('a new password, set at one service, is accepted by the other one after a lock', async () => {
  const { id, email } = await member();
  expect(await statuses(6, () => login(1, email))).toEqual([...all(5, 401), 429]);
  const password = 'another fine password';
  const changed = await services[0].api('PUT', `/api/user/${id}/password`, {
    body: { enhanceId: id, email, password },
  });
  expect(changed.status).toBe(200);
  expect((await login(1, email, password)).status).toBe(200);
});

it('failures of concurrent logins at two services are all counted', async () => {
  const { email, password } = await member();
  const answers = await Promise.all(
    Array.from({ length: 16 }, (_, nth) => login(nth, email, nth === 15 ? password : 'wrong')),
  );
  expect(answers.filter(({ status }) => status === 401).length).toBeLessThanOrEqual(5);
  expect(await locks((nth) => login(nth, email, password))).toEqual(LOCKED_AT_BOTH);
});

it('failures of an address over all accounts lock it at both services', async () => {
  const { email, password } = await member();
  expect(await statuses(ADDRESS_FAILURES, (nth) => login(nth, `guessed${nth}@hypha.test`))).toEqual(
    all(ADDRESS_FAILURES, 401),
  );
  expect(await locks((nth) => login(nth, email, password))).toEqual([
    [429, '900'],
    [429, '900'],
  ]);
});

describe('a second factor', () => {
  const codeOf = (secretKey: string): string => codeAt(secretKey, clock.now().getTime());
  const validate = (nth: number, sessionId: string, code: string): Promise<Answer> =>
    post(nth, '/totp-validate', { sessionId, code });

  /** A user who has set up an app, after a wrong code at the other service. */
  async function enrolled() {
    const user = await member();
    expect((await services[0].api('PUT', `/api/user/${user.id}/totp/enable`)).status).toBe(200);
    const { sessionId, secretKey } = (await login(0, user.email, user.password)).body;
    expect((await validate(0, sessionId, '000000')).status).toBe(401);
    expect((await validate(1, sessionId, codeOf(secretKey))).status).toBe(200);
    clock.forward(90_000);
    return { ...user, secretKey: secretKey as string };
  }

  it('is locked at both services after wrong codes at both, over several logins', async () => {
    const { email, password, secretKey } = await enrolled();
    const challenge = async (nth: number): Promise<string> =>
      (await login(nth, email, password)).body.sessionId;
    const first = await challenge(0);
    expect(await statuses(4, (nth) => validate(nth, first, '000000'))).toEqual(all(4, 401));
    const second = await challenge(1);
    expect((await validate(0, second, '000000')).status).toBe(401);
    expect(await locks((nth) => validate(nth, second, codeOf(secretKey)))).toEqual(LOCKED_AT_BOTH);
    clock.forward(30_000);
    expect((await validate(1, second, codeOf(secretKey))).status).toBe(200);
  });
});

it('requests for a password are limited over both services', async () => {
  const email = `${unique('nobody')}@hypha.test`;
  const request = (nth: number): Promise<Answer> =>
    post(nth, '/api/auth/forgot-password', { email });
  expect(await statuses(5, request)).toEqual(all(5, 204));
  expect(await locks(request)).toEqual(LOCKED_AT_BOTH);
});

it('wrong master passwords are limited over both services', async () => {
  const status = (nth: number, password: string): Promise<Answer> =>
    services[nth % 2].api('GET', '/api/connector/master-password/status', {
      headers: { 'x-forwarded-for': NETWORK, 'x-master-password': password },
    });
  expect(await statuses(5, (nth) => status(nth, 'wrong'))).toEqual(all(5, 403));
  expect(await locks((nth) => status(nth, MASTER_PASSWORD))).toEqual(LOCKED_AT_BOTH);
});

it('a login that cannot be counted is answered with 503', async () => {
  const { email, password } = await member();
  const failing = (command: string, fault: StoreFault): void =>
    proxy.inject((name, { [command]: collection }) =>
      name === command && collection === 'attempts' ? fault : null,
    );
  failing('update', { code: 11600 });
  expect((await login(1, email)).status).toBe(503);
  failing('find', { code: 11600 });
  expect((await login(1, email, password)).status).toBe(503);
  proxy.inject(() => null);
  expect((await login(1, email, password)).status).toBe(200);
});
