import { join } from 'node:path';
import { loadPackageDefinition, Server, ServerCredentials, status } from '@grpc/grpc-js';
import type {
  GrpcObject,
  sendUnaryData,
  ServiceClientConstructor,
  ServiceDefinition,
} from '@grpc/grpc-js';
import { loadSync } from '@grpc/proto-loader';
import { createScripts } from '../../src/platform/scripts';
import type { Scripts } from '../../src/platform/scripts';
import { scriptsConfig } from '../engine/support/run';

/* The engine is a third-party program: for any answer a script ends with a documented code. */

const never = new AbortController().signal;
let server: Server;
let scripts: Scripts;
let answer: (done: sendUnaryData<object>) => void;
/** Raw bytes instead of an answer. */
let raw: Buffer | null = null;

beforeAll(async () => {
  const description = loadPackageDefinition(
    loadSync(join(__dirname, '../../schema/polyglot.proto'), { longs: Number }),
  ) as unknown as { hypha: { polyglot: { v1: GrpcObject } } };
  const { service } = description.hypha.polyglot.v1.ScriptEngine as ServiceClientConstructor;
  const { Evaluate: method } = service as unknown as Record<string, ServiceDefinition[string]>;
  server = new Server();
  server.addService(
    {
      Evaluate: {
        ...method,
        responseSerialize: (response: object) => raw ?? method.responseSerialize(response),
      },
    },
    { Evaluate: (_call: unknown, done: sendUnaryData<object>) => answer(done) },
  );
  const port = await new Promise<number>((resolve, reject) =>
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    ),
  );
  scripts = createScripts({
    ...scriptsConfig,
    timeoutMs: 20_000,
    polyglot: { host: '127.0.0.1', port },
  });
});
beforeEach(() => {
  raw = null;
});
afterAll(() => {
  scripts.close();
  server.forceShutdown();
});

async function evaluated(): Promise<unknown> {
  using ofRun = scripts.open();
  return await ofRun
    .evaluate({ language: 'ruby', code: 'RESULT_VAR = 1', variables: [] }, never)
    .catch(({ code, message }: { code: unknown; message: string }) => ({ code, message }));
}

it('a value answer is the result of the script', async () => {
  answer = (done) => done(null, { json: '{"a":[1]}' });
  expect(await evaluated()).toBe('{"a":[1]}');
});

it.each<[string, object, string, string]>([
  ['an empty answer', {}, 'SCRIPT_RESULT_INVALID', 'RESULT_VAR'],
  ['an empty text', { json: '' }, 'SCRIPT_RESULT_INVALID', 'RESULT_VAR'],
  ['invalid JSON', { json: '{"a":' }, 'SCRIPT_RESULT_INVALID', 'RESULT_VAR'],
  ['a failure without a message', { failure: {} }, 'SCRIPT_ERROR', 'The engine does not say why.'],
  [
    'a failure with a line',
    { failure: { kind: 'ERROR', message: 'no', line: 3 } },
    'SCRIPT_ERROR',
    'Line 3: no',
  ],
  [
    'a failure of an unknown kind',
    { failure: { kind: 9, message: 'Something new' } },
    'SCRIPT_ENGINE_FAILED',
    'Something new',
  ],
])('an engine answer ends the script with its code: %s', async (_what, response, code, message) => {
  answer = (done) => done(null, response);
  expect(await evaluated()).toEqual({ code, message: expect.stringContaining(message) });
});

it.each([
  ['UNIMPLEMENTED', 'SCRIPT_ENGINE_FAILED'],
  ['INTERNAL', 'SCRIPT_ENGINE_FAILED'],
  ['CANCELLED', 'SCRIPT_ENGINE_FAILED'],
  ['UNAVAILABLE', 'SCRIPT_ENGINE_UNREACHABLE'],
  ['DEADLINE_EXCEEDED', 'SCRIPT_TIMEOUT'],
] as const)('an engine answer ends the script with its code: the status %s', async (name, code) => {
  answer = (done) => done({ code: status[name], details: 'for its own reasons' });
  expect(await evaluated()).toMatchObject({ code });
});

it('an engine answer of invalid bytes ends the script with its code', async () => {
  raw = Buffer.from([0x1f, 0x01]);
  answer = (done) => done(null, {});
  expect(await evaluated()).toMatchObject({
    code: 'SCRIPT_ENGINE_FAILED',
    message: expect.stringContaining('INTERNAL'),
  });
});
