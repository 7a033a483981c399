import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../src/config/load';
import type { Actor } from '../../src/platform/access/actor';
import { systemActor } from '../../src/platform/access/actor';
import { BadInput, Refused } from '../../src/platform/errors/errors';
import { createInProcessBus } from '../../src/platform/events/bus';
import type { JobRecord } from '../../src/platform/jobs/job.model';
import { Jobs } from '../../src/platform/jobs/jobs';
import type { JobInHand, JobWork } from '../../src/platform/jobs/jobs';
import { createLogger } from '../../src/platform/log/logger';
import type { Logger } from '../../src/platform/log/logger';
import { connectStore } from '../../src/platform/store/startup/connect';
import { schemaOf } from '../../src/platform/store/schema';
import { movingClock } from '../support/service/moving-clock';

interface Thing {
  readonly _id: number;
}
const thingSchema = schemaOf<Thing>({ _id: Number });

const owner: Actor = { ...systemActor('jobs'), userId: 7, email: 'seven@hypha.test' };
const otherUser: Actor = { ...owner, userId: 8 };
const noExtraWork = (): Promise<void> => Promise.resolve();

let dataDir: string;
let faults: unknown[];
let isAllowed: boolean;
let close: () => Promise<void>;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-jobs-'));
  faults = [];
  isAllowed = true;
});
afterEach(async () => {
  await close();
  rmSync(dataDir, { recursive: true, force: true });
});

async function opened() {
  const { config } = loadConfig({ DATA_DIR: dataDir }, dataDir);
  const connected = await connectStore(config, createLogger({ log: { level: 'silent' } }), {
    placement: 'inline',
    durability: 'test',
  });
  const [bus, clock, { store }] = [
    createInProcessBus((error) => faults.push(error)),
    movingClock(),
    connected,
  ];
  const log = { error: ({ err }: { err: unknown }) => faults.push(err) } as unknown as Logger;
  const jobs = new Jobs({
    core: { store, bus, clock, log },
    config,
    isStillAllowed: () => Promise.resolve(isAllowed),
  });
  const things = store.collection<Thing>('Thing', thingSchema, 'things');
  await store.prepare();
  close = async () => {
    await jobs.stop();
    await connected.close();
  };
  const read = (id: number): Promise<JobRecord | null> => jobs.find(id);
  const seen = async (id: number): Promise<JobRecord[]> => {
    const states: JobRecord[] = [];
    for await (const job of jobs.follow(id, new AbortController().signal)) states.push(job);
    return states;
  };
  const ended = async (id: number): Promise<JobRecord> => (await seen(id)).at(-1)!;
  const start = (work: JobWork): Promise<JobRecord> =>
    jobs.start(owner, 'template-import', 'SCHEDULE:CREATE', work);
  return {
    store,
    bus,
    clock,
    jobs,
    things,
    read,
    seen,
    ended,
    start,
    die: () => connected.close(),
  };
}

function gate(): { readonly opens: Promise<void>; readonly open: () => void } {
  let open: () => void = () => undefined;
  const opens = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opens, open };
}

/** Work that runs until it is aborted. */
const endless = ({ signal }: JobInHand): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
    if (signal.aborted) reject(signal.reason as Error);
  });

describe('a job', () => {
  it('reports non-decreasing progress and stores its result', async () => {
    const { seen, start } = await opened();
    const [watched, goesOn] = [gate(), gate()];
    const { _id } = await start(async ({ progress }) => {
      await watched.opens;
      for (const percent of [10, 5, 10.9, 60, 200]) await progress(percent, `at ${percent}`);
      await goesOn.opens;
      return { 'a.b': ['$c'] };
    });
    const all = seen(_id);
    watched.open();
    goesOn.open();
    const states = await all;
    expect(states.map(({ percent }) => percent)).toEqual(
      [...states.map(({ percent }) => percent)].sort((a, b) => a - b),
    );
    expect(states.at(-1)).toMatchObject({
      state: 'SUCCEEDED',
      percent: 100,
      message: 'at 200',
      result: '{"a.b":["$c"]}',
      error: null,
      owner: { userId: 7, email: 'seven@hypha.test' },
    });
  });

  it('stores every reason of a rejection, but no details of an internal error', async () => {
    const { ended, start } = await opened();
    const refused = new BadInput('BAD_REQUEST', 'It does not fit.', {
      problems: [{ code: 'NAME_INVALID', path: ['a.json', 'methods', 0], message: 'No name.' }],
    });
    refused.beside.push(new Refused('TITLE_INVALID', 'No title.', { path: ['b.json'] }));
    const { _id } = await start(() => Promise.reject(refused));
    expect(await ended(_id)).toMatchObject({
      state: 'FAILED',
      result: null,
      error: {
        code: 'BAD_REQUEST',
        message: 'It does not fit.',
        problems: [
          { code: 'NAME_INVALID', path: ['a.json', 'methods', '0'], message: 'No name.' },
          { code: 'TITLE_INVALID', path: ['b.json'], message: 'No title.' },
        ],
      },
    });
    const fault = await start(() => Promise.reject(new Error('the password is 1234')));
    const { state, error } = await ended(fault._id);
    expect([state, error?.code, JSON.stringify(error).includes('1234')]).toEqual([
      'FAILED',
      'INTERNAL_SERVER_ERROR',
      false,
    ]);
    expect(faults).toHaveLength(1);
  });

  it('ends in the transaction of its work: both commit or both fail', async () => {
    const { store, things, ended, start } = await opened();
    const insert =
      (id: number, fails: boolean): JobWork =>
      ({ succeed }) =>
        store.transaction(async (tx) => {
          await succeed({ id }, tx);
          await things.insert({ _id: id }, tx);
          if (fails) throw new Refused('TITLE_INVALID', 'No.');
        });
    const [good, bad] = [await start(insert(1, false)), await start(insert(2, true))];
    expect(await ended(good._id)).toMatchObject({
      state: 'SUCCEEDED',
      percent: 100,
      result: '{"id":1}',
    });
    expect(await ended(bad._id)).toMatchObject({
      state: 'FAILED',
      result: null,
      error: { code: 'TITLE_INVALID' },
    });
    expect((await things.find()).map(({ _id }) => _id)).toEqual([1]);
  });

  it('reports progress while its final transaction is open without restarting it', async () => {
    const { store, things, ended, start, read } = await opened();
    let attempts = 0;
    const { _id } = await start(({ jobId, succeed, progress }) =>
      store.transaction(async (tx) => {
        attempts += 1;
        await succeed('done', tx);
        await progress(99, 'nearly done');
        expect(await read(jobId)).toMatchObject({
          state: 'RUNNING',
          percent: 99,
          message: 'nearly done',
        });
        await things.insert({ _id: attempts }, tx);
      }),
    );
    expect(await ended(_id)).toMatchObject({ state: 'SUCCEEDED', percent: 100, result: '"done"' });
    expect(attempts).toBe(1);
  });

  it('fails without effect when its owner has lost the permission', async () => {
    const { store, things, ended, start } = await opened();
    const [goesOn, began] = [gate(), gate()];
    const { _id: late } = await start(async ({ succeed }) => {
      began.open();
      await goesOn.opens;
      await store.transaction(async (tx) => {
        await things.insert({ _id: 1 }, tx);
        await succeed({}, tx);
      });
    });
    await began.opens;
    isAllowed = false;
    const { _id: early } = await start(() => Promise.reject(new Error('it must not begin')));
    goesOn.open();
    for (const id of [late, early])
      expect(await ended(id)).toMatchObject({
        state: 'FAILED',
        result: null,
        error: { code: 'ACCESS_DENIED' },
      });
    expect([await things.count(), faults]).toEqual([0, []]);
  });

  it('can be cancelled while queued or running, but not by another user', async () => {
    const { jobs, ended, read, start } = await opened();
    const going = [await start(endless), await start(endless)];
    const waiting = await start(() => Promise.reject(new Error('it must not begin')));
    await expect(jobs.cancel(otherUser, waiting._id, noExtraWork)).rejects.toMatchObject({
      code: 'JOB_NOT_FOUND',
    });
    expect(await jobs.byId(otherUser, waiting._id)).toBeNull();
    expect(await jobs.cancel(owner, waiting._id, noExtraWork)).toMatchObject({
      state: 'CANCELLED',
    });
    for (const { _id } of going) {
      await jobs.cancel({ ...otherUser, groupName: 'Admin' }, _id, noExtraWork);
      expect(await ended(_id)).toMatchObject({ state: 'CANCELLED', error: null, result: null });
      await expect(jobs.cancel(owner, _id, noExtraWork)).rejects.toMatchObject({
        code: 'JOB_ALREADY_FINISHED',
      });
    }
    expect(await read(waiting._id)).toMatchObject({ state: 'CANCELLED', startedAt: null });
    expect(faults).toEqual([]);
  });

  it('succeeds if its work completes after a cancel request', async () => {
    const { jobs, ended, start } = await opened();
    const [begun, goesOn] = [gate(), gate()];
    const { _id } = await start(async () => {
      begun.open();
      await goesOn.opens;
      return 'done';
    });
    await begun.opens;
    expect(await jobs.cancel(owner, _id, noExtraWork)).toMatchObject({
      state: 'RUNNING',
      cancelRequested: true,
    });
    goesOn.open();
    expect(await ended(_id)).toMatchObject({ state: 'SUCCEEDED', result: '"done"' });
  });

  it('is queued up to the limit and rejected above it', async () => {
    const { jobs, start, ended } = await opened();
    const results = await Promise.allSettled(Array.from({ length: 20 }, () => start(endless)));
    const accepted = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value._id] : []));
    expect(accepted).toHaveLength(12);
    for (const one of results)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ kind: 'unavailable', retryAfter: 10 });
    for (const id of accepted) await jobs.cancel(owner, id, noExtraWork);
    for (const id of accepted) await ended(id);
    const next = await start(() => Promise.resolve(1));
    expect(await ended(next._id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('ends as interrupted when the service stops, whether queued or running', async () => {
    const first = await opened();
    const all = [
      await first.start(endless),
      await first.start(endless),
      await first.start(endless),
    ];
    await first.jobs.stop();
    for (const { _id } of all)
      expect(await first.read(_id)).toMatchObject({
        state: 'FAILED',
        error: { code: 'JOB_INTERRUPTED' },
      });
    await expect(first.start(endless)).rejects.toMatchObject({ kind: 'unavailable' });
  });

  it('of a killed process is recovered by the next process and kept until it expires', async () => {
    const first = await opened();
    const [going, waiting] = [
      await first.start(endless),
      await first.start(endless),
      await first.start(endless),
    ].slice(1);
    await first.die();
    const second = await opened();
    second.clock.forward(60_000);
    expect(await second.jobs.recover()).toBe(3);
    for (const { _id } of [going, waiting]) {
      const job = await second.read(_id);
      expect(job).toMatchObject({ state: 'FAILED', error: { code: 'JOB_INTERRUPTED' } });
      expect(job!.expiresAt!.getTime() - job!.finishedAt!.getTime()).toBe(7 * 24 * 60 * 60 * 1_000);
    }
    expect(await second.jobs.recover()).toBe(0);
    const { _id } = await second.start(() => Promise.resolve('again'));
    expect(await second.ended(_id)).toMatchObject({ state: 'SUCCEEDED' });
  });

  it('that was declared dead cannot commit its work', async () => {
    const { store, things, jobs, ended, start } = await opened();
    const [begun, goesOn] = [gate(), gate()];
    const { _id } = await start(async ({ succeed }) => {
      begun.open();
      await goesOn.opens;
      await store.transaction(async (tx) => {
        await things.insert({ _id: 1 }, tx);
        await succeed(null, tx);
      });
    });
    await begun.opens;
    await jobs.collection.updateOne(
      { _id },
      {
        $set: {
          state: 'FAILED',
          error: { code: 'JOB_INTERRUPTED', message: 'x', problems: [] },
          finishedAt: new Date(),
        },
      },
    );
    goesOn.open();
    await jobs.stop();
    expect(await ended(_id)).toMatchObject({ state: 'FAILED', error: { code: 'JOB_INTERRUPTED' } });
    expect(await things.count()).toBe(0);
  });
});
