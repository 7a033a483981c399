import { join } from 'node:path';
import { openEmbeddedStore } from '@hypha/embedded-mongo';
import { saved, started, workflow } from '../support/documents/workflows';
import { REDIS_SERVER, startRedis } from '../support/peers/redis-server';
import type { RedisServer } from '../support/peers/redis-server';
import type { Running } from '../support/process';
import { folderOfServices } from '../support/service/folder-of-services';
import type { ReachedService } from '../support/service/harness';
import { hypha } from '../support/service/hypha';
import { socketOf } from '../support/service/watch';
import { until } from '../support/until';

const described = REDIS_SERVER === undefined ? describe.skip : describe;

described('two services at one database with a Redis over TLS', () => {
  let store: Awaited<ReturnType<typeof openEmbeddedStore>>;
  let redis: RedisServer;
  let env: Record<string, string>;
  let services: Running[] = [];
  let left: ReachedService;
  let right: ReachedService;
  // Before the folder is removed.
  afterAll(async () => {
    for (const service of services) await stop(service);
    await redis.close();
    await store.close();
  });
  const { folder, path, start, reach, stop } = folderOfServices('hypha-redis-services-');

  beforeAll(async () => {
    store = await openEmbeddedStore({
      dir: join(folder, 'store'),
      placement: 'inline',
      durability: 'test',
    });
    redis = await startRedis({ isEncrypted: true });
    env = {
      MONGODB_URI: store.uri,
      REDIS_URL: redis.url(),
      NODE_EXTRA_CA_CERTS: redis.caFile,
      HYPHA_TOKEN_SECRET: 'one secret of thirty-two bytes for both',
      HYPHA_CONNECTOR_MASTER_PASSWORD: 'one for both',
      HYPHA_METRICS_TOKEN: 'metrics-of-both-services',
    };
    services = [start('left', env)];
    left = await reach(services[0]);
    services.push(start('right', env));
    right = await reach(services[1]);
  });
  /** The system check, the metric and the probe of a service. */
  async function shown(service: ReachedService) {
    const health = await service.body('GET', '/actuator/health/redis');
    const metrics = await service.api('GET', '/metrics', {
      token: 'Bearer metrics-of-both-services',
    });
    const [, gauge] = /^hypha_redis_up (\d)$/m.exec(metrics.text) ?? [];
    return { ...health, gauge, ready: await service.status('GET', '/readyz') };
  }

  /** Waits until both services show the state, which the system check does after some seconds. */
  async function show(isUp: boolean): Promise<void> {
    const all = await until(async () => {
      const states = [await shown(left), await shown(right)];
      return states.every(({ details }) => 'warning' in details !== isUp) && states;
    });
    const warning = expect.stringMatching(
      /^Redis is not reached \(.+\): changes by other/,
    ) as string;
    const expected = {
      status: 'UP',
      details: {
        location: `localhost:${redis.port}`,
        version: expect.stringMatching(/^\d+\./) as string,
        ...(!isUp && { warning }),
      },
      gauge: isUp ? '1' : '0',
      ready: 200,
    };
    expect(all).toEqual([expected, expected]);
  }

  it('a run at one is shown by the other while Redis is there, killed and back', async () => {
    const id = await saved(left, workflow([]));
    const client = socketOf(right);
    const changes = client.iterate<any>({
      query: 'subscription { runsChanged { changed { databaseId state } } }',
    });
    await changes.next();
    const seesRunOfLeft = async (): Promise<void> => {
      const runId = await started(left, id);
      for (;;) {
        const { value } = await changes.next();
        const { changed } = value.data.runsChanged;
        if (changed.some(({ databaseId }: any) => databaseId === runId)) return;
      }
    };
    await show(true);
    await seesRunOfLeft();
    await redis.kill();
    await show(false);
    await seesRunOfLeft();
    await redis.start();
    await show(true);
    await seesRunOfLeft();
    await client.dispose();
    for (const { output } of services) {
      expect(output.match(/no Redis/g)).toHaveLength(1);
      expect(output.match(/Redis is back/g)).toHaveLength(1);
      expect(output).not.toContain('p@ss');
    }
  });

  it('`hypha doctor` sends a message through it', async () => {
    const { stdout } = await hypha(['doctor', '--json'], {
      cwd: folder,
      env: { ...env, PORT: '0', DATA_DIR: path('doctor') },
    });
    expect(JSON.parse(stdout).findings).toContainEqual({
      about: 'redis',
      level: 'ok',
      text: expect.stringMatching(/^Redis \d\S+ at localhost:\d+ passes on messages\.$/) as string,
    });
  });
});
