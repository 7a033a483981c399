/** @jest-environment node */
import { WebSocket } from 'ws';
import { startService } from '../support/harness';
import type { TestService } from '../support/harness';
import { Client } from '../support/library-doors';

/*
 * The checks of graphql-cop (https://github.com/dolevf/graphql-cop), written again after its `lib/tests`, since it comes from another
 * registry: the same documents, judged as it judges the answers. Each must find nothing in production, over HTTP and over a socket.
 */

interface Answer {
  readonly data?: any;
  readonly errors?: readonly {
    readonly message: string;
    readonly extensions?: Record<string, unknown>;
  }[];
  readonly extensions?: Record<string, unknown>;
}

/** A document and what of its answer is a finding. */
const CHECKS: readonly [string, string, (answer: Answer) => boolean][] = [
  [
    'alias overloading',
    `query cop { ${Array.from({ length: 101 }, (_, index) => `alias${index}:__typename`).join(' \n')} }`,
    ({ data }) => data?.alias100 !== undefined,
  ],
  [
    'directive overloading',
    `query cop { __typename ${'@aa'.repeat(10)} }`,
    ({ errors = [] }) => errors.length >= 10,
  ],
  [
    'directives of many names',
    `query cop { __typename ${Array.from({ length: 10 }, (_, index) => `@a${index}`).join('')} }`,
    ({ errors = [] }) => errors.length >= 10,
  ],
  [
    'field duplication',
    `query cop { ${'__typename \n'.repeat(500)} }`,
    ({ data }) => data?.__typename !== undefined,
  ],
  [
    'introspection',
    'query cop { __schema { types { name fields { name } } } }',
    ({ data }) => data?.__schema !== undefined,
  ],
  [
    'circular introspection',
    'query cop { __schema { types { fields { type { fields { type { fields { type { fields { type { name } } } } } } } } } }',
    ({ data }) => (data?.__schema?.types?.length ?? 0) > 25,
  ],
  [
    'field suggestions',
    'query cop { __schema { directive } }',
    ({ errors = [] }) => errors.some(({ message }) => /did you mean/i.test(message)),
  ],
  [
    'field suggestions of our own',
    'query cop { usr { emal } mee { id } }',
    ({ errors = [] }) => errors.some(({ message }) => /did you mean/i.test(message)),
  ],
  [
    'trace mode',
    'query cop { __typename }',
    ({ errors = [], extensions = {} }) =>
      'tracing' in extensions || errors.some((error) => 'tracing' in (error.extensions ?? {})),
  ],
  [
    'unhandled errors',
    'qwerty cop { abc }',
    ({ errors = [] }) => /exception|stacktrace|node_modules/i.test(JSON.stringify(errors)),
  ],
];

describe('graphql-cop finds in production no', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startService({ env: { NODE_ENV: 'production' } });
  });
  afterAll(() => service.close());

  const get = (query: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${service.url}/graphql?query=${encodeURIComponent(query)}`, { headers });

  describe('over HTTP', () => {
    it.each(CHECKS)('%s', async (_name, query, isFinding) => {
      for (const token of [null, service.adminToken]) {
        const answer = await service.api('POST', '/graphql', {
          token,
          body: { query, operationName: 'cop' },
        });
        expect([isFinding(answer.body as Answer), (answer.body as Answer).errors ?? []]).toEqual([
          false,
          expect.any(Array),
        ]);
      }
    });

    it('batch queries', async () => {
      const { status, body } = await service.api('POST', '/graphql', {
        body: Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' })),
      });
      expect([status, Array.isArray(body), body.errors]).toEqual([400, false, [expect.anything()]]);
    });

    it('queries by GET, and mutations', async () => {
      for (const query of ['query cop { __typename }', 'mutation cop { __typename }']) {
        const answer = (await (await get(query)).json()) as Answer;
        expect([answer.data, answer.errors?.length]).toEqual([undefined, 1]);
      }
    });

    it('urlencoded forms', async () => {
      const { status, body } = await service.api('POST', '/graphql', {
        body: new URLSearchParams({ query: 'query cop { __typename }' }),
      });
      expect([status, body.data]).toEqual([400, undefined]);
    });

    it.each(['/graphql', '/graphiql', '/playground', '/console', '/api/graphql', '/'])(
      'IDE at %s',
      async (path) => {
        const page = await (
          await fetch(service.url + path, { headers: { accept: 'text/html' } })
        ).text();
        expect(page).not.toMatch(
          /graphiql\.min\.css|GraphQL Playground|GraphiQL|graphql-playground/,
        );
      },
    );
  });

  describe('over a socket', () => {
    const connect = async (): Promise<Client> => {
      const client = new Client(
        new WebSocket(`${service.url.replace('http', 'ws')}/graphql`, 'graphql-transport-ws'),
      );
      await client.opened();
      client.send({ type: 'connection_init', payload: { Authorization: service.adminToken } });
      await client.until(({ type }) => type === 'connection_ack');
      return client;
    };

    it.each(CHECKS)('%s', async (_name, query, isFinding) => {
      const client = await connect();
      client.send({ id: 'cop', type: 'subscribe', payload: { query, operationName: 'cop' } });
      const { type, payload } = await client.until(
        ({ id, type: kind }) => id === 'cop' && kind !== 'complete',
      );
      const answer: Answer = type === 'error' ? { errors: payload } : payload;
      expect([isFinding(answer), answer]).toEqual([false, expect.anything()]);
      client.connection.close();
    });

    it('batch queries', async () => {
      const client = await connect();
      client.send({
        id: 'cop',
        type: 'subscribe',
        payload: Array.from({ length: 10 }, () => ({ query: 'query cop { __typename }' })),
      });
      expect((await client.close()).code).toBe(4400);
    });
  });
});
