import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two processes share one store; heartbeats and recovery run only when the test calls them. */

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];
const BY_HAND = {
  leaseMs: 30_000,
  skewMs: 10_000,
  beatMs: HOUR_MS,
  lookMs: HOUR_MS,
  queueMs: HOUR_MS,
};

let processes: TwoProcesses;
let remote: RemoteSystem;
const hung: ((answer: RemoteAnswer) => void)[] = [];
beforeAll(async () => {
  remote = await remoteSystem(({ path }) =>
    path === '/hang' ? new Promise((resolve) => hung.push(resolve)) : {},
  );
  processes = await twoProcesses({ left: { runLeases: BY_HAND }, right: { runLeases: BY_HAND } });
});
afterAll(async () => {
  for (const answer of hung) answer({});
  await processes.close();
  await remote.close();
});

it('an error workflow starts once for each abandoned run even when several recoveries overlap', async () => {
  const { left, right, admin, clock } = processes;
  const saved = async (path: string): Promise<number> =>
    (
      await left.services.workflows.save(admin, null, {
        document: workflow([method('0', `${remote.url}${path}`)]),
      })
    ).record._id;
  const [hanging, handler] = [await saved('/hang'), await saved('/told')];
  await left.services.errorWorkflows.set(admin, hanging, handler);
  const runIds: number[] = [];
  for (let nth = 0; nth < 4; nth += 1) {
    runIds.push((await left.services.runs.run(admin, hanging, { logging: false }))._id);
    await remote.next();
    // A write after the clock is moved would renew the lease.
    for await (const { event } of await left.services.runEvents.follow(
      admin,
      runIds[nth] ?? 0,
      0,
      new AbortController().signal,
    ))
      if (event.kind === 'StepStarted') break;
  }
  clock.forward(MINUTE_MS);
  await Promise.all([right, right, right].map(({ services }) => services.runRecovery.recover()));
  const runs = storeConnection().collection<any>('runs');
  expect(
    await runs
      .find({ _id: { $in: runIds } })
      .map(({ state }) => state)
      .toArray(),
  ).toEqual(runIds.map(() => 'INTERRUPTED'));
  const started = await runs.find({ workflowId: handler }).toArray();
  expect(started.map(({ errorOf }) => errorOf).sort((a, b) => a - b)).toEqual(runIds);
  // The process that was presumed dead must start nothing for runs it no longer owns.
  for (const answer of hung.splice(0)) answer({ status: 500 });
  for (const { _id } of started) {
    for await (const { event } of await right.services.runEvents.follow(
      admin,
      _id,
      0,
      new AbortController().signal,
    ))
      if (event.kind === 'RunFinished') expect(event.state).toBe('SUCCEEDED');
  }
  await left.stop();
  expect(await runs.countDocuments({ workflowId: handler })).toBe(4);
});
