import {
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
} from 'graphql';
import type { GraphQLField } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { testService } from '../../support/service/harness';
import { ended } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';
import { longIt } from '../../support/long';
import { shareOf } from '../../support/rounds';

/** A list in one order, with the query of its first entry after a cursor. */
interface List {
  readonly name: string;
  readonly query: string;
  readonly variables: Record<string, unknown>;
}

const schema = graphqlSchema();
const node = schema.getType('Node');
if (!isInterfaceType(node)) throw new Error('There is no interface Node.');

const isConnection = (field: GraphQLField<unknown, unknown>): boolean =>
  getNamedType(field.type).name.endsWith('Connection');

/** The default order, and each order of the list. */
function ordersOf(field: GraphQLField<unknown, unknown>): string[] {
  const order = field.args.find(({ name }) => name === 'orderBy');
  const input = order && getNamedType(order.type);
  const values = isInputObjectType(input) ? getNamedType(input.getFields().field.type) : undefined;
  const fields = isEnumType(values) ? values.getValues().map(({ name }) => name) : [];
  return [
    '',
    ...fields.flatMap((name) =>
      ['ASC', 'DESC'].map((direction) => `, orderBy: { field: ${name}, direction: ${direction} }`),
    ),
  ];
}

const PAGE = '{ edges { cursor } }';
const plain = (name: string): string => name.replace(/,.*/, '');

/** Root lists in every order; nested lists below two objects, in the default order and one other. */
function listsOf(idsOf: Record<string, string[]>): List[] {
  const below = (
    field: GraphQLField<unknown, unknown>,
    ask: (inner: string) => string,
    name: string,
    variables: Record<string, unknown>,
  ): List[] =>
    ordersOf(field)
      .slice(0, variables.id ? 3 : undefined)
      .map((order) => ({
        name: `${name}${order}`,
        query: `query($after: String${variables.id ? ', $id: ID!' : ''}) { ${ask(`list: ${field.name}(first: 1, after: $after${order}) ${PAGE}`)} }`,
        variables,
      }));
  const roots = Object.values(schema.getQueryType()?.getFields() ?? {})
    .filter(isConnection)
    .flatMap((field) => below(field, (inner) => inner, field.name, {}));
  const nested = Object.entries(idsOf).flatMap(([typeName, ids]) => {
    const type = schema.getType(typeName);
    if (!isObjectType(type)) throw new Error(`There is no type ${typeName}.`);
    return Object.values(type.getFields())
      .filter(isConnection)
      .flatMap((field) =>
        ids.flatMap((id, nth) =>
          below(
            field,
            (inner) => `node(id: $id) { ... on ${typeName} { ${inner} } }`,
            `${typeName} ${nth} ${field.name}`,
            { id },
          ),
        ),
      );
  });
  return [...roots, ...nested];
}

const service = testService({ env: { HYPHA_LIMITS_COST: '100000' } });
let cursors: { list: List; cursor: string }[];
const ask = async ({ query, variables }: List, after: string | null) =>
  service.gql(query, { ...variables, after });

beforeAll(async () => {
  for (let nth = 0; nth < 2; nth += 1) {
    const id = await saved(service, workflow([]));
    for (let run = 0; run < 2; run += 1) await ended(service, await started(service, id));
    await service.mutate('workflowUpdate', { id, description: 'again' }, 'userErrors { code }');
  }
  for (const nth of [0, 1]) {
    const {
      body: { id: category },
    } = await service.api('POST', '/api/category', { body: { name: `Category ${nth}` } });
    await service.api('POST', '/api/category', {
      body: { name: `Below ${nth}`, parentCategory: category },
    });
    await saved(service, workflow([], [], { categoryId: category }));
  }
  const idsOf: Record<string, string[]> = {};
  const result = await service.data(
    '{ workflows { nodes { id } } users { nodes { id } } userGroups { nodes { id } } runs { nodes { id } } categories(filter: { parentId: { isNull: true } }) { nodes { id } } }',
  );
  for (const [type, list] of [
    ['Workflow', 'workflows'],
    ['User', 'users'],
    ['UserGroup', 'userGroups'],
    ['Run', 'runs'],
    ['Category', 'categories'],
  ] as const)
    idsOf[type] = result[list].nodes.slice(0, 2).map(({ id }: any) => id as string);
  cursors = [];
  for (const list of listsOf(idsOf)) {
    const { data, errors } = await ask(list, null);
    if (errors) throw new Error(`${list.name}: ${JSON.stringify(errors)}`);
    const cursor = (data.list ?? data.node.list).edges[0]?.cursor as string | undefined;
    if (cursor) cursors.push({ list, cursor });
  }
});

longIt('a list accepts only cursors of the same list and order', async () => {
  const names = cursors.map(({ list }) => list.name);
  expect(names).toEqual(
    expect.arrayContaining([
      'users',
      'userGroups',
      'permissions',
      'workflows',
      'runs',
      'auditEvents',
      'Workflow 0 runs',
      'Workflow 1 runs',
      'Workflow 0 versions',
      'Workflow 1 versions',
      'Category 0 children',
      'Category 1 workflows',
    ]),
  );
  const wrong: string[] = [];
  for (const [index, { list, cursor }] of cursors.entries()) {
    for (const [other, of] of shareOf([...cursors.entries()], index)) {
      // Compare with other lists in their default order only.
      if (plain(list.name) !== plain(of.list.name) && of.list.name.includes(',')) continue;
      const { errors } = await ask(list, of.cursor);
      const isBadInput =
        errors?.[0]?.extensions.code === 'BAD_USER_INPUT' &&
        /^`after` takes a cursor of this list(;| in the order asked for;) this one is of another/.test(
          errors[0].message,
        );
      // The default order equals one of the named orders.
      const isSame = cursor === of.cursor;
      if (index === other ? errors !== undefined : !isSame && !isBadInput)
        wrong.push(`${of.list.name} for ${list.name}: ${JSON.stringify(errors)}`);
    }
  }
  expect(wrong).toEqual([]);
});

it('different lists never produce the same cursor', () => {
  const shared = cursors.flatMap(({ list, cursor }) =>
    cursors
      .filter((each) => each.cursor === cursor && plain(each.list.name) !== plain(list.name))
      .map((each) => [each.list.name, list.name]),
  );
  expect(shared).toEqual([]);
});

it.each([
  '',
  'nonsense',
  Buffer.from('["Run","queuedAt desc,_id desc",{"at":"x"},1]').toString('base64url'),
  'x'.repeat(5_000),
])('the invalid cursor %s is rejected', async (cursor) => {
  for (const argument of ['after', 'before']) {
    const { errors } = await service.gql(
      `query($cursor: String) { runs(first: 1, ${argument}: $cursor) { edges { cursor } } }`,
      { cursor },
    );
    expect([errors?.[0]?.extensions.code, errors?.[0]?.message]).toEqual([
      'BAD_USER_INPUT',
      `\`${argument}\` takes a cursor that this list gave; this is none.`,
    ]);
  }
});

it('a cursor of one nested list is rejected below a list of objects', async () => {
  const [{ cursor }] = cursors.filter(({ list }) => list.name === 'Workflow 0 runs');
  const { errors } = await service.gql(
    'query($after: String) { workflows { nodes { runs(first: 1, after: $after) { totalCount } } } }',
    { after: cursor },
  );
  expect([errors?.[0]?.extensions.code, errors?.[0]?.message]).toEqual([
    'BAD_USER_INPUT',
    '`after` takes a cursor of this list; this one is of another.',
  ]);
});
