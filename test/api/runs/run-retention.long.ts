import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/service/harness';
import { movingClock } from '../../support/service/moving-clock';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { settledOutcome, twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { ended as endOf } from '../../support/service/watch';
import {
  method,
  saved as savedWorkflow,
  started as startedRun,
  workflow,
} from '../../support/documents/workflows';

/* Two processes at one store; their hourly task is called directly. */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const BY_HAND = {
  leaseMs: 1_000 * DAY_MS,
  skewMs: 0,
  beatMs: HOUR_MS,
  lookMs: HOUR_MS,
  queueMs: HOUR_MS,
};
const OF_RUNS = [
  'runs',
  'run_event_batches',
  'run_parameters',
  'workflow_versions',
  'workflow_contents',
];

let processes: TwoProcesses;
let remote: RemoteSystem;
let answer: (answer: RemoteAnswer) => void;

beforeEach(async () => {
  remote = await remoteSystem(({ path }) =>
    path === '/hang'
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : path === '/failing'
        ? { status: 400 }
        : {},
  );
  processes = await twoProcesses({
    env: {
      HYPHA_RUN_RETENTION: '10',
      HYPHA_WORKFLOW_VERSIONS_KEEP: '1',
      LOG_RETENTION_PER_CONNECTION_SUCCESS: '100',
    },
    left: { runLeases: BY_HAND },
    right: { runLeases: BY_HAND },
  });
});
afterEach(async () => {
  await processes.close();
  await remote.close();
});

async function saved(path: string, id: number | null = null): Promise<number> {
  return (
    await processes.left.services.workflows.save(processes.admin, id, {
      document: workflow([method('0', `${remote.url}${path}`)]),
    })
  ).record._id;
}
/** Its run has two events for each iteration of a loop without calls. */
async function savedLoop(turns: number): Promise<number> {
  const operators = [
    {
      id: 'o',
      index: '0',
      type: 'loop',
      expression: `For([${Array.from({ length: turns }, (_, nth) => nth).join()}])`,
      iterator: 'i',
    },
    { id: 'p', index: '0_0', type: 'if', expression: '1 = 2' },
  ];
  return (
    await processes.left.services.workflows.save(processes.admin, null, {
      document: workflow([method('0_0_0', remote.url)], operators),
    })
  ).record._id;
}
const queued = async (workflowId: number, parameters?: string): Promise<number> =>
  (
    await processes.left.services.runs.run(processes.admin, workflowId, {
      logging: true,
      parameters,
    })
  )._id;

async function ended(runId: number): Promise<number> {
  let last = '';
  for await (const { event } of await processes.left.services.runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  ))
    last = event.kind;
  expect(last).toBe('RunFinished');
  return runId;
}
const areThere = (...ids: number[]): Promise<boolean[]> =>
  Promise.all(
    ids.map(async (id) => (await processes.right.services.runs.byId(processes.admin, id)) !== null),
  );
const countRecords = async (): Promise<number[]> =>
  Promise.all(OF_RUNS.map((name) => storeConnection().collection(name).countDocuments()));
const removeOld = (): Promise<number> => processes.left.services.runRetention.removeOld();

it('retention removes what the failed step of a run sent and received', async () => {
  const failed = await ended(await queued(await saved('/failing')));
  const exchanges = storeConnection().collection('run_exchanges');
  expect(await exchanges.countDocuments()).toBe(1);
  processes.clock.forward(10 * DAY_MS);
  expect([await removeOld(), await areThere(failed)]).toEqual([1, [false]]);
  expect(await exchanges.countDocuments()).toBe(0);
});

it('retention removes old runs and keeps younger ones, running ones and statistics', async () => {
  const id = await saved('/first');
  const before = await countRecords();
  const old = await ended(await queued(id, '{"a":1}'));
  const hanging = await queued(await saved('/hang'));
  await remote.next();
  await remote.next();
  processes.clock.forward(6 * DAY_MS);
  const young = await ended(await queued(id));
  processes.clock.forward(4 * DAY_MS - 1);
  expect([await removeOld(), await areThere(old, young)]).toEqual([0, [true, true]]);
  processes.clock.forward(1);
  expect([await removeOld(), await areThere(old, young, hanging)]).toEqual([
    1,
    [false, true, true],
  ]);
  processes.clock.forward(300 * DAY_MS);
  expect([await removeOld(), await areThere(young, hanging)]).toEqual([1, [false, true]]);
  answer({});
  await ended(hanging);
  processes.clock.forward(10 * DAY_MS);
  expect([await removeOld(), await areThere(hanging)]).toEqual([1, [false]]);
  const [runs, events, parameters, versions, contents] = before;
  expect(await countRecords()).toEqual([runs, events, parameters, versions + 1, contents + 1]);
  expect(
    (await processes.left.services.widgets.topWorkflows(5)).map(({ executions }) => executions),
  ).toEqual([2, 1]);
});

it('retention keeps the snapshot of a run as long as its row', async () => {
  const before = await countRecords();
  const id = await saved('/first');
  const both = [await ended(await queued(id)), await ended(await queued(id))];
  processes.clock.forward(DAY_MS);
  both.push(await ended(await queued(id)));
  await saved('/second', id);
  await saved('/third', id);
  const contents = async (): Promise<number> => ((await countRecords())[4] ?? 0) - (before[4] ?? 0);
  expect(await contents()).toBe(2);
  await processes.left.services.workflowDeletion.remove(processes.admin, id);
  expect(await contents()).toBe(1);
  processes.clock.forward(9 * DAY_MS);
  expect([await removeOld(), await contents(), await areThere(...both)]).toEqual([
    2,
    1,
    [false, false, true],
  ]);
  processes.clock.forward(DAY_MS);
  expect([await removeOld(), await countRecords()]).toEqual([1, before]);
});

it('retention removes tests like other runs, in batches with long logs', async () => {
  const before = await countRecords();
  const id = await saved('/fast');
  const loop = await savedLoop(700);
  await ended(
    (
      await processes.left.services.testRuns.startContent(processes.admin, {
        document: workflow([method('0', `${remote.url}/tested`)]),
      })
    ).run._id,
  );
  await ended(await queued(loop));
  await Promise.all(Array.from({ length: 60 }, async () => ended(await queued(id))));
  expect((await countRecords())[1] - before[1]).toBeGreaterThanOrEqual(60 + (2 * 700) / 500);
  processes.clock.forward(10 * DAY_MS);
  expect(await removeOld()).toBe(62);
  expect((await countRecords()).slice(0, 3)).toEqual(before.slice(0, 3));
});

it('retention decrements a snapshot counter once for two concurrent processes', async () => {
  const id = await saved('/first');
  await Promise.all(Array.from({ length: 20 }, async () => ended(await queued(id))));
  processes.clock.forward(5 * DAY_MS);
  const young = await ended(await queued(id));
  await saved('/second', id);
  processes.clock.forward(5 * DAY_MS);
  const removed = await Promise.allSettled(
    [processes.left, processes.right].map(({ services }) => services.runRetention.removeOld()),
  );
  expect(removed.map(settledOutcome)).toEqual(['done', 'done']);
  expect(
    removed.reduce((sum, each) => sum + (each.status === 'fulfilled' ? each.value : 0), 0),
  ).toBe(20);
  // The one of the remaining run and the current one.
  expect([await areThere(young), (await countRecords())[3]]).toEqual([[true], 2]);
});

it('retention runs when a service starts', async () => {
  const clock = movingClock();
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-retention-'));
  try {
    const first = await startService({ dataDir, clock });
    const runId = await startedRun(
      first,
      await savedWorkflow(first, workflow([method('0', `${remote.url}/fast`)])),
    );
    await endOf(first, runId);
    await first.close();
    clock.forward(30 * DAY_MS);
    const later = await startService({ dataDir, clock });
    try {
      while (
        (await later.field('query($id: ID!) { run(id: $id) { state } }', { id: runId })) !== null
      );
    } finally {
      await later.close();
    }
  } finally {
    rmSync(dataDir, { recursive: true, force: true });
  }
});
