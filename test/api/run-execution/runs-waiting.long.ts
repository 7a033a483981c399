import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { method, saved, started, workflow } from '../../support/documents/workflows';

it('after a restart the run of a user starts before a thousand scheduled runs that were queued earlier', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-behind-'));
  const answers: (() => void)[] = [];
  const remote = await remoteSystem(
    () => new Promise((resolve) => answers.push(() => resolve({}))),
  );
  const restarted = (): Promise<TestService> =>
    startService({ dataDir, env: { HYPHA_RUN_CONCURRENT: '1' } });
  const first = await restarted();
  const [due, own] = [
    await saved(first, workflow([method('0', `${remote.url}/due`)])),
    await saved(first, workflow([method('0', `${remote.url}/own`)])),
  ];
  await started(first, due);
  await remote.next();
  const runId = await started(first, own);
  const runs = storeConnection().collection<any>('runs');
  const [{ content }, waiting] = [
    await runs.findOne<any>({ workflowId: due }),
    await runs.findOne<any>({ _id: runId }),
  ];
  await runs.insertMany(
    Array.from({ length: 1_000 }, (_, nth) => ({
      ...waiting,
      _id: 10_000 + nth,
      workflowId: due,
      content,
      trigger: 'SCHEDULE',
      startedBy: null,
      queuedAt: new Date(waiting.queuedAt.getTime() - 1_000 + nth),
    })),
  );
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

describe('a thousand queued runs', () => {
  const RUN = 'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { state } } }';
  const WAITING = '{ runs(filter: { state: { eq: QUEUED } }, first: 1) { totalCount } }';
  let dataDir: string;
  let remote: RemoteSystem;
  let service: TestService;
  const restarted = async (): Promise<TestService> =>
    (service = await startService({ dataDir, env: { HYPHA_RUN_CONCURRENT: '1' } }));

  beforeEach(async () => {
    dataDir = mkdtempSync(join(tmpdir(), 'hypha-waiting-'));
    remote = await remoteSystem(() => new Promise(() => undefined));
  });
  afterEach(async () => {
    await service.close();
    await remote.close();
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('block a user with half of them, admit others until the queue is full, and survive a shutdown', async () => {
    const first = await restarted();
    const id = await saved(first, workflow([method('0', `${remote.url}/hang`)]));
    await started(first, id);
    await remote.next();
    const runs = storeConnection().collection<any>('runs');
    const [one] = await runs.find().toArray();
    const left = {
      ...one,
      state: 'QUEUED',
      startedAt: null,
      owner: null,
      leaseUntil: null,
      fence: 0,
    };
    // One starts at once. Runs of a deleted user stay queued.
    await runs.insertMany(
      Array.from({ length: 1_000 }, (_, nth) => ({
        ...left,
        _id: 10_000 + nth,
        queuedAt: new Date(one.queuedAt.getTime() + nth),
        startedBy: nth <= 500 ? one.startedBy : { userId: 999, email: 'gone@hypha.test' },
      })),
    );
    await first.close();

    const now = await restarted();
    await remote.next();
    const own = await now.gql(RUN, { id });
    expect(own.errors?.[0]).toMatchObject({
      message: expect.stringContaining('500 of your runs are waiting'),
      extensions: { code: 'UNAVAILABLE' },
    });
    expect([own.status, own.headers.get('retry-after')]).toEqual([503, '10']);
    const { token } = await now.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
    expect((await now.field(RUN, { id }, token)).run.state).toBe('QUEUED');
    expect((await now.gql(RUN, { id }, token)).errors?.[0]?.message).toContain(
      '1000 runs are waiting',
    );

    await now.close();
    await restarted();
    await remote.next();
    expect((await service.field(WAITING)).totalCount).toBe(999);
  });
});
