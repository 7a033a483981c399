import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { RunEngine } from '../../../src/features/runs/execution/run-engine';
import { childrenOf, openPool, poolOptions, runIn } from '../support/pool';
import type { PooledRun, SmallPool } from '../support/pool';
import { answerJson, startRemote } from '../support/remote';
import { colorOf, httpStep, ifStep, loopStep, reference, workflow } from '../support/run';
import { openForTests } from '../../support/open-for-tests';
import { until } from '../../support/until';

/* A pool of one process: after which runs it is reused or replaced. */

const MEBIBYTE = 1024 * 1024;
const LARGE = Buffer.alloc(2 * MEBIBYTE, 'large ');
let engine: RunEngine;
/** Answers the request to `/hold`. */
let release: () => void = () => undefined;

const remote = openForTests(() =>
  startRemote(({ url }, response) => {
    if (url === '/hang') return;
    if (url === '/hold') {
      release = () => answerJson(response, { value: 1 });
      return;
    }
    if (url === '/large') response.end(LARGE);
    else answerJson(response, { value: 1 });
  }),
);
afterEach(() => engine.close());

const open = (settings: SmallPool['settings'] = {}): RunEngine =>
  (engine = openPool({ most: 1, settings }));
const call = (index: string, path = '/'): ReturnType<typeof httpStep> =>
  httpStep(index, `${remote.url}${path}`);
const codeOf = ({ outcome }: PooledRun): string => outcome.error?.code ?? outcome.state;

/** The process id after a successful run. */
async function used(): Promise<number[]> {
  expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  return childrenOf();
}

/** More than fit into the last events, which are stored with the end of a run. */
const manyEvents = (): ReturnType<typeof workflow> =>
  workflow(
    loopStep('0', `For([${Array.from({ length: 5_000 }, (_, nth) => nth).join(',')}])`, 'i'),
    ifStep('0_0', 'i > 1'),
  );

/** Its second step waits for an endless script. */
const endlessScript = (path = '/') => ({
  ...workflow(
    call('0', path),
    httpStep('1', remote.url, {
      request: { method: 'POST', body: { type: 'object', format: 'json', fields: { value: 1 } } },
    }),
  ),
  fieldBinding: [
    {
      from: [{ color: colorOf('0'), type: 'response', field: 'success.value' }],
      to: [{ color: colorOf('1'), type: 'request', field: 'value' }],
      enhancement: { language: 'js', expertCode: 'for (;;);' },
    },
  ],
});

it('a run waits while another system does not answer, and no more when a script computes', async () => {
  open();
  const stop = new AbortController();
  const running = runIn(engine, endlessScript('/hold'), { signal: stop.signal });
  await until(() => engine.waitingRuns() === 1);
  release();
  await until(() => engine.waitingRuns() === 0);
  stop.abort();
  expect(codeOf(await running)).toBe('CANCELLED');
  const stopping = new AbortController();
  const hanging = runIn(engine, workflow(call('0', '/hang')), { signal: stopping.signal });
  await until(() => engine.waitingRuns() === 1);
  stopping.abort();
  await hanging;
  expect(engine.waitingRuns()).toBe(0);
});

it('a process is replaced after a run with work that may still be in progress', async () => {
  open({ scripts: { ...poolOptions().settings.scripts, timeoutMs: 100 } });
  const abort = new AbortController();
  const cancelled = async (): Promise<PooledRun> => {
    const running = runIn(engine, workflow(call('0', '/hang')), { signal: abort.signal });
    await remote.nextRequest();
    abort.abort();
    return running;
  };
  const endings = [
    ['CANCELLED', cancelled],
    ['RUN_TIMEOUT', () => runIn(engine, workflow(call('0', '/hang')), { runTimeoutMs: 100 })],
    ['SCRIPT_TIMEOUT', () => runIn(engine, endlessScript())],
    ['OUTBOUND_TIMEOUT', () => runIn(engine, workflow(call('0', '/hang')), { stepTimeoutMs: 100 })],
    [
      'RUN_EVENTS_REFUSED',
      () => runIn(engine, manyEvents(), { store: () => Promise.reject(new Error('disk full')) }),
    ],
  ] as const;
  let before = await used();
  for (const [code, run] of endings) {
    expect(codeOf(await run())).toBe(code);
    const after = await used();
    expect([code, after]).not.toEqual([code, before]);
    before = after;
  }
});

it('a process is reused after a run with a timed-out attempt, without leftovers', async () => {
  const socketEvents: string[] = [];
  // The first connection never completes because its handshake is not answered; the second breaks.
  const silent = createServer((socket) => {
    socket
      .on('error', () => undefined)
      .on('close', () => socketEvents.push('closed'))
      .resume();
    if (socketEvents.push('opened') > 1) socket.destroy();
  });
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  try {
    open({ outbound: { ...poolOptions().settings.outbound, timeoutMs: 1_000 } });
    const first = await used();
    const broken = httpStep('0', `https://127.0.0.1:${(silent.address() as AddressInfo).port}`, {
      retries: '1',
      backoff: '1',
    });
    const { outcome, rows } = await runIn(engine, workflow(broken));
    const codes = rows.flatMap(({ kind, body }) =>
      kind === 'StepFinished' ? [(JSON.parse(body) as { error: { code: string } }).error.code] : [],
    );
    expect([codes, outcome.error?.code]).toEqual([
      ['OUTBOUND_TIMEOUT', 'OUTBOUND_CONNECTION_FAILED'],
      'OUTBOUND_CONNECTION_FAILED',
    ]);
    expect(socketEvents.slice(0, 3)).toEqual(['opened', 'closed', 'opened']);
    expect(await used()).toEqual(first);
  } finally {
    await new Promise((resolve) => silent.close(resolve));
  }
});

/** Keeps this many megabytes of answers until its end for possible later steps. */
function keeping(megabytes: number): ReturnType<typeof workflow> {
  const large = Array.from({ length: megabytes / 2 }, (_, nth) => String(nth));
  const readers = large.map((index, nth) =>
    httpStep(`${large.length}_${nth}`, `${remote.url}/${reference(index, '(response).body')}`),
  );
  return workflow(
    ...large.map((index) => call(index, '/large')),
    ifStep(String(large.length), '1 = 2'),
    ...readers,
  );
}

it('a process is replaced after a run that leaves more than half of its memory in use', async () => {
  // The answers need more than half of this; the rest is for uncollected garbage.
  open({ memoryBytes: 200 * MEBIBYTE });
  const first = await used();
  expect(codeOf(await runIn(engine, keeping(110), { recordSegments: false }))).toBe('SUCCEEDED');
  expect(await used()).not.toEqual(first);
  expect(await used()).toHaveLength(1);
});

it('an enlarged idle process is replaced, and a small one stays', async () => {
  engine = openPool({ most: 1, idleMs: 500, settings: { memoryBytes: 300 * MEBIBYTE } });
  const first = await used();
  await pause(1_000);
  expect(childrenOf()).toEqual(first);
  /** The size is reported at the end of a run, before garbage collection. */
  const runLarge = async (): Promise<void> =>
    expect(codeOf(await runIn(engine, keeping(70), { recordSegments: false }))).toBe('SUCCEEDED');
  await runLarge();
  // It may serve another run at once.
  expect(await used()).toEqual(first);
  await runLarge();
  while (childrenOf().some((pid) => first.includes(pid))) await pause(20);
  expect(await used()).toHaveLength(1);
});
