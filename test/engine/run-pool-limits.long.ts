import childProcess, { fork } from 'node:child_process';
import type { EventRow, RunEngine } from '../../src/features/runs/execution/run-engine';
import { BUSY_PATTERN, childrenOf, openPool, RANDOM_LETTERS, runIn } from './support/pool';
import type { PooledRun, SmallPool } from './support/pool';
import { answerJson, startRemote } from './support/remote';
import type { Remote } from './support/remote';
import { httpStep, ifStep, loopStep, reference, workflow } from './support/run';

const MEBIBYTE = 1024 * 1024;
const list = (length: number): string => `[${Array.from({ length }, (_, nth) => nth).join(', ')}]`;
/** Takes minutes, in one piece. */
const busyFor = (step: string): string =>
  `${reference(step, '(response).body')} Matches "${BUSY_PATTERN}"`;

let remote: Remote;
let engine: RunEngine;
const pool = (options?: SmallPool): RunEngine => (engine = openPool(options));

beforeAll(async () => {
  remote = await startRemote(({ url }, response) => {
    if (url === '/hang') return;
    if (url === '/letters') response.end(RANDOM_LETTERS);
    else if (url === '/flood')
      response
        .writeHead(200, { 'content-length': 200 * MEBIBYTE })
        .end(Buffer.alloc(200 * MEBIBYTE, 97));
    else answerJson(response, { id: 7, list: ['x', 'y'] });
  });
});
afterEach(() => engine.close());
afterAll(() => remote.close());

const call = (index: string, path = '/'): ReturnType<typeof httpStep> =>
  httpStep(index, `${remote.url}${path}`);
const codeOf = ({ outcome }: PooledRun): string => outcome.error?.code ?? outcome.state;

it('waits while a thousand of its events are not stored, and loses none', async () => {
  const stored: EventRow[] = [];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    goOn = resolve;
  });
  let arrived = 0;
  let isFull: () => void = () => undefined;
  const full = new Promise<void>((resolve) => {
    isFull = resolve;
  });
  const run = runIn(
    pool(),
    workflow(loopStep('0', `For(${list(2_500)})`, 'i'), ifStep('0_0', 'i > 1')),
    {
      async store(rows) {
        arrived += rows.length;
        if (arrived >= 1_000) isFull();
        await held;
        stored.push(...rows);
      },
    },
  );
  await full;
  // Another run in the meantime: what the first could still have sent would have come long ago.
  expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  expect(arrived).toBe(1_000);
  goOn();
  const { rows } = await run;
  expect(codeOf(await run)).toBe('SUCCEEDED');
  expect(rows.map(({ sequence }) => sequence)).toEqual(
    Array.from({ length: 2_503 }, (_, nth) => nth + 1),
  );
  expect(stored).toEqual(rows.slice(0, stored.length));
});

describe('a run that goes wrong ends alone', () => {
  /** An ordinary run that goes on all the while. */
  const beside = async (work: () => Promise<PooledRun>): Promise<PooledRun> => {
    const ordinary = runIn(engine, workflow(loopStep('0', `For(${list(50)})`, 'i'), call('0_0')), {
      recordSegments: false,
    });
    const run = await work();
    expect(codeOf(await ordinary)).toBe('SUCCEEDED');
    return run;
  };

  // Of the heap: test/api/runs-hostile.long.ts.
  it('as RUN_OUT_OF_MEMORY when it takes too much memory outside of the heap', async () => {
    pool({
      settings: {
        memoryBytes: 64 * MEBIBYTE,
        outbound: {
          timeoutMs: 60_000,
          maxResponseBytes: 1_000 * MEBIBYTE,
          maxRedirects: 0,
          deny: [],
          allow: [],
        },
        limits: { maxStoredBytes: MEBIBYTE, maxResponseBytes: 1_000 * MEBIBYTE },
      },
    });
    expect(
      codeOf(
        await beside(() =>
          runIn(
            engine,
            workflow(
              call('0', '/flood'),
              httpStep('1', `${remote.url}/${reference('0', '(response).body[0]')}`),
            ),
          ),
        ),
      ),
    ).toBe('RUN_OUT_OF_MEMORY');
  });

  it('as RUN_STALLED when it does not come back', async () => {
    // Reading the letters takes a second by itself, on a busy machine.
    pool({ settings: { stallMs: 5_000 } });
    // By the last of them, events are some time on their way.
    const quick = Array.from({ length: 12 }, (_, nth) => call(`${nth + 1}`));
    const run = await beside(() =>
      runIn(engine, workflow(call('0', '/letters'), ...quick, ifStep('13', busyFor('0')))),
    );
    expect(run.outcome).toMatchObject({
      state: 'FAILED',
      error: { code: 'RUN_STALLED' },
      steps: 13,
    });
    expect(run.rows.map(({ kind }) => kind)).toEqual([
      'RunStarted',
      ...Array.from({ length: 13 }, () => ['StepStarted', 'StepFinished']).flat(),
    ]);
  });

  it('as RUN_STALLED when its process is not let work at all', async () => {
    pool({ warm: 0, settings: { stallMs: 1_000, beatMs: 50 } });
    const running = runIn(engine, workflow(call('0', '/hang')));
    await remote.nextRequest();
    process.kill(childrenOf()[0] ?? 0, 'SIGSTOP');
    expect((await running).outcome).toMatchObject({
      state: 'FAILED',
      error: { code: 'RUN_STALLED' },
    });
  });
});

it('a cancel ends a run that waits for a process', async () => {
  pool({ most: 1 });
  const [first, second] = [new AbortController(), new AbortController()];
  const hanging = runIn(engine, workflow(call('0', '/hang')), { signal: first.signal });
  await remote.nextRequest();
  const waiting = runIn(engine, workflow(call('0')), { signal: second.signal });
  second.abort();
  expect(codeOf(await waiting)).toBe('CANCELLED');
  first.abort();
  expect(codeOf(await hanging)).toBe('CANCELLED');
});

describe('the processes', () => {
  it('are started before a run needs them, are never more than are allowed, and exit when no run needs them', async () => {
    pool({ most: 2, warm: 1, idleMs: 1 });
    engine.warm();
    expect(childrenOf()).toHaveLength(1);
    let most = 0;
    const runs = Array.from({ length: 6 }, () =>
      runIn(engine, workflow(call('0')), {
        store: async () => {
          most = Math.max(most, childrenOf().length);
        },
      }),
    );
    expect((await Promise.all(runs)).map(codeOf)).toEqual(
      Array.from({ length: 6 }, () => 'SUCCEEDED'),
    );
    expect(most).toBe(2);
    await untilChildren(1);
  });

  it.each([
    [
      'at once',
      () => {
        throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' });
      },
    ],
    ['a moment later', () => fork('/', { execPath: '/nowhere/node' })],
  ] as const)(
    'that the system refuses %s are tried again, and the run waits',
    async (_, refuse) => {
      pool({ most: 1 });
      const refusing = jest.spyOn(childProcess, 'fork').mockImplementationOnce(refuse);
      expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
      refusing.mockRestore();
    },
  );

  it('that the system refuses while a run gets one that is there do not concern it', async () => {
    pool({ most: 3, warm: 2 });
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    const refusing = jest.spyOn(childProcess, 'fork').mockImplementation(() => {
      throw new Error('spawn ENOMEM');
    });
    expect(
      (await Promise.all(Array.from({ length: 2 }, () => runIn(engine, workflow(call('0')))))).map(
        codeOf,
      ),
    ).toContain('SUCCEEDED');
    refusing.mockRestore();
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  });
});

/** Looks again with each turn of the event loop. */
async function untilChildren(count: number): Promise<void> {
  while (childrenOf().length !== count) await new Promise((resolve) => setImmediate(resolve));
}
