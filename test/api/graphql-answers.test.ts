/** @jest-environment node */
import fc from 'fast-check';
import { writeJson } from '../../src/platform/graphql/operations/json-writer';
import { openLibrary } from '../support/library-doors';
import type { Library } from '../support/library-doors';
import { rounds } from '../support/rounds';

const aliases = (count: number): string =>
  `query ($v: JSON) { ${Array.from({ length: count }, (_, index) => `a${index}: echo(value: $v)`).join(' ')} }`;

describe('the JSON writer', () => {
  it('writes the same text as JSON.stringify in one chunk or many', async () => {
    const heavy = fc.oneof(
      fc
        .tuple(
          fc.string({ unit: 'binary', minLength: 1, maxLength: 9 }),
          fc.integer({ min: 1, max: 8_000 }),
        )
        .map(([text, times]) => text.repeat(times)),
      fc
        .tuple(fc.jsonValue(), fc.integer({ min: 1, max: 2_000 }))
        .map(([value, times]) => Array.from({ length: times }, () => value)),
      fc.dictionary(
        fc.string({ unit: 'binary' }),
        fc
          .anything({ withDate: true, withNullPrototype: true, maxDepth: 3 })
          .map((value) => [value, 'y'.repeat(40_000), value]),
      ),
    );
    const value = fc.oneof(
      fc.jsonValue(),
      heavy,
      fc.array(heavy, { maxLength: 4 }),
      fc.dictionary(fc.string(), heavy, { maxKeys: 4 }),
    );
    await fc.assert(
      fc.asyncProperty(value, async (data) => {
        expect(await writeJson({ data }, Infinity)).toBe(JSON.stringify({ data }));
      }),
      { numRuns: rounds(40) },
    );
  });

  it.each([32 * 1024, 64 * 1024])('writes the same text around %d characters', async (size) => {
    for (let length = size - 60; length <= size + 10; length += 1) {
      for (const value of [
        'x'.repeat(length),
        ['é'.repeat(length)],
        { text: 'x'.repeat(length) },
      ]) {
        expect(await writeJson(value, Infinity)).toBe(JSON.stringify(value));
      }
    }
  });

  it('rejects output beyond its limit', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 200_000 }),
        fc.constantFrom('x', 'é', '😀'),
        async (length, letter) => {
          const data = letter.repeat(length);
          const bytes = Buffer.byteLength(JSON.stringify(data));
          expect(Buffer.byteLength(await writeJson(data, bytes))).toBe(bytes);
          await expect(writeJson(data, bytes - 1)).rejects.toThrow();
        },
      ),
      { numRuns: rounds(60) },
    );
  });
});

describe('GraphQL responses over HTTP and WebSocket', () => {
  const MOST = 1024 * 1024;
  let library: Library;
  beforeAll(async () => {
    library = await openLibrary({ limits: { answerBytes: MOST, socketMessageBytes: MOST } });
  });
  afterAll(() => library.stop());

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
      const http = await library.ask(query, { variables });
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

  it.each([
    'bigint',
    'circle',
    'bigint in what is large'.repeat(4),
    'circle in what is large'.repeat(4),
  ])('that cannot be serialised are masked, logged errors with a request id: %s', async (how) => {
    const client = await library.connect();
    const before = library.logs.length;
    const query = 'query ($how: String!) { unwritable(how: $how) }';
    const http = await library.ask(query, { variables: { how } });
    const socket = await client.ask('1', query, { how });
    const tooLarge = how.startsWith('circle in');
    expect(http.status).toBe(tooLarge ? 400 : 500);
    for (const { errors } of [http, socket]) {
      expect(errors[0].extensions.code).toBe(
        tooLarge ? 'QUERY_TOO_COMPLEX' : 'INTERNAL_SERVER_ERROR',
      );
      expect(JSON.stringify(errors)).not.toMatch(/hunter2|BigInt|circular/);
      if (!tooLarge)
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
  });

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
