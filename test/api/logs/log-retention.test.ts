import type { Domain } from '../../../src/domain';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';
import { testProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two processes share one store; their hourly tasks are called by the test. */

const DAY_MS = 24 * 3_600_000;
const AT_ONCE = 6;
const BY_HAND = {
  leaseMs: 1_000 * DAY_MS,
  skewMs: 0,
  beatMs: DAY_MS,
  lookMs: DAY_MS,
  queueMs: DAY_MS,
};

const processes = testProcesses({
  env: { HYPHA_RUN_CONCURRENT_PER_WORKFLOW: String(AT_ONCE) },
  left: { runLeases: BY_HAND },
  right: { runLeases: BY_HAND },
});
const remote = testRemote(({ path }) => answer(path));
let answer: (path: string) => RemoteAnswer | Promise<RemoteAnswer>;
beforeEach(() => {
  answer = (path) => (path === '/fail' ? { status: 418, body: {} } : { body: {} });
});

const callOf = (path: string): any => workflow([method('0', `${remote.url}${path}`)]);
async function saved(
  path: string,
  id: number | null = null,
  document = callOf(path),
): Promise<number> {
  return (await processes.left.services.workflows.save(processes.admin, id, { document })).record
    ._id;
}
async function ended(runId: number, { services }: Domain = processes.left): Promise<number> {
  for await (const { event } of await services.runEvents.follow(
    processes.admin,
    runId,
    0,
    new AbortController().signal,
  ))
    if (event.kind === 'RunFinished') return runId;
  throw new Error(`Run ${runId} has no end.`);
}
const started = async (
  workflowId: number,
  logging = true,
  { services }: Domain = processes.left,
): Promise<number> => (await services.runs.run(processes.admin, workflowId, { logging }))._id;
/** A finished run; each ends later than the one before. */
async function ran(workflowId: number, logging = true): Promise<number> {
  processes.clock.forward(1_000);
  return ended(await started(workflowId, logging));
}
const codeOf = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'there',
    (error: { code: string }) => error.code,
  );
const logOf = (runId: number): Promise<string> =>
  codeOf(
    processes.right.services.runLogs.children(processes.admin, `${runId}-1`, null, {
      first: 10,
      after: null,
    }),
  );
const logsOf = (runIds: readonly number[]): Promise<string[]> => Promise.all(runIds.map(logOf));
/** The ids of the runs of a workflow that have a log file. */
const files = async (workflowId: number): Promise<number[]> =>
  (
    await processes.right.services.runLogFiles.names(processes.admin, { workflowId }, { first: 10 })
  ).map((name) => Number(/_(\d+)\.log$/.exec(name)?.[1]));
/** The number of runs that have events. */
const withEvents = async (runIds: readonly number[]): Promise<number> =>
  new Set(
    (
      await storeConnection()
        .collection('run_event_batches')
        .find({ runId: { $in: [...runIds] } }, { projection: { runId: 1 } })
        .toArray()
    ).map(({ runId }) => runId),
  ).size;
const REMOVED = 'RUN_LOG_GONE';

async function removed(): Promise<void> {
  await processes.left.services.logRetention.removeSurplus();
  expect(await storeConnection().collection('runs').countDocuments({ eventsGoing: true })).toBe(0);
}

longIt(
  'log retention keeps the last two successful and the last three failed runs of a workflow',
  async () => {
    const id = await saved('/well');
    const well: number[] = [];
    const failed: number[] = [];
    for (let nth = 0; nth < 4; nth += 1) well.push(await ran(id));
    await saved('/fail', id);
    for (let nth = 0; nth < 5; nth += 1) failed.push(await ran(id));
    expect([await logsOf(well), await logsOf(failed)]).toEqual([
      [REMOVED, REMOVED, 'there', 'there'],
      [REMOVED, REMOVED, 'there', 'there', 'there'],
    ]);
    expect(await files(id)).toEqual(
      [...failed.slice(2), ...well.slice(2)].sort((one, other) => other - one),
    );
    await removed();
    expect([
      await withEvents([...well.slice(0, 2), ...failed.slice(0, 2)]),
      await withEvents([...well.slice(2), ...failed.slice(2)]),
    ]).toEqual([0, 5]);
    const rows = await processes.right.services.runs.byIds(processes.admin, [...well, ...failed]);
    expect(rows.map((run) => [run?.logging, run?.logOf !== undefined])).toEqual(
      [...[false, false, true, true], ...[false, false, true, true, true]].map((hasLog) => [
        true,
        hasLog,
      ]),
    );
    // Runs without a log do not count.
    for (let nth = 0; nth < 3; nth += 1) await ran(id, false);
    expect(await logsOf(failed.slice(2))).toEqual(['there', 'there', 'there']);
  },
);

it('reading a removed log returns RUN_LOG_GONE everywhere', async () => {
  const id = await saved('/well');
  const { runLogs, runLogFiles } = processes.right.services;
  const { admin } = processes;
  const first = await ran(id);
  const [name] = await runLogFiles.names(admin, { workflowId: id }, { first: 1 });
  await ran(id);
  const third = await ran(id);
  const page = { first: 10, after: null };
  for (const [what, read] of Object.entries({
    children: () => runLogs.children(admin, String(first), null, page),
    element: () => runLogs.children(admin, `${first}-2`, null, page),
    details: () => runLogs.details(admin, `${first}-2`),
    file: () => runLogFiles.root(admin, name ?? ''),
    raw: () => runLogFiles.stream(admin, first),
  }))
    expect([what, await codeOf(read())]).toEqual([what, REMOVED]);
  await expect(runLogs.details(admin, `${first}-2`)).rejects.toThrow('has been removed');
  await expect(runLogs.details(admin, `${await ran(id, false)}-2`)).rejects.toThrow(
    'was started without logging',
  );
  await removed();
  expect(await codeOf(ended(first))).toBe(REMOVED);
  // A search continues after a cursor whose log was removed.
  const matches = await runLogs.search(admin, id, {}, { first: 100, after: null });
  expect(new Set(matches.map(({ run }) => run._id))).toEqual(new Set([third, third - 1]));
  expect(await runLogs.search(admin, id, {}, { first: 100, after: `${first}-2` })).toEqual([]);
  const newest = matches.at(0);
  await ran(id);
  await ran(id);
  expect(
    await codeOf(
      runLogs.search(
        admin,
        id,
        {},
        { first: 100, after: `${newest?.run._id}-${newest?.sequence}` },
      ),
    ),
  ).toBe('there');
  expect(
    await codeOf(
      runLogs.search(admin, await saved('/well'), {}, { first: 100, after: `${third}-2` }),
    ),
  ).toBe('LOG_ELEMENT_NOT_FOUND');
});

it.each([1, 2])(
  'log retention is exact when runs of two processes end at the same time (%i)',
  async () => {
    const id = await saved('/well');
    const wait: (() => void)[] = [];
    answer = () =>
      new Promise((resolve) => {
        wait.push(() => resolve({ body: {} }));
      });
    remote.forget();
    const going = await Promise.all(
      Array.from({ length: AT_ONCE }, (_, nth) =>
        started(id, true, nth % 2 === 0 ? processes.left : processes.right),
      ),
    );
    for (const _ of going) await remote.next();
    expect(await logsOf(going)).toEqual(going.map(() => 'there'));
    for (const go of wait) go();
    await Promise.all(
      going.map((runId, nth) =>
        ended(runId, nth % 2 === 0 ? processes.left : processes.right).catch(() => runId),
      ),
    );
    const { length } = await storeConnection()
      .collection('runs')
      .find({ workflowId: id, state: 'SUCCEEDED' })
      .toArray();
    expect([length, (await files(id)).length]).toEqual([AT_ONCE, 2]);
    await removed();
    const remaining = await files(id);
    expect(await withEvents(going.filter((runId) => !remaining.includes(runId)))).toBe(0);
  },
);

it.each([1, 2])(
  'log retention is exact when a run and a test run end at the same time (%i)',
  async () => {
    const id = await saved('/well');
    await ran(id);
    const go: (() => void)[] = [];
    remote.forget();
    answer = () =>
      new Promise((resolve) => {
        go.push(() => resolve({ body: {} }));
      });
    const { left, right, admin } = processes;
    const going = [
      await started(id),
      (
        await right.services.testRuns.startContent(admin, {
          document: { ...callOf('/well'), connectionId: id },
        })
      ).run._id,
    ];
    await remote.next();
    await remote.next();
    for (const one of go) one();
    await Promise.all([ended(going[0] ?? 0, left), ended(going[1] ?? 0, right)]);
    expect(await files(id)).toHaveLength(2);
  },
);

longIt(
  'log retention counts test runs and retries for their workflow and removes them after a week',
  async () => {
    const { services } = processes.left;
    const id = await saved('/well');
    const test = async (): Promise<number> => {
      processes.clock.forward(1_000);
      return ended((await services.testRuns.start(processes.admin, id))._id);
    };
    const [first, second, third] = [await test(), await ran(id), await test()];
    expect(await logsOf([first, second, third])).toEqual([REMOVED, 'there', 'there']);

    const document = callOf('/well');
    const unsaved = async (): Promise<number> => {
      processes.clock.forward(1_000);
      return ended((await services.testRuns.startContent(processes.admin, { document })).run._id);
    };
    const tests = [await unsaved(), await unsaved(), await unsaved()];
    expect(await logsOf(tests)).toEqual([REMOVED, 'there', 'there']);
    processes.clock.forward(1_000);
    const again = await ended((await services.runRetries.retry(processes.admin, first))._id);
    expect(await logsOf([second, third, again])).toEqual([REMOVED, 'there', 'there']);

    processes.clock.forward(7 * DAY_MS);
    const later = await ran(id);
    expect(await logsOf([third, again, later])).toEqual([REMOVED, REMOVED, 'there']);
    expect(await files(id)).toEqual([later]);
    await removed();
    expect(await withEvents([first, third, ...tests, again])).toBe(0);
    expect(await logsOf([later])).toEqual(['there']);
  },
);

it('log retention does not count runs that never started', async () => {
  const id = await saved('/fail');
  const failed = [await ran(id), await ran(id), await ran(id)];
  const go: (() => void)[] = [];
  answer = () =>
    new Promise((resolve) => {
      go.push(() => resolve({ status: 418, body: {} }));
    });
  remote.forget();
  const going = await Promise.all(Array.from({ length: AT_ONCE }, () => started(id)));
  for (const _ of going) await remote.next();
  const waiting = await Promise.all(Array.from({ length: 3 }, () => started(id)));
  await Promise.all(
    waiting.map((runId) => processes.left.services.runs.cancel(processes.admin, runId)),
  );
  expect([await logsOf(failed), await logsOf(waiting)]).toEqual([
    failed.map(() => 'there'),
    waiting.map(() => REMOVED),
  ]);
  expect(await Promise.all(waiting.map((runId) => ended(runId)))).toEqual(waiting);
  for (const one of go) one();
  await Promise.all(going.map((runId) => ended(runId).catch(() => runId)));
});

longIt('log retention continues after a crash and after the limit is lowered', async () => {
  const id = await saved('/well');
  const runIds = [await ran(id), await ran(id), await ran(id)];
  await removed();
  const collection = storeConnection().collection<any>('runs');
  // The state with a higher limit, or after a crash between the two writes.
  const copy =
    (await storeConnection().collection<any>('run_event_batches').findOne({ runId: runIds[2] })) ??
    {};
  const left = Array.from({ length: 60 }, (_, nth) => 1_900_000_000 + nth);
  const row = await collection.findOne({ _id: runIds[2] });
  await collection.insertMany(
    left.map((_id) => ({
      ...row,
      _id,
      queuedAt: new Date(row.queuedAt.getTime() - (_id % 1_000)),
      finishedAt: new Date(row.finishedAt.getTime() - (_id % 1_000)),
    })),
  );
  await storeConnection()
    .collection<any>('run_event_batches')
    .insertMany(left.map((runId) => ({ ...copy, _id: `${runId}/1`, runId })));
  await collection.updateOne(
    { _id: left[5] },
    { $set: { logGone: row.logOf, eventsGoing: true }, $unset: { logOf: 1 } },
  );
  expect(await logOf(left[5] ?? 0)).toBe(REMOVED);
  await Promise.all(
    [processes.left, processes.right].map(({ services }) => services.logRetention.removeSurplus()),
  );
  const remaining = await files(id);
  expect(remaining).toHaveLength(2);
  expect([
    await withEvents(left.filter((runId) => !remaining.includes(runId))),
    await withEvents(remaining),
  ]).toEqual([0, 2]);
});
