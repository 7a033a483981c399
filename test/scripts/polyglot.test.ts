import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import fc from 'fast-check';
import { createScripts } from '../../src/platform/scripts';
import type { Script, Scripts } from '../../src/platform/scripts';
import { scriptsConfig } from '../engine/support/run';
import { freePort } from '../support/process';
import { built } from '../support/service/built';
import { SANDBOX_PROGRAM } from '../support/service/programs';
import { hasPython, startReferenceEngine } from '../support/peers/reference-engine';
import type { ReferenceEngine } from '../support/peers/reference-engine';
import { rounds } from '../support/rounds';
import { longDescribe, longIt } from '../support/long';

const never = new AbortController().signal;
const opened: Scripts[] = [];
afterAll(() => opened.forEach((scripts) => scripts.close()));

function open(port: number, timeoutMs = 20_000, reachMs?: number): Scripts {
  const scripts = createScripts(
    { ...scriptsConfig, timeoutMs, polyglot: { host: '127.0.0.1', port, reachMs } },
    built(SANDBOX_PROGRAM),
  );
  opened.push(scripts);
  return scripts;
}

async function evaluate(
  scripts: Scripts,
  code: string,
  variables: Script['variables'] = [],
  language = 'python',
  signal = never,
): Promise<string> {
  using ofRun = scripts.open();
  return await ofRun.evaluate({ language, code, variables }, signal);
}

describe('without an engine', () => {
  it('Python and Ruby scripts end with a code, and JavaScript runs', async () => {
    const scripts = open(await freePort(), 20_000, 100);
    for (const language of ['python', ' Ruby '])
      await expect(evaluate(scripts, 'RESULT_VAR = 1', [], language)).rejects.toMatchObject({
        code: 'SCRIPT_ENGINE_UNREACHABLE',
      });
    for (const language of ['js', '', 'JavaScript'])
      expect(await evaluate(scripts, 'RESULT_VAR = typeof 1', [], language)).toBe('"number"');
    await expect(evaluate(scripts, 'RESULT_VAR = 1', [], 'perl')).rejects.toMatchObject({
      code: 'SCRIPT_LANGUAGE_UNKNOWN',
    });
  });

  longIt('a server with another protocol is unreachable', async () => {
    const server = createServer((socket) =>
      socket.resume().end('HTTP/1.1 400 Bad Request\r\n\r\n'),
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const scripts = open((server.address() as AddressInfo).port);
    await expect(evaluate(scripts, 'RESULT_VAR = 1')).rejects.toMatchObject({
      code: 'SCRIPT_ENGINE_UNREACHABLE',
    });
    scripts.close();
    await new Promise((resolve) => server.close(resolve));
  });
});

(hasPython ? longDescribe : longDescribe.skip)(
  'with an engine for Python 3 (skipped without python3)',
  () => {
    let engine: ReferenceEngine;
    let scripts: Scripts;
    beforeAll(async () => {
      engine = await startReferenceEngine();
      scripts = open(engine.port);
    });
    afterAll(() => engine.kill());

    it('a script receives its variables and returns its value', async () => {
      expect(
        await evaluate(scripts, 'RESULT_VAR = VAR_0.upper() + str(len(VAR_1["a"]))', [
          ['VAR_0', '"ada"'],
          ['VAR_1', '{"a":[1,2]}'],
        ]),
      ).toBe('"ADA2"');
      expect(await evaluate(scripts, 'print("no answer")\nRESULT_VAR = 2 ** 80')).toBe(
        '1208925819614629174706176',
      );
    });

    it('a script returns any JSON unchanged', async () => {
      const { value } = fc.letrec<{ value: unknown }>((tie) => ({
        value: fc.oneof(
          { depthSize: 'small' },
          fc.jsonValue(),
          fc.string({ unit: 'binary' }),
          fc
            .array(fc.integer({ min: 0xd700, max: 0xe000 }))
            .map((codes) => String.fromCharCode(...codes)),
          fc
            .array(fc.tuple(fc.constantFrom('__proto__', 'a', ''), tie('value')), { maxLength: 3 })
            .map((entries) => Object.fromEntries(entries)),
        ),
      }));
      await fc.assert(
        fc.asyncProperty(value, async (any) => {
          const json = JSON.stringify(any);
          expect(
            JSON.parse(await evaluate(scripts, 'RESULT_VAR = VAR_0', [['VAR_0', json]])),
          ).toEqual(JSON.parse(json));
        }),
        { numRuns: rounds(30) },
      );
    });

    it.each([
      ['raises', 'a = 1\nraise ValueError("no")', 'SCRIPT_ERROR', 'Line 2: ValueError: no'],
      ['does not parse', 'x = (', 'SCRIPT_ERROR', 'Line 1: SyntaxError'],
      ['ends its interpreter', 'import os\nos._exit(3)', 'SCRIPT_ENGINE_FAILED', 'INTERNAL'],
      ['sets no result', 'x = 1', 'SCRIPT_RESULT_INVALID', 'not set'],
      ['sets a result that is not JSON', 'RESULT_VAR = {1, 2}', 'SCRIPT_RESULT_INVALID', 'no JSON'],
      [
        'sets a result that is not a number',
        'RESULT_VAR = float("nan")',
        'SCRIPT_RESULT_INVALID',
        'no JSON',
      ],
      ['takes too much', 'x = bytearray(10 ** 9)', 'SCRIPT_OUT_OF_MEMORY', 'MemoryError'],
    ])('a script that %s ends with its code', async (_what, code, errorCode, message) => {
      await expect(evaluate(scripts, code)).rejects.toMatchObject({
        code: errorCode,
        message: expect.stringContaining(message),
      });
    });

    it('a script in an unsupported language ends with its code', async () => {
      await expect(evaluate(scripts, 'RESULT_VAR = 1', [], 'ruby')).rejects.toMatchObject({
        code: 'SCRIPT_LANGUAGE_UNKNOWN',
      });
    });

    it('a script ends with its code at the timeout', async () => {
      await expect(evaluate(open(engine.port, 500), 'while True: pass')).rejects.toMatchObject({
        code: 'SCRIPT_TIMEOUT',
      });
    });

    it('a cancel ends an endless script', async () => {
      await evaluate(scripts, 'RESULT_VAR = 1');
      const stop = new AbortController();
      const running = evaluate(scripts, 'while True: pass', [], 'python', stop.signal);
      setImmediate(() => stop.abort(new Error('stopped')));
      await expect(running).rejects.toThrow('stopped');
    });
  },
);
