import WebSocket from 'ws';
import { testService, unique } from '../../support/service/harness';

describe('a JSON value', () => {
  const service = testService();

  const SAVE =
    'workflowCreate(input: { title: $title, ui: $ui }) { workflow { ui } userErrors { code } }';
  const WITH_VARIABLE = `mutation($title: String!, $ui: JSON) { ${SAVE} }`;

  /** Each sends `json` text and returns the stored value, or `refused`. */
  const ways: Readonly<Record<string, (json: string, literal: string) => Promise<unknown>>> = {
    'a REST body': async (json) => {
      const answer = await service.api('POST', '/api/connection', {
        body: `{"title":"${unique('rest ')}","ui":${json}}`,
      });
      expect([201, 400]).toContain(answer.status);
      return answer.status === 201 ? answer.body.ui : 'refused';
    },
    'a variable': async (json) => {
      const answer = await service.api('POST', '/graphql', {
        body: JSON.stringify({
          query: WITH_VARIABLE,
          variables: { title: unique('variable '), ui: 0 },
        }).replace('"ui":0', `"ui":${json}`),
      });
      return storedValue(answer.body);
    },
    'a literal': async (_json, literal) => {
      const query = `mutation { ${SAVE.replace('$title', `"${unique('literal ')}"`).replace('$ui', literal)} }`;
      return storedValue(await service.body('POST', '/graphql', { body: { query } }));
    },
    'a variable on a socket': (json) =>
      new Promise((resolve, reject) => {
        const message = { title: unique('socket '), ui: 0 };
        const socket = new WebSocket(
          `${service.url.replace('http', 'ws')}/graphql`,
          'graphql-transport-ws',
        );
        socket.on('error', reject);
        socket.on('open', () =>
          socket.send(
            JSON.stringify({
              type: 'connection_init',
              payload: { Authorization: service.adminToken },
            }),
          ),
        );
        socket.on('message', (data: Buffer) => {
          const { type, payload } = JSON.parse(data.toString());
          if (type === 'connection_ack')
            socket.send(
              JSON.stringify({
                id: '1',
                type: 'subscribe',
                payload: { query: WITH_VARIABLE, variables: message },
              }).replace('"ui":0', `"ui":${json}`),
            );
          if (type !== 'next' && type !== 'error') return;
          socket.close();
          resolve(storedValue(type === 'next' ? payload : { errors: payload }));
        });
      }),
  };

  function storedValue({
    data,
    errors,
  }: {
    data?: any;
    errors?: { extensions: { code: string } }[];
  }): unknown {
    if (!errors) return data.workflowCreate.workflow.ui;
    expect(errors[0]?.extensions.code).toMatch(
      /^(BAD_USER_INPUT|BAD_REQUEST|GRAPHQL_VALIDATION_FAILED)$/,
    );
    return 'refused';
  }

  describe.each(Object.entries(ways))('in %s', (_name, send) => {
    it.each([
      ['the name __proto__', '{"__proto__":{"a":1}}', '{ __proto__: { a: 1 } }'],
      ['a nested name __proto__', '[{"a":[{"__proto__":null}]}]', '[{ a: [{ __proto__: null }] }]'],
      ['a number that would be infinite', '1e400', '1e400'],
    ])('is rejected with %s', async (_what, json, literal) => {
      expect(await send(json, literal)).toBe('refused');
      expect(({} as { a?: number }).a).toBeUndefined();
    });

    it('is kept unchanged', async () => {
      const value = {
        constructor: 1,
        prototype: [null, true, 'a', -0.5, 1e21, 9007199254740991],
        a: { b: [] },
      };
      expect(
        await send(
          JSON.stringify(value),
          '{ constructor: 1, prototype: [null, true, "a", -0.5, 1e21, 9007199254740991], a: { b: [] } }',
        ),
      ).toEqual(value);
    });
  });

  it.each(['12345678901234567890', '[1, 9007199254740993]', '1e-400'])(
    'is rejected with the inexact number %s in a body, an HTTP variable and a literal',
    async (number) => {
      for (const way of ['a REST body', 'a variable', 'a literal'])
        expect([way, await ways[way]?.(number, number)]).toEqual([way, 'refused']);
    },
  );

  it.each(['a\0b', '\0', '\ud800', 'x\udc00y'])(
    'is rejected in a filter with the unstorable text %j',
    async (text) => {
      for (const condition of [{ contains: text }, { eq: text }, { in: ['a', text] }]) {
        const { errors } = await service.gql(
          'query($filter: UserFilter) { users(filter: $filter) { totalCount } }',
          { filter: { email: condition } },
        );
        expect(errors?.map(({ extensions }) => extensions.code)).toEqual(['BAD_USER_INPUT']);
      }
    },
  );
});
