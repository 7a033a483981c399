import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Domain } from '../../../src/domain';
import type { RunRecord } from '../../../src/features/runs/run.model';
import type { Actor } from '../../../src/platform/access/actor';
import { movingClock } from '../../support/service/moving-clock';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { twoProcesses } from '../../support/service/two-processes';
import type { TwoProcesses } from '../../support/service/two-processes';
import { method, workflow } from '../../support/documents/workflows';

/* Two processes at one store whose heartbeats are called directly. */

const HOUR_MS = 3_600_000;
const LEASE_MS = 30_000;
const OVER_MS = LEASE_MS + 11_000;
const BY_HAND = {
  leaseMs: LEASE_MS,
  skewMs: 10_000,
  beatMs: HOUR_MS,
  lookMs: 20,
  queueMs: HOUR_MS,
};

let rightClock: ReturnType<typeof movingClock>;
let processes: TwoProcesses;
let remote: RemoteSystem;
let answer: (answer: RemoteAnswer) => void = () => undefined;

async function start(left: Partial<typeof BY_HAND> = {}): Promise<void> {
  processes = await twoProcesses({
    env: { HYPHA_RUN_CONCURRENT: '1' },
    left: { runLeases: { ...BY_HAND, ...left } },
    right: { runLeases: BY_HAND, clock: rightClock },
  });
}
beforeEach(async () => {
  rightClock = movingClock();
  remote = await remoteSystem(({ path }) =>
    path === '/hang'
      ? new Promise((resolve) => {
          answer = resolve;
        })
      : {},
  );
});
afterEach(async () => {
  answer({});
  await processes.close();
  await remote.close();
});

const bothForward = (ms: number): void => {
  processes.clock.forward(ms);
  rightClock.forward(ms);
};

async function hangingWorkflow(hang = `${remote.url}/hang`): Promise<number> {
  const document = workflow([
    method('0', `${remote.url}/fast`),
    method('1', hang),
    method('2', `${remote.url}/never`),
  ]);
  return (await processes.left.services.workflows.save(processes.admin, null, { document })).record
    ._id;
}

async function hanging(at?: string): Promise<number> {
  const { left, admin } = processes;
  const { _id } = await left.services.runs.run(admin, await hangingWorkflow(at), {
    logging: false,
  });
  await eventsUntil(left, admin, _id, ({ kind, index }) => kind === 'StepStarted' && index === '1');
  return _id;
}

async function eventsUntil(
  { services }: Domain,
  actor: Actor,
  runId: number,
  isLast: (event: any) => boolean,
): Promise<any[]> {
  const seen: any[] = [];
  const abort = new AbortController();
  for await (const { event } of await services.runEvents.follow(actor, runId, 0, abort.signal)) {
    seen.push(event);
    if (isLast(event)) abort.abort();
  }
  return seen;
}

const read = async (id: number): Promise<RunRecord | null> =>
  processes.right.services.runs.byId(processes.admin, id);
const KINDS = ['1 RunStarted', '2 StepStarted', '3 StepFinished', '4 StepStarted', '5 RunFinished'];
const kindsOf = (events: readonly any[]): string[] =>
  events.map(({ sequence, kind }) => `${sequence} ${kind}`);
const storedKinds = async (id: number): Promise<string[]> =>
  kindsOf(
    await eventsUntil(processes.right, processes.admin, id, ({ kind }) => kind === 'RunFinished'),
  );

it('runs of a living process continue, and those with an expired lease are ended', async () => {
  await start();
  const id = await hanging();
  bothForward(LEASE_MS);
  expect(await processes.right.services.runRecovery.recover()).toBe(0);
  expect(await read(id)).toMatchObject({ state: 'RUNNING', fence: 1 });
  bothForward(OVER_MS - LEASE_MS);
  expect(await processes.right.services.runRecovery.recover()).toBe(1);
  expect(await read(id)).toMatchObject({
    state: 'INTERRUPTED',
    steps: 1,
    error: { code: 'RUN_INTERRUPTED' },
    owner: null,
    lastSequence: 5,
  });
  expect(await storedKinds(id)).toEqual(KINDS);
});

it('a process writes nothing for a run that another one ended, even if its clock says that the lease is valid', async () => {
  await start();
  const id = await hanging();
  rightClock.forward(OVER_MS);
  expect(await processes.right.services.runRecovery.recover()).toBe(1);
  answer({});
  await processes.left.stop();
  expect(await read(id)).toMatchObject({ state: 'INTERRUPTED', lastSequence: 5 });
  expect(await storedKinds(id)).toEqual(KINDS);
});

it('a process that finds its run ended aborts the step', async () => {
  await start({ beatMs: 20 });
  let letGo: () => void;
  const dropped = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const silent = createServer((_request, response) => void response.once('close', () => letGo()));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  const id = await hanging(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
  rightClock.forward(OVER_MS);
  expect(await processes.right.services.runRecovery.recover()).toBe(1);
  await dropped;
  silent.close();
  expect(await storedKinds(id)).toEqual(KINDS);
});

it('a paused process continues its run if no other process ended it, and remote subscribers receive every event', async () => {
  await start();
  const id = await hanging();
  bothForward(OVER_MS);
  const seen = await eventsUntil(processes.right, processes.admin, id, ({ kind, sequence }) => {
    if (sequence === 4) answer({});
    return kind === 'RunFinished';
  });
  expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(await read(id)).toMatchObject({ state: 'SUCCEEDED', steps: 3 });
});

it('a bulk cancel cancels running and queued runs of another process with one audit event each', async () => {
  await start();
  const { left, right, admin } = processes;
  const id = await hanging();
  const waiting = (await left.services.runs.run(admin, await hangingWorkflow(), { logging: false }))
    ._id;
  expect(
    (await right.services.runs.cancelAll(admin, [id, waiting])).map(({ state, error }) => [
      state,
      error,
    ]),
  ).toEqual([
    ['CANCELLED', null],
    ['CANCELLED', null],
  ]);
  const nodes = await (
    await right.services.audit.page({ action: 'run.cancel' }, { first: 10 })
  ).nodes;
  expect(nodes.map(({ target }) => target).sort((a, b) => Number(a.id) - Number(b.id))).toEqual(
    [id, waiting].map((one) => ({ type: 'Run', id: String(one) })),
  );
});

describe('a cancel that the process of the run does not receive', () => {
  async function requestCancel(
    id: number,
    cancel: () => Promise<unknown>,
  ): Promise<{ answered: Promise<unknown> }> {
    const answered = cancel();
    while (!(await read(id))?.cancelRequested);
    return { answered };
  }
  const one = (id: number) => (): Promise<unknown> =>
    processes.right.services.runs.cancel(processes.admin, id);
  const audited = async (): Promise<number> =>
    (
      await (
        await processes.right.services.audit.page({ action: 'run.cancel' }, { first: 10 })
      ).nodes
    ).length;
  const CANCELLED = {
    state: 'CANCELLED',
    error: null,
    owner: null,
    leaseUntil: null,
    steps: 1,
    lastSequence: 5,
  };

  beforeEach(() => start({ lookMs: HOUR_MS }));

  it('takes effect once when that process is gone', async () => {
    const id = await hanging();
    const { answered } = await requestCancel(id, one(id));
    bothForward(LEASE_MS);
    expect(await processes.right.services.runRecovery.recover()).toBe(0);
    bothForward(OVER_MS - LEASE_MS);
    expect(await processes.right.services.runRecovery.recover()).toBe(1);
    await answered;
    expect(await read(id)).toMatchObject(CANCELLED);
    expect(await storedKinds(id)).toEqual(KINDS);
    answer({});
    await processes.left.stop();
    expect(await read(id)).toMatchObject(CANCELLED);
    expect([await storedKinds(id), await audited()]).toEqual([KINDS, 1]);
  });

  it('takes effect when the run ends first', async () => {
    const id = await hanging();
    const { answered } = await requestCancel(id, one(id));
    answer({});
    await answered;
    expect([await read(id), await audited()]).toMatchObject([
      { state: 'CANCELLED', error: null, steps: 3 },
      1,
    ]);
  });

  it('takes effect when that process stops', async () => {
    const id = await hanging();
    const { answered } = await requestCancel(id, one(id));
    await Promise.all([processes.left.stop(), answered]);
    expect([await read(id), await audited()]).toMatchObject([
      { state: 'CANCELLED', error: null },
      1,
    ]);
  });
});

it('a run queued in another process is claimed and not executed there again', async () => {
  await start();
  const { left, right, admin } = processes;
  const first = await hanging();
  const { record } = await left.services.workflows.save(admin, null, {
    document: workflow([method('0', `${remote.url}/taken`)]),
  });
  const { _id: second } = await left.services.runs.run(admin, record._id, { logging: false });
  void right.services.sharedQueue.takeUp();
  expect(
    (await eventsUntil(right, admin, second, ({ kind }) => kind === 'RunFinished')).at(-1),
  ).toMatchObject({ state: 'SUCCEEDED' });
  answer({});
  await eventsUntil(left, admin, first, ({ kind }) => kind === 'RunFinished');
  const { _id: third } = await left.services.runs.run(admin, record._id, { logging: false });
  await eventsUntil(left, admin, third, ({ kind }) => kind === 'RunFinished');
  expect(remote.received.filter(({ path }) => path === '/taken')).toHaveLength(2);
});

it('a queued test stays with its process and ends when that process is gone', async () => {
  await start();
  const { left, right, admin } = processes;
  await hanging();
  const { run } = await left.services.testRuns.startContent(admin, {
    document: workflow([method('0', `${remote.url}/tested`)]),
  });
  void right.services.sharedQueue.takeUp();
  expect(await right.services.runRecovery.recover()).toBe(0);
  expect(await read(run._id)).toMatchObject({ state: 'QUEUED' });
  bothForward(OVER_MS);
  expect(await right.services.runRecovery.recover()).toBe(2);
  expect(await read(run._id)).toMatchObject({ state: 'INTERRUPTED', startedAt: null });
  expect(await right.services.workflows.byId(run.workflowId)).toBeNull();
});
