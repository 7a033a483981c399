import { runsThatFit } from '../../../src/config/assemble';
import { FairQueue } from '../../../src/features/runs/queue/fair-queue';
import { startService } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import { method, saved, started, workflow } from '../../support/documents/workflows';

describe('a free slot', () => {
  interface Entry {
    readonly user: number;
    readonly workflow: number;
    readonly name: string;
  }
  const begun: string[] = [];
  let ends: Map<string, () => void>;

  function queueOf(atOnce: number, atOnceOfWorkflow = Infinity, spread?: number): FairQueue<Entry> {
    begun.length = 0;
    ends = new Map();
    return new FairQueue<Entry>({
      shares: { user: ({ user }) => user, workflow: (entry) => entry.workflow },
      atOnce,
      atOnceOfWorkflow,
      spread,
      execute: ({ name }) => {
        begun.push(name);
        return new Promise((resolve) => ends.set(name, resolve));
      },
    });
  }
  const add = (queue: FairQueue<Entry>, user: number, of: number, ...names: string[]): void =>
    names.forEach((name) => queue.add({ user, workflow: of, name }));
  async function end(...names: string[]): Promise<void> {
    for (const name of names) ends.get(name)?.();
    await new Promise(setImmediate);
  }

  it('goes to the user with the fewest runs, then to the one who has waited longest', async () => {
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

  it('counts what other processes execute for users and workflows', async () => {
    const queue = queueOf(1, 2);
    const elsewhere = (user: number, of: number): Entry => ({ user, workflow: of, name: '' });
    queue.setElsewhere([elsewhere(1, 1), elsewhere(1, 1)]);
    add(queue, 1, 1, 'x1');
    add(queue, 1, 2, 'y1', 'y2');
    add(queue, 2, 3, 'z1');
    expect(begun).toEqual(['y1']);
    await end('y1');
    await end('z1');
    expect(begun).toEqual(['y1', 'z1', 'y2']);
    // The workflow has room again.
    queue.setElsewhere([elsewhere(1, 1)]);
    await end('y2');
    expect(begun.at(-1)).toBe('x1');
    await end('x1');
    await queue.idle();
  });

  it('goes to one of the first runs of a workflow if processes share them', async () => {
    const queue = queueOf(1, Infinity, 3);
    const names = Array.from({ length: 30 }, (_, nth) => `n${nth}`);
    add(queue, 1, 1, ...names);
    while (begun.length < names.length) await end(begun.at(-1)!);
    expect([...begun].sort()).toEqual([...names].sort());
    for (const [nth, name] of begun.entries())
      expect(names.indexOf(name)).toBeLessThanOrEqual(nth + 3);
  });

  it('goes to the workflow of a user with the fewest runs, then to the first queued run', async () => {
    const queue = queueOf(1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 1, 2, 'y1', 'y2');
    for (const name of ['x1', 'y1', 'x2', 'y2']) await end(name);
    expect(begun).toEqual(['x1', 'y1', 'x2', 'y2', 'x3']);
  });

  it('does not go to a workflow at its limit but to another one of the same user', async () => {
    const queue = queueOf(3, 1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 1, 2, 'y1');
    expect([begun, queue.length, queue.lengthOf(1)]).toEqual([['x1', 'y1'], 2, 2]);
    await end('x1');
    expect(begun).toEqual(['x1', 'y1', 'x2']);
  });

  it('is not used after the queue is closed or by a withdrawn run', async () => {
    const queue = queueOf(1);
    add(queue, 1, 1, 'x1', 'x2', 'x3');
    add(queue, 2, 2, 'y1');
    queue.withdraw(({ name }) => name === 'x2');
    expect([queue.length, queue.lengthOf(1)]).toEqual([2, 1]);
    expect(
      queue
        .close()
        .map(({ name }) => name)
        .sort(),
    ).toEqual(['x3', 'y1']);
    await end('x1');
    expect([begun, queue.length]).toEqual([['x1'], 0]);
  });
});

it.each([
  [256, 16, 24],
  [256, 4, 8],
  [1_024, 4, 2],
  [4_096, 4, 1],
])(
  'runs of %i MiB on a machine of %i GiB are limited to %i at once',
  (mebibytes, gibibytes, runs) => {
    expect(runsThatFit(mebibytes * 2 ** 20, gibibytes * 2 ** 30)).toBe(runs);
  },
);

it('run.concurrent-per-workflow limits the runs of one workflow without blocking others', async () => {
  const letGo: Record<string, (() => void)[]> = { '/many': [], '/one': [] };
  const remote = await remoteSystem(
    ({ path }) => new Promise((resolve) => letGo[path]?.push(() => resolve({}))),
  );
  const service = await startService({
    env: { HYPHA_RUN_CONCURRENT: '4', HYPHA_RUN_CONCURRENT_PER_WORKFLOW: '2' },
  });
  const workflowCalling = (path: string): Promise<number> =>
    saved(service, workflow([method('0', `${remote.url}/${path}`)]));
  const arrived = async (): Promise<string> => (await remote.next()).path;
  const [many, one] = [await workflowCalling('many'), await workflowCalling('one')];
  const runIds: number[] = [];
  for (const id of [many, many, many, one]) runIds.push(await started(service, id));
  expect([await arrived(), await arrived(), await arrived()].sort()).toEqual([
    '/many',
    '/many',
    '/one',
  ]);
  const waiting = async (): Promise<number[]> =>
    (
      await service.field(
        '{ runs(filter: { state: { eq: QUEUED } }, first: 9) { nodes { databaseId } } }',
      )
    ).nodes.map(({ databaseId }: any) => databaseId);
  expect(await waiting()).toEqual([runIds[2]]);
  // A slot was free: the run waits for another run of its workflow.
  letGo['/many']?.[0]?.();
  expect(await arrived()).toBe('/many');
  expect(await waiting()).toEqual([]);
  for (const answer of Object.values(letGo).flat()) answer();
  await service.close();
  await remote.close();
});
