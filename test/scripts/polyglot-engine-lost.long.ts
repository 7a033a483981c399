import type { MethodDoc, WorkflowSnapshot } from '../../src/engine';
import { openPool, runIn } from '../engine/support/pool';
import { startRemote } from '../engine/support/remote';
import type { Handler, Remote } from '../engine/support/remote';
import { colorOf, httpStep, jsonBody, scriptsConfig, workflow } from '../engine/support/run';
import { hasPython, startReferenceEngine } from '../support/peers/reference-engine';
import type { ReferenceEngine } from '../support/peers/reference-engine';

(hasPython ? describe : describe.skip)(
  'an engine lost during a run (skipped without python3)',
  () => {
    let engine: ReferenceEngine;
    let remote: Remote;
    /** Action while the run waits for an answer, by path. */
    const meanwhile = new Map<string, () => unknown>();
    const handler: Handler = async ({ url }, response) => {
      await meanwhile.get(url)?.();
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"n":1}');
    };
    beforeAll(async () => {
      remote = await startRemote(handler);
    });
    afterAll(() => remote.close());
    beforeEach(async () => {
      meanwhile.clear();
      remote.received.length = 0;
      engine = await startReferenceEngine();
    });
    afterEach(() => engine.kill());

    const scripted = (index: string): MethodDoc =>
      httpStep(index, `${remote.url}/${index}`, {
        request: { method: 'POST', body: jsonBody({ x: 0 }) },
      });
    const python = (index: string, expertCode: string): object => ({
      from: [{ color: colorOf('0'), type: 'response', field: 'body' }],
      to: [{ color: colorOf(index), type: 'request', field: 'x' }],
      enhancement: { language: 'python', expertCode },
    });
    /** A call, and two scripts with their own calls. */
    const document = (second = 'RESULT_VAR = VAR_0["n"] + 2'): WorkflowSnapshot => ({
      ...workflow(httpStep('0', `${remote.url}/0`), scripted('1'), scripted('2')),
      fieldBinding: [python('1', 'RESULT_VAR = VAR_0["n"] + 1'), python('2', second)],
    });
    const pool = (timeoutMs = 20_000): ReturnType<typeof openPool> =>
      openPool({
        settings: {
          scripts: {
            ...scriptsConfig,
            timeoutMs,
            polyglot: { host: '127.0.0.1', port: engine.port },
          },
        },
      });
    const sent = (): unknown[] =>
      remote.received.slice(1).map(({ body }) => (JSON.parse(body) as { x: unknown }).x);

    it('a lost engine ends the run; the next run uses it after it returns', async () => {
      const { port } = engine;
      const engines = pool();
      meanwhile.set('/1', () => engine.kill());
      expect((await runIn(engines, document())).outcome).toMatchObject({
        state: 'FAILED',
        error: {
          code: 'SCRIPT_ENGINE_UNREACHABLE',
          index: '2',
          message: `Step "step 2" (2): The polyglot engine does not answer at 127.0.0.1:${port}.`,
        },
      });
      expect(sent()).toEqual([2]);
      meanwhile.clear();
      remote.received.length = 0;
      engine = await startReferenceEngine(port);
      expect((await runIn(engines, document())).outcome).toMatchObject({ state: 'SUCCEEDED' });
      await engines.close();
    });

    it('a hanging engine ends the run at the script timeout', async () => {
      const engines = pool(2_000);
      meanwhile.set('/1', () => engine.hang());
      expect((await runIn(engines, document())).outcome).toMatchObject({
        state: 'FAILED',
        error: { code: 'SCRIPT_TIMEOUT', index: '2' },
      });
      await engines.close();
    });

    it('an engine answer with a number that would be rounded or lost ends the run', async () => {
      const engines = pool();
      for (const json of ['1e400', '[12345678901234567890.5]']) {
        const code = `import json\nreal = json.dumps\njson.dumps = lambda value, **how: "${json}" if how else real(value)\nRESULT_VAR = 1`;
        expect((await runIn(engines, document(code))).outcome).toMatchObject({
          state: 'FAILED',
          error: { code: 'SCRIPT_RESULT_INVALID', index: '2' },
        });
      }
      await engines.close();
    });
  },
);
