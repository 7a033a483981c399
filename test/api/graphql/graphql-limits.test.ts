/** @jest-environment node */
import { getIntrospectionQuery } from 'graphql';
import { openLibrary, testLibrary } from '../../support/graphql/open-library';
import type { Client } from '../../support/graphql/open-library';

const repeat = (count: number, text: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => text(index)).join(' ');
const well = (levels: number): string =>
  `{ well { ${'down { '.repeat(levels - 2)} depth ${'} '.repeat(levels - 2)} } }`;
describe('operation limits over HTTP and WebSocket', () => {
  const library = testLibrary();
  let client: Client;
  let token: string;
  let operations = 0;
  beforeAll(async () => {
    token = library.signIn('reader', ['USER:READ']);
    client = await library.connect({ init: { token } });
  });

  const bothTransports = async (
    query: string,
    variables?: unknown,
  ): Promise<{ status: number; code: string | null }> => {
    const http = await library.ask(query, { variables, token });
    const socket = await client.ask(`limit ${++operations}`, query, variables);
    const codes = [http.errors, socket.errors].map((errors) => errors?.[0].extensions.code ?? null);
    expect(codes[0]).toBe(codes[1]);
    expect(http.errors?.map(({ message }) => message)).toEqual(
      socket.errors?.map(({ message }: { message: string }) => message),
    );
    return { status: http.status, code: codes[0] };
  };

  const cases: [string, string, string][] = [
    ['depth 12', well(12), well(13)],
    [
      '64 levels of brackets',
      `{ echo(value: ${'['.repeat(62)}${']'.repeat(62)}) }`,
      `{ echo(value: ${'['.repeat(63)}${']'.repeat(63)}) }`,
    ],
    [
      '128 KiB of text',
      `{ open } #${'é'.repeat(64 * 1024 - 5)}`,
      `{ open } #${'é'.repeat(64 * 1024 - 5)}x`,
    ],
    ['10,000 lines', `{ open }${'\n'.repeat(9_999)}`, `{ open }${'\r\n'.repeat(10_000)}`],
    [
      '150 fragments',
      `{ well { ${repeat(150, () => '...F')} } } fragment F on Well { depth }`,
      `{ well { ${repeat(151, () => '...F')} } } fragment F on Well { depth }`,
    ],
    [
      '150 fragments, each counted where it is spread',
      `{ well { ${repeat(75, () => '...F')} } } fragment F on Well { ...G } fragment G on Well { depth }`,
      `{ well { ...G ${repeat(75, () => '...F')} } } fragment F on Well { ...G } fragment G on Well { depth }`,
    ],
    [
      '30 repeated selections',
      `{ well { ${repeat(31, () => 'down { depth }')} } }`,
      `{ well { ${repeat(31, () => 'down { depth }')} ... { down { depth } } } }`,
    ],
    [
      '30 aliases',
      `{ well { ${repeat(30, (index) => `a${index}: depth`)} } }`,
      `{ well { ${repeat(31, (index) => `a${index}: depth`)} } }`,
    ],
    [
      '20 root fields',
      `{ ${repeat(20, (index) => `a${index}: open`)} }`,
      `{ ${repeat(21, (index) => `a${index}: open`)} }`,
    ],
    [
      '20 root fields through fragments',
      '{ ...F ...F } fragment F on Query { a: open b: open c: open d: open e: open f: open g: open h: open i: open j: open }',
      '{ open ...F ...F } fragment F on Query { a: open b: open c: open d: open e: open f: open g: open h: open i: open j: open }',
    ],
    [
      '50 directives',
      `{ well { ${repeat(50, () => 'depth @include(if: true)')} } }`,
      `{ well { ${repeat(51, () => 'depth @include(if: true)')} } }`,
    ],
    [
      'cost 10,000',
      `{ books(first: 100) { nodes { ${repeat(99, () => 'title')} } } }`,
      `{ books(first: 100) { nodes { ${repeat(100, () => 'title')} } } }`,
    ],
    [
      'cost 10,000 through a fragment',
      `{ books(first: 100) { ...P } } fragment P on BookConnection { nodes { ...B } } fragment B on Book { ${repeat(99, () => 'title')} }`,
      `{ books(first: 100) { ...P } } fragment P on BookConnection { nodes { ...B ...B } } fragment B on Book { ${repeat(51, () => 'title')} }`,
    ],
  ];
  it.each(cases)('allow %s and reject one more with QUERY_TOO_COMPLEX', async (_name, at, over) => {
    expect(await bothTransports(at)).toEqual({ status: 200, code: null });
    expect(await bothTransports(over)).toEqual({ status: 400, code: 'QUERY_TOO_COMPLEX' });
  });

  it('count 5,000 tokens before validation', async () => {
    expect(await bothTransports(`{ open(a: [${repeat(4_991, () => '1')}]) }`)).toEqual({
      status: 200,
      code: 'GRAPHQL_VALIDATION_FAILED',
    });
    expect(await bothTransports(`{ open(a: [${repeat(4_992, () => '1')}]) }`)).toEqual({
      status: 400,
      code: 'QUERY_TOO_COMPLEX',
    });
  });

  it.each(['first', 'last'])(
    'check a page of 100 by %s as literal, variable and default',
    async (argument) => {
      const literal = (size: number): string =>
        `{ books(${argument}: ${size}) { nodes { title } } }`;
      expect(await bothTransports(literal(100))).toEqual({ status: 200, code: null });
      for (const size of [101, 0, -1])
        expect(await bothTransports(literal(size))).toEqual({
          status: 400,
          code: 'BAD_USER_INPUT',
        });
      const variable = `query ($n: Int) { books(${argument}: $n) { nodes { title } } }`;
      expect(await bothTransports(variable, { n: 100 })).toEqual({ status: 200, code: null });
      expect(await bothTransports(variable, { n: 101 })).toEqual({
        status: 400,
        code: 'BAD_USER_INPUT',
      });
      expect(await bothTransports(variable.replace('Int', 'Int = 101'))).toEqual({
        status: 400,
        code: 'BAD_USER_INPUT',
      });
    },
  );

  it('use the configured page size', async () => {
    for (const page of [10, 200]) {
      const other = await openLibrary({ limits: { page } });
      try {
        const ask = (first: number) =>
          other.ask(`{ books(first: ${first}) { nodes { title } } }`, {
            token: other.signIn('reader', ['USER:READ']),
          });
        expect((await ask(page)).data.books.nodes).toHaveLength(page);
        expect((await ask(page + 1)).errors?.[0].message).toContain(`1 to ${page}`);
        const unasked = await other.ask('{ books { nodes { title } } }', {
          token: other.signIn('reader', ['USER:READ']),
        });
        expect(unasked.data.books.nodes).toHaveLength(Math.min(page, 20));
      } finally {
        await other.stop();
      }
    }
  });

  it('count variables of a cached document', async () => {
    const query = `query ($n: Int) { books(first: $n) { nodes { ${repeat(150, () => 'title')} } } }`;
    expect((await bothTransports(query, { n: 10 })).code).toBeNull();
    expect((await bothTransports(query, { n: 100 })).code).toBe('QUERY_TOO_COMPLEX');
  });

  it('reject cyclic fragments', async () => {
    expect(
      await bothTransports(
        '{ ...A } fragment A on Query { open ...B } fragment B on Query { ...A }',
      ),
    ).toEqual({ status: 200, code: 'GRAPHQL_VALIDATION_FAILED' });
  });

  it('report at most ten validation errors', async () => {
    const answer = await library.ask(`{ well { ${repeat(1_000, (index) => `x${index}`)} } }`, {
      token,
    });
    expect(answer.errors).toHaveLength(4);
    expect(answer.errors?.at(-1).message).toMatch(/Too many validation errors/);
    const mixed = await library.ask(
      `query ($a: Int, $b: Int, $c: Int) { well { ${repeat(1_000, (index) => `x${index} @y${index}(z: 1)`).slice(0, 4_000)} } }`,
      { token },
    );
    expect(mixed.errors?.length).toBeLessThanOrEqual(11);
    expect(answer.text.length).toBeLessThan(4_000);
  });

  it('do not echo long input in errors', async () => {
    const variables = {
      genre: {
        eq: 'x'.repeat(100_000),
        ...Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`unknown${index}`, 1])),
      },
    };
    for (const [query, values] of [
      ['query ($genre: GenreFilter) { books(genre: $genre) { totalCount } }', variables],
      [`{ ${'x'.repeat(100_000)} }`, undefined],
    ] as const) {
      const { text, errors } = await library.ask(query, { variables: values, token });
      expect(errors?.[0].extensions.code).toMatch(/^(BAD_USER_INPUT|GRAPHQL_VALIDATION_FAILED)$/);
      expect(text.length).toBeLessThan(20_000);
      expect((await bothTransports(query, values)).code).toBe(errors?.[0].extensions.code);
    }
  });

  it('allow 64 levels of variables and 20,000 values in variables and literals', async () => {
    const nested = (levels: number): unknown => JSON.parse('['.repeat(levels) + ']'.repeat(levels));
    const echo = 'query ($v: JSON) { echo(value: $v) }';
    expect(await bothTransports(echo, { v: nested(63) })).toEqual({ status: 200, code: null });
    expect(await bothTransports(echo, { v: nested(64) })).toEqual({
      status: 400,
      code: 'QUERY_TOO_COMPLEX',
    });
    const values = (count: number): unknown => Array.from({ length: count }, () => 1);
    expect(await bothTransports(echo, { v: values(19_999) })).toEqual({ status: 200, code: null });
    expect(await bothTransports(echo, { v: values(20_000) })).toEqual({
      status: 400,
      code: 'QUERY_TOO_COMPLEX',
    });
    const literals = 'query ($v: JSON) { echo(value: $v) a: echo(value: [1, {a: "x"}]) }';
    expect(await bothTransports(literals, { v: values(19_995) })).toEqual({
      status: 200,
      code: null,
    });
    expect(await bothTransports(literals, { v: values(19_996) })).toEqual({
      status: 400,
      code: 'QUERY_TOO_COMPLEX',
    });
    expect(
      await bothTransports('query ($v: JSON = [[1, 2], {a: {b: 3}}]) { echo(value: $v) }'),
    ).toEqual({ status: 200, code: null });
  });

  it('end an operation that takes too long with UNAVAILABLE', async () => {
    const hasty = await openLibrary({ limits: { operationMs: 100 } });
    try {
      const answer = await hasty.ask('{ forever }');
      expect([answer.status, answer.errors?.[0].extensions.code]).toEqual([503, 'UNAVAILABLE']);
      const impatient = await hasty.connect();
      expect((await impatient.ask('slow', '{ forever }')).errors[0].extensions.code).toBe(
        'UNAVAILABLE',
      );
    } finally {
      await hasty.stop();
    }
  });

  it('validate no document that was used twice, and keep no invalid one', async () => {
    const { documents } = library;
    const added = jest.spyOn(documents, 'add');
    const client = await library.connect();
    for (let times = 0; times < 3; times += 1) {
      await library.ask('query Once { open }');
      await client.ask(String(times), 'query Once { open }');
    }
    await library.ask('query Broken { nothing }');
    expect(added).toHaveBeenCalledTimes(2);
    added.mockRestore();
  });
});

describe('GraphQL introspection', () => {
  it('answers the full introspection query when it is enabled', async () => {
    const library = await openLibrary();
    try {
      const answer = await library.ask(
        getIntrospectionQuery({ inputValueDeprecation: true, specifiedByUrl: true }),
      );
      expect(answer.data.__schema.types.length).toBeGreaterThan(10);
      const loop = `{ __schema { types { ${'fields { type { '.repeat(4)} name ${'} } '.repeat(4)} } } }`;
      expect((await library.ask(loop)).errors?.[0].extensions.code).toBe(
        'GRAPHQL_VALIDATION_FAILED',
      );
      expect((await library.ask('{ opem }')).text).toContain('Did you mean');
    } finally {
      await library.stop();
    }
  });

  it('adds no suggestion to errors with long input', async () => {
    const library = await openLibrary();
    try {
      const query =
        'query ($v: Genre, $w: JSON) { books(genre: { eq: $v }) { totalCount } echo(value: $w) }';
      for (const [much, hasSuggestion] of [
        [40_000, true],
        [60_000, false],
      ] as const) {
        for (const w of [
          'x'.repeat(much),
          { ['x'.repeat(much)]: 1 },
          Array.from({ length: much / 100 }, () => 'x'.repeat(100)),
        ]) {
          const { errors } = await library.ask(query, { variables: { v: 'NOVELL', w } });
          expect(errors?.[0].message).toMatch(/Value "NOVELL" does not exist in "Genre" enum\./);
          expect(errors?.[0].message.includes('Did you mean the enum value "NOVEL"')).toBe(
            hasSuggestion,
          );
        }
      }
    } finally {
      await library.stop();
    }
  });

  it('reveals nothing of the schema over HTTP or WebSocket when it is disabled', async () => {
    const library = await openLibrary({ introspection: false });
    try {
      const client = await library.connect();
      let operation = 0;
      for (const query of [
        '{ __schema { types { name } } }',
        '{ __type(name: "Book") { name } }',
        '{ opem }',
        '{ ... on Query { x: __type(name: "Q") { kind } } }',
      ]) {
        const [http, socket] = [
          await library.ask(query),
          await client.ask(`op ${++operation}`, query),
        ];
        for (const { errors } of [http, socket])
          expect(errors[0].extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
        expect(http.text + JSON.stringify(socket)).not.toContain('Did you mean');
      }
      const variables = { v: 'NOVELL' };
      const query = 'query ($v: Genre) { books(genre: { eq: $v }) { totalCount } }';
      expect((await library.ask(query, { variables })).text).not.toContain('NOVEL"');
      expect(JSON.stringify(await client.ask('enum', query, variables))).not.toContain('NOVEL"');
      expect((await library.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
    } finally {
      await library.stop();
    }
  });
});
