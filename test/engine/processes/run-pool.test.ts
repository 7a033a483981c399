import { readFileSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { createInProcessEngine } from '../../../src/features/runs/execution/create-engine';
import type { EventRow, RunEngine } from '../../../src/features/runs/execution/run-engine';
import { systemClock } from '../../../src/platform/clock/clock';
import { storeFixture } from '../../../packages/embedded-mongo/test/support/store-fixture';
import { childrenOf, openPool, runIn } from '../support/pool';
import type { PooledRun, SmallPool } from '../support/pool';
import { answerJson, startRemote } from '../support/remote';
import {
  httpStep,
  ifStep,
  loopStep,
  openOutbound,
  openScripts,
  reference,
  workflow,
} from '../support/run';
import { openForTests } from '../../support/open-for-tests';

const MEBIBYTE = 1024 * 1024;
const list = (length: number): string => `[${Array.from({ length }, (_, nth) => nth).join(', ')}]`;
let engine: RunEngine;
const pool = (options?: SmallPool): RunEngine => (engine = openPool(options));

const remote = openForTests(() =>
  startRemote(({ url }, response) => {
    if (url !== '/hang') answerJson(response, { id: 7, list: ['x', 'y'] });
  }),
);
afterEach(() => engine.close());

const call = (index: string, path = '/'): ReturnType<typeof httpStep> =>
  httpStep(index, `${remote.url}${path}`);
const codeOf = ({ outcome }: PooledRun): string => outcome.error?.code ?? outcome.state;
const parsed = (rows: readonly EventRow[]): object[] =>
  rows.map(({ kind, sequence, body }) => ({
    kind,
    sequence,
    ...(JSON.parse(body, (name, value: unknown) =>
      name === 'durationMs' || name === 'date' ? 0 : value,
    ) as object),
  }));

describe('a run in its own process', () => {
  it('ends with the same result and events as in the service process', async () => {
    const document = workflow(
      call('0'),
      loopStep('1', `For(${reference('0', '(response).body.list')})`, 'i'),
      httpStep('1_0', `${remote.url}/${reference('0', '(response).body.list[i]')}`),
      ifStep('2', '1 = 2'),
      httpStep('3', `${remote.url}/${reference('0', '(response).body.id')}?token={%secret.key%}`),
      httpStep('4', 'nowhere:'),
    );
    const secrets = new Map([
      ['key', { name: 'key', value: 'hidden-value', origins: [new URL(remote.url).origin] }],
    ]);
    const outbound = openOutbound();
    const inProcess = await runIn(
      createInProcessEngine({
        http: outbound,
        scripts: openScripts(),
        clock: systemClock,
        limits: { maxStoredBytes: MEBIBYTE },
      }),
      document,
      { secrets },
    );
    const pooled = await runIn(pool(), document, { secrets });
    await outbound.close();
    expect(pooled.outcome).toEqual({ ...inProcess.outcome, fault: expect.anything() });
    expect(pooled.outcome).toMatchObject({
      state: 'FAILED',
      error: { index: '4', code: 'OUTBOUND_BAD_URL' },
      steps: 5,
    });
    expect(parsed(pooled.rows)).toEqual(parsed(inProcess.rows));
    expect(pooled.rows.map(({ sequence, at }) => [sequence, at instanceof Date])).toEqual(
      pooled.rows.map((_, nth) => [nth + 1, true]),
    );
    expect(JSON.stringify(pooled.rows)).not.toContain('hidden-value');
  });

  it('ends when its events cannot be stored', async () => {
    const run = await runIn(
      pool(),
      workflow(loopStep('0', `For(${list(5_000)})`, 'i'), ifStep('0_0', 'i > 1')),
      { store: () => Promise.reject(new Error('disk full')) },
    );
    expect(run.outcome).toMatchObject({
      state: 'FAILED',
      error: { code: 'RUN_EVENTS_REFUSED' },
      fault: { message: 'disk full' },
    });
  });

  it('has no access to the environment or to files of the service', async () => {
    const store = await storeFixture();
    process.env.HYPHA_CONNECTOR_MASTER_PASSWORD = 'not for children';
    const running = runIn(pool({ warm: 0 }), workflow(call('0', '/hang')), {
      runTimeoutMs: 60_000,
    });
    await remote.nextRequest();
    const [child] = childrenOf();
    const environment = readFileSync(`/proc/${child}/environ`, 'utf8')
      .split('\0')
      .map((entry) => entry.split('=', 1)[0]);
    expect(
      environment.filter(
        (name) => !/^(NODE_CHANNEL_\w+|TZ|NODE_EXTRA_CA_CERTS|SSL_CERT_\w+|)$/.test(name),
      ),
    ).toEqual([]);
    expect(filesOf(child)).toEqual([]);
    expect(filesOf('self')).toContain(join(store.dir, 'data.mdb'));
    // No core dump is written, and the process is the first to be killed when memory runs out.
    const procValues = ['coredump_filter', 'oom_score_adj'].map((name) =>
      Number(readFileSync(`/proc/${child}/${name}`, 'utf8')),
    );
    expect(procValues).toEqual([0, 1_000]);
    await engine.close();
    expect(codeOf(await running)).toBe('RUN_INTERRUPTED');
    await store.close();
    delete process.env.HYPHA_CONNECTOR_MASTER_PASSWORD;
  });
});

/** Without devices and the certificates that a process reads by itself. */
const filesOf = (of: number | 'self'): string[] =>
  readdirSync(`/proc/${of}/fd`)
    .map((fd) => linkOf(`/proc/${of}/fd/${fd}`))
    .filter(
      (path) =>
        path.startsWith('/') &&
        !path.startsWith('/dev/') &&
        path !== process.env.NODE_EXTRA_CA_CERTS,
    );

function linkOf(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return '';
  }
}

describe('a failing run ends alone', () => {
  it('as RUN_CRASHED when its process is killed, with an explanation in the log', async () => {
    pool({ warm: 0 });
    let begun = (): void => undefined;
    const hasBegun = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const store = async (rows: readonly EventRow[]): Promise<void> => {
      if (rows.some(({ kind }) => kind === 'StepStarted')) begun();
    };
    const running = runIn(engine, workflow(call('0', '/hang')), { store });
    await hasBegun;
    process.kill(childrenOf()[0] ?? 0, 'SIGKILL');
    expect((await running).outcome).toMatchObject({
      state: 'FAILED',
      error: { step: null, code: 'RUN_CRASHED' },
      steps: 1,
      fault: { message: expect.stringContaining('SIGKILL') },
    });
    expect(codeOf(await runIn(engine, workflow(call('0'))))).toBe('SUCCEEDED');
  });
});

describe('the processes of a pool', () => {
  it('execute runs one after the other while the runs succeed', async () => {
    pool({ most: 1 });
    const used = new Set<number>();
    for (const path of ['/', '/', 'nowhere:', '/']) {
      await runIn(engine, workflow(path === '/' ? call('0') : httpStep('0', path)));
      for (const child of childrenOf()) used.add(child);
    }
    expect(used.size).toBe(1);
  });

  it('reuse a parsed workflow with new input, and parse any other workflow', async () => {
    pool({ most: 1 });
    const called: unknown[] = [];
    const starts = [
      ['/one', 1],
      ['/one', 2],
      ['/two', 3],
      ['/one', 4],
    ] as const;
    for (const [path, n] of starts) {
      const { rows, outcome } = await runIn(engine, workflow(call('0', `${path}?n=\${n}`)), {
        parameters: JSON.stringify({ n }),
      });
      expect(codeOf({ rows, outcome })).toBe('SUCCEEDED');
      called.push(/\/(?:one|two)\?n=\d/.exec(JSON.stringify(rows))?.[0]);
    }
    expect(called).toEqual(starts.map(([path, n]) => `${path}?n=${n}`));
  });

  it('fail the run when they cannot be started', async () => {
    pool({ program: '/nowhere/run-child.js' });
    expect((await runIn(engine, workflow(call('0')))).outcome).toMatchObject({
      state: 'FAILED',
      error: { step: null, code: 'RUN_FAULT' },
      steps: 0,
      fault: { message: expect.stringContaining('5 in a row ended at start') },
    });
  });

  it('are stopped with the service, which interrupts active runs', async () => {
    pool({ most: 1 });
    const running = runIn(engine, workflow(call('0', '/hang')));
    await remote.nextRequest();
    const refused = expect(engine.reserve(new AbortController().signal)).rejects.toThrow(
      'stopping',
    );
    await engine.close();
    await refused;
    expect((await running).outcome).toMatchObject({
      state: 'FAILED',
      error: { step: null, code: 'RUN_INTERRUPTED' },
      fault: null,
    });
  });
});
