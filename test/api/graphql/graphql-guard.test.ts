/** @jest-environment node */
import type { GraphQLResolveInfo } from 'graphql';
import {
  Field,
  getMetadataStorage,
  Info,
  Mutation,
  ObjectType,
  Query,
  Resolver,
} from 'type-graphql';
import { globalId } from '../../../src/platform/graphql/schema/ids';
import { Needs } from '../../../src/platform/graphql/schema/needs';
import { buildGraphqlSchema } from '../../../src/platform/graphql/schema/build-schema';
import { testLibrary, tokenOf } from '../../support/graphql/open-library';
import { booksReads, cursorsMade, shelfReads } from '../../support/graphql/library-schema';

describe('GraphQL access control', () => {
  const library = testLibrary();

  it('allows unauthenticated clients to read public fields', async () => {
    expect(await library.ask('{ open }')).toMatchObject({ status: 200, data: { open: 'come in' } });
  });

  it('returns 401 UNAUTHENTICATED without a token or with an unknown one', async () => {
    for (const token of [undefined, tokenOf('nobody')]) {
      const answer = await library.ask('{ me }', { token });
      expect(answer.status).toBe(401);
      expect(answer.errors).toEqual([
        {
          message: expect.any(String),
          path: ['me'],
          locations: [{ line: 1, column: 3 }],
          extensions: {
            code: 'UNAUTHENTICATED',
            reason: 'ACCESS_DENIED',
            requestId: answer.headers.get('x-request-id'),
          },
        },
      ]);
    }
  });

  it('returns 401 TOKEN_EXPIRED for an expired token', async () => {
    const token = tokenOf('late');
    library.sessions.set(token, { state: 'expired', credential: 'session' });
    const answer = await library.ask('{ me }', { token });
    expect([answer.status, answer.errors?.[0].extensions.code]).toEqual([401, 'TOKEN_EXPIRED']);
    expect((await library.ask('{ open }', { token })).data).toEqual({ open: 'come in' });
  });

  it('returns 403 FORBIDDEN for a missing permission without running the resolver', async () => {
    const token = library.signIn('weak', ['USER:DELETE']);
    const answer = await library.ask('{ books { nodes { title } } }', { token });
    expect([answer.status, answer.data ?? null, answer.errors?.[0].extensions.code]).toEqual([
      403,
      null,
      'FORBIDDEN',
    ]);
    expect(
      await library.ask('mutation { bookCreate(input: { title: "x" }) { book { title } } }', {
        token,
      }),
    ).toMatchObject({ status: 403 });
  });

  it('returns 200 and the remaining data when only a nested field is forbidden', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    const answer = await library.ask('{ book(id: 3) { title secret } }', { token });
    expect(answer.status).toBe(200);
    expect(answer.data).toEqual({ book: { title: 'Book 3', secret: null } });
    expect(answer.errors?.[0]).toMatchObject({
      path: ['book', 'secret'],
      extensions: { code: 'FORBIDDEN' },
    });
  });

  it('returns a protected field to a caller with the permission', async () => {
    const token = library.signIn('chief', ['USER:READ'], { groupName: 'Admin' });
    expect((await library.ask('{ book(id: 3) { secret } }', { token })).data).toEqual({
      book: { secret: 'in the binding' },
    });
  });

  it.each([
    ['7', 200],
    [globalId('User', 7), 200],
    ['8', 403],
    [globalId('User', 8), 403],
    ['garbage', 403],
    [globalId('Book', 7), 403],
  ])('checks owner permissions by the id: profile %s returns %i', async (id, status) => {
    const token = library.signIn('myself', ['MYPROFILE:READ']);
    expect(
      (await library.ask('query ($id: ID!) { profile(id: $id) }', { token, variables: { id } }))
        .status,
    ).toBe(status);
  });

  it('reports an invalid id to callers who may read all records', async () => {
    const token = library.signIn('all', ['USER:READ']);
    const answer = await library.ask('{ profile(id: "garbage") }', { token });
    expect(answer.errors?.[0].extensions).toMatchObject({
      code: 'BAD_USER_INPUT',
      reason: 'ID_INVALID',
    });
  });

  it('protects node(id) with the permission of the type', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    const ask = (id: string) =>
      library.ask(
        'query ($id: ID!) { node(id: $id) { __typename id databaseId ... on Book { title } } }',
        { token, variables: { id } },
      );
    expect((await ask(globalId('Book', 9))).data).toEqual({
      node: { __typename: 'Book', id: globalId('Book', 9), databaseId: 9, title: 'Book 9' },
    });
    expect((await ask(globalId('Book', 9999))).data).toEqual({ node: null });
    expect((await ask(globalId('Shelf', 1))).status).toBe(403);
    for (const id of ['12', 'x', globalId('Nothing', 1)])
      expect((await ask(id)).errors?.[0].extensions.code).toBe('BAD_USER_INPUT');
  });

  it('returns the permissions of the viewer in viewerCan', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    expect(
      (await library.ask('{ book(id: 1) { viewerCan { read burn } } }', { token })).data,
    ).toEqual({ book: { viewerCan: { read: true, burn: false } } });
  });

  it('loads the records linked by a list in one batch', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    shelfReads.length = 0;
    const answer = await library.ask(
      '{ books(first: 100) { totalCount nodes { id shelf { name } } edges { cursor } pageInfo { hasNextPage endCursor } } }',
      { token },
    );
    expect(answer.data.books).toMatchObject({ totalCount: 250, pageInfo: { hasNextPage: true } });
    expect(answer.data.books.nodes).toHaveLength(100);
    expect(shelfReads).toEqual([[1, 2, 3, 4, 5]]);
  });

  it('loads nested pages of a list in one batch per set of arguments', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    booksReads.length = 0;
    const { data } = await library.ask(
      '{ books(first: 50) { nodes { shelf { one: books(first: 1) { nodes { title } } two: books(first: 2) { nodes { title } totalCount } } } } }',
      { token },
    );
    expect(data.books.nodes).toHaveLength(50);
    expect(data.books.nodes[0].shelf).toEqual({
      one: { nodes: [{ title: 'Book 1' }] },
      two: { nodes: [{ title: 'Book 1' }, { title: 'Book 6' }], totalCount: 50 },
    });
    expect(booksReads).toEqual([
      [1, 2, 3, 4, 5],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('creates cursors only when they are selected', async () => {
    const token = library.signIn('reader', ['USER:READ']);
    cursorsMade.length = 0;
    await library.ask(
      '{ books(first: 10) { nodes { title } edges { node { title } } pageInfo { hasNextPage } totalCount } }',
      { token },
    );
    expect(cursorsMade).toEqual([]);
    const { data } = await library.ask(
      '{ books(first: 2) { edges { cursor } pageInfo { startCursor endCursor } } }',
      { token },
    );
    expect(data.books).toEqual({
      edges: [{ cursor: 'cursor 1' }, { cursor: 'cursor 2' }],
      pageInfo: { startCursor: 'cursor 1', endCursor: 'cursor 2' },
    });
    expect(cursorsMade).toHaveLength(4);
  });

  it('rejects a schema with a root field that declares no permission', () => {
    @Resolver()
    class Careless {
      @Query(() => String)
      leak(): string {
        return 'secret';
      }
    }
    expect(() => buildGraphqlSchema([Careless])).toThrow(/Query\.leak/);
  });

  it('rejects a schema with a delete that is refused on a full disk', () => {
    @Resolver()
    class Forgetful {
      @Query(() => String)
      @Needs('public')
      thing(): string {
        return '';
      }

      @Mutation(() => String)
      @Needs('public')
      thingDelete(): string {
        return '';
      }
    }
    expect(() => buildGraphqlSchema([Forgetful])).toThrow(
      'refused on a full disk: thingDelete. Add @ServedOnFullDisk().',
    );
  });

  it('rejects a resolver whose result may depend on its place in the answer', () => {
    @Resolver()
    class Placed {
      @Query(() => String)
      @Needs('public')
      place(@Info() info: GraphQLResolveInfo): string {
        return info.fieldName;
      }
    }
    expect(() => buildGraphqlSchema([Placed])).toThrow(/Placed\.place/);
    // Metadata is shared by all schemas of a process.
    const { params } = getMetadataStorage();
    params.splice(
      params.findIndex(({ kind }) => kind === 'info'),
      1,
    );
  });

  it('rejects classes that form no valid schema', () => {
    @ObjectType({ description: 'x' })
    class Empty {}
    @Resolver()
    class Vain {
      @Query(() => Empty)
      @Needs('public')
      nothing(): Empty {
        return {};
      }
    }
    expect(() => buildGraphqlSchema([Vain])).toThrow(/Type Empty must define one or more fields/);
  });

  it('protects inherited fields', async () => {
    @ObjectType({ description: 'x' })
    abstract class Parent {
      @Field(() => String, { description: 'x' })
      @Needs('admin')
      readonly inherited!: string;
    }
    @ObjectType({ description: 'x' })
    class Child extends Parent {
      @Field(() => String, { description: 'x' })
      readonly own!: string;
    }
    @Resolver()
    class Family {
      @Query(() => Child)
      @Needs('public')
      child(): Child {
        return { inherited: 'secret', own: 'fine' };
      }
    }
    const field = buildGraphqlSchema([Family]).getType('Child') as unknown as {
      getFields(): Record<string, { resolve?: (...parameters: unknown[]) => unknown }>;
    };
    expect(() =>
      field
        .getFields()
        .inherited?.resolve?.(
          { inherited: 'secret' },
          {},
          { authentication: { state: 'anonymous' } },
          { fieldName: 'inherited' },
        ),
    ).toThrow(/Sign in/);
  });
});
