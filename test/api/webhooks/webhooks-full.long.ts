import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { method, saved, workflow } from '../../support/documents/workflows';

/* As many webhook runs as may be queued. */

const MOST_OF_ONE = 500;
let service: TestService;
let remote: RemoteSystem;
let letGo: () => void = () => undefined;
beforeAll(async () => {
  remote = await remoteSystem(
    () =>
      new Promise((resolve) => {
        letGo = () => resolve({});
      }),
  );
  service = await startService({
    env: { HYPHA_RUN_CONCURRENT: '1', HYPHA_LIMITS_WEBHOOK_CALLS: '5000' },
  });
});
afterAll(async () => {
  letGo();
  await service.close();
  await remote.close();
});

it('a full webhook queue returns Retry-After and nothing about other runs', async () => {
  const connectionId = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const {
    body: { schedulerId },
  } = await service.api('POST', '/api/scheduler', {
    body: { title: unique('Full '), connectionId },
  });
  const { webhook } = await service.mutate(
    'webhookCreate',
    { scheduleId: schedulerId },
    'webhook { url }',
  );
  const call = () => service.api('GET', new URL(webhook.url).pathname, { token: null });
  expect((await call()).status).toBe(200);
  await remote.next();
  for (let nth = 0; nth < MOST_OF_ONE; nth += 1) expect((await call()).status).toBe(200);
  const refused = await call();
  expect([refused.status, refused.headers.get('retry-after'), refused.body.message]).toEqual([
    503,
    '10',
    'SERVICE_UNAVAILABLE',
  ]);
  // Retry-After may contain any number.
  const { timestamp, ...said } = refused.body;
  expect(timestamp).toEqual(expect.any(String));
  expect(JSON.stringify(said)).not.toMatch(/500|1000|of your/);
});
