import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runsThatFit } from '../../src/config/runs-that-fit';
import { FairQueue } from '../../src/features/runs/fair-queue';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { remoteSystem } from '../support/remote-system';
import type { RemoteSystem } from '../support/remote-system';
import { LONG } from '../support/rounds';
import { storeConnection } from '../support/stored';
import { method, saved, started, workflow } from '../support/workflows';

describe('a place', () => {
  interface Entry { readonly user: number; readonly workflow: number; readonly name: string }
  const begun: string[] = [];
  let ends: Map<string, () => void>;

  function queueOf(atOnce: number, atOnceOfWorkflow = Infinity): FairQueue<Entry> {
    begun.length = 0;
    ends = new Map();
    return new FairQueue<Entry>({
      shares: { user: ({ user }) => user, workflow: (entry) => entry.workflow }, atOnce, atOnceOfWorkflow,
      execute: ({ name }) => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      },
    });
  }
  const add = (queue: FairQueue<Entry>, user: number, of: number, ...names: string[]): void => names.forEach((name) => queue.add({ user, workflow: of, name }));
  async function end(...names: string[]): Promise<void> {
    for (const name of names) ends.get(name)?.();
    await new Promise(setImmediate);
  }

  it('is for the user who has the fewest runs, then for the one who has waited longest for his last', async () => {
    const queue = queueOf(2);
    add(queue, 1, 1, 'a1', 'a2', 'a3', 'a4', 'a5');
    add(queue, 2, 2, 'b1', 'b2');
    add(queue, 3, 3, 'c1');
    expect(begun).toEqual(['a1', 'a2']);
    await end('a1');
    await end('a2');
    expect(begun.slice(2)).toEqual(['b1', 'c1']);
    await end('b1');
    await end('c1');
    expect(begun.slice(4)).toEqual(['a3', 'b2']);
    await end('b2', 'a3');
    expect(begun.slice(6)).toEqual(['a4', 'a5']);
    await end('a4', 'a5');
    await queue.idle();
  });

  it('is for the workflow of a user that has the fewest, and of one workflow for what came first', async () => {
    const queue = queueOf(1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 1, 2, 'y1', 'y2');
    for (const name of ['x1', 'y1', 'x2', 'y2']) await end(name);
    expect(begun).toEqual(['x1', 'y1', 'x2', 'y2', 'x3']);
  });

  it('is not for a workflow that has as many runs as it may; another one of the same user takes it', async () => {
    const queue = queueOf(3, 1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 1, 2, 'y1');
    expect([begun, queue.length, queue.lengthOf(1)]).toEqual([['x1', 'y1'], 2, 2]);
    await end('x1');
    expect(begun).toEqual(['x1', 'y1', 'x2']);
  });

  it('is nobody\'s when the line is closed, and what is withdrawn takes none', async () => {
    const queue = queueOf(1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 2, 2, 'y1');
    queue.withdraw(({ name }) => name === 'x2');
    expect([queue.length, queue.lengthOf(1)]).toEqual([2, 1]);
    expect(queue.close().map(({ name }) => name).sort()).toEqual(['x3', 'y1']);
    await end('x1');
    expect([begun, queue.length]).toEqual([['x1'], 0]);
  });
});

it.each([[256, 16, 24], [256, 4, 8], [1_024, 4, 2], [4_096, 4, 1]])('runs of %i MiB on a machine of %i GiB: %i at once', (mebibytes, gibibytes, runs) => {
  expect(runsThatFit(mebibytes * 2 ** 20, gibibytes * 2 ** 30)).toBe(runs);
});

if (LONG) it('of one workflow, so many go on at once as run.concurrent-per-workflow says; another one takes the place', async () => {
  const letGo: Record<string, (() => void)[]> = { '/many': [], '/one': [] };
  const remote = await remoteSystem(({ path }) => new Promise((resolve) => letGo[path]?.push(() => resolve({}))));
  const service = await startService({ env: { HYPHA_RUN_CONCURRENT: '4', HYPHA_RUN_CONCURRENT_PER_WORKFLOW: '2' } });
  const workflowCalling = (path: string): Promise<number> => saved(service, workflow([method('0', `${remote.url}/${path}`)]));
  const arrived = async (): Promise<string> => (await remote.next()).path;
  const [many, one] = [await workflowCalling('many'), await workflowCalling('one')];
  const runIds: number[] = [];
  for (const id of [many, many, many, one]) runIds.push(await started(service, id));
  expect([await arrived(), await arrived(), await arrived()].sort()).toEqual(['/many', '/many', '/one']);
  const waiting = async (): Promise<number[]> => (await service.data('{ runs(filter: { state: { eq: QUEUED } }, first: 9) { nodes { databaseId } } }')).runs.nodes.map(({ databaseId }: any) => databaseId);
  expect(await waiting()).toEqual([runIds[2]]);
  // A place was free all the while: what it waits for is the end of another one of its workflow.
  letGo['/many']?.[0]?.();
  expect(await arrived()).toBe('/many');
  expect(await waiting()).toEqual([]);
  for (const answer of Object.values(letGo).flat()) answer();
  await service.close();
  await remote.close();
});

if (LONG) it('after a start, what somebody has queued behind a thousand runs that were due gets the next place', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-behind-'));
  const answers: (() => void)[] = [];
  const remote = await remoteSystem(() => new Promise((resolve) => answers.push(() => resolve({}))));
  const restarted = (): Promise<TestService> => startService({ dataDir, env: { HYPHA_RUN_CONCURRENT: '1' } });
  const first = await restarted();
  const [due, own] = [await saved(first, workflow([method('0', `${remote.url}/due`)])), await saved(first, workflow([method('0', `${remote.url}/own`)]))];
  await started(first, due);
  await remote.next();
  const runId = await started(first, own);
  const runs = storeConnection().collection<any>('runs');
  const [{ content }, waiting] = [await runs.findOne<any>({ workflowId: due }), await runs.findOne<any>({ _id: runId })];
  await runs.insertMany(Array.from({ length: 1_000 }, (_, nth) => (
    { ...waiting, _id: 10_000 + nth, workflowId: due, content, trigger: 'SCHEDULE', startedBy: null, queuedAt: new Date(waiting.queuedAt.getTime() - 1_000 + nth) })));
  await first.close();
  remote.forget();

  const second = await restarted();
  expect((await remote.next()).path).toBe('/due');
  answers.at(-1)?.();
  expect((await remote.next()).path).toBe('/own');
  await second.close();
  await remote.close();
  rmSync(dataDir, { recursive: true, force: true });
});

if (LONG) describe('a thousand runs that wait', () => {
  const RUN = 'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { state } } }';
  const WAITING = '{ runs(filter: { state: { eq: QUEUED } }, first: 1) { totalCount } }';
  const STOP_MS = 5_000;
  let dataDir: string;
  let remote: RemoteSystem;
  let service: TestService;
  const restarted = async (): Promise<TestService> => (service = await startService({ dataDir, env: { HYPHA_RUN_CONCURRENT: '1' } }));

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypha-waiting-'));
    remote = await remoteSystem(() => new Promise(() => undefined));
  });
  afterEach(async () => {
    await service.close();
    await remote.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('leave a user out who has half of the places and let others in until all are taken; a stop leaves them waiting, in no time', async () => {
    const first = await restarted();
    const id = await saved(first, workflow([method('0', `${remote.url}/hang`)]));
    await started(first, id);
    await remote.next();
    const runs = storeConnection().collection<any>('runs');
    const [one] = await runs.find().toArray();
    const left = { ...one, state: 'QUEUED', startedAt: null, owner: null, leaseUntil: null, fence: 0 };
    // One begins at once. Those of somebody who is gone by now wait like others.
    await runs.insertMany(Array.from({ length: 1_000 }, (_, nth) => (
      { ...left, _id: 10_000 + nth, queuedAt: new Date(one.queuedAt.getTime() + nth), startedBy: nth <= 500 ? one.startedBy : { userId: 999, email: 'gone@hypha.test' } })));
    await first.close();

    const now = await restarted();
    await remote.next();
    const own = await now.gql(RUN, { id });
    expect(own.errors?.[0]).toMatchObject({ message: expect.stringContaining('500 of your runs are waiting'), extensions: { code: 'UNAVAILABLE' } });
    expect([own.status, own.headers.get('retry-after')]).toEqual([503, '10']);
    const { token } = await now.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
    expect((await now.data(RUN, { id }, token)).workflowRun.run.state).toBe('QUEUED');
    expect((await now.gql(RUN, { id }, token)).errors?.[0]?.message).toContain('1000 runs are waiting');

    const from = performance.now();
    await now.close();
    expect(performance.now() - from).toBeLessThan(STOP_MS);
    await restarted();
    await remote.next();
    expect((await service.data(WAITING)).runs.totalCount).toBe(999);
  });
});
