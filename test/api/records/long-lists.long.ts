import mongoose from 'mongoose';
import { listQueries } from '../../../bench/growth/queries';
import { growTo, KEEPING_RUNS, makeFirstRecords } from '../../../bench/growth/records';
import { testService } from '../../support/service/harness';
import { storeConnection } from '../../support/store/stored';

/** One more than a list may scan. */
const LENGTH = 10_001;
/** The number of documents that a page of 20 may examine, including sorting. */
const MOST_EXAMINED = 600;

const service = testService({ env: KEEPING_RUNS });
beforeAll(async () => {
  await makeFirstRecords(service);
  await growTo(0, LENGTH);
});

interface StoreRead {
  readonly collection: string;
  readonly filter: any;
  readonly options: any;
}

/** The store queries of a GraphQL document. */
async function findsOf(document: string): Promise<{ finds: StoreRead[]; refused: boolean }> {
  const finds: StoreRead[] = [];
  mongoose.set('debug', (collection: string, method: string, filter: unknown, options: unknown) => {
    if (method === 'find') finds.push({ collection, filter, options });
  });
  try {
    const { errors } = await service.gql(document);
    if (errors)
      expect([document, errors[0]]).toMatchObject([
        document,
        { message: expect.stringContaining('no index'), extensions: { code: 'BAD_USER_INPUT' } },
      ]);
    return { finds, refused: errors !== undefined };
  } finally {
    mongoose.set('debug', false);
  }
}

const isPage = ({ name }: { name: string }): boolean =>
  /^(users|workflows|runs|schedules|auditEvents) /.test(name) && !/, (backwards|count)$/.test(name);
/** Each condition comes in four combinations, so every seventh covers all kinds. */
const isCombined = ({ name }: { name: string }): boolean => /(?:and|or|not):/.test(name);
const PAGES = listQueries((LENGTH / 2) | 0).filter(isPage);
const QUESTIONS = [
  ...PAGES.filter((page) => !isCombined(page)),
  ...PAGES.filter(isCombined).filter((_page, nth) => nth % 7 === 0),
];

it.each(['users', 'workflows', 'runs', 'schedules', 'auditEvents'])(
  'every query of a long list of %s uses an index or is rejected',
  async (list) => {
    const answered = { served: 0, refused: 0 };
    for (const { document } of QUESTIONS.filter(({ name }) => name.startsWith(`${list} `))) {
      const { finds, refused } = await findsOf(document);
      answered[refused ? 'refused' : 'served']++;
      for (const {
        collection,
        filter,
        options: { sort, limit, hint },
      } of finds.filter(({ options }) => options.sort)) {
        const {
          executionStats: { totalDocsExamined },
        } = (await storeConnection()
          .collection(collection)
          .find(filter, { sort, limit, hint })
          .explain('executionStats')) as any;
        expect([document, totalDocsExamined <= MOST_EXAMINED ? 'few' : totalDocsExamined]).toEqual([
          document,
          'few',
        ]);
      }
    }
    expect(answered.served).toBeGreaterThan(5);
  },
);

it('a long list accepts every single condition except `contains` in the default order', async () => {
  for (const { name, document } of QUESTIONS.filter(
    ({ name: one }) => !/ by |and:|or:|not:/.test(one),
  )) {
    expect([name, (await findsOf(document)).refused]).toEqual([name, name.includes('contains')]);
  }
});

const NAMES =
  'query($filter: UserFilter!, $orderBy: UserOrder) { users(filter: $filter, orderBy: $orderBy) { totalCount nodes { email } } }';
const LAST = `user${LENGTH - 1}@growth.test`;

it.each<[string, object]>([
  ['a negation', { not: { surname: { eq: 'Surname 7' } } }],
  [
    'a disjunction of fields',
    { or: [{ surname: { eq: 'Surname 7' } }, { name: { eq: 'Name 1' } }] },
  ],
  ['a contains condition', { email: { contains: '@growth' } }],
  [
    'two wide conditions',
    { and: [{ department: { startsWith: 'd' } }, { organisation: { startsWith: 'o' } }] },
  ],
])('%s is rejected alone and accepted with a selective condition', async (_case, filter) => {
  const { errors } = await service.gql(NAMES, { filter });
  expect(errors?.[0]).toMatchObject({
    message: expect.stringContaining('no index'),
    extensions: { code: 'BAD_USER_INPUT' },
  });
  const narrow = { email: { startsWith: `user${LENGTH - 1}@` } };
  const matches = 'or' in filter ? [] : [{ email: LAST }];
  expect(
    await service.field(NAMES, {
      filter: { and: [filter, narrow] },
      orderBy: { field: 'NAME', direction: 'DESC' },
    }),
  ).toEqual({ totalCount: matches.length, nodes: matches });
});

it('a range condition determines the default order, and another order is rejected for many matches', async () => {
  const filter = { email: { startsWith: 'user9' } };
  const { nodes, totalCount } = await service.field(NAMES, { filter });
  expect(totalCount).toBe(1_111);
  expect(nodes.map(({ email }: { email: string }) => email)).toEqual(
    nodes.map(({ email }: { email: string }) => email).sort(),
  );
  expect((await service.gql(NAMES, { filter, orderBy: { field: 'NAME' } })).errors).toHaveLength(1);
});

it('nested run counts of many workflows equal the counts of each workflow', async () => {
  const { nodes } = await service.field(
    '{ workflows(first: 50) { nodes { databaseId runs(first: 1) { totalCount } versions(first: 1) { totalCount } } } }',
  );
  for (const { databaseId, runs, versions } of nodes.slice(0, 5)) {
    const alone = await service.field(
      `{ runs(filter: { workflow: { eq: "${databaseId}" } }) { totalCount } }`,
    );
    expect({ runs, versions }).toEqual({ runs: alone, versions: { totalCount: 1 } });
  }
  expect(nodes.at(-1).runs.totalCount).toBeGreaterThan(90);
});
