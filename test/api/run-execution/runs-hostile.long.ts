import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { hostileRemote, hostileSettings } from '../../support/peers/hostile-remote';
import type { HostileRemote } from '../../support/peers/hostile-remote';
import { hostileBesideOrdinary } from '../../support/documents/hostile-runs';

/** Runs that compute until a timeout; `sandbox.test.ts` and `run-pool-limits.long.ts` test these. */
const ENDLESS = ['RUN_STALLED', 'SCRIPT_TIMEOUT'];

let service: TestService;
let remote: HostileRemote;

beforeAll(async () => {
  [remote, service] = await Promise.all([hostileRemote(), startService({ env: hostileSettings })]);
});
afterAll(async () => {
  await service.close();
  await remote.close();
});

it('hostile runs of each kind end with their codes while ordinary runs succeed', async () => {
  for (const { name, expected, got } of await hostileBesideOrdinary(service, remote, 1, ENDLESS))
    expect(`${name}: ${got}`).toBe(`${name}: ${expected}`);
});
