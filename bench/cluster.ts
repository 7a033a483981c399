import { setTimeout as pause } from 'node:timers/promises';
import { join } from 'node:path';
import mongoose from 'mongoose';
import { checkCluster } from '../test/support/cluster/checks';
import { startCluster } from '../test/support/cluster/cluster';
import type { Cluster } from '../test/support/cluster/cluster';
import { injectFaults } from '../test/support/cluster/faults';
import type { Outage } from '../test/support/cluster/faults';
import { scheduledWebhook, startLoad } from '../test/support/cluster/load';
import { method, saved, workflow } from '../test/support/documents/workflows';
import { remoteSystem } from '../test/support/peers/remote-system';
import { NGINX, openDeployedNginx } from '../test/support/peers/front';
import { REDIS_SERVER, startRedis } from '../test/support/peers/redis-server';
import { freePort } from '../test/support/process';
import { until } from '../test/support/until';
import { ROOT } from './measure/results-file';
import type { BenchResult } from './result';
import { proportionalMegabytes, treeOf } from './service/processes';

const SECONDS = Number(process.env.HYPHA_BENCH_CLUSTER_SECONDS ?? 240);
const SUBSCRIBERS = Number(process.env.HYPHA_BENCH_CLUSTER_SUBSCRIBERS ?? 500);
/** Fewer than may wait: the rest would be refused. */
const [CALLS, CALLERS] = [400, 32];
const places = { program: join(__dirname, '../src/main.js'), support: join(ROOT, 'test/support') };

/** Several services at one store: what they do together, and what is lost when they and what they need are killed and halted. */
export async function run(): Promise<BenchResult[]> {
  const rates: BenchResult[] = [];
  for (const members of [1, 2, 4]) rates.push(...(await throughputOf(members)));
  return [...rates, ...(await simulation())];
}

async function throughputOf(members: number): Promise<BenchResult[]> {
  const remote = await remoteSystem(() => ({}));
  const cluster = await startCluster({ members, ...places });
  try {
    const service = cluster.any();
    const webhook = await scheduledWebhook(
      service,
      await saved(service, workflow([method('0', `${remote.url}/fast`)])),
    );
    await callsOf(cluster, webhook, CALLS / 4);
    const begin = performance.now();
    await callsOf(cluster, webhook, CALLS);
    const seconds = (performance.now() - begin) / 1_000;
    await pause(5_000);
    const memory = cluster.members.map(({ pid }) =>
      treeOf(pid).reduce((sum, each) => sum + proportionalMegabytes(each), 0),
    );
    const name = `${members} ${members === 1 ? 'process' : 'processes'} at one store`;
    return [
      { name: `${name}: runs a second`, value: CALLS / seconds, unit: '1/s' },
      {
        name: `${name}: memory of each, with its children`,
        value: memory.reduce((sum, each) => sum + each, 0) / members,
        unit: 'MB',
      },
    ];
  } finally {
    await cluster.close();
    await remote.close();
  }
}

/** Calls a webhook at all members in turn; resolves when all runs have ended. */
async function callsOf(cluster: Cluster, webhook: string, calls: number): Promise<void> {
  const connection = await mongoose.createConnection(cluster.storeUri).asPromise();
  const ended = (): Promise<number> =>
    connection.collection('runs').countDocuments({ state: 'SUCCEEDED' });
  const before = await ended();
  let next = 0;
  const caller = async (): Promise<void> => {
    while ((next += 1) <= calls) {
      const { url } = cluster.members[next % cluster.members.length];
      const { status } = await fetch(`${url}${webhook}`, { method: 'POST' });
      if (status !== 200) throw new Error(`A webhook call was answered ${status}.`);
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  await until(async () => (await ended()) >= before + calls);
  await connection.close();
}

const urlsOf = ({ members }: Cluster): string[] => members.map(({ url }) => url);

async function simulation(): Promise<BenchResult[]> {
  const remote = await remoteSystem(async ({ path }) => {
    if (path === '/slow') await pause(50);
    return {};
  });
  const redis = REDIS_SERVER === undefined ? null : await startRedis();
  const cluster = await startCluster({
    members: 4,
    ...places,
    clockStepMs: 1_700,
    env: { HYPHA_TRUSTED_PROXIES: 'loopback', ...(redis && { REDIS_URL: redis.url() }) },
  });
  const port = await freePort();
  const front =
    NGINX === undefined
      ? null
      : await openDeployedNginx(port, urlsOf(cluster), join(ROOT, 'deploy'));
  if (front) cluster.useFront(`http://127.0.0.1:${port}`);
  try {
    const load = await startLoad(cluster, {
      remoteUrl: remote.url,
      callers: 8,
      subscribers: SUBSCRIBERS,
      schedules: 5,
    });
    const outages: Outage[] = redis
      ? [{ name: 'kill redis', begin: () => redis.kill(), end: () => redis.start() }]
      : [];
    const faults = await injectFaults(
      cluster,
      { totalMs: SECONDS * 1_000, haltMs: 60_000, storeHaltMs: 20_000, apartMs: 2_000 },
      outages,
    );
    await load.stop();
    const outcome = await checkCluster(cluster, load, remote.received);
    for (const fault of outcome.faults) console.log(`  ${fault}`);
    return [
      {
        name: `4 processes, ${faults.length} times killed or halted: what is wrong`,
        value: outcome.faults.length,
        unit: '',
        target: { exactly: 0 },
        judged: true,
        detail: Object.entries(outcome.counts)
          .map(([name, count]) => `${count} ${name}`)
          .join(', '),
      },
    ];
  } finally {
    await front?.close();
    await cluster.close();
    await redis?.close();
    await remote.close();
  }
}
