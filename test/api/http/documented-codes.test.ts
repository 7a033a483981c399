/** @jest-environment node */
import { readFileSync } from 'node:fs';
import mongoose from 'mongoose';
import { outcome, startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { uploadInvoker } from '../../support/documents/invokers';
import { openLibrary } from '../../support/graphql/open-library';
import type { Library } from '../../support/graphql/open-library';
import { shareOf } from '../../support/rounds';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const aliases = Array.from({ length: 31 }, (_, index) => `a${index}: open`).join(' ');
const text = readFileSync('docs/limits.md', 'utf8');

/** Needs more memory than the configured input limit. */
const HOSTILE_XML = `<invoker><![CDATA[${']]'.repeat(4_900_000)} ]]></invoker>`;

/** `SESSION_REFUSE` is an audit action, not an error code. */
const named = [
  ...new Set(
    [
      ...text.matchAll(/`([A-Z]+(?:_[A-Z]+)+|FORBIDDEN|UNAUTHENTICATED|UNAVAILABLE|CONFLICT)`/g),
    ].map(([, code]) => code ?? ''),
  ),
].filter((code) => code !== 'SESSION_REFUSE');

/** The documented statuses of a code: ``413 `PAYLOAD_TOO_LARGE` ``, ``401 (`UNAUTHENTICATED` ``. */
const statusesOf = (code: string): number[] =>
  [...text.matchAll(new RegExp(`\\b(\\d{3}) \\(?\`${code}\``, 'g'))].map(([, status]) =>
    Number(status),
  );

describe('the error codes in docs/limits.md', () => {
  let library: Library;
  let service: TestService;
  beforeAll(async () => {
    [library, service] = await Promise.all([
      openLibrary({ limits: { operationMs: 300 } }),
      startService({
        inputLimits: { atOnce: 1, waiting: 0, memoryBytes: 16 * 1024 * 1024 },
        env: { HYPHA_SCRIPT_TIMEOUT: '2000', HYPHA_SCRIPT_MEMORY: '20' },
      }),
    ]);
  });
  afterAll(() => Promise.all([library.stop(), service.close()]));

  const askForOutcome = async (query: string, token?: string): Promise<[number, string]> => {
    const { status, errors } = await library.ask(query, {
      token,
      headers: { accept: 'application/graphql-response+json' },
    });
    return [status, errors?.[0].extensions.code];
  };
  const sent = async (path: string, body: unknown): Promise<[number, string]> => {
    const answer = await service.api('POST', path, { body });
    return [answer.status, answer.body.message];
  };
  /** Runs a workflow with the script; returns the error code of the run. */
  const scripted = async (expertCode: string): Promise<[null, string]> => {
    const ends = {
      from: [{ color: '#000001', type: 'response', field: 'success.status' }],
      to: [{ color: '#000002', type: 'request', field: 'value' }],
    };
    const call = (index: string, color: string, request: object): object => ({
      id: `m${index}`,
      index,
      color,
      methodType: 'HTTP_REQUEST',
      request: { endpoint: `${service.url}/healthz`, ...request },
    });
    const methods = [
      call('0', '#000001', { method: 'GET' }),
      call('1', '#000002', {
        method: 'POST',
        body: { type: 'object', format: 'json', fields: { value: 1 } },
      }),
    ];
    const id = await saved(service, {
      title: unique('Scripted'),
      fromConnector: { methods },
      fieldBinding: [{ ...ends, enhancement: { language: 'js', expertCode } }],
    });
    return [null, (await ended(service, await started(service, id))).error?.code];
  };
  const signedIn = (grants: readonly string[]): string =>
    library.signIn(`with ${grants.join(' ')}`, grants);

  /** Provokes each code; returns status and code. */
  const REFUSED: Readonly<Record<string, () => Promise<[number | null, string | undefined]>>> = {
    QUERY_TOO_COMPLEX: () => askForOutcome(`{ ${aliases} }`),
    BAD_REQUEST: async () => {
      const { status, body } = await service.api(
        'GET',
        `/api/execution/logs/search?connectionId=1&text=${'x'.repeat(201)}`,
      );
      return [status, body.message];
    },
    BAD_USER_INPUT: () =>
      askForOutcome('{ books(first: 101) { totalCount } }', signedIn(['USER:READ'])),
    GRAPHQL_PARSE_FAILED: () => askForOutcome('{'),
    GRAPHQL_VALIDATION_FAILED: () => askForOutcome('{ nothing }'),
    OPERATION_RESOLUTION_FAILURE: () => askForOutcome('query A { open } query B { open }'),
    PERSISTED_QUERY_NOT_FOUND: async () => {
      const extensions = { persistedQuery: { version: 1, sha256Hash: 'unknown' } };
      const { status, errors } = await library.post(JSON.stringify({ extensions }), {
        'content-type': 'application/json',
      });
      return [status, errors?.[0].extensions.code];
    },
    UNAUTHENTICATED: () => askForOutcome('{ me }'),
    TOKEN_EXPIRED: () => {
      const token = signedIn(['USER:DELETE']);
      library.sessions.set(token, { state: 'expired', credential: 'session' });
      return askForOutcome('{ me }', token);
    },
    RUN_LOG_GONE: async () => {
      const runId = await started(service, await saved(service, workflow([])));
      await ended(service, runId);
      const { status, body } = await service.api('GET', `/api/execution/${runId}/raw/log`);
      return [status, body.message];
    },
    FORBIDDEN: () => askForOutcome('{ books { totalCount } }', signedIn([])),
    RATE_LIMITED: () =>
      askForOutcome(
        'mutation { bookCreate(input: { title: "limited" }) { book { title } } }',
        signedIn(['USER:CREATE']),
      ),
    UNAVAILABLE: () => askForOutcome('{ forever }'),
    INVOKER_INVALID: () => sent('/api/invoker', { xml: `<invoker>${'<a>'.repeat(65)}` }),
    PAYLOAD_TOO_LARGE: () =>
      sent('/api/permission', JSON.stringify({ name: 'x' }).padEnd(1024 * 1024 + 1)),
    LIST_TOO_LONG: () =>
      sent('/api/secret', {
        name: 'x',
        value: 'x',
        origins: Array.from({ length: 51 }, (_, nth) => `https://${nth}.example`),
      }),
    SAMPLE_TOO_LARGE: async () => {
      const workflowId = String(await saved(service, workflow([{ id: 'm' }])));
      const sample = { workflowId, stepId: 'm', answer: 'x'.repeat(300_000) };
      const { userErrors } = await service.mutate('sampleSet', sample, 'userErrors { code }');
      return [null, userErrors[0].code];
    },
    NAME_INVALID: () => sent('/api/aggregator', { name: 'x'.repeat(256) }),
    ARGUMENT_NAME_INVALID: () =>
      sent('/api/aggregator', { name: 'x', args: [{ name: 'x'.repeat(65) }] }),
    CRON_INVALID: () =>
      sent('/api/scheduler', {
        title: 'x',
        connectionId: 1,
        cronExp: `0 0 0 ${'1,'.repeat(125)}1 * ?`,
      }),
    TITLE_INVALID: () => sent('/api/connector', { title: ' ', invoker: { name: 'Echo' } }),
    TEXT_TOO_LONG: () =>
      sent('/api/connector', {
        title: 'x',
        description: 'x'.repeat(2_049),
        invoker: { name: 'Echo' },
      }),
    TEXT_INVALID: () =>
      sent('/api/connector', { title: 'x', description: 'a\ud83db', invoker: { name: 'Echo' } }),
    TIMEOUT_INVALID: () =>
      sent('/api/connector', { title: 'x', timeout: -1, invoker: { name: 'Echo' } }),
    COMMUNICATION_FAILED: () =>
      sent('/api/connector/check', {
        invoker: { name: 'Echo' },
        requestData: { url: 'http://127.0.0.1:9' },
      }),
    INPUT_TOO_COMPLEX: async () => outcome(await uploadInvoker(service, HOSTILE_XML)),
    INPUT_QUEUE_FULL: async () => {
      const all = await Promise.all(
        Array.from({ length: 4 }, () => uploadInvoker(service, HOSTILE_XML.slice(0, 2_000_000))),
      );
      return outcome(all.find(({ status }) => status === 503) ?? all[0]);
    },
    STORAGE_FULL: async () => {
      const insert = jest
        .spyOn(mongoose.mongo.Collection.prototype, 'insertOne')
        .mockRejectedValue(
          new mongoose.mongo.MongoServerError({ message: 'no room', code: 14031 }),
        );
      try {
        return await sent('/api/category', { name: 'no room' });
      } finally {
        insert.mockRestore();
      }
    },
    SCRIPT_TIMEOUT: () => scripted('for (;;);'),
    SCRIPT_OUT_OF_MEMORY: () =>
      scripted('RESULT_VAR = []; for (;;) RESULT_VAR.push(new Uint8Array(4_000_000));'),
    TOO_MANY_CALLS: async () => {
      const guess = async (): Promise<[number, string]> => {
        const { status, body } = await service.api('GET', '/api/webhook/execute/none');
        return [status, body.message];
      };
      // The allowance refills over time, so the number of calls varies.
      let answer = await guess();
      for (let nth = 1; nth < 600 && answer[0] === 404; nth += 1) answer = await guess();
      return answer;
    },
    TOO_MANY_ATTEMPTS: async () => {
      const attempt = () => sent('/login', { email: 'locked@hypha.test', password: 'wrong' });
      for (let failures = 0; failures < 5; failures += 1) await attempt();
      return attempt();
    },
  };

  it('are all covered by this test', () => {
    expect([...named].sort()).toEqual(Object.keys(REFUSED).sort());
  });

  it.each(shareOf(named, 0))('have the documented status: %s', async (code) => {
    const answer = await REFUSED[code]?.();
    expect(answer?.[1]).toBe(code);
    for (const status of statusesOf(code)) expect(status).toBe(answer?.[0]);
  });

  it('are documented with a status', () => {
    expect(
      [
        'PAYLOAD_TOO_LARGE',
        'TOO_MANY_ATTEMPTS',
        'UNAUTHENTICATED',
        'FORBIDDEN',
        'UNAVAILABLE',
      ].filter((code) => statusesOf(code).length === 0),
    ).toEqual([]);
  });
});
