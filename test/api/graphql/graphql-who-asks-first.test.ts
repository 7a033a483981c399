/** @jest-environment node */
import fc from 'fast-check';
import { testLibrary } from '../../support/graphql/open-library';
import type { Client } from '../../support/graphql/open-library';
import { rounds } from '../../support/rounds';

/** Invalid fields: an error about them shows that validation ran. */
const BAD_FIELDS = [
  'books(first: 1) { nosuch }',
  'books(nosuch: 1) { totalCount }',
  'book(id: $missing) { title }',
  'me',
];

const codes = (errors: any[] | undefined): string[] =>
  (errors ?? []).map(({ extensions }) => extensions.code as string);

describe('GraphQL authorisation', () => {
  const library = testLibrary();
  let anonymous: Client;
  let operations = 0;
  beforeAll(async () => {
    anonymous = await library.connect();
  });

  it('is checked before validation of the document and variables', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.subarray(BAD_FIELDS, { minLength: 1 }),
        fc.boolean(),
        fc.boolean(),
        async (fields, inFragment, wrongVariable) => {
          const aliased = fields.map((field, index) => `a${index}: ${field}`).join(' ');
          const head = wrongVariable ? 'query ($v: Genre)' : 'query';
          const query = inFragment
            ? `${head} { ... on Query { ...F } } fragment F on Query { ${aliased} }`
            : `${head} { ${aliased} }`;
          const variables = wrongVariable ? { v: 'x'.repeat(1_000) } : undefined;
          const [http, socket] = [
            await library.ask(query, { variables }),
            await anonymous.ask(`o${++operations}`, query, variables),
          ];
          expect(http.status).toBe(401);
          for (const { data, errors } of [http, socket]) {
            expect(Object.values(data ?? {}).every((value) => value === null)).toBe(true);
            expect(codes(errors)).toContain('UNAUTHENTICATED');
            expect(codes(errors)).not.toContain('GRAPHQL_VALIDATION_FAILED');
            expect(errors?.[0]).toMatchObject({ path: ['a0'], locations: [expect.anything()] });
          }
        },
      ),
      { numRuns: rounds(40) },
    );
  });

  it('rejects a missing permission in the same way as execution does', async () => {
    const token = library.signIn('weak', []);
    const refused = await library.ask('{ a: book(id: "1") { title } b: profile(id: "8") }', {
      token,
    });
    expect(refused.status).toBe(403);
    expect(refused.data).toEqual({ a: null, b: null });
    expect(refused.errors?.map(({ path, extensions }) => [path, extensions.code])).toEqual([
      [['a'], 'FORBIDDEN'],
      [['b'], 'FORBIDDEN'],
    ]);
    expect(
      (await library.ask('{ book(id: "1") { nosuch } }', { token })).errors?.[0].extensions.code,
    ).toBe('FORBIDDEN');
    const own = library.signIn('owner', ['MYPROFILE:READ']);
    expect((await library.ask('{ profile(id: "7") }', { token: own })).data).toEqual({
      profile: 'profile 7',
    });
    expect(
      (await library.ask('{ profile(id: "8") }', { token: own })).errors?.[0].extensions.code,
    ).toBe('FORBIDDEN');
  });

  it('still answers public and skipped fields next to rejected ones', async () => {
    const mixed = await library.ask('{ open book(id: "1") { title } }');
    expect([mixed.status, mixed.data, mixed.errors?.[0].extensions.code]).toEqual([
      200,
      { open: 'come in', book: null },
      'UNAUTHENTICATED',
    ]);
    expect(
      (
        await library.ask('query ($no: Boolean!) { me @include(if: $no) }', {
          variables: { no: false },
        })
      ).data,
    ).toEqual({});
    expect((await library.ask('{ __typename }')).data).toEqual({ __typename: 'Query' });
    expect((await library.ask('{ nosuch }')).errors?.[0].extensions.code).toBe(
      'GRAPHQL_VALIDATION_FAILED',
    );
  });
});
