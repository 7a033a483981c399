import childProcess, { fork } from 'node:child_process';
import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInProcessEngine } from '../../src/features/runs/execution/in-process-engine';
import type { EventRow, RunEngine } from '../../src/features/runs/execution/run-engine';
import { systemClock } from '../../src/platform/clock/clock';
import { quickestMs } from '../support/stall';
import { storeFixture } from '../support/store-fixture';
import { BUSY_PATTERN, childrenOf, openPool, RANDOM_LETTERS, runIn } from './support/pool';
import type { PooledRun, SmallPool } from './support/pool';
import { answerJson, startRemote } from './support/remote';
import type { Remote } from './support/remote';
import { httpStep, ifStep, loopStep, openOutbound, openScripts, reference, workflow } from './support/run';
import { firstOf, LONG } from '../support/rounds';

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
const parsed = (rows: readonly EventRow[]): object[] => rows.map(({ kind, sequence, body }) => ({ kind, sequence, ...JSON.parse(body, (name, value: unknown) => (name === 'durationMs' || name === 'date' ? 0 : value)) as object }));

describe('a run in a process of its own', () => {
  it('ends as it does in the process of the service, with the same events', async () => {
    const document = workflow(call('0'), loopStep('1', `For(${reference('0', '(response).body.list')})`, 'i'), httpStep('1_0', `${remote.url}/${reference('0', '(response).body.list[i]')}`),
      ifStep('2', '1 = 2'), httpStep('3', `${remote.url}/${reference('0', '(response).body.id')}?token={%secret.key%}`), httpStep('4', 'nowhere:'));
    const secrets = new Map([['key', { name: 'key', value: 'hidden-value', origins: [new URL(remote.url).origin] }]]);
    const outbound = openOutbound();
    const here = await runIn(createInProcessEngine({ http: outbound, scripts: openScripts(), clock: systemClock, limits: { maxStoredBytes: MEBIBYTE } }), document, { secrets });
    const there = await runIn(pool(), document, { secrets });
    await outbound.close();
    expect(there.outcome).toEqual({ ...here.outcome, fault: expect.anything() });
    expect(there.outcome).toMatchObject({ state: 'FAILED', error: { index: '4', code: 'OUTBOUND_BAD_URL' }, steps: 5 });
    expect(parsed(there.rows)).toEqual(parsed(here.rows));
    expect(there.rows.map(({ sequence, at }) => [sequence, at instanceof Date])).toEqual(there.rows.map((_, nth) => [nth + 1, true]));
    expect(JSON.stringify(there.rows)).not.toContain('hidden-value');
  });

  if (LONG) it('waits while a thousand of its events are not stored, and loses none', async () => {
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

  it('ends when its events cannot be stored', async () => {
    const run = await runIn(pool(), workflow(loopStep('0', `For(${list(5_000)})`, 'i'), ifStep('0_0', 'i > 1')), { store: () => Promise.reject(new Error('disk full')) });
    expect(run.outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_EVENTS_REFUSED' }, fault: { message: 'disk full' } });
  });

  it('knows nothing of the environment, and holds no file of the service', async () => {
    const store = await storeFixture();
    process.env.HYPHA_CONNECTOR_MASTER_PASSWORD = 'not for children';
    const running = runIn(pool({ warm: 0 }), workflow(call('0', '/hang')), { runTimeoutMs: 60_000 });
    await remote.nextRequest();
    const [child] = childrenOf();
    const environment = readFileSync(`/proc/${child}/environ`, 'utf8').split('\0').map((entry) => entry.split('=', 1)[0]);
    expect(environment.filter((name) => !/^(NODE_CHANNEL_\w+|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|)$/.test(name))).toEqual([]);
    expect(filesOf(child)).toEqual([]);
    expect(filesOf('self')).toContain(join(store.dir, 'data.mdb'));
    // No file of its memory is written when it aborts, and it is the first to go when the machine has none left.
    const asked = ['coredump_filter', 'oom_score_adj'].map((name) => Number(readFileSync(`/proc/${child}/${name}`, 'utf8')));
    expect(asked).toEqual([0, 1_000]);
    await engine.close();
    expect(codeOf(await running)).toBe('RUN_INTERRUPTED');
    await store.close();
    delete process.env.HYPHA_CONNECTOR_MASTER_PASSWORD;
  });
});

/** Without devices, and without the certificates that a process reads for itself. */
const filesOf = (of: number | 'self'): string[] =>
  readdirSync(`/proc/${of}/fd`).map((fd) => linkOf(`/proc/${of}/fd/${fd}`)).filter((path) => path.startsWith('/') && !path.startsWith('/dev/') && path !== process.env.NODE_EXTRA_CA_CERTS);

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe('a run that goes wrong ends alone', () => {
  /** An ordinary run that goes on all the while. */
  const beside = async (work: () => Promise<PooledRun>): Promise<PooledRun> => {
    const ordinary = runIn(engine, workflow(loopStep('0', `For(${list(200)})`, 'i'), call('0_0')), { recordSegments: false });
    const run = await work();
    expect(codeOf(await ordinary)).toBe('SUCCEEDED');
    return run;
  };

  if (LONG) it.each(firstOf([
    ['in the heap', '/objects', 256, 20],
    ['outside of it', '/flood', 64, 1_000],
    ['with an answer that is nested deeply', '/deep', 256, 20],
  ] as const, 2))('as RUN_OUT_OF_MEMORY when it takes too much memory %s', async (_, path, memory, answer) => {
    pool({ settings: { memoryBytes: memory * MEBIBYTE, outbound: { timeoutMs: 60_000, maxResponseBytes: answer * MEBIBYTE, maxRedirects: 0, deny: [], allow: [] }, limits: { maxStoredBytes: MEBIBYTE, maxResponseBytes: answer * MEBIBYTE } } });
    expect(codeOf(await beside(() => runIn(engine, workflow(call('0', path), httpStep('1', `${remote.url}/${reference('0', '(response).body[0]')}`)))))).toBe('RUN_OUT_OF_MEMORY');
  });

  if (LONG) it('as RUN_STALLED when it does not come back', async () => {
    // Reading the letters takes a second by itself, on a busy machine.
    pool({ settings: { stallMs: 5_000 } });
    // By the last of them, events are some time on their way.
    const quick = Array.from({ length: 12 }, (_, nth) => call(`${nth + 1}`));
    const run = await beside(() => runIn(engine, workflow(call('0', '/letters'), ...quick, ifStep('13', busyFor('0')))));
    expect(run.outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_STALLED' }, steps: 13 });
    expect(run.rows.map(({ kind }) => kind)).toEqual(['RunStarted', ...Array.from({ length: 13 }, () => ['StepStarted', 'StepFinished']).flat()]);
  });

  if (LONG) {
    it('as RUN_STALLED when its process is not let work at all', async () => {
      pool({ warm: 0, settings: { stallMs: 1_000, beatMs: 50 } });
      const running = runIn(engine, workflow(call('0', '/hang')));
      await remote.nextRequest();
      process.kill(childrenOf()[0] ?? 0, 'SIGSTOP');
      expect((await running).outcome).toMatchObject({ state: 'FAILED', error: { code: 'RUN_STALLED' } });
    });
  }

  it('as RUN_CRASHED when its process is killed, which the log explains', async () => {
    pool({ warm: 0 });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => { begun = resolve; });
    const store = async (rows: readonly EventRow[]): Promise<void> => { if (rows.some(({ kind }) => kind === 'StepStarted')) begun(); };
    const running = runIn(engine, workflow(call('0', '/hang')), { store });
    await hasBegun;
    process.kill(childrenOf()[0] ?? 0, 'SIGKILL');
    expect((await running).outcome).toMatchObject({ state: 'FAILED', error: { step: null, code: 'RUN_CRASHED' }, steps: 1, fault: { message: expect.stringContaining('SIGKILL') } });
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  });
});

if (LONG) describe('a cancel', () => {
  const cancelled = async (document: ReturnType<typeof workflow>, when: () => Promise<unknown>): Promise<[string, number]> => {
    const abort = new AbortController();
    const running = runIn(engine, document, { signal: abort.signal });
    await when();
    const before = performance.now();
    abort.abort();
    return [codeOf(await running), performance.now() - before];
  };

  it('ends a run that waits for an answer, and its process is not used again', async () => {
    pool({ most: 1 });
    await runIn(engine, workflow(call('0')));
    const [first] = childrenOf();
    expect((await cancelled(workflow(call('0', '/hang')), () => remote.nextRequest()))[0]).toBe('CANCELLED');
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    expect(childrenOf()).not.toContain(first);
  });

  it('ends a run that does not come back within a second', async () => {
    pool();
    const document = workflow(call('0', '/letters'), ifStep('1', busyFor('0')));
    const quickest = await quickestMs(1_000, async () => {
      const abort = new AbortController();
      let finished: () => void = () => undefined;
      const answered = new Promise<void>((resolve) => { finished = resolve; });
      const running = runIn(engine, document, { signal: abort.signal, store: async (rows) => { if (rows.some(({ kind }) => kind === 'StepFinished')) finished(); } });
      // From here on its event loop does not turn any more.
      await answered;
      const before = performance.now();
      abort.abort();
      expect((await running).outcome).toEqual({ state: 'CANCELLED', error: null, steps: 1, values: [], fault: null });
      return performance.now() - before;
    });
    expect(quickest).toBeLessThan(1_000);
  });

  it('ends a run that waits for a process', async () => {
    pool({ most: 1 });
    const abort = new AbortController();
    const first = runIn(engine, workflow(call('0', '/hang')), { signal: abort.signal });
    await remote.nextRequest();
    expect(await cancelled(workflow(call('0')), () => Promise.resolve())).toEqual(['CANCELLED', expect.any(Number)]);
    abort.abort();
    await first;
  });
});

describe('the processes', () => {
  it('execute one run after the other, as long as the runs end well', async () => {
    pool({ most: 1 });
    const used = new Set<number>();
    for (const path of ['/', '/', 'nowhere:', '/']) {
      await runIn(engine, workflow(path === '/' ? call('0') : httpStep('0', path)));
      for (const child of childrenOf()) used.add(child);
    }
    expect(used.size).toBe(1);
  });

  if (LONG) it('read a workflow that comes again as it was, for what it is started with now, and every other one anew', async () => {
    pool({ most: 1 });
    const called: unknown[] = [];
    const starts = [['/one', 1], ['/one', 2], ['/two', 3], ['/one', 4]] as const;
    for (const [path, n] of starts) {
      const { rows, outcome } = await runIn(engine, workflow(call('0', `${path}?n=\${n}`)), { parameters: JSON.stringify({ n }) });
      expect(codeOf({ rows, outcome })).toBe('SUCCEEDED');
      called.push(/\/(?:one|two)\?n=\d/.exec(JSON.stringify(rows))?.[0]);
    }
    expect(called).toEqual(starts.map(([path, n]) => `${path}?n=${n}`));
  });

  if (LONG) it('are never more than are allowed, and each has one run', async () => {
    pool({ most: 2, warm: 2 });
    let most = 0;
    const runs = Array.from({ length: 8 }, () => runIn(engine, workflow(call('0')), { store: async () => { most = Math.max(most, childrenOf().length); } }));
    expect((await Promise.all(runs)).map(codeOf)).toEqual(Array.from({ length: 8 }, () => 'SUCCEEDED'));
    expect(most).toBe(2);
  });

  if (LONG) it('are started before a run needs them, and go when none does', async () => {
    pool({ most: 3, warm: 1, idleMs: 1 });
    engine.warm();
    const [warm] = childrenOf();
    expect(warm).toBeDefined();
    await Promise.all([runIn(engine, workflow(call('0'))), runIn(engine, workflow(call('0'))), runIn(engine, workflow(call('0')))]);
    await untilChildren(1);
  });

  it('of a service that cannot start them fail the run, not the service', async () => {
    pool({ program: '/nowhere/run-child.js' });
    expect((await runIn(engine, workflow(call('0')))).outcome).toMatchObject({ state: 'FAILED', error: { step: null, code: 'RUN_FAULT' }, steps: 0, fault: { message: expect.stringContaining('5 in a row ended at start') } });
  });

  if (LONG) it.each([
    ['at once', () => { throw Object.assign(new Error('spawn ENOMEM'), { code: 'ENOMEM' }); }],
    ['a moment later', () => fork('/', { execPath: '/nowhere/node' })],
  ] as const)('that the system refuses %s are tried again, and the run waits', async (_, refuse) => {
    pool({ most: 1 });
    const refusing = jest.spyOn(childProcess, 'fork').mockImplementationOnce(refuse);
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    refusing.mockRestore();
  });

  if (LONG) it('that the system refuses while a run gets one that is there do not concern it', async () => {
    pool({ most: 3, warm: 2 });
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
    const refusing = jest.spyOn(childProcess, 'fork').mockImplementation(() => { throw new Error('spawn ENOMEM'); });
    expect((await Promise.all(Array.from({ length: 2 }, () => runIn(engine, workflow(call('0')))))).map(codeOf)).toContain('SUCCEEDED');
    refusing.mockRestore();
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  });

  if (LONG) it('of a service that stops are not waited for, and the run that goes on is interrupted', async () => {
    pool({ most: 1 });
    const running = runIn(engine, workflow(call('0', '/hang')));
    await remote.nextRequest();
    const refused = expect(engine.reserve(new AbortController().signal)).rejects.toThrow('stopping');
    await engine.close();
    await refused;
    expect((await running).outcome).toMatchObject({ state: 'FAILED', error: { step: null, code: 'RUN_INTERRUPTED' }, fault: null });
  });
});

/** Looks again with each turn of the event loop. */
async function untilChildren(count: number): Promise<void> {
  while (childrenOf().length !== count) await new Promise((resolve) => setImmediate(resolve));
}
