import childProcess, { fork } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import type { EventRow, RunEngine } from '../../../src/features/runs/execution/run-engine';
import { childrenOf, openPool, runIn } from '../support/pool';
import type { PooledRun, SmallPool } from '../support/pool';
import { answerJson, startRemote } from '../support/remote';
import { httpStep, ifStep, loopStep, reference, workflow } from '../support/run';
import { openForTests } from '../../support/open-for-tests';

const MEBIBYTE = 1024 * 1024;
const list = (length: number): string => `[${Array.from({ length }, (_, nth) => nth).join(', ')}]`;
let engine: RunEngine;
const pool = (options?: SmallPool): RunEngine => (engine = openPool(options));

const remote = openForTests(() =>
  startRemote(({ url }, response) => {
    if (url === '/hang') return;
    if (url === '/flood')
      response
        .writeHead(200, { 'content-length': 200 * MEBIBYTE })
        .end(Buffer.alloc(200 * MEBIBYTE, 97));
    else answerJson(response, { id: 7, list: ['x', 'y'] });
  }),
);
afterEach(() => engine.close());

const call = (index: string, path = '/'): ReturnType<typeof httpStep> =>
  httpStep(index, `${remote.url}${path}`);
const codeOf = ({ outcome }: PooledRun): string => outcome.error?.code ?? outcome.state;

it('a run waits while a thousand of its events are not stored, and loses none', async () => {
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
  // Another run as a delay: further events of the first would have arrived by its end.
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

describe('a failing run ends alone', () => {
  /** An ordinary run that continues throughout. */
  const duringRun = async (work: () => Promise<PooledRun>): Promise<PooledRun> => {
    const ordinary = runIn(engine, workflow(loopStep('0', `For(${list(50)})`, 'i'), call('0_0')), {
      recordSegments: false,
    });
    const run = await work();
    expect(codeOf(await ordinary)).toBe('SUCCEEDED');
    return run;
  };

  // The heap limit is covered by test/api/run-execution/runs-hostile.long.ts.
  it('as RUN_OUT_OF_MEMORY when it exceeds the memory limit outside the heap', async () => {
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
        await duringRun(() =>
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

  it('as RUN_STALLED when its process is halted', async () => {
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

describe('the processes of a pool', () => {
  it('start ahead of demand, stay within the limit, and exit when idle', async () => {
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
    'are started again after the system refuses a start %s, and the run waits',
    async (_, refuse) => {
      pool({ most: 1 });
      const refusing = jest.spyOn(childProcess, 'fork').mockImplementationOnce(refuse);
      expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
      refusing.mockRestore();
    },
  );

  it('start without affecting a run that gets an existing process', async () => {
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

async function untilChildren(count: number): Promise<void> {
  while (childrenOf().length !== count) await pause(20);
}
