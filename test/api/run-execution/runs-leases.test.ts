import type { Domain } from '../../../src/domain';
import type { RunRecord } from '../../../src/features/runs/run.model';
import { LEASE_TIMES } from '../../../src/features/runs/leases/run-leases';
import { timersByHand } from '../../support/service/moving-clock';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { answeredQueries, commitsOf } from '../../support/store/store-commands';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two processes at one store. The heartbeat of the left one runs when a test advances its timer. */

const HOUR_MS = 3_600_000;
const BEAT_MS = 10_000;
const LEASES = {
  leaseMs: 30_000,
  skewMs: 10_000,
  lookMs: LEASE_TIMES.lookMs,
  queueMs: LEASE_TIMES.queueMs,
};
/** The length of a lease plus the tolerance for clock differences. */
const OVER_MS = 41_000;

let processes: TwoProcesses;
let remote: RemoteSystem;
let letGo: (() => void)[];
let fireBeat: () => void;

beforeEach(async () => {
  fireBeat = timersByHand(BEAT_MS);
  letGo = [];
  remote = await remoteSystem(() => new Promise((resolve) => letGo.push(() => resolve({}))));
  processes = await twoProcesses({
    env: { HYPHA_RUN_CONCURRENT: '4' },
    left: { runLeases: { ...LEASES, beatMs: BEAT_MS } },
    right: { runLeases: { ...LEASES, beatMs: HOUR_MS } },
  });
});
afterEach(async () => {
  for (const answer of letGo) answer();
  await processes.close();
  await remote.close();
  jest.restoreAllMocks();
});

async function hanging({ services }: Domain, count: number): Promise<number[]> {
  const { admin } = processes;
  const ids: number[] = [];
  for (let run = 0; run < count; run += 1) {
    const { record } = await services.workflows.save(admin, null, {
      document: workflow([method('0', remote.url)]),
    });
    const { _id } = await services.runs.run(admin, record._id, { logging: false });
    await remote.next();
    await untilStarted(services, _id);
    ids.push(_id);
  }
  return ids;
}

async function untilStarted({ runEvents }: Domain['services'], runId: number): Promise<void> {
  for await (const { event } of await runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'StepStarted') return;
}

const read = (ids: readonly number[]): Promise<RunRecord[]> =>
  Promise.all(
    ids.map(
      async (id) => (await processes.right.services.runs.byId(processes.admin, id)) as RunRecord,
    ),
  );
const leasesOf = async (ids: readonly number[]): Promise<(number | undefined)[]> =>
  (await read(ids)).map(({ leaseUntil }) => leaseUntil?.getTime());
const statesOf = async (ids: readonly number[]): Promise<string[]> =>
  (await read(ids)).map(({ state }) => state);

async function beat(): Promise<void> {
  const queries = answeredQueries(processes.connections.left, 'runs');
  fireBeat();
  while (!queries.some(({ state, test }) => state === 'QUEUED' && typeof test === 'object'))
    await new Promise(setImmediate);
  await new Promise(setImmediate);
}

it('a heartbeat renews the leases of all running runs in one write', async () => {
  const { clock, connections, left } = processes;
  const ids = await hanging(left, 3);
  const first = clock.now().getTime() + LEASES.leaseMs;
  expect(await leasesOf(ids)).toEqual([first, first, first]);
  const commits = commitsOf(connections.left);
  for (let nth = 1; nth <= 2; nth += 1) {
    clock.forward(BEAT_MS);
    const next = first + nth * BEAT_MS;
    await beat();
    expect(await leasesOf(ids)).toEqual([next, next, next]);
    const ofRuns = commits.made.filter((commit) => commit.endsWith(' runs'));
    expect(ofRuns).toEqual(Array.from({ length: nth }, () => 'update runs'));
  }
  commits.stop();
});

longIt('a heartbeat of a process without runs writes nothing', async () => {
  const { clock, connections, right } = processes;
  const silent = await hanging(right, 1);
  clock.forward(OVER_MS);
  const commits = commitsOf(connections.left);
  await beat();
  expect(await statesOf(silent)).toEqual(['INTERRUPTED']);
  expect(commits.made).not.toContain('update runs');
  commits.stop();
});

longIt(
  'other processes leave a run with a renewed lease and end one with an expired lease',
  async () => {
    const { clock, left, right } = processes;
    const [[renewed = 0], [silent = 0]] = [await hanging(left, 1), await hanging(right, 1)];
    for (let nth = 1; nth <= 2; nth += 1) {
      clock.forward(LEASES.leaseMs / 2);
      const next = clock.now().getTime() + LEASES.leaseMs;
      await beat();
      expect(await leasesOf([renewed])).toEqual([next]);
    }
    clock.forward(OVER_MS - LEASES.leaseMs);
    expect(await right.services.runRecovery.recover()).toBe(0);
    await beat();
    expect(await statesOf([renewed, silent])).toEqual(['RUNNING', 'INTERRUPTED']);
    clock.forward(OVER_MS);
    expect(await right.services.runRecovery.recover()).toBe(1);
    expect(await statesOf([renewed])).toEqual(['INTERRUPTED']);
  },
);

longIt(
  'a process notices within a quarter of a second that another one cancelled its run',
  async () => {
    const { left, right, admin } = processes;
    const [id = 0] = await hanging(left, 1);
    const cancelling = right.services.runs.cancel(admin, id);
    while (!(await read([id]))[0]?.cancelRequested);
    expect(await cancelling).toMatchObject({ state: 'CANCELLED' });
  },
);
