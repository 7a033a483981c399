import { startService } from '../support/harness';
import type { Answer, TestService } from '../support/harness';
import { movingClock } from '../support/moving-clock';
import type { MovingClock } from '../support/moving-clock';

const ACTIVITY_SECONDS = 3_600;
const EXPIRATION_SECONDS = 10_000;

let clock: MovingClock;
let service: TestService;

/** A service for each test: moving its clock ends its sessions. */
beforeEach(async () => {
  clock = movingClock();
  service = await startService({ clock, env: {
    HYPHA_TRUSTED_PROXIES: 'loopback', HYPHA_TOKEN_ACTIVITY_TIME: String(ACTIVITY_SECONDS), HYPHA_TOKEN_EXPIRATION_TIME: String(EXPIRATION_SECONDS),
  } });
});
afterEach(() => service.close());

const loginWith = (body: unknown, headers: Record<string, string> = {}): Promise<Answer> => service.api('POST', '/login', { token: null, body, headers });
const from = (address: string) => ({ 'x-forwarded-for': address });
const member = () => service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
const status = async (token: string, id: number): Promise<number> => (await service.api('GET', `/api/user/${id}`, { token })).status;

describe('lock-out', () => {
  const attempt = (email: string, address: string, password = 'wrong password') => loginWith({ email, password }, from(address));

  it('makes the sixth attempt wait, doubles the wait to 15 minutes, and leaves other addresses alone', async () => {
    const { email, password } = await member();
    for (let failure = 1; failure <= 5; failure++) expect((await attempt(email, '203.0.113.1')).status).toBe(401);

    const locked = await attempt(email.toUpperCase(), '203.0.113.1', password);
    expect([locked.status, locked.body.message, locked.headers.get('retry-after')]).toEqual([429, 'TOO_MANY_ATTEMPTS', '30']);
    expect((await attempt(email, '203.0.113.2', password)).status).toBe(200);

    const waits: number[] = [];
    for (let round = 0; round < 7; round++) {
      clock.forward(15 * 60_000);
      expect((await attempt(email, '203.0.113.1')).status).toBe(401);
      waits.push(Number((await attempt(email, '203.0.113.1')).headers.get('retry-after')));
    }
    expect(waits).toEqual([60, 120, 240, 480, 900, 900, 900]);

    clock.forward(900_000);
    expect((await attempt(email, '203.0.113.1', password)).status).toBe(200);
    expect((await attempt(email, '203.0.113.1')).status).toBe(401);
    expect((await attempt(email, '203.0.113.1', password)).status).toBe(200);
  });

  it('does not tell by locking which accounts exist', async () => {
    for (let failure = 1; failure <= 5; failure++) expect((await attempt('nobody@hypha.test', '203.0.113.3')).status).toBe(401);
    expect((await attempt('nobody@hypha.test', '203.0.113.3')).status).toBe(429);
  });

  it('lets attempts that run side by side learn no more than five in a row', async () => {
    const { email, password } = await member();
    const guesses = Array.from({ length: 30 }, (_, index) => attempt(email, '203.0.113.4', index === 29 ? password : `guess number ${index}`));
    const statuses = (await Promise.all(guesses)).map((answer) => answer.status);
    expect(statuses.filter((code) => code !== 429).length).toBeLessThanOrEqual(6);
    expect(statuses).toContain(429);
  });
});

describe('a session', () => {
  it('ends at its absolute limit, however busy', async () => {
    const { token, id } = await member();
    for (let passed = 0; passed + 1_000 < EXPIRATION_SECONDS; passed += 1_000) {
      expect(await status(token, id)).toBe(200);
      clock.forward(1_000_000);
    }
    clock.forward(1_001_000);
    const answer = await service.api('GET', `/api/user/${id}/logout`, { token });
    expect([answer.status, answer.body.message]).toEqual([401, 'TOKEN_EXPIRED']);
  });

  it('ends when it is idle too long, and slides while it is used', async () => {
    const { token, id } = await member();
    clock.forward((ACTIVITY_SECONDS - 1) * 1000);
    expect(await status(token, id)).toBe(200);
    clock.forward((ACTIVITY_SECONDS - 1) * 1000);
    expect(await status(token, id)).toBe(200);
    clock.forward((ACTIVITY_SECONDS + 1) * 1000);
    const answer = await service.api('POST', '/api/auth/logout', { token });
    expect([answer.status, answer.body.message]).toEqual([401, 'TOKEN_EXPIRED']);
  });
});
