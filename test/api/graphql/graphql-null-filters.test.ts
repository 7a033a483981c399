import { getNamedType, isInputObjectType, isNonNullType } from 'graphql';
import type { GraphQLInputObjectType } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { testService } from '../../support/service/harness';
import { storedJob } from '../../support/service/jobs';
import { storedSynchronisation } from '../../support/peers/portal';
import { UNREACHABLE_MAIL, waitingMessages } from '../../support/peers/mail-server';
import { supportFile } from '../../support/calls/support-log-calls';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const COMBINATIONS: readonly string[] = ['and', 'or', 'not'];

interface Filtered {
  /** `users`, or `workflow.runs` */
  readonly name: string;
  readonly type: GraphQLInputObjectType;
  readonly ask: (argument: string) => string;
}

const schema = graphqlSchema();
const filterOf = (
  args: readonly { name: string; type: any }[],
): GraphQLInputObjectType | undefined => {
  const argument = args.find(({ name }) => name === 'filter');
  const type = argument && getNamedType(argument.type);
  return isInputObjectType(type) ? type : undefined;
};
const lists: Filtered[] = Object.values(schema.getQueryType()?.getFields() ?? {}).flatMap(
  (field) => {
    const type = filterOf(field.args);
    const more = field.args.some(({ name }) => name === 'includeTest') ? ', includeTest: true' : '';
    return type
      ? [
          {
            name: field.name,
            type,
            ask: (argument: string) => `${field.name}(${argument}${more}) { totalCount }`,
          },
        ]
      : [];
  },
);

/** Filters with null for each operator of each condition, at each position. */
function nullFilters(type: GraphQLInputObjectType): string[] {
  const conditions = Object.values(type.getFields())
    .filter(({ name }) => !COMBINATIONS.includes(name))
    .flatMap((field) => {
      const members = getNamedType(field.type);
      if (!isInputObjectType(members)) return [];
      const optional = Object.values(members.getFields())
        .filter((member) => !isNonNullType(member.type))
        .map(({ name }) => name);
      return [
        `${field.name}: null`,
        ...optional.map((member) => `${field.name}: { ${member}: null }`),
        ...(optional.length > 1
          ? [`${field.name}: { ${optional.map((member) => `${member}: null`).join(', ')} }`]
          : []),
      ];
    });
  if (!COMBINATIONS.every((name) => name in type.getFields())) return conditions;
  return [
    ...conditions,
    'and: null',
    'or: null',
    'not: null',
    ...conditions.flatMap((condition) => [
      `and: [{ ${condition} }]`,
      `or: [{ ${condition} }]`,
      `not: { ${condition} }`,
      `not: { or: [{ not: { ${condition} } }] }`,
      ...('id' in type.getFields()
        ? [`or: [{ id: { eq: "1" } }, { ${condition} }], id: { in: ["1", "2"] }`]
        : []),
    ]),
  ];
}

const service = testService({
  env: {
    HYPHA_LIMITS_TOKENS: '100000',
    HYPHA_LIMITS_COST: '1000000',
    HYPHA_LIMITS_ALIASES: '100',
    HYPHA_LIMITS_ROOT_FIELDS: '50',
    ...UNREACHABLE_MAIL,
  },
});
beforeAll(async () => {
  for (let nth = 0; nth < 3; nth += 1) {
    const id = await saved(service, workflow([]));
    await service.api('POST', '/api/scheduler', {
      body: { title: `Schedule ${nth}`, connectionId: id },
    });
    await supportFile(service, id);
    if (nth < 2) await ended(service, await started(service, id));
  }
  for (const name of ['One', 'Two', 'Three'])
    await service.api('POST', '/api/category', { body: { name } });
  for (let nth = 0; nth < 3; nth += 1) {
    await storedJob();
    await storedSynchronisation(nth + 1);
    await service.api('POST', '/api/aggregator', {
      body: { name: `Aggregator ${nth}`, args: [], script: '' },
    });
    await service.api('POST', '/api/secret', {
      body: { name: `Secret${nth}`, value: 'x', origins: ['https://api.example.com'] },
    });
    await service.api('POST', '/api/connector', {
      body: { title: `Connector ${nth}`, invoker: { name: 'Echo' }, requestData: { token: 'any' } },
    });
    await service.api('POST', '/api/template', {
      body: { name: `Template ${nth}`, version: '5.0', connection: workflow([]) },
    });
    await service.api('POST', '/api/message', {
      body: {
        name: `Message ${nth}`,
        type: 'email',
        content: [{ language: 'en', subject: 'x', body: 'x' }],
      },
    });
  }
  await waitingMessages(service, 3);
  await service.userWith(['USER:READ']);
});

/** The total count for each filter, in batches. */
async function countsOf(ask: Filtered['ask'], filters: readonly string[]): Promise<number[]> {
  const counts: number[] = [];
  for (let from = 0; from < filters.length; from += 50) {
    const selections = filters
      .slice(from, from + 50)
      .map((filter, nth) => `f${nth}: ${ask(`filter: ${filter}`)}`);
    const data = await service.data(`{ ${selections.join(' ')} }`);
    counts.push(...selections.map((_, nth) => data[`f${nth}`].totalCount as number));
  }
  return counts;
}

it('every filtered list is covered', () => {
  expect(lists.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'users',
      'userGroups',
      'permissions',
      'workflows',
      'runs',
      'auditEvents',
      'categories',
    ]),
  );
});

it.each(lists)('null in the filter of $name adds no condition', async ({ type, ask }) => {
  const [all] = await countsOf(ask, ['null']);
  expect(all).toBeGreaterThan(1);
  const [few] = type.getFields().id ? await countsOf(ask, ['{ id: { eq: "1" } }']) : [0];
  const filters = nullFilters(type);
  expect(filters.length).toBeGreaterThan(4);
  const counts = await countsOf(
    ask,
    filters.map((filter) => `{ ${filter} }`),
  );
  const expected = filters.map((filter) => (filter.endsWith('id: { in: ["1", "2"] }') ? few : all));
  expect(filters.map((filter, nth) => [filter, counts[nth]])).toEqual(
    filters.map((filter, nth) => [filter, expected[nth]]),
  );
});

it('a null or missing variable adds no condition', async () => {
  const QUERY =
    'query($text: String, $ids: [ID!], $no: Boolean) { users(filter: { email: { contains: $text, startsWith: "admin", isNull: $no }, id: { in: $ids } }) { totalCount } }';
  for (const variables of [{}, { text: null }, { text: null, ids: null, no: null }])
    expect((await service.field(QUERY, variables)).totalCount).toBe(1);
  expect((await service.field(QUERY, { text: 'nowhere', ids: null })).totalCount).toBe(0);
});
