/** @jest-environment node */
import { openLibrary, testLibrary } from '../../support/graphql/open-library';

const aliases = (count: number): string =>
  `query ($v: JSON) { ${Array.from({ length: count }, (_, index) => `a${index}: echo(value: $v)`).join(' ')} }`;

describe('GraphQL responses over HTTP and WebSocket', () => {
  const MOST = 1024 * 1024;
  const library = testLibrary({ limits: { answerBytes: MOST, socketMessageBytes: MOST } });

  it('have a size limit', async () => {
    const client = await library.connect();
    const overhead = '{"data":{"a0":"","a1":"","a2":"","a3":"","a4":"","a5":"","a6":"","a7":""}}'
      .length;
    const [at, over] = [0, 1].map((more) => {
      const text = 'x'.repeat((MOST - overhead) / 8);
      return {
        query: aliases(8)
          .replace('a7: echo(value: $v)', 'a7: echo(value: $w)')
          .replace('($v: JSON', '($v: JSON, $w: JSON'),
        variables: { v: text, w: `${text}${'x'.repeat(((MOST - overhead) % 8) + more)}` },
      };
    });
    for (const [id, { query, variables }] of Object.entries({ at: at, over: over })) {
      const http = await library.ask(query, { variables, token: library.signIn('anyone', []) });
      const socket = await client.ask(id, query, variables);
      if (id === 'at') {
        expect([http.status, http.text.length, JSON.stringify(socket).length]).toEqual([
          200,
          MOST,
          MOST,
        ]);
        continue;
      }
      expect([http.status, http.text.length < 1_000]).toEqual([400, true]);
      for (const { data, errors } of [http, socket]) {
        expect(data).toBeUndefined();
        expect(errors[0]).toMatchObject({
          message: expect.stringContaining(`${MOST} bytes`),
          extensions: { code: 'QUERY_TOO_COMPLEX', requestId: expect.any(String) },
        });
      }
    }
    expect((await client.ask('after', '{ open }')).data).toEqual({ open: 'come in' });
  });

  it.each(['bigint', 'circle', 'bigint in what is large', 'circle in what is large'])(
    'that cannot be serialised are masked, logged errors with a request id: %s',
    async (how) => {
      const client = await library.connect();
      const before = library.logs.length;
      const query = 'query ($how: String!) { unwritable(how: $how) }';
      const http = await library.ask(query, { variables: { how } });
      const socket = await client.ask('1', query, { how });
      expect(http.status).toBe(500);
      for (const { errors } of [http, socket]) {
        expect(errors[0].extensions.code).toBe('INTERNAL_SERVER_ERROR');
        expect(JSON.stringify(errors)).not.toMatch(/hunter2|BigInt|circular/);
        expect(
          library.logs
            .slice(before)
            .some(
              ({ msg, requestId }) =>
                msg === 'fault' && requestId === errors[0].extensions.requestId,
            ),
        ).toBe(true);
      }
      expect((await client.ask('2', '{ open }')).data).toEqual({ open: 'come in' });
    },
  );

  it('cost ten per free-form value', async () => {
    const cheap = await openLibrary({ limits: { cost: 200, aliases: 100, rootFields: 100 } });
    try {
      expect((await cheap.ask(aliases(20), { variables: { v: 1 } })).status).toBe(200);
      expect(
        (await cheap.ask(aliases(21), { variables: { v: 1 } })).errors?.[0].extensions.code,
      ).toBe('QUERY_TOO_COMPLEX');
    } finally {
      await cheap.stop();
    }
  });
});
