/** @jest-environment node */
import { createHash } from 'node:crypto';
import { ApolloClient, gql, InMemoryCache } from '@apollo/client';
import { persistedClient, persistedLink } from '../../../examples/clients/persisted-queries';
import { openLibrary, testLibrary } from '../../support/graphql/open-library';
import type { LibraryAnswer } from '../../support/graphql/open-library';
import { longIt } from '../../support/long';

const JSON_TYPE = { 'content-type': 'application/json' };
const hashOf = (text: string): string => createHash('sha256').update(text).digest('hex');
const persisted = (sha256Hash: unknown, version: unknown = 1) => ({
  persistedQuery: { version, sha256Hash },
});

/** A request by one method, with the token of a signed-in user if there is one. */
type Send = (
  request: { query?: string; extensions?: unknown },
  token?: string,
) => Promise<LibraryAnswer>;

describe('persisted queries', () => {
  const library = testLibrary();
  let token: string;
  beforeAll(async () => {
    token = library.signIn('reader', ['USER:READ']);
  });

  const headersOf = (as?: string) => ({
    ...JSON_TYPE,
    ...(as && { authorization: `Bearer ${as}` }),
  });
  const post: Send = (request, as) => library.post(JSON.stringify(request), headersOf(as));
  const get: Send = ({ query, extensions }, as) =>
    library.get(
      {
        ...(query === undefined ? {} : { query }),
        extensions: JSON.stringify(extensions),
      },
      headersOf(as),
    );
  const codeOf = ({ status, errors }: LibraryAnswer): unknown => [
    status,
    errors?.[0].extensions.code,
  ];

  describe.each([
    ['POST', post],
    ['GET', get],
  ])('by %s', (method, send) => {
    const query = `query By${method} { open }`;

    it('are unknown until their text was sent, and executed by their hash from then on', async () => {
      const extensions = persisted(hashOf(query));
      const unknown = await send({ extensions });
      expect(codeOf(unknown)).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
      // Clients recognise this message, and send the text.
      expect(unknown.errors?.[0].message).toBe('PersistedQueryNotFound');
      expect(unknown.errors?.[0].extensions.requestId).toBe(unknown.headers.get('x-request-id'));
      expect((await send({ query, extensions })).data).toEqual({ open: 'come in' });
      for (const other of [post, get])
        expect((await other({ extensions })).data).toEqual({ open: 'come in' });
    });

    it('are also documents that were sent twice without their hash', async () => {
      const text = `query Plain${method} { open }`;
      const extensions = persisted(hashOf(text));
      await send({ query: text, extensions: null });
      expect(codeOf(await send({ extensions }))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
      await send({ query: text, extensions: null });
      expect((await send({ extensions })).data).toEqual({ open: 'come in' });
    });

    it('are refused if the hash is not that of the text', async () => {
      const refused = await send({ query, extensions: persisted(hashOf('{ me }')) });
      expect(codeOf(refused)).toEqual([400, 'BAD_REQUEST']);
      expect(codeOf(await send({ extensions: persisted(hashOf('{ me }')) }))).toEqual([
        200,
        'PERSISTED_QUERY_NOT_FOUND',
      ]);
    });

    it.each([
      ['another version', persisted(hashOf(query), 2)],
      ['no version', { persistedQuery: { sha256Hash: hashOf(query) } }],
      ['true', { persistedQuery: true }],
      ['a text', { persistedQuery: 'x' }],
      ['a list', { persistedQuery: [] }],
    ])('are refused with %s', async (_what, extensions) => {
      expect(codeOf(await send({ extensions }))).toEqual([400, 'BAD_REQUEST']);
    });

    it.each([
      [null],
      [1],
      [{ a: 1 }],
      ['x'],
      ['__proto__'],
      ['x'.repeat(10_000)],
      [`x${hashOf('{ open }')}`],
    ])('are unknown with the hash %j', async (hash) => {
      expect(codeOf(await send({ extensions: persisted(hash) }))).toEqual([
        200,
        'PERSISTED_QUERY_NOT_FOUND',
      ]);
    });

    it('are kept only if they are valid and may be executed', async () => {
      for (const [text, code] of [
        [`query Broken${method} { nothing }`, 'GRAPHQL_VALIDATION_FAILED'],
        [`query Broken${method} {`, 'GRAPHQL_PARSE_FAILED'],
        [`query Forbidden${method} { books { totalCount } }`, 'UNAUTHENTICATED'],
      ]) {
        const extensions = persisted(hashOf(text));
        expect((await send({ query: text, extensions })).errors?.[0].extensions.code).toBe(code);
        expect(codeOf(await send({ extensions }))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
      }
    });

    it('are executed with the rights of the caller', async () => {
      const text = `query Books${method} { books { totalCount } }`;
      const extensions = persisted(hashOf(text));
      expect((await send({ query: text, extensions }, token)).data.books.totalCount).toEqual(
        expect.any(Number),
      );
      expect((await send({ extensions }, token)).errors).toBeUndefined();
      expect(codeOf(await send({ extensions }))).toEqual([401, 'UNAUTHENTICATED']);
    });

    it('are refused above the limits', async () => {
      const text = `{ ${'open '.repeat(6_000)} }`;
      expect(codeOf(await send({ query: text, extensions: persisted(hashOf(text)) }))).toEqual([
        method === 'GET' ? 431 : 400,
        method === 'GET' ? undefined : 'QUERY_TOO_COMPLEX',
      ]);
    });
  });

  it('cannot be mutations by GET', async () => {
    const text = 'mutation { bookCreate(input: { title: "new" }) { book { title } } }';
    const extensions = persisted(hashOf(text));
    const writer = library.signIn('writer', ['USER:CREATE']);
    expect((await post({ query: text, extensions }, writer)).errors).toBeUndefined();
    expect(codeOf(await get({ extensions }, writer))).toEqual([405, 'BAD_REQUEST']);
  });

  it('by GET need a header that pages of other origins cannot send', async () => {
    const search = new URLSearchParams({
      extensions: JSON.stringify(persisted(hashOf('{ open }'))),
    });
    expect((await fetch(`${library.url}/graphql?${search.toString()}`)).status).toBe(400);
  });

  longIt.each([
    ['a signed-in user', 1_000],
    ['a client without a session', 100],
  ])('of %s are forgotten when %d others were used since', async (who, count) => {
    const as = who === 'a signed-in user' ? token : undefined;
    const query = `query Forgotten${count} { open }`;
    const extensions = persisted(hashOf(query));
    await post({ query, extensions }, as);
    for (let nth = 0; nth < count; nth += 1)
      for (let use = 1; use <= 2; use += 1)
        await library.ask(`query Other${count}of${nth} { open }`, { token: as });
    expect(codeOf(await post({ extensions }, as))).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
  });

  longIt('of users are not forgotten because of clients without a session', async () => {
    const query = 'query Kept { open }';
    const extensions = persisted(hashOf(query));
    await post({ query, extensions }, token);
    for (let nth = 0; nth < 1_100; nth += 1) await library.ask(`query Flood${nth} { open }`);
    expect((await post({ extensions }, token)).data).toEqual({ open: 'come in' });
  });

  it('belong to one server', async () => {
    const query = 'query Own { open }';
    const extensions = persisted(hashOf(query));
    await post({ query, extensions });
    const other = await openLibrary();
    try {
      const answer = await other.post(JSON.stringify({ extensions }), JSON_TYPE);
      expect(codeOf(answer)).toEqual([200, 'PERSISTED_QUERY_NOT_FOUND']);
    } finally {
      await other.stop();
    }
  });

  describe.each([
    ['POST', false],
    ['GET', true],
  ])('of clients, hashes by %s,', (method, useGet) => {
    /** Method and whether the text was sent, for each request. */
    const requests: [string, boolean][] = [];
    const real = globalThis.fetch;
    beforeEach(() => {
      requests.length = 0;
      globalThis.fetch = async (input, init) => {
        const sent = `${input as string} ${(init?.body ?? '') as string}`;
        requests.push([init?.method ?? 'GET', /[?"]query[="]/.test(sent)]);
        return real(input, init);
      };
    });
    afterEach(() => {
      globalThis.fetch = real;
    });
    /** The text is sent once, after its hash was unknown. */
    const sent = (textBy: string) => [
      [method, false],
      [textBy, true],
      [method, false],
    ];

    it('are sent by Apollo Client', async () => {
      const client = new ApolloClient({
        link: persistedLink(library.url, `Bearer ${token}`, useGet),
        cache: new InMemoryCache(),
      });
      const query = gql(`query OfApollo${method} { me }`);
      for (let times = 0; times < 2; times += 1)
        expect((await client.query<any>({ query, fetchPolicy: 'network-only' })).data.me).toBe(
          'reader@library.test',
        );
      expect(requests).toEqual(sent('POST'));
      client.stop();
    });

    it('are sent by urql', async () => {
      const client = persistedClient(library.url, `Bearer ${token}`, useGet);
      const query = `query OfUrql${method} { me }`;
      for (let times = 0; times < 2; times += 1) {
        const { data, error } = await client
          .query<any>(query, {}, { requestPolicy: 'network-only' })
          .toPromise();
        expect([data?.me, error]).toEqual(['reader@library.test', undefined]);
      }
      expect(requests).toEqual(sent(method));
    });
  });
});
