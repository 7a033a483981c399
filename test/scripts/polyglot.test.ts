import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import type { MethodDoc, WorkflowSnapshot } from '../../src/engine';
import { createScripts } from '../../src/platform/scripts';
import type { Script, Scripts } from '../../src/platform/scripts';
import { startRemote } from '../engine/support/remote';
import type { Handler, Remote } from '../engine/support/remote';
import { openPool, runIn } from '../engine/support/pool';
import { colorOf, httpStep, jsonBody, scriptsConfig, workflow } from '../engine/support/run';
import { freePort } from '../support/process';
import { built } from '../support/built';
import { SANDBOX_PROGRAM } from '../support/programs';
import { hasPython, startReferenceEngine } from '../support/reference-engine';
import type { ReferenceEngine } from '../support/reference-engine';
import { firstOf, LONG, rounds } from '../support/rounds';

const never = new AbortController().signal;
const opened: Scripts[] = [];
afterAll(() => opened.forEach((scripts) => scripts.close()));

function open(port: number, timeoutMs = 20_000, reachMs?: number): Scripts {
  const scripts = createScripts({ ...scriptsConfig, timeoutMs, polyglot: { host: '127.0.0.1', port, reachMs } }, built(SANDBOX_PROGRAM));
  opened.push(scripts);
  return scripts;
}

async function evaluate(scripts: Scripts, code: string, variables: Script['variables'] = [], language = 'python', signal = never): Promise<string> {
  using ofRun = scripts.open();
  return await ofRun.evaluate({ language, code, variables }, signal);
}

if (LONG) describe('without an engine', () => {
  it('Python and Ruby end with a code, JavaScript runs', async () => {
    const scripts = open(await freePort(), 20_000, 100);
    for (const language of firstOf(['python', ' Ruby '], 1)) await expect(evaluate(scripts, 'RESULT_VAR = 1', [], language)).rejects.toMatchObject({ code: 'SCRIPT_ENGINE_UNREACHABLE' });
    for (const language of ['js', '', 'JavaScript']) expect(await evaluate(scripts, 'RESULT_VAR = typeof 1', [], language)).toBe('"number"');
    await expect(evaluate(scripts, 'RESULT_VAR = 1', [], 'perl')).rejects.toMatchObject({ code: 'SCRIPT_LANGUAGE_UNKNOWN' });
  });

  if (LONG) {
    it('what answers and speaks something else is unreachable', async () => {
      const server = createServer((socket) => socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'));
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const scripts = open((server.address() as AddressInfo).port);
      await expect(evaluate(scripts, 'RESULT_VAR = 1')).rejects.toMatchObject({ code: 'SCRIPT_ENGINE_UNREACHABLE' });
      scripts.close();
      await new Promise((resolve) => server.close(resolve));
    });
  }
});

(hasPython ? describe : describe.skip)('with an engine that executes Python 3 (skipped without python3)', () => {
  let engine: ReferenceEngine;
  let scripts: Scripts;
  beforeAll(async () => {
    engine = await startReferenceEngine();
    scripts = open(engine.port);
  });
  afterAll(() => engine.kill());

  if (LONG) it('a script gets its variables and leaves its value', async () => {
    expect(await evaluate(scripts, 'RESULT_VAR = VAR_0.upper() + str(len(VAR_1["a"]))', [['VAR_0', '"ada"'], ['VAR_1', '{"a":[1,2]}']])).toBe('"ADA2"');
    expect(await evaluate(scripts, 'print("no answer")\nRESULT_VAR = 2 ** 80')).toBe('1208925819614629174706176');
  });

  it('any JSON comes back the same', async () => {
    const { value } = fc.letrec<{ value: unknown }>((tie) => ({ value: fc.oneof({ depthSize: 'small' }, fc.jsonValue(), fc.string({ unit: 'binary' }), fc.array(fc.integer({ min: 0xd700, max: 0xe000 })).map((codes) => String.fromCharCode(...codes)),
      fc.array(fc.tuple(fc.constantFrom('__proto__', 'a', ''), tie('value')), { maxLength: 3 }).map((entries) => Object.fromEntries(entries))) }));
    await fc.assert(fc.asyncProperty(value, async (any) => {
      const json = JSON.stringify(any);
      expect(JSON.parse(await evaluate(scripts, 'RESULT_VAR = VAR_0', [['VAR_0', json]]))).toEqual(JSON.parse(json));
    }), { numRuns: rounds(30) });
  });

  it.each([
    ['raises', 'a = 1\nraise ValueError("no")', 'SCRIPT_ERROR', 'Line 2: ValueError: no'], ['does not parse', 'x = (', 'SCRIPT_ERROR', 'Line 1: SyntaxError'],
    ['ends its interpreter', 'import os\nos._exit(3)', 'SCRIPT_ENGINE_FAILED', 'INTERNAL'], ['leaves nothing', 'x = 1', 'SCRIPT_RESULT_INVALID', 'not set'],
    ['leaves no JSON', 'RESULT_VAR = {1, 2}', 'SCRIPT_RESULT_INVALID', 'no JSON'], ['leaves what is no number', 'RESULT_VAR = float("nan")', 'SCRIPT_RESULT_INVALID', 'no JSON'],
    ['takes too much', 'x = bytearray(10 ** 9)', 'SCRIPT_OUT_OF_MEMORY', 'MemoryError'],
  ])('a script that %s ends with its code', async (_what, code, errorCode, message) => {
    await expect(evaluate(scripts, code)).rejects.toMatchObject({ code: errorCode, message: expect.stringContaining(message) });
  });

  it('a script in a language the engine does not have', async () => {
    await expect(evaluate(scripts, 'RESULT_VAR = 1', [], 'ruby')).rejects.toMatchObject({ code: 'SCRIPT_LANGUAGE_UNKNOWN' });
  });

  if (LONG) it('a script that takes too long, and one that is larger than it may be', async () => {
    await expect(evaluate(open(engine.port, 500), 'while True: pass')).rejects.toMatchObject({ code: 'SCRIPT_TIMEOUT' });
    await expect(evaluate(scripts, 'RESULT_VAR = "x" * 70_000_000')).rejects.toMatchObject({ code: expect.stringMatching(/^SCRIPT_OUT_OF_MEMORY$/) });
  });

  it('a cancel stops a script within a second', async () => {
    await evaluate(scripts, 'RESULT_VAR = 1');
    const stop = new AbortController();
    const running = evaluate(scripts, 'while True: pass', [], 'python', stop.signal);
    setImmediate(() => stop.abort(new Error('stopped')));
    const started = performance.now();
    await expect(running).rejects.toThrow('stopped');
    expect(performance.now() - started).toBeLessThan(1_000);
  });
});

if (LONG) (hasPython ? describe : describe.skip)('an engine that goes away in the middle of a run (skipped without python3)', () => {
  let engine: ReferenceEngine;
  let remote: Remote;
  /** What happens while the run waits for an answer, by path. */
  const meanwhile = new Map<string, () => unknown>();
  const handler: Handler = async ({ url }, response) => {
    await meanwhile.get(url)?.();
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"n":1}');
  };
  beforeAll(async () => { remote = await startRemote(handler); });
  afterAll(() => remote.close());
  beforeEach(async () => {
    meanwhile.clear();
    remote.received.length = 0;
    engine = await startReferenceEngine();
  });
  afterEach(() => engine.kill());

  const scripted = (index: string): MethodDoc => httpStep(index, `${remote.url}/${index}`, { request: { method: 'POST', body: jsonBody({ x: 0 }) } });
  const python = (index: string, expertCode: string): object =>
    ({ from: [{ color: colorOf('0'), type: 'response', field: 'body' }], to: [{ color: colorOf(index), type: 'request', field: 'x' }], enhancement: { language: 'python', expertCode } });
  /** A call, two scripts with calls of their own. */
  const document = (second = 'RESULT_VAR = VAR_0["n"] + 2'): WorkflowSnapshot =>
    ({ ...workflow(httpStep('0', `${remote.url}/0`), scripted('1'), scripted('2')), fieldBinding: [python('1', 'RESULT_VAR = VAR_0["n"] + 1'), python('2', second)] });
  const pool = (timeoutMs = 20_000): ReturnType<typeof openPool> => openPool({ settings: { scripts: { ...scriptsConfig, timeoutMs, polyglot: { host: '127.0.0.1', port: engine.port } } } });
  const sent = (): unknown[] => remote.received.slice(1).map(({ body }) => (JSON.parse(body) as { x: unknown }).x);

  it('and is there again is found again', async () => {
    const { port } = engine;
    const engines = pool();
    meanwhile.set('/1', async () => {
      await engine.kill();
      engine = await startReferenceEngine(port);
    });
    expect((await runIn(engines, document())).outcome).toMatchObject({ state: 'SUCCEEDED', steps: 3 });
    expect(sent()).toEqual([2, 3]);
    await engines.close();
  });

  if (LONG) {
    it('and stays away ends the run; the next one finds it when it is back', async () => {
      const { port } = engine;
      const engines = pool();
      meanwhile.set('/1', () => engine.kill());
      expect((await runIn(engines, document())).outcome).toMatchObject({ state: 'FAILED', error: { code: 'SCRIPT_ENGINE_UNREACHABLE', index: '2', message: `The polyglot engine does not answer at 127.0.0.1:${port}.` } });
      expect(sent()).toEqual([2]);
      meanwhile.clear();
      remote.received.length = 0;
      engine = await startReferenceEngine(port);
      expect((await runIn(engines, document())).outcome).toMatchObject({ state: 'SUCCEEDED' });
      await engines.close();
    });
  }

  it('with a script ends the run', async () => {
    const engines = pool();
    const marked = await startRemote((_request, response) => {
      response.end();
      void engine.kill();
    });
    const code = `import urllib.request\nurllib.request.urlopen("${marked.url}").read()\nwhile True: pass`;
    expect((await runIn(engines, document(code))).outcome).toMatchObject({ state: 'FAILED', error: { code: 'SCRIPT_ENGINE_UNREACHABLE', index: '2' } });
    await marked.close();
    await engines.close();
  });

  if (LONG) {
    it('and hangs ends the run in the time of a script', async () => {
      const engines = pool(2_000);
      meanwhile.set('/1', () => engine.hang());
      expect((await runIn(engines, document())).outcome).toMatchObject({ state: 'FAILED', error: { code: 'SCRIPT_TIMEOUT', index: '2' } });
      await engines.close();
    });
  }

  it.each(['1e400', '[12345678901234567890.5]'])('and answers a number that would be rounded or lost ends the run: %s', async (json) => {
    const engines = pool();
    const code = `import json\nreal = json.dumps\njson.dumps = lambda value, **how: "${json}" if how else real(value)\nRESULT_VAR = 1`;
    expect((await runIn(engines, document(code))).outcome).toMatchObject({ state: 'FAILED', error: { code: 'SCRIPT_RESULT_INVALID', index: '2' } });
    await engines.close();
  });

  it('is not asked by JavaScript', async () => {
    const engines = pool();
    await engine.kill();
    const binding = { ...python('1', ''), enhancement: { language: 'js', expertCode: 'RESULT_VAR = VAR_0.n + 1' } };
    expect((await runIn(engines, { ...document(), fieldBinding: [binding] })).outcome).toMatchObject({ state: 'SUCCEEDED' });
    expect(sent()).toEqual([2, 0]);
    await engines.close();
  });
});
