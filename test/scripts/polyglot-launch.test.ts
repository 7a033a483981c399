import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { loadConfig } from '../../src/config/load';
import { BoundedFile } from '../../src/platform/log/bounded-file';
import { createLogger } from '../../src/platform/log/logger';
import { openGrpc } from '../../src/platform/outbound';
import { LaunchedEngine, whyEngineIsDown } from '../../src/platform/scripts/launch-engine';
import { colorOf, httpStep, jsonBody, workflow } from '../engine/support/run';
import { startRemote } from '../engine/support/remote';
import { startService } from '../support/service/harness';
import { freePort } from '../support/process';
import { longDescribe, longIt } from '../support/long';
import { ENGINE_PROGRAM, hasPython, startReferenceEngine } from '../support/peers/reference-engine';
import { ended } from '../support/service/watch';
import { saved, started } from '../support/documents/workflows';

/** Leaves the processor to the engine that starts. */
const LOOK_AGAIN_MS = 20;
const dir = mkdtempSync(join(tmpdir(), 'hypha-launch-'));
const path = process.env.PATH;
/** A `java` program that is the test engine: it records its arguments and starts. */
beforeAll(() => {
  const java = join(dir, 'java');
  const withParent = join(__dirname, '../support/die-with-parent.cjs');
  writeFileSync(
    java,
    `#!/bin/sh\necho "called: $*"\necho "knows: $SECRET_OF_THE_SERVICE"\nTEST_RUN_PID=${process.pid} exec '${process.execPath}' -r '${withParent}' '${ENGINE_PROGRAM}' "$@"\n`,
  );
  chmodSync(java, 0o755);
  process.env.PATH = `${dir}${delimiter}${path}`;
  process.env.SECRET_OF_THE_SERVICE = 'hidden';
});
afterAll(() => {
  process.env.PATH = path;
  delete process.env.SECRET_OF_THE_SERVICE;
  rmSync(dir, { recursive: true, force: true });
});

const log = createLogger({ log: { level: 'silent' } });
const isOpen = async (port: number): Promise<boolean> => {
  const service = openGrpc({
    file: join(__dirname, '../../schema/polyglot.proto'),
    service: 'hypha.polyglot.v1.ScriptEngine',
    host: '127.0.0.1',
    port,
    maxBytes: 1_000,
  });
  const answers = await service.reach(1_000);
  service.close();
  return answers;
};

/** False for a process that has ended and was not collected yet. */
function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

longIt(
  'the launcher starts an engine that does not answer, keeps its output, and stops it',
  async () => {
    const port = await freePort();
    const logFile = join(dir, 'logs', 'polyglot.log');
    const engine = new LaunchedEngine(
      { host: '127.0.0.1', port },
      {
        jarPath: '/opt/engine of ours.jar',
        args: `--port=${port} "two words"`,
        jvmArgs: '-Xms64m -Xmx256m',
        waitMs: 60_000,
        logFile,
      },
      log,
    );
    await engine.launched;
    expect(await isOpen(port)).toBe(true);
    await engine.stop();
    expect(await isOpen(port)).toBe(false);
    expect(readFileSync(logFile, 'utf8')).toContain(
      `called: -Xms64m -Xmx256m -jar /opt/engine of ours.jar --port=${port} two words\nknows: \n`,
    );
    expect(statSync(logFile).mode & 0o777).toBe(0o600);
  },
);

it.each([
  ['cannot be written', '/dev/full'],
  ['cannot be opened', join(dir, 'java', 'polyglot.log')],
])('the launcher starts an engine whose log %s, and warns once', async (_what, logFile) => {
  const port = await freePort();
  const lines: { readonly msg: string }[] = [];
  const logger = createLogger(
    { log: { level: 'warn' } },
    { write: (line) => lines.push(JSON.parse(line)) },
  );
  const engine = new LaunchedEngine(
    { host: '127.0.0.1', port },
    { jarPath: 'engine.jar', args: `--port=${port}`, jvmArgs: '', waitMs: 60_000, logFile },
    logger,
  );
  await engine.launched;
  expect(await isOpen(port)).toBe(true);
  await engine.stop();
  expect(lines.map(({ msg }) => msg)).toEqual(['the log of the polyglot engine cannot be written']);
});

longIt('the launcher ends the children of an engine that is stopped or killed', async () => {
  const folder = mkdtempSync(join(dir, 'group-'));
  const pids = join(folder, 'children');
  // Starts a child that ignores SIGTERM and holds the output, then becomes the test engine.
  writeFileSync(
    join(folder, 'java'),
    `#!/bin/sh\n(trap '' TERM; exec sleep 600) &\necho $! >> '${pids}'\nexec '${process.execPath}' '${ENGINE_PROGRAM}' "$@"\n`,
  );
  chmodSync(join(folder, 'java'), 0o755);
  process.env.PATH = `${folder}${delimiter}${path}`;
  const port = await freePort();
  const engine = new LaunchedEngine(
    { host: '127.0.0.1', port },
    {
      jarPath: 'engine.jar',
      args: `--port=${port}`,
      jvmArgs: '',
      waitMs: 60_000,
      logFile: join(folder, 'polyglot.log'),
      pauses: { firstMs: 20, mostMs: 500, steadyMs: 60_000 },
    },
    log,
  );
  await engine.launched;
  process.kill(engine.pid ?? 0, 'SIGKILL');
  while (engine.starts < 2 || engine.pid === null) await pause(LOOK_AGAIN_MS);
  while (!(await isOpen(port))) await pause(LOOK_AGAIN_MS);
  await engine.stop();
  process.env.PATH = `${dir}${delimiter}${path}`;
  const children = readFileSync(pids, 'utf8').trim().split('\n').map(Number);
  expect([engine.pid, children.length]).toEqual([null, engine.starts]);
  // A process closes its output a moment before it counts as ended.
  while (children.some(isAlive)) await pause(LOOK_AGAIN_MS);
});

longIt('the launcher starts no engine when one already answers', async () => {
  const running = await startReferenceEngine();
  const logFile = join(dir, 'never.log');
  const engine = new LaunchedEngine(
    { host: '127.0.0.1', port: running.port },
    { jarPath: 'x.jar', args: '', jvmArgs: '', waitMs: 60_000, logFile },
    log,
  );
  await engine.launched;
  await engine.stop();
  expect(existsSync(logFile)).toBe(false);
  expect(await isOpen(running.port)).toBe(true);
  await running.kill();
});

longDescribe('an engine that exits', () => {
  const pauses = { firstMs: 20, mostMs: 500, steadyMs: 60_000 };
  const launched = (port: number, more: object = {}) =>
    new LaunchedEngine(
      { host: '127.0.0.1', port },
      {
        jarPath: 'engine.jar',
        args: `--port=${port}`,
        jvmArgs: '',
        waitMs: 60_000,
        logFile: null,
        pauses,
        ...more,
      },
      log,
    );
  const isDown = (port: number): Promise<string | null> =>
    whyEngineIsDown({ host: '127.0.0.1', port });
  const untilItServes = async (port: number): Promise<void> => {
    while ((await isDown(port)) !== null) await pause(LOOK_AGAIN_MS);
  };

  it('is restarted each time', async () => {
    const port = await freePort();
    const engine = launched(port);
    await engine.launched;
    const pids = new Set<number>();
    for (let nth = 1; nth <= 3; nth += 1) {
      await untilItServes(port);
      expect([engine.starts, pids.has(engine.pid ?? 0)]).toEqual([nth, false]);
      pids.add(engine.pid ?? 0);
      if (nth < 3) process.kill(engine.pid ?? 0, 'SIGKILL');
      while (nth < 3 && engine.starts === nth) await pause(LOOK_AGAIN_MS);
    }
    await engine.stop();
    expect([engine.pid, await isDown(port)]).toEqual([null, 'It does not answer.']);
  });

  it('is restarted after growing pauses, but not after the service stops', async () => {
    const port = await freePort();
    const lines: { readonly msg: string; readonly pauseMs?: number }[] = [];
    const logger = createLogger(
      { log: { level: 'info' } },
      { write: (line) => lines.push(JSON.parse(line)) },
    );
    const paused = (): number[] => lines.flatMap(({ pauseMs }) => pauseMs ?? []);
    // It reports no port, and exits at once.
    const engine = new LaunchedEngine(
      { host: '127.0.0.1', port },
      {
        jarPath: 'engine.jar',
        args: '--port=99999',
        jvmArgs: '',
        waitMs: 60_000,
        logFile: null,
        pauses: { firstMs: 1, mostMs: 4, steadyMs: 60_000 },
      },
      logger,
    );
    while (paused().length < 5) await pause(LOOK_AGAIN_MS);
    await engine.stop();
    const { starts } = engine;
    expect(paused().slice(0, 5)).toEqual([1, 2, 4, 4, 4]);
    expect([engine.pid, starts - paused().length]).toEqual([null, expect.any(Number)]);
    await new Promise(setImmediate);
    expect(engine.starts).toBe(starts);
  });

  it('is replaced only after its exit when the service did not start it', async () => {
    const others = await startReferenceEngine();
    const engine = launched(others.port, { pauses: { ...pauses, mostMs: 50 } });
    await engine.launched;
    expect([engine.starts, engine.pid, await isDown(others.port)]).toEqual([0, null, null]);
    await others.kill();
    while (engine.starts === 0) await pause(LOOK_AGAIN_MS);
    await untilItServes(others.port);
    await engine.stop();
    expect(await isDown(others.port)).toBe('It does not answer.');
  });
});

it('the service continues without an engine that cannot be started', async () => {
  process.env.PATH = '/nowhere';
  const engine = new LaunchedEngine(
    { host: '127.0.0.1', port: await freePort() },
    { jarPath: 'x.jar', args: '', jvmArgs: '', waitMs: 100, logFile: null },
    log,
  );
  await engine.launched;
  await engine.stop();
  process.env.PATH = `${dir}${delimiter}${path}`;
});

it('the log of another program has a size limit', () => {
  const file = join(dir, 'bounded.log');
  const bounded = new BoundedFile(file, 10);
  for (const text of ['12345', '67890', 'abc', 'x'.repeat(20)]) bounded.write(Buffer.from(text));
  bounded.close();
  expect([readFileSync(file, 'utf8'), readFileSync(`${file}.1`, 'utf8')]).toEqual([
    'x'.repeat(20),
    'abc',
  ]);
  const again = new BoundedFile(file, 10);
  again.write(Buffer.from('new'));
  again.close();
  expect(readFileSync(`${file}.1`, 'utf8')).toBe('x'.repeat(20));
});

it('the log is created again after its file was deleted', () => {
  const file = join(dir, 'taken.log');
  const bounded = new BoundedFile(file, 10);
  for (const text of ['12345', '67890']) {
    bounded.write(Buffer.from(text));
    rmSync(file, { force: true });
  }
  bounded.write(Buffer.from('abc'));
  bounded.write(Buffer.from('def'));
  bounded.close();
  expect([readFileSync(file, 'utf8'), existsSync(`${file}.1`)]).toEqual(['abcdef', false]);
});

describe('the engine configuration', () => {
  const polyglot = (env: Record<string, string>): unknown =>
    loadConfig(env, dir).config.scripts.polyglot;

  it('sets the address of the engine, and whether the service starts it', () => {
    expect(polyglot({ HYPHA_POLYGLOT_PORT: '7000' })).toBeNull();
    expect(polyglot({ HYPHA_POLYGLOT_ENABLED: 'true' })).toEqual({
      host: '127.0.0.1',
      port: 6566,
      launch: null,
    });
    const start = { HYPHA_POLYGLOT_ENABLED: 'true', HYPHA_POLYGLOT_AUTO_START: 'true' };
    expect(() => polyglot(start)).toThrow(
      'hypha.polyglot.launch.jarPath: must be a file, since hypha.polyglot.auto-start is true',
    );
    const launch = {
      jarPath: join(dir, 'engine.jar'),
      args: '',
      jvmArgs: '-Xms64m -Xmx256m',
      waitMs: 30_000,
      isLogged: false,
    };
    expect(polyglot({ ...start, HYPHA_POLYGLOT_LAUNCH_JARPATH: 'engine.jar' })).toEqual({
      host: '127.0.0.1',
      port: 6566,
      launch,
    });
  });

  it('sets the log of the engine in either place', () => {
    const file = join(dir, 'application.yml');
    for (const yaml of [
      '    external-log-enabled: true\n    launch:\n      jarPath: e.jar\n',
      '    launch:\n      jarPath: e.jar\n      external-log-enabled: true\n',
    ]) {
      writeFileSync(file, `hypha:\n  polyglot:\n    enabled: true\n    auto-start: true\n${yaml}`);
      expect(loadConfig({ CONFIG_FILE: file }, dir)).toMatchObject({
        config: { scripts: { polyglot: { launch: { isLogged: true } } } },
        warnings: [],
      });
    }
  });
});

(hasPython ? longIt : longIt.skip)(
  'the service starts its engine, runs Python with it, and stops it (skipped without python3)',
  async () => {
    const port = await freePort();
    const remote = await startRemote(
      (_request, response) =>
        void response.writeHead(200, { 'content-type': 'application/json' }).end('{"name":"ada"}'),
    );
    const service = await startService({
      env: {
        HYPHA_OUTBOUND_ALLOW: '127.0.0.1',
        HYPHA_POLYGLOT_ENABLED: 'true',
        HYPHA_POLYGLOT_PORT: String(port),
        HYPHA_POLYGLOT_AUTO_START: 'true',
        HYPHA_POLYGLOT_LAUNCH_JARPATH: 'engine.jar',
        HYPHA_POLYGLOT_LAUNCH_ARGS: `--port=${port}`,
        HYPHA_POLYGLOT_EXTERNAL_LOG_ENABLED: 'true',
        HYPHA_SCRIPT_TIMEOUT: '60000',
        HYPHA_STEP_TIMEOUT: '120000',
      },
    });
    const { fromConnector } = workflow(
      httpStep('0', `${remote.url}/0`),
      httpStep('1', `${remote.url}/1`, {
        request: { method: 'POST', body: jsonBody({ x: 0, y: 0 }) },
      }),
    );
    const binding = (language: string, field: string, expertCode: string): object => ({
      from: [{ color: colorOf('0'), type: 'response', field: 'body.name' }],
      to: [{ color: colorOf('1'), type: 'request', field }],
      enhancement: { language, expertCode },
    });
    const document = {
      title: 'With Python',
      fromConnector,
      fieldBinding: [
        binding('python', 'x', 'RESULT_VAR = VAR_0[::-1]'),
        binding('js', 'y', 'RESULT_VAR = VAR_0.length'),
      ],
    };
    // It is started after the server listens, and polled once a second.
    while (!(await isOpen(port))) await pause(LOOK_AGAIN_MS);
    const runId = await started(service, await saved(service, document));
    expect(await ended(service, runId)).toMatchObject({ state: 'SUCCEEDED', stepCount: 2 });
    expect(JSON.parse(remote.received.at(-1)?.body ?? '')).toEqual({
      x: 'ada'.split('').reverse().join(''),
      y: 3,
    });
    const { dataDir } = service;
    const check = async (): Promise<any> => (await service.api('GET', '/actuator/health')).body;
    const {
      components: { polyglot, ...others },
      status,
    } = await check();
    // On a busy machine its first answer may be late, which restarts it.
    expect([status, polyglot]).toEqual([
      'UP',
      {
        status: 'UP',
        details: {
          name: 'Polyglot engine',
          location: `127.0.0.1:${port}`,
          starts: expect.any(Number),
          pid: expect.any(Number),
        },
      },
    ]);
    expect(Object.keys(others).sort()).toEqual([
      'disk',
      'email',
      'hypha',
      'ldap',
      'mariaDB',
      'mongoDB',
      'os',
      'redis',
      'runtime',
      'scheduler',
    ]);
    // Killed during and between runs: it returns, and later scripts run.
    const hangs = {
      ...document,
      title: 'Hangs',
      fieldBinding: [binding('python', 'x', 'import time\ntime.sleep(60)')],
    };
    for (const inTheMiddle of [true, false]) {
      const { pid } = (await check()).components.polyglot.details;
      const lost = inTheMiddle ? await started(service, await saved(service, hangs)) : null;
      const readLog = (): string => readFileSync(join(dataDir, 'logs', 'polyglot.log'), 'utf8');
      const evaluated = readLog().split('evaluates').length;
      while (inTheMiddle && readLog().split('evaluates').length === evaluated)
        await pause(LOOK_AGAIN_MS);
      process.kill(pid, 'SIGKILL');
      if (lost !== null)
        expect(await ended(service, lost)).toMatchObject({
          state: 'FAILED',
          error: { code: 'SCRIPT_ENGINE_UNREACHABLE', index: '1' },
        });
      for (let seen = pid; seen === pid;) {
        const { status: now, details } = (await check()).components.polyglot;
        if (now === 'UP') seen = details.pid;
      }
      expect(
        await ended(
          service,
          await started(
            service,
            await saved(service, { ...document, title: `Again ${String(inTheMiddle)}` }),
          ),
        ),
      ).toMatchObject({ state: 'SUCCEEDED' });
    }
    expect(readFileSync(join(dataDir, 'logs', 'polyglot.log'), 'utf8')).toContain(
      'evaluates python',
    );
    await service.close();
    expect(await isOpen(port)).toBe(false);
    await remote.close();
  },
);
