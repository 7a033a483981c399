import fc from 'fast-check';
import { DEFAULT_LIMITS } from '../../../src/config/limits';
import { AttemptMemory } from '../../../src/platform/attempts/attempt-records';
import { Lockout } from '../../../src/platform/attempts/lockout';
import { clientNetwork } from '../../../src/platform/http/origin';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import type { MovingClock } from '../../support/service/moving-clock';

const MINUTE = 60_000;

describe('the login lockout', () => {
  const NETWORK_FAILURES = 8;
  let clock: MovingClock;
  let service: TestService;
  beforeAll(async () => {
    // Start of a minute, so that all failures are counted in the same minute.
    clock = movingClock(Math.ceil(Date.now() / MINUTE) * MINUTE);
    service = await startService({
      clock,
      env: {
        HYPHA_TRUSTED_PROXIES: 'loopback',
        HYPHA_LIMITS_LOGIN_ADDRESS_FAILURES: String(NETWORK_FAILURES),
        HYPHA_CORS_ORIGINS: 'https://allowed.example',
        HYPHA_TOKEN_ACTIVITY_TIME: '36000',
      },
    });
  });
  afterAll(() => service.close());

  const attempt = (
    email: string,
    address: string,
    password = 'wrong password',
    headers: Record<string, string> = {},
  ): Promise<Answer> =>
    service.api('POST', '/login', {
      token: null,
      body: { email, password },
      headers: { 'x-forwarded-for': address, ...headers },
    });
  const statuses = async (
    times: number,
    one: (index: number) => Promise<Answer>,
  ): Promise<number[]> => {
    const seen: number[] = [];
    for (let index = 0; index < times; index++) seen.push((await one(index)).status);
    return seen;
  };
  const member = () => service.userWith(['MYPROFILE:READ']);
  const all = (length: number, status: number): number[] => Array.from({ length }, () => status);

  it('delays the sixth attempt, doubles the delay up to 15 minutes and does not affect other addresses', async () => {
    const { email, password } = await member();
    expect(await statuses(5, () => attempt(email, '203.0.113.1'))).toEqual(all(5, 401));

    const locked = await attempt(email.toUpperCase(), '203.0.113.1', password);
    expect([locked.status, locked.body.message, locked.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_ATTEMPTS',
      '30',
    ]);
    expect((await attempt(email, '203.0.113.2', password)).status).toBe(200);

    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      clock.forward(15 * MINUTE);
      expect((await attempt(email, '203.0.113.1')).status).toBe(401);
      waits.push(Number((await attempt(email, '203.0.113.1')).headers.get('retry-after')));
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);

    clock.forward(900_000);
    expect((await attempt(email, '203.0.113.1', password)).status).toBe(200);
    expect((await attempt(email, '203.0.113.1')).status).toBe(401);
    expect((await attempt(email, '203.0.113.1', password)).status).toBe(200);
  });

  it('is lifted for an account when its password changes', async () => {
    const [locked, other] = [await member(), await member()];
    for (const [email, address] of [
      [locked.email, '203.0.113.40'],
      [locked.email, '203.0.113.41'],
      [other.email, '203.0.113.40'],
    ] as const) {
      expect(await statuses(4, () => attempt(email, address))).toEqual(all(4, 401));
    }
    for (const [email, address] of [
      [locked.email, '203.0.113.41'],
      [other.email, '203.0.113.42'],
    ] as const)
      await attempt(email, address);
    expect((await attempt(locked.email, '203.0.113.41', locked.password)).status).toBe(429);

    const changed = 'another fine password';
    expect(
      await service.status('PUT', `/api/user/${locked.id}/password`, {
        body: { enhanceId: locked.id, email: locked.email, password: changed },
      }),
    ).toBe(200);
    expect((await attempt(locked.email, '203.0.113.41', changed)).status).toBe(200);
    expect((await attempt(other.email, '203.0.113.40', other.password)).status).toBe(429);
  });

  it('does not count new passwords of signed-in users for their address', async () => {
    const { id, email, token } = await service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
    const address = '203.0.113.43';
    const passwordOf = (index: number): string => `another fine password ${index}`;
    const changed = await statuses(NETWORK_FAILURES, (index) =>
      service.api('PUT', `/api/user/${id}/password`, {
        token,
        body: { password: passwordOf(index) },
        headers: { 'x-forwarded-for': address },
      }),
    );
    expect(changed).toEqual(all(NETWORK_FAILURES, 200));
    expect((await attempt(email, address, passwordOf(NETWORK_FAILURES - 1))).status).toBe(200);
  });

  it('does not reveal which accounts exist', async () => {
    expect(await statuses(6, () => attempt('nobody@hypha.test', '203.0.113.3'))).toEqual([
      ...all(5, 401),
      429,
    ]);
  });

  it('limits concurrent attempts as well', async () => {
    const { email, password } = await member();
    const guesses = Array.from({ length: 30 }, (_, index) =>
      attempt(email, '203.0.113.4', index === 29 ? password : `guess number ${index}`),
    );
    const seen = (await Promise.all(guesses)).map(({ status }) => status);
    expect(seen.filter((status) => status !== 429).length).toBeLessThanOrEqual(6);
    expect(seen).toContain(429);
  });

  it('locks an address after failures across accounts until the oldest is 15 minutes old, regardless of successes', async () => {
    const { email, password } = await member();
    expect(
      await statuses(NETWORK_FAILURES - 1, (index) =>
        attempt(`guessed${index}@hypha.test`, '203.0.113.5'),
      ),
    ).toEqual(all(NETWORK_FAILURES - 1, 401));
    clock.forward(MINUTE);
    expect((await attempt(email, '203.0.113.5', password)).status).toBe(200);
    expect((await attempt('last@hypha.test', '203.0.113.5')).status).toBe(401);

    const locked = await attempt(email, '203.0.113.5', password);
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([429, String(14 * 60)]);
    expect((await attempt(email, '203.0.113.6', password)).status).toBe(200);

    clock.forward(14 * MINUTE);
    expect((await attempt(email, '203.0.113.5', password)).status).toBe(200);
  });

  it('counts a /64 as one address, and an IPv4-mapped address as IPv4', async () => {
    const { email, password } = await member();
    expect(await statuses(5, (index) => attempt(email, `2001:db8:1:2::${index + 1}`))).toEqual(
      all(5, 401),
    );
    expect((await attempt(email, '2001:db8:1:2:ffff:ffff:ffff:ffff', password)).status).toBe(429);
    expect((await attempt(email, '2001:db8:1:3::1', password)).status).toBe(200);

    expect(
      await statuses(5, (index) => attempt(email, index % 2 ? '203.0.113.7' : '::ffff:cb00:7107')),
    ).toEqual(all(5, 401));
    expect((await attempt(email, '::ffff:203.0.113.7', password)).status).toBe(429);
  });

  const failures = async (): Promise<Record<string, any>[]> =>
    (
      await service.field(
        '{ auditEvents(first: 100, filter: { action: { eq: SESSION_REFUSE } }) { nodes { actor { userId email } target { type targetId } before after } } }',
      )
    ).nodes;

  it('records one audit event per account, address and minute without unknown e-mails', async () => {
    const { id, email } = await member();
    const before = (await failures()).length;
    await Promise.all([1, 2, 3].map(() => attempt(email, '203.0.113.8')));
    await Promise.all(
      [1, 2, 3, 4].map((index) =>
        attempt(`a secret typed in the wrong box ${index}`, '2001:db8:9::8'),
      ),
    );
    clock.forward(MINUTE);
    await attempt(email, '203.0.113.8');

    const recorded = await failures();
    const event = (target: string, address: string, count: number) => ({
      actor: { userId: 0, email: 'anonymous' },
      target: { type: 'USER', targetId: target },
      before: null,
      after: { address, count },
    });
    expect(recorded).toHaveLength(before + 3);
    expect(recorded.slice(0, 3)).toEqual(
      expect.arrayContaining([
        event(String(id), '203.0.113.8', 1),
        event('unknown', '2001:db8:9::/64', 4),
        event(String(id), '203.0.113.8', 3),
      ]),
    );
    expect(JSON.stringify([recorded, service.logs])).not.toContain('a secret typed');
  });

  const LOGIN =
    'mutation ($input: LoginInput!) { login(input: $input) { token userErrors { code path retryAfter } } }';
  const overGraphql = (input: object, headers: Record<string, string>): Promise<Answer> =>
    service.api('POST', '/graphql', {
      token: null,
      body: { query: LOGIN, variables: { input } },
      headers,
    });

  it('reports each failed attempt over GraphQL in userErrors, with the time to wait', async () => {
    const { email, password } = await member();
    const from = { 'x-forwarded-for': '203.0.113.9' };
    const failed = (code: string, retryAfter: number | null) => ({
      data: { login: { token: null, userErrors: [{ code, path: [], retryAfter }] } },
    });
    for (let failures = 0; failures < 5; failures += 1)
      expect((await overGraphql({ email, password: 'wrong' }, from)).body).toEqual(
        failed('CREDENTIALS_WRONG', null),
      );
    const locked = await overGraphql({ email, password }, from);
    expect(locked.body).toEqual(failed('TOO_MANY_ATTEMPTS', 30));
    expect([locked.status, locked.headers.get('retry-after')]).toEqual([200, '30']);
    expect((await attempt(email, '203.0.113.9', password)).status).toBe(429);
  });

  it.each<
    [string, (email: string, password: string, headers: Record<string, string>) => Promise<Answer>]
  >([
    [
      '/login',
      (email, password, headers) =>
        service.api('POST', '/login', { token: null, body: { email, password }, headers }),
    ],
    [
      '/login with a form content type',
      (email, password, headers) =>
        service.api('POST', '/login', {
          token: null,
          body: JSON.stringify({ email, password }),
          headers: { ...headers, 'content-type': 'text/plain' },
        }),
    ],
    ['GraphQL', (email, password, headers) => overGraphql({ email, password }, headers)],
  ])('does not count cross-origin requests to %s', async (_transport, login) => {
    const { email, password } = await member();
    const from: Record<string, string> = { 'x-forwarded-for': '198.51.100.1' };
    const foreignPages: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { origin: 'null' },
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
    ];
    for (const foreign of foreignPages) {
      for (const candidate of ['wrong password', password]) {
        const answer = await login(email, candidate, { ...from, ...foreign });
        expect([
          answer.body.message ?? answer.body.errors[0].extensions.code,
          answer.headers.get('authorization'),
        ]).toEqual([answer.body.errors ? 'FORBIDDEN' : 'ACCESS_DENIED', null]);
        expect(answer.status).toBe(answer.body.errors ? answer.status : 403);
      }
    }
    const ownPages: Record<string, string>[] = [
      {},
      { origin: service.url },
      { origin: service.url.replace('http:', 'https:') },
      { origin: 'https://allowed.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://outer.example', 'sec-fetch-site': 'same-origin' },
    ];
    for (const fine of ownPages) {
      expect(
        (await login(email, password, { ...from, ...fine })).headers.get('authorization'),
      ).toMatch(/^Bearer /);
    }
  });

  it('does not affect the administrator', async () => {
    expect((await attempt(ADMIN_EMAIL, '198.51.100.2', ADMIN_PASSWORD)).status).toBe(200);
  });
});

describe('the lockout counter', () => {
  const lockoutOf = (limits = DEFAULT_LIMITS, clock = movingClock()): Lockout =>
    new Lockout(clock, limits, 'logins', new AttemptMemory());

  it('allows 100 failures of one address in any 15 minutes', async () => {
    const clock = movingClock();
    const lockout = lockoutOf(DEFAULT_LIMITS, clock);
    const start = clock.now().getTime();
    const failedAt: number[] = [];
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 30_000 }), { minLength: 50, maxLength: 300 }),
        async (pauses) => {
          for (const [index, pause] of pauses.entries()) {
            clock.forward(pause);
            const now = clock.now().getTime() - start;
            const recent = failedAt.filter((time) => now - time < 15 * MINUTE).length;
            expect(await lockout.isOpen(`account ${index}`, 'network')).toBe(recent < 100);
            if (recent >= 100) continue;
            // A new account each time, so that only the address can be locked.
            const account = `account ${index} at ${now} of ${failedAt.length}`;
            await lockout.count(account, 'network', 'failure');
            failedAt.push(now);
          }
        },
      ),
      { numRuns: 10 },
    );
    expect(failedAt.length).toBeGreaterThan(100);
  });

  it('evicts the oldest accounts when it is full', async () => {
    const lockout = lockoutOf({ ...DEFAULT_LIMITS, loginFailures: 1 });
    await lockout.count('the first', 'network', 'failure');
    expect(await lockout.isOpen('the first', 'network')).toBe(false);
    for (let invented = 0; invented < 10_000; invented++)
      await lockout.count(`invented ${invented}`, `network ${invented}`, 'failure');
    expect(await lockout.isOpen('the first', 'network')).toBe(true);
    expect(await lockout.isOpen('invented 9999', 'network 9999')).toBe(false);
  });

  it('treats every /64 as one network', () => {
    const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
    const half = fc.tuple(group, group, group, group).map((groups) => groups.join(':'));
    fc.assert(
      fc.property(half, half, half, (network, one, other) => {
        // Exclude IPv4-mapped addresses.
        fc.pre(!/^0:0:0:0$/.test(network));
        expect(clientNetwork(`${network}:${one}`)).toBe(clientNetwork(`${network}:${other}`));
        expect(clientNetwork(`${network}:${one}`)).toMatch(/::\/64$/);
      }),
    );
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        expect(clientNetwork(`::ffff:${address}`)).toBe(address);
        expect(clientNetwork(address)).toBe(address);
      }),
    );
    expect(clientNetwork('2001:DB8:0:1::5')).not.toBe(clientNetwork('2001:db8:0:2::5'));
    expect(clientNetwork('fe80::1%eth0')).toBe('fe80::/64');
    expect(clientNetwork('')).toBe('');
  });
});
