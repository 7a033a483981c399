import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import type { MovingClock } from '../../support/service/moving-clock';
import { longIt } from '../../support/long';

const ACTIVITY_SECONDS = 3_600;
const EXPIRATION_SECONDS = 10_000;

let clock: MovingClock;
let service: TestService;

/** One service per test, because moving the clock ends its sessions. */
beforeEach(async () => {
  clock = movingClock();
  service = await startService({
    clock,
    env: {
      HYPHA_TOKEN_ACTIVITY_TIME: String(ACTIVITY_SECONDS),
      HYPHA_TOKEN_EXPIRATION_TIME: String(EXPIRATION_SECONDS),
    },
  });
});
afterEach(() => service.close());

const member = () => service.userWith(['MYPROFILE:READ', 'MYPROFILE:UPDATE']);
const status = (token: string, id: number): Promise<number> =>
  service.status('GET', `/api/user/${id}`, { token });

describe('a session', () => {
  longIt('ends at its absolute limit even if it is in use', async () => {
    const { token, id } = await member();
    for (let passed = 0; passed + 1_000 < EXPIRATION_SECONDS; passed += 1_000) {
      expect(await status(token, id)).toBe(200);
      clock.forward(1_000_000);
    }
    clock.forward(1_001_000);
    await service.refuses(401, 'TOKEN_EXPIRED', 'GET', `/api/user/${id}/logout`, { token });
  });

  it('ends after its idle time, which use extends', async () => {
    const { token, id } = await member();
    clock.forward((ACTIVITY_SECONDS - 1) * 1000);
    expect(await status(token, id)).toBe(200);
    clock.forward((ACTIVITY_SECONDS - 1) * 1000);
    expect(await status(token, id)).toBe(200);
    clock.forward((ACTIVITY_SECONDS + 1) * 1000);
    await service.refuses(401, 'TOKEN_EXPIRED', 'POST', '/api/auth/logout', { token });
  });
});
