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
const busyFor = (step: string): string => `${reference(step, '(response).body')} Matches "${BUSY_PATTERN}"`;

let remote: Remote;
let engine: RunEngine;
const pool = (options?: SmallPool): RunEngine => (engine = openPool(options));

beforeAll(async () => {
  remote = await startRemote(({ url }, response) => {
    if (url === '/hang') return;
    if (url === '/letters') response.end(RANDOM_LETTERS);
    else if (url === '/objects') response.writeHead(200, { 'content-type': 'application/json' }).end(`[${'{},'.repeat(6_000_000)}{}]`);
    else if (url === '/deep') response.writeHead(200, { 'content-type': 'application/json' }).end('['.repeat(9_000_000) + ']'.repeat(9_000_000));
    else if (url === '/flood') response.writeHead(200, { 'content-length': 300 * MEBIBYTE }).end(Buffer.alloc(300 * MEBIBYTE, 97));
    else answerJson(response, { id: 7, list: ['x', 'y'] });
  });
});
afterEach(() => engine.close());
afterAll(() => remote.close());

const call = (index: string, path = '/'): ReturnType<typeof httpStep> => httpStep(index, `${remote.url}${path}`);
const codeOf = ({ outcome }: PooledRun): string => outcome.error?.code ?? outcome.state;

it('waits while a thousand of its events are not stored, and loses none', async () => {
  const stored: EventRow[] = [];
  let goOn: () => void = () => undefined;
  const held = new Promise<void>((resolve) => { goOn = resolve; });
  let arrived = 0;
  let isFull: () => void = () => undefined;
  const full = new Promise<void>((resolve) => { isFull = resolve; });
  const run = runIn(pool(), workflow(loopStep('0', `For(${list(5_000)})`, 'i'), ifStep('0_0', 'i > 1')), {
    async store(rows) {
      arrived += rows.length;
      if (arrived >= 1_000) isFull();
      await held;
      stored.push(...rows);
    },
  });
  await full;
  // Another run in the meantime: what the first could still have sent would have come long ago.
  expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  expect(arrived).toBe(1_000);
  goOn();
  const { rows } = await run;
  expect(codeOf(await run)).toBe('SUCCEEDED');
  expect(rows.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 5_003 }, (_, nth) => nth + 1));
  expect(stored).toEqual(rows.slice(0, stored.length));
});

describe('a run that goes wrong ends alone', () => {
  /** An ordinary run that goes on all the while. */
  const beside = async (work: () => Promise<PooledRun>): Promise<PooledRun> => {
    const ordinary = runIn(engine, workflow(loopStep('0', `For(${list(200)})`, 'i'), call('0_0')), { recordSegments: false });
    const run = await work();
    expect(codeOf(await ordinary)).toBe('SUCCEEDED');
    return run;
  };

  it.each([
    ['in the heap', '/objects', 256, 20],
    ['outside of it', '/flood', 64, 1_000],
    ['with an answer that is nested deeply', '/deep', 256, 20],
  ] as const)('as RUN_OUT_OF_MEMORY when it takes too much memory %s', async (_, path, memory, answer) => {
    pool({ settings: { memoryBytes: memory * MEBIBYTE, outbound: { timeoutMs: 60_000, maxResponseBytes: answer * MEBIBYTE, maxRedirects: 0, deny: [], allow: [] }, limits: { maxStoredBytes: MEBIBYTE, maxResponseBytes: answer * MEBIBYTE } } });
    expect(codeOf(await beside(() => runIn(engine, workflow(call('0', path), httpStep('1', `${remote.url}/${reference('0', '(response).body[0]')}`)))))).toBe('RUN_OUT_OF_MEMORY');
  });

  it('as RUN_STALLED when it does not come back', async () => {
    // Reading the letters takes a second by itself, on a busy machine.
    pool({ settings: { stallMs: 5_000 } });
    // By the last of them, events are some time on their way.
    const quick = Array.from({ length: 12 }, (_, nth) => call(`${nth + 1}`));
    const run = await beside(() => runIn(engine, workflow(call('0', '/letters'), ...quick, ifStep('13', busyFor('0')))));
    expect(run.outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_STALLED' }, steps: 13 });
    expect(run.rows.map(({ kind }) => kind)).toEqual(['RunStarted', ...Array.from({ length: 13 }, () => ['StepStarted', 'StepFinished']).flat()]);
  });

  it('as RUN_STALLED when its process is not let work at all', async () => {
    pool({ warm: 0, settings: { stallMs: 1_000, beatMs: 50 } });
    const running = runIn(engine, workflow(call('0', '/hang')));
    await remote.nextRequest();
    process.kill(childrenOf()[0] ?? 0, 'SIGSTOP');
    expect((await running).outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_STALLED' } });
  });
});

describe('a cancel', () => {
  const cancelled = async (document: ReturnType<typeof workflow>, when: () => Promise<unknown>): Promise<string> => {
    const abort = new AbortController();
    const running = runIn(engine, document, { signal: abort.signal });
    await when();
    abort.abort();
    return codeOf(await running);
  };

  it('ends a run that waits for an answer, and its process is not used again', async () => {
    pool({ most: 1 });
    await runIn(engine, workflow(call('0')));
    const [first] = childrenOf();
    expect(await cancelled(workflow(call('0', '/hang')), () => remote.nextRequest())).toBe('CANCELLED');
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    expect(childrenOf()).not.toContain(first);
  });

  it('ends a run that blocks its process', async () => {
    pool();
    const document = workflow(call('0', '/letters'), ifStep('1', busyFor('0')));
    const abort = new AbortController();
    let finished: () => void = () => undefined;
    const answered = new Promise<void>((resolve) => { finished = resolve; });
    const running = runIn(engine, document, { signal: abort.signal, store: async (rows) => { if (rows.some(({ kind }) => kind === 'StepFinished')) finished(); } });
    // From here on its event loop is blocked.
    await answered;
    abort.abort();
    expect((await running).outcome).toEqual({ state: 'CANCELLED', error: null, steps: 1, values: [], fault: null });
  });

  it('ends a run that waits for a process', async () => {
    pool({ most: 1 });
    const abort = new AbortController();
    const first = runIn(engine, workflow(call('0', '/hang')), { signal: abort.signal });
    await remote.nextRequest();
    expect(await cancelled(workflow(call('0')), () => Promise.resolve())).toBe('CANCELLED');
    abort.abort();
    await first;
  });
});

describe('the processes', () => {
  it('are never more than are allowed, and each has one run', async () => {
    pool({ most: 2, warm: 2 });
    let most = 0;
    const runs = Array.from({ length: 8 }, () => runIn(engine, workflow(call('0')), { store: async () => { most = Math.max(most, childrenOf().length); } }));
    expect((await Promise.all(runs)).map(codeOf)).toEqual(Array.from({ length: 8 }, () => 'SUCCEEDED'));
    expect(most).toBe(2);
  });

  it('are started before a run needs them, and go when none does', async () => {
    pool({ most: 3, warm: 1, idleMs: 1 });
    engine.warm();
    const [warm] = childrenOf();
    expect(warm).toBeDefined();
    await Promise.all([runIn(engine, workflow(call('0'))), runIn(engine, workflow(call('0'))), runIn(engine, workflow(call('0')))]);
    await untilChildren(1);
  });

  it.each([
    ['at once', () => { throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' }); }],
    ['a moment later', () => fork('/', { execPath: '/nowhere/node' })],
  ] as const)('that the system refuses %s are tried again, and the run waits', async (_, refuse) => {
    pool({ most: 1 });
    const refusing = jest.spyOn(childProcess, 'fork').mockImplementationOnce(refuse);
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    refusing.mockRestore();
  });

  it('that the system refuses while a run gets one that is there do not concern it', async () => {
    pool({ most: 3, warm: 2 });
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    const refusing = jest.spyOn(childProcess, 'fork').mockImplementation(() => { throw new Error('spawn ENOMEM'); });
    expect((await Promise.all(Array.from({ length: 2 }, () => runIn(engine, workflow(call('0')))))).map(codeOf)).toContain('SUCCEEDED');
    refusing.mockRestore();
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  });
});

/** Looks again with each turn of the event loop. */
async function untilChildren(count: number): Promise<void> {
  while (childrenOf().length !== count) await new Promise((resolve) => setImmediate(resolve));
}
