/** @jest-environment node */
import { buildSchema, isEnumType } from 'graphql';
import { ERROR_CODES } from '../../../src/platform/errors/codes';
import { databaseId, globalId, parseGlobalId } from '../../../src/platform/graphql/schema/ids';
import { buildGraphqlSchema, printSchema } from '../../../src/platform/graphql/schema/build-schema';
import { librarySchema, openLibrary } from '../../support/graphql/open-library';
import { LIBRARY } from '../../support/graphql/library-schema';
import { undescribed } from '../../support/service/undescribed';

describe('the built schema', () => {
  it('describes every type, field, argument and enum value of the platform', () => {
    expect(undescribed(librarySchema)).toEqual([]);
    expect(undescribed(buildSchema('type Query { a(b: Int): Int } enum E { X }'))).toEqual([
      'Query',
      'Query.a',
      'Query.a(b)',
      'E',
      'E.X',
    ]);
  });

  it('prints stable, sorted SDL with permissions', () => {
    const sdl = printSchema(librarySchema);
    expect(printSchema(buildGraphqlSchema([...LIBRARY].reverse()))).toBe(sdl);
    expect(sdl).toContain(
      'profile(\n    """Whose."""\n    id: ID!\n  ): String @needs(permission: "MYPROFILE:READ for one\'s own, USER:READ for others")',
    );
    expect(sdl).toContain('secret: String @needs(permission: "admin")');
    expect(undescribed(buildSchema(sdl))).toEqual([]);
  });

  it('has an enum with every error code', () => {
    const type = librarySchema.getType('ErrorCode');
    expect(isEnumType(type) && type.getValues().map(({ name }) => name)).toEqual([...ERROR_CODES]);
  });

  it('adds no resolver to plain properties and keeps existing resolvers', () => {
    const fields = (name: string) => (librarySchema.getType(name) as any).getFields();
    expect(fields('Book').title.resolve).toBeUndefined();
    expect(fields('BookConnection').totalCount.resolve).toBeUndefined();
    expect(fields('Book').shelf.resolve).toBeInstanceOf(Function);
    expect(fields('Book').secret.resolve).toBeInstanceOf(Function);
    expect(fields('Well').down.resolve).toBeInstanceOf(Function);
  });
});

describe('global ids', () => {
  it('are opaque and valid only for their type', () => {
    const id = globalId('Workflow', 12);
    expect(Buffer.from(id, 'base64url').toString()).toBe('Workflow:12');
    expect([
      databaseId(id, 'Workflow'),
      databaseId('12', 'Workflow'),
      databaseId(12, 'Workflow'),
      databaseId('0', 'User'),
    ]).toEqual([12, 12, 12, 0]);
    expect(() => databaseId(id, 'User')).toThrow('This id names a Workflow, not a User.');
  });

  it.each([
    '',
    ' 12',
    '012',
    '-1',
    '1.5',
    '1e3',
    '99999999999999999',
    'abc',
    Buffer.from('User:').toString('base64url'),
    Buffer.from('User:01').toString('base64url'),
    Buffer.from('User:1:2').toString('base64url'),
    'x'.repeat(10_000),
  ])('%s is none', (id) => {
    expect(() => databaseId(id, 'User')).toThrow(/is not an id/);
    expect(parseGlobalId(id)).toBeNull();
  });
});

describe('GraphQL scalars', () => {
  it('accept RFC 3339 for DateTime and any value for JSON', async () => {
    const library = await openLibrary();
    try {
      const echo = async (variables: unknown) =>
        library.ask('query ($at: DateTime, $value: JSON) { echo(at: $at, value: $value) }', {
          variables,
        });
      expect((await echo({ at: '2026-05-04T12:00:00+02:00' })).data.echo).toBe(
        '2026-05-04T10:00:00.000Z',
      );
      for (const at of ['yesterday', '2026-13-01T00:00:00Z', 5, '2026-05-04'])
        expect((await echo({ at })).errors?.[0].extensions.code).toBe('BAD_USER_INPUT');
      const value = { a: [1, null, { b: 'c' }], '': false };
      expect((await echo({ value })).data.echo).toEqual(value);
    } finally {
      await library.stop();
    }
  });
});
