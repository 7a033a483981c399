import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ADMIN_EMAIL, ADMIN_PASSWORD, reachedAt } from '../support/service/harness';
import type { ReachedService } from '../support/service/harness';
import { readyUrl, startProcess } from '../support/process';
import type { Running } from '../support/process';
import { remoteSystem } from '../support/peers/remote-system';
import type { RemoteSystem } from '../support/peers/remote-system';
import { method, saved, started, workflow } from '../support/documents/workflows';

jest.setTimeout(200_000);

const [RUNS, SCHEDULES] = [50, 4];
const FINAL = ['SUCCEEDED', 'FAILED', 'CANCELLED', 'INTERRUPTED'];

let dir: string;
let remote: RemoteSystem;
let running: Running[];
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'hypha-killed-'));
  running = [];
  remote = await remoteSystem(async ({ path }) => {
    if (path === '/slow') await pause(300);
    return { status: path === '/fails' ? 500 : 200, body: {} };
  });
});
afterAll(async () => {
  for (const { child, exit } of running) {
    child.kill('SIGKILL');
    await exit;
  }
  await remote.close();
  rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<{ service: ReachedService; process: Running }> {
  const process = startProcess({
    PORT: '0',
    DATA_DIR: join(dir, 'data'),
    ADMIN_EMAIL,
    ADMIN_PASSWORD,
  });
  running.push(process);
  return { service: await reachedAt(await readyUrl(process)), process };
}

interface StoredRun {
  readonly databaseId: number;
  readonly state: string;
  readonly dueAt: string | null;
  readonly startedAt: string | null;
  readonly schedule: { readonly databaseId: number } | null;
}

async function allRuns(service: ReachedService): Promise<StoredRun[]> {
  const all: StoredRun[] = [];
  for (let after: string | null = null; ;) {
    const { runs }: any = await service.data(
      'query ($after: String) { runs(first: 100, after: $after) { nodes { databaseId state dueAt startedAt schedule { databaseId } } pageInfo { hasNextPage endCursor } } }',
      { after },
    );
    all.push(...runs.nodes);
    if (!runs.pageInfo.hasNextPage) return all;
    after = runs.pageInfo.endCursor;
  }
}

it('after a kill and a restart every run reaches a final state and is counted once, and no fire time runs twice', async () => {
  const first = await start();
  const ids = [
    await saved(
      first.service,
      workflow([method('0', `${remote.url}/slow`), method('1', `${remote.url}/slow`)]),
    ),
    await saved(
      first.service,
      workflow([method('0', `${remote.url}/slow`), method('1', `${remote.url}/fails`)]),
    ),
  ];
  const schedules: number[] = [];
  for (let nth = 0; nth < SCHEDULES; nth += 1) {
    schedules.push(
      (
        await first.service.api('POST', '/api/scheduler', {
          body: {
            title: `Every second ${nth}`,
            connectionId: ids[nth % 2],
            cronExp: '* * * * * ?',
            status: true,
          },
        })
      ).body.schedulerId as number,
    );
  }
  const startedIds: number[] = [];
  for (let nth = 0; nth < RUNS; nth += 1)
    startedIds.push(await started(first.service, ids[nth % 2] ?? 0));
  // Waits until some runs have ended, some are running and some are queued.
  for (;;) {
    const states = (await allRuns(first.service)).map(({ state }) => state);
    const count = (of: string): number => states.filter((state) => state === of).length;
    if (['SUCCEEDED', 'RUNNING', 'QUEUED'].every((state) => count(state) > 0)) break;
    await pause(20);
  }
  first.process.child.kill('SIGKILL');
  await first.process.exit;

  const { service } = await start();
  await service.api('PUT', '/api/scheduler/disableAll', { body: { identifiers: schedules } });
  let runs = await allRuns(service);
  while (runs.some(({ state }) => !FINAL.includes(state))) {
    await pause(200);
    runs = await allRuns(service);
  }
  expect(startedIds.filter((id) => !runs.some(({ databaseId }) => databaseId === id))).toEqual([]);
  expect(new Set(runs.map(({ state }) => state))).toEqual(
    new Set(['SUCCEEDED', 'FAILED', 'INTERRUPTED']),
  );
  for (const id of schedules) {
    const times = runs
      .filter(({ schedule, dueAt }) => schedule?.databaseId === id && dueAt !== null)
      .map(({ dueAt }) => dueAt);
    expect(new Set(times).size).toBe(times.length);
  }
  const { topWorkflows, executionsTimeline } = await service.data(
    '{ topWorkflows(limit: 5) { executions failureRate } executionsTimeline(days: 2) { executions failures } }',
  );
  const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
  const failures = runs.filter(({ state }) => state !== 'SUCCEEDED').length;
  expect(sum(topWorkflows.map(({ executions }: any) => executions))).toBe(runs.length);
  expect(
    Math.round(
      sum(topWorkflows.map(({ executions, failureRate }: any) => (executions * failureRate) / 100)),
    ),
  ).toBe(failures);
  expect([
    sum(executionsTimeline.map(({ executions }: any) => executions)),
    sum(executionsTimeline.map((day: any) => day.failures)),
  ]).toEqual([runs.length, failures]);
});
