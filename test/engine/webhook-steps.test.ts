import { createInProcessEngine } from '../../src/features/runs/execution/create-engine';
import type { EventRow, RunEngine, StepCall } from '../../src/features/runs/execution/run-engine';
import { systemClock } from '../../src/platform/clock/clock';
import { openPool, runIn } from './support/pool';
import { startRemote } from './support/remote';
import {
  httpStep,
  jsonBody,
  loopStep,
  openOutbound,
  openScripts,
  reference,
  workflow,
} from './support/run';
import { webhookToken } from '../support/documents/released-dump';
import { firstOf } from '../support/rounds';
import { openForTests } from '../support/open-for-tests';

const HOME = 'http://127.0.0.1:65000/below/';
const ownCalls = {
  addresses: ['http://localhost:65000/', HOME],
  header: 'x-run',
  mark: 'this run',
};
const TOKEN = 'tok-0123456789-abcdefghijklmnopqrstuvwxyz_A';
const outbound = openOutbound();
let engine: RunEngine;
const inProcess = (): RunEngine =>
  createInProcessEngine({
    http: outbound,
    scripts: openScripts(),
    clock: systemClock,
    limits: { maxStoredBytes: 1024 * 1024 },
  });

const remote = openForTests(() =>
  startRemote(
    ({ url }, response) =>
      void response
        .writeHead(url.includes('revoked') ? 404 : 200, { 'content-type': 'text/plain' })
        .end('from afar'),
  ),
);
beforeEach(() => remote.received.splice(0));
afterEach(() => engine.close());
afterAll(() => outbound.close());

const hook = (index: string, url: string, request: object = {}) =>
  httpStep(index, url, {
    methodType: 'WEBHOOK',
    request: { endpoint: url, method: 'POST', ...request },
  });
const finished = (rows: readonly EventRow[]): any[] =>
  rows.filter(({ kind }) => kind === 'StepFinished').map(({ body }) => JSON.parse(body));
/** The webhook starts that a run of these steps requests from the service. */
async function calling(
  steps: Parameters<typeof workflow>,
  { status = 200, parameters = null }: { status?: number | null; parameters?: string | null } = {},
) {
  const calls: StepCall[] = [];
  const { outcome, rows } = await runIn(engine, workflow(...steps), {
    callMarking: ownCalls,
    parameters,
    startWebhook: (call) => {
      calls.push(call);
      return Promise.resolve(status);
    },
  });
  return { calls, rows, outcome, code: outcome.error?.code ?? outcome.state };
}

const PLACES: ReadonlyArray<[where: string, open: () => RunEngine]> = [
  ['in the process of the service', inProcess],
  ['in a run process', () => openPool()],
];

describe.each(firstOf(PLACES, 1))('a WEBHOOK step, %s,', (_, open) => {
  beforeEach(() => {
    engine = open();
  });

  it('starts a webhook of this service directly, with its query and body, and continues', async () => {
    const body = jsonBody({ id: '${id:integer}', text: 'of ${name}' });
    const { calls, code, rows } = await calling(
      [
        hook('0', `${HOME}api/webhook/execute/${TOKEN}?a=\${name}&b=[1,2]`, { body }),
        hook('1', `http://localhost:65000/api/webhook/execute/${TOKEN}`, { method: 'GET' }),
      ],
      { parameters: '{"id":12345678901234567890,"name":"x y"}' },
    );
    expect(calls).toEqual([
      {
        token: TOKEN,
        isElsewhere: false,
        search: '?a=x%20y&b=[1,2]',
        body: '{"id":12345678901234567890,"text":"of x y"}',
        contentType: 'application/json',
      },
      { token: TOKEN, isElsewhere: false, search: '', body: null, contentType: undefined },
    ]);
    expect(code).toBe('SUCCEEDED');
    expect(finished(rows).map(({ statusCode, state }) => [statusCode, state])).toEqual([
      [200, 'SUCCEEDED'],
      [200, 'SUCCEEDED'],
    ]);
    expect(remote.received).toEqual([]);
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
    expect(finished(rows)[0].request).toMatchObject({
      method: 'POST',
      url: expect.stringContaining('/api/webhook/execute/***'),
    });
  });

  it('starts a webhook by a signed token of the released line, of which no part is logged', async () => {
    const token = webhookToken(5, 7);
    const { calls, rows } = await calling([
      hook('0', `${HOME}api/webhook/execute/${token}`, { body: jsonBody({ note: `of ${token}` }) }),
    ]);
    expect(calls).toMatchObject([{ token }]);
    const logged = JSON.stringify(rows);
    expect(logged).toContain('/api/webhook/execute/***');
    expect(token.split('.').filter((part) => logged.includes(part))).toEqual([]);
  });

  it('starts a local webhook under any host name, and calls it over HTTP for an unsupported verb', async () => {
    const foreign = `${remote.url}/proxied/api/webhook/execute/${TOKEN}`;
    const { calls, code, rows } = await calling([
      hook('0', `${foreign}?a=1`),
      hook('1', foreign, { method: 'DELETE' }),
    ]);
    expect([code, calls]).toEqual([
      'SUCCEEDED',
      [{ token: TOKEN, isElsewhere: true, search: '?a=1', body: null }],
    ]);
    expect(finished(rows).map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    expect(remote.received.map(({ method }) => method)).toEqual(['DELETE']);
  });

  it('starts the webhook again in each loop iteration', async () => {
    const { calls, code } = await calling([
      hook('0', `${HOME}api/webhook/execute/${TOKEN}`),
      loopStep('1', 'For([4, 5, 6])', 'i'),
      hook(
        '1_0',
        `${HOME}api/webhook/execute/${TOKEN}?status=${reference('0', '(response).status')}`,
      ),
    ]);
    expect([code, calls.map(({ search }) => search)]).toEqual([
      'SUCCEEDED',
      ['', '?status=200', '?status=200', '?status=200'],
    ]);
  });
});

describe('a WEBHOOK step', () => {
  beforeEach(() => {
    engine = inProcess();
  });

  it.each([
    [404, 'WEBHOOK_NOT_FOUND'],
    [400, 'HTTP_STATUS_ERROR'],
    [413, 'HTTP_STATUS_ERROR'],
    [429, 'HTTP_STATUS_ERROR'],
    [500, 'HTTP_STATUS_ERROR'],
    [503, 'HTTP_STATUS_ERROR'],
  ])('ends its run when the service answers %s, after one attempt', async (status, code) => {
    const ended = await calling(
      [hook('0', `${HOME}api/webhook/execute/${TOKEN}`, { method: 'GET' })],
      { status },
    );
    expect([ended.code, ended.calls.length]).toEqual([code, 1]);
    expect(ended.outcome.error?.message).not.toContain(TOKEN);
  });

  it('accepts only the verbs of the webhook API', async () => {
    const { calls, rows } = await calling([
      hook('0', `${HOME}api/webhook/execute/${TOKEN}`, { method: 'PUT' }),
    ]);
    expect([calls, finished(rows)[0].statusCode]).toEqual([[], 405]);
  });

  it('calls a webhook of another service once, without an internal header', async () => {
    const { calls, code, rows } = await calling(
      [hook('0', `${remote.url}/api/webhook/execute/${TOKEN}`, { body: jsonBody({ a: 1 }) })],
      { status: null },
    );
    expect([code, calls.map(({ isElsewhere }) => isElsewhere)]).toEqual(['SUCCEEDED', [true]]);
    expect(remote.received.map(({ method, url, body }) => [method, url, String(body)])).toEqual([
      ['POST', `/api/webhook/execute/${TOKEN}`, '{"a":1}'],
    ]);
    expect(remote.received[0].headers).not.toHaveProperty('x-run');
    expect(JSON.stringify(rows)).not.toContain(TOKEN);
    expect(
      (
        await calling([hook('0', `${remote.url}/api/webhook/execute/revoked`, { method: 'GET' })], {
          status: null,
        })
      ).code,
    ).toBe('HTTP_STATUS_ERROR');
  });

  it.each([
    [`http://127.0.0.1:65001/below/api/webhook/execute/${TOKEN}`],
    [`http://127.0.0.1:65000/api/webhook/execute/${TOKEN}`],
    [`http://here@127.0.0.1:65001/below/api/webhook/execute/${TOKEN}`],
    [`${HOME}api/webhook/health`],
  ])('does not treat %s as a webhook of this service', async (url) => {
    expect(
      (await calling([hook('0', url)], { status: null })).calls.filter(
        ({ isElsewhere }) => !isElsewhere,
      ),
    ).toEqual([]);
  });

  it.each([
    [`${HOME}api/webhook/execute/${TOKEN}/`],
    [`${HOME}x/../api/webhook/execute/${TOKEN}`],
    [`HTTP://LOCALHOST:65000/api/webhook/execute/${TOKEN}#part`],
  ])('treats %s as a webhook of this service', async (url) => {
    expect((await calling([hook('0', url)])).calls).toEqual([
      { token: TOKEN, isElsewhere: false, search: '', body: null },
    ]);
  });
});

it('a cancelled run ends at once while the service starts a webhook', async () => {
  engine = openPool();
  const cancelling = new AbortController();
  const { outcome } = await runIn(
    engine,
    workflow(hook('0', `${HOME}api/webhook/execute/${TOKEN}`)),
    {
      callMarking: ownCalls,
      signal: cancelling.signal,
      startWebhook: () => {
        cancelling.abort();
        return new Promise(() => undefined);
      },
    },
  );
  expect(outcome.state).toBe('CANCELLED');
});
