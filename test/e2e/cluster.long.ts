import { checkCluster } from '../support/cluster/checks';
import { startCluster } from '../support/cluster/cluster';
import { openForTests } from '../support/open-for-tests';
import { injectFaults } from '../support/cluster/faults';
import { startLoad } from '../support/cluster/load';
import { testRemote } from '../support/peers/remote-system';
import { setTimeout as pause } from 'node:timers/promises';

/* Three services at one store, killed and halted under load. `npm run bench cluster` takes longer. */

const remote = testRemote(async ({ path }) => {
  if (path === '/slow') await pause(50);
  return {};
});

const cluster = openForTests(() => startCluster({ members: 3, clockStepMs: 2_500 }));

it('nothing is lost or done twice while services are killed and halted', async () => {
  const load = await startLoad(cluster, {
    remoteUrl: remote.url,
    callers: 4,
    subscribers: 10,
    schedules: 2,
  });
  const faults = await injectFaults(cluster, {
    totalMs: 25_000,
    haltMs: 8_000,
    storeHaltMs: 4_000,
    apartMs: 1_000,
  });
  await load.stop();
  const outcome = await checkCluster(cluster, load, remote.received);
  console.log(faults.join(', '), JSON.stringify(outcome.counts));
  expect(outcome.faults).toEqual([]);
  for (const count of ['accepted', 'due', 'saves', 'signIns', 'followed'])
    expect(outcome.counts[count]).toBeGreaterThan(0);
});
