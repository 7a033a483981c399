import fc from 'fast-check';
import mongoose from 'mongoose';
import { testService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { storeConnection } from '../../support/store/stored';

const service = testService();
const NAMES = ['Zoe', 'adam', 'Ädam', 'Straße', null, 'STRASSE 2', null, 'ｆ', 'F', 'b'];
beforeAll(async () => {
  for (const [at, name] of NAMES.entries()) {
    const user = await service.api('POST', '/api/user', {
      body: {
        email: `List${at}@hypha.test`,
        password: 'long enough',
        userGroup: 2,
        userDetail: { name, surname: 'Same', department: at % 2 ? 'Dev' : 'ops' },
      },
    });
    expect(user.status).toBe(201);
  }
});

const QUERY =
  'query($filter: UserFilter, $orderBy: UserOrder, $first: Int, $after: String, $last: Int, $before: String) ' +
  '{ users(filter: $filter, orderBy: $orderBy, first: $first, after: $after, last: $last, before: $before) { totalCount nodes { email detail { name } } edges { cursor } pageInfo { hasNextPage hasPreviousPage } } }';
const find = async (filter: object): Promise<(string | null)[]> =>
  (
    await service.data(QUERY, {
      filter: { and: [filter, { surname: { eq: 'SAME' } }] },
      first: 100,
    })
  ).users.nodes.map(({ detail }: { detail: { name: string | null } }) => detail.name);

it.each<[string, object, (string | null)[]]>([
  ['equal', { name: { eq: 'STRASSE' } }, ['Straße']],
  ['among', { name: { in: ['ADAM', 'f'] } }, ['adam', 'ｆ', 'F']],
  ['begins with', { name: { startsWith: 'strasse' } }, ['Straße', 'STRASSE 2']],
  ['has in it', { name: { contains: 'DAM' } }, ['adam', 'Ädam']],
  ['has in it what means something in patterns', { name: { contains: '.*' } }, []],
  ['has none', { name: { isNull: true } }, [null, null]],
  ['has one', { name: { isNull: false } }, NAMES.filter((name) => name !== null)],
  ['an e-mail begins with', { email: { startsWith: 'LIST1' } }, ['adam']],
  [
    'not',
    { not: { name: { startsWith: 's' } } },
    NAMES.filter((name) => !name?.toLowerCase().startsWith('s')),
  ],
])('the user search compares names as people do: %s', async (_case, filter, expected) => {
  expect(await find(filter)).toEqual(expected);
});

it('users are ordered by name without regard to case, missing names first', async () => {
  const { users } = await service.data(QUERY, {
    filter: { surname: { eq: 'same' } },
    orderBy: { field: 'NAME', direction: 'ASC' },
  });
  expect(users.nodes.map(({ detail }: { detail: { name: string | null } }) => detail.name)).toEqual(
    [null, null, 'adam', 'b', 'ｆ', 'F', 'Straße', 'STRASSE 2', 'Zoe', 'Ädam'],
  );
});

longIt(
  'each user is listed once in both directions for any order with any number of equal values',
  async () => {
    const everybody = (await service.data(QUERY, { first: 100 })).users.nodes.length;
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom('ID', 'EMAIL', 'NAME', 'SURNAME', 'CREATED_AT', 'UPDATED_AT', 'LAST_LOGIN'),
        fc.constantFrom('ASC', 'DESC'),
        fc.integer({ min: 1, max: 4 }),
        async (field, direction, size) => {
          const orderBy = { field, direction };
          const allEmails: string[] = (
            await service.data(QUERY, { orderBy, first: 100 })
          ).users.nodes.map(({ email }: { email: string }) => email);
          expect(new Set(allEmails).size).toBe(everybody);
          for (const backwards of [false, true]) {
            const seen: string[] = [];
            for (let cursor: string | null = null; ;) {
              const page: any = (
                await service.data(
                  QUERY,
                  backwards
                    ? { orderBy, last: size, before: cursor }
                    : { orderBy, first: size, after: cursor },
                )
              ).users;
              const emails: string[] = page.nodes.map(({ email }: { email: string }) => email);
              if (backwards) seen.unshift(...emails);
              else seen.push(...emails);
              if (!(backwards ? page.pageInfo.hasPreviousPage : page.pageInfo.hasNextPage)) break;
              cursor = backwards ? page.edges[0].cursor : page.edges.at(-1).cursor;
            }
            expect(seen).toEqual(allEmails);
          }
        },
      ),
      { numRuns: 8 },
    );
  },
);

it.each(['ASC', 'DESC'])(
  'each order of a list has an index with its tie-breaker: %s',
  async (direction) => {
    const orders: string[] = (
      await service.field('{ __type(name: "UserOrderField") { enumValues { name } } }')
    ).enumValues.map(({ name }: { name: string }) => name);
    expect(orders).toEqual(expect.arrayContaining(['UPDATED_AT', 'LAST_LOGIN']));
    for (const field of orders) {
      const queries: any[] = [];
      mongoose.set(
        'debug',
        (collection: string, method: string, filter: unknown, options: unknown) => {
          if (collection === 'users' && method === 'find') queries.push({ filter, options });
        },
      );
      await service
        .data(QUERY, { orderBy: { field, direction }, first: 3 })
        .finally(() => mongoose.set('debug', false));
      const { filter, options } = queries.find((one) => one.options.sort !== undefined);
      const plan = await storeConnection()
        .collection('users')
        .find(filter, { sort: options.sort, limit: 4 })
        .explain();
      expect([
        field,
        /COLLSCAN|"SORT"/.exec(JSON.stringify(plan.queryPlanner))?.[0] ?? 'indexed',
      ]).toEqual([field, 'indexed']);
    }
  },
);

longIt('the text search covers 10,000 entries and then suggests a narrower query', async () => {
  const users = storeConnection().collection<{ _id: number }>('users');
  const first = await users.findOne({ _id: 1 });
  const missing = 10_000 - (await users.countDocuments());
  const more = (count: number, from: number) =>
    users.insertMany(
      Array.from({ length: count }, (_, at) => ({
        ...first,
        _id: 100_000 + from + at,
        email: `m${from + at}@h.test`,
        emailKey: `m${from + at}@h.test`,
      })),
    );
  await more(missing, 0);
  expect(
    (await service.data(QUERY, { filter: { email: { contains: '@HYPHA' } } })).users.totalCount,
  ).toBe(NAMES.length + 1);
  await more(1, missing);
  const { errors } = await service.gql(QUERY, {
    filter: { or: [{ email: { contains: '@hypha' } }] },
  });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining('startsWith'),
    extensions: { code: 'BAD_USER_INPUT' },
  });
  expect(
    (await service.data(QUERY, { filter: { email: { startsWith: 'm999' } }, first: 1 })).users,
  ).toMatchObject({ totalCount: expect.any(Number), nodes: [{ email: 'm999@h.test' }] });
  expect((await service.data(QUERY, {})).users.totalCount).toBe(10_001);
});
