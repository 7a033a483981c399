import { join } from 'node:path';
import type { Client } from 'graphql-ws';
import { NGINX, openDeployedNginx } from '../test/support/peers/front';
import { reached } from '../test/support/service/harness';
import type { ReachedService } from '../test/support/service/harness';
import { freePort } from '../test/support/process';
import { socketOf } from '../test/support/service/watch';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';

const REQUESTS = 10_000;
const CLIENTS = 50;
const SOCKETS = 500;

/** Sends a request; resolves with whether the response is right. */
type MixedRequest = (service: ReachedService, nth: number) => Promise<boolean>;

const MIX: readonly MixedRequest[] = [
  async (service) => (await service.api('GET', '/api/user/all')).status === 200,
  async (service) => (await service.gql('{ me { email group { name } } }')).errors === undefined,
  async (service) => (await service.api('GET', '/api/component/all')).status === 200,
  async (service) =>
    (await service.gql('{ workflows(first: 10) { nodes { title } } }')).errors === undefined,
  async (service, nth) =>
    (await service.api('POST', '/api/category', { body: { name: `category ${nth}` } })).status ===
    201,
];

/** Returns the number of wrong and missing answers. */
async function failuresOf(service: ReachedService): Promise<number> {
  let [next, failures] = [0, 0];
  const client = async (): Promise<void> => {
    for (let nth = next++; nth < REQUESTS; nth = next++) {
      const isRight = await MIX[nth % MIX.length](service, nth).catch(() => false);
      if (!isRight) failures += 1;
    }
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return failures;
}

interface OpenSocket {
  readonly client: Client;
  isBroken: boolean;
}

/** Opens a socket with a subscription; resolves with its first event. */
async function subscribed(service: ReachedService): Promise<OpenSocket> {
  const client = socketOf(service);
  const socket: OpenSocket = { client, isBroken: false };
  client.on('closed', () => {
    socket.isBroken = true;
  });
  const events = client.iterate({ query: 'subscription { dashboard { runningNow { title } } }' });
  const { value } = await events.next();
  if (value?.errors !== undefined) socket.isBroken = true;
  return socket;
}

/** Returns the number of sockets that have closed or do not answer. */
async function brokenOf(sockets: readonly OpenSocket[]): Promise<number> {
  const answers = await Promise.all(
    sockets.map(async ({ client, isBroken }) => {
      if (isBroken) return false;
      const { value } = await client.iterate({ query: '{ me { email } }' }).next();
      return value?.errors === undefined;
    }),
  );
  return answers.filter((isRight) => !isRight).length;
}

/** Mixed requests and open sockets through nginx with `deploy/nginx.conf`. */
export async function run(): Promise<BenchResult[]> {
  if (NGINX === undefined) {
    console.log('  nginx is not installed: nothing is measured.');
    return [];
  }
  const service = await startProbedService({ HYPHA_TRUSTED_PROXIES: 'loopback' });
  const port = await freePort();
  const front = await openDeployedNginx(port, [service.url], join(process.cwd(), 'deploy'));
  try {
    const proxied = reached(`http://127.0.0.1:${port}`, service.adminToken);
    const sockets: OpenSocket[] = [];
    while (sockets.length < SOCKETS)
      sockets.push(...(await Promise.all(Array.from({ length: 50 }, () => subscribed(proxied)))));
    const startedAt = performance.now();
    const failures = await failuresOf(proxied);
    const seconds = (performance.now() - startedAt) / 1_000;
    const broken = await brokenOf(sockets);
    for (const { client } of sockets) await client.dispose();
    return [
      {
        name: `failed of ${REQUESTS} mixed REST and GraphQL requests through nginx`,
        value: failures,
        unit: '',
        target: { exactly: 0 },
        judged: true,
      },
      {
        name: `broken of ${SOCKETS} sockets that were open during these requests`,
        value: broken,
        unit: '',
        target: { exactly: 0 },
        judged: true,
      },
      {
        name: 'requests through nginx, with these sockets',
        value: REQUESTS / seconds,
        unit: '1/s',
      },
    ];
  } finally {
    await front.close();
    await service.close();
  }
}
