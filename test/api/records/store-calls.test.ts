import {
  buildSchema,
  getNamedType,
  getNullableType,
  isListType,
  isObjectType,
  isRequiredArgument,
} from 'graphql';
import type { GraphQLField, GraphQLObjectType } from 'graphql';
import { describeApis } from '../../../src/app';
import { testService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { storeCalls, storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const PAGE = 30;
const PAGE_OF_EACH =
  '{ nodes { __typename } edges { cursor } pageInfo { hasNextPage } totalCount }';

interface Nested {
  /** `workflows.lastRun.workflow.runs` */
  readonly name: string;
  /** `Workflow.runs`, independent of the path. */
  readonly field: string;
  /** The query with and without the field. */
  readonly query: string;
  readonly baseline: string;
}

const typeOf = (field: GraphQLField<unknown, unknown>): GraphQLObjectType | null => {
  const type = getNamedType(field.type);
  return isObjectType(type) ? type : null;
};
const isFree = (field: GraphQLField<unknown, unknown>): boolean =>
  !field.args.some(isRequiredArgument);
const isConnection = (type: GraphQLObjectType | null): type is GraphQLObjectType =>
  type !== null && type.name.endsWith('Connection') && 'nodes' in type.getFields();

/** Every connection, paged list and link of a type, followed over up to `links` links. */
function fieldsBelow(
  type: GraphQLObjectType,
  path: readonly string[],
  links: number,
): { readonly path: readonly string[]; readonly selection: string; readonly field: string }[] {
  return Object.values(type.getFields())
    .filter(isFree)
    .flatMap((field) => {
      const target = typeOf(field);
      const at = { path: [...path, field.name], field: `${type.name}.${field.name}` };
      if (isConnection(target))
        return [{ ...at, selection: `${field.name}(first: 2) ${PAGE_OF_EACH}` }];
      if (field.args.some(({ name }) => name === 'first'))
        return [{ ...at, selection: `${field.name}(first: 2) { __typename }` }];
      return target
        ? [
            { ...at, selection: `${field.name} { __typename }` },
            ...(links > 0 ? fieldsBelow(target, [...path, field.name], links - 1) : []),
          ]
        : [];
    });
}

const inside = (path: readonly string[], selection: string): string =>
  path.reduceRight((inner, name) => `${name} { __typename ${inner} }`, selection);

async function nestedFields(): Promise<Nested[]> {
  const query = buildSchema((await describeApis()).sdl).getQueryType();
  return Object.values(query?.getFields() ?? {}).flatMap((root) => {
    const list = typeOf(root);
    if (!isConnection(list)) return [];
    const node = getNamedType(list.getFields().nodes.type) as GraphQLObjectType;
    const ask = (selection: string): string =>
      `{ ${root.name}(first: ${PAGE}) { nodes { __typename ${selection} } } }`;
    return fieldsBelow(node, [], 2).map(({ path, field, selection }) => ({
      name: [root.name, ...path].join('.'),
      field,
      query: ask(inside(path.slice(0, -1), selection)),
      baseline: ask(inside(path.slice(0, -1), '')),
    }));
  });
}

/** Every object that is reachable over up to `links` fields without arguments. */
function linksBelow(
  type: GraphQLObjectType,
  path: readonly string[],
  links: number,
): { readonly path: readonly string[]; readonly field: string }[] {
  return Object.values(type.getFields())
    .filter(isFree)
    .flatMap((field) => {
      const target = typeOf(field);
      if (!target || isConnection(target)) return [];
      const fieldPath = [...path, field.name];
      return [
        { path: fieldPath, field: `${type.name}.${field.name}` },
        ...(links > 1 ? linksBelow(target, fieldPath, links - 1) : []),
      ];
    });
}

/** Every list of the schema with each path from its entries. */
async function listedLinks(): Promise<Nested[]> {
  const query = buildSchema((await describeApis()).sdl).getQueryType();
  return Object.values(query?.getFields() ?? {})
    .filter(isFree)
    .flatMap((root) => {
      const target = typeOf(root);
      if (!target || !(isConnection(target) || isListType(getNullableType(root.type)))) return [];
      const node = isConnection(target)
        ? (getNamedType(target.getFields().nodes.type) as GraphQLObjectType)
        : target;
      const size = ['first', 'limit'].find((name) =>
        root.args.some((argument) => argument.name === name),
      );
      const ask = (selection: string): string => {
        const list = `${root.name}${size ? `(${size}: ${PAGE})` : ''}`;
        return `{ ${list} { ${isConnection(target) ? `nodes { __typename ${selection} }` : `__typename ${selection}`} } }`;
      };
      return linksBelow(node, [], 3).map(({ path, field }) => ({
        name: [root.name, ...path].join('.'),
        field,
        query: ask(inside(path, '')),
        baseline: ask(''),
      }));
    });
}

/** Read from the logs or contents of each workflow by itself: editors ask for those of one. */
const OF_ONE_WORKFLOW = ['samples', 'diffSinceSuccess'];
const isOfOneWorkflow = ({ name }: Nested): boolean =>
  name.split('.').some((field) => OF_ONE_WORKFLOW.includes(field));

/** Only the first and the last path to each field. */
function waysTo(links: readonly Nested[]): readonly Nested[] {
  const all = links.filter((link) => !isOfOneWorkflow(link));
  const ends = [all, all.toReversed()].flatMap((order) => [
    ...new Map(order.map((one) => [one.field, one])).values(),
  ]);
  return [...new Set(ends)];
}

const service = testService({ env: { HYPHA_LIMITS_COST: '1000000' } });
let nested: Nested[];
let links: Nested[];
beforeAll(async () => {
  nested = await nestedFields();
  links = await listedLinks();
  const id = await saved(service, workflow([method('0', 'http://127.0.0.1:9/')]));
  await ended(service, await started(service, id));
  await multiply(id);
  await multiplyUsers();
  await multiplyCategories();
});

/** Inserts copies of one workflow with three versions and three runs each, every one by its own user. */
async function multiply(id: number): Promise<void> {
  const connection = storeConnection();
  const [one, version, run, user, event] = await Promise.all([
    connection.collection<any>('workflows').findOne({ _id: id }),
    connection.collection<any>('workflow_versions').findOne({ workflowId: id }),
    connection.collection<any>('runs').findOne({ workflowId: id }),
    connection.collection<any>('users').findOne({ _id: 1 }),
    connection.collection<any>('audit_events').findOne({ action: 'run.start' }),
  ]);
  const batches = await connection
    .collection<any>('run_event_batches')
    .find({ runId: run._id })
    .toArray();
  const by = (nth: number): object => ({ userId: 5_000 + nth, email: `author${nth}@hypha.test` });
  await connection.collection<any>('users').insertMany(
    Array.from({ length: 3 * PAGE }, (_, nth) => ({
      ...user,
      _id: 5_000 + nth,
      email: `author${nth}@hypha.test`,
      emailKey: `author${nth}@hypha.test`,
    })),
  );
  await connection
    .collection<any>('audit_events')
    .insertMany(
      Array.from({ length: PAGE }, (_, nth) => ({ ...event, _id: 10_000 + nth, actor: by(nth) })),
    );
  await connection.collection<any>('run_counters').insertMany(
    Array.from({ length: PAGE }, (_, nth) => ({
      _id: `workflow/${1_000 + nth}`,
      kind: 'workflow',
      workflowId: 1_000 + nth,
      executions: 3,
      failures: 0,
    })),
  );
  const copies = Array.from({ length: 3 * PAGE }, (_, nth) => ({
    nth,
    workflowId: 1_000 + Math.floor(nth / 3),
  }));
  await connection.collection<any>('workflows').insertMany(
    Array.from({ length: PAGE }, (_, nth) => ({
      ...one,
      _id: 1_000 + nth,
      title: `Copy ${nth}`,
      titleKey: `copy ${nth}`,
      secrets: [`copy-${nth}`],
      createdBy: by(nth),
      updatedBy: by(nth + PAGE),
    })),
  );
  const parts = await connection.collection<any>('workflow_contents').find({}).toArray();
  await connection.collection<any>('workflow_contents').insertMany(
    copies.flatMap(({ nth }) =>
      parts.map((part) => ({
        ...part,
        _id: String(part._id).replace(/^[^/]*/, `content ${nth}`),
      })),
    ),
  );
  await connection.collection<any>('secrets').insertMany(
    Array.from({ length: PAGE }, (_, nth) => ({
      _id: 1_000 + nth,
      name: `Copy-${nth}`,
      nameKey: `copy-${nth}`,
      note: null,
      sealed: {},
      origins: ['https://a'],
      claims: 0,
      version: 1,
    })),
  );
  await connection.collection<any>('workflow_versions').insertMany(
    copies.map(({ nth, workflowId }) => ({
      ...version,
      _id: nth.toString(16).padStart(24, '0'),
      workflowId,
      number: 1 + (nth % 3),
      author: by(nth),
      content: { ...version.content, id: `content ${nth}` },
    })),
  );
  await connection.collection<any>('runs').insertMany(
    copies.map(({ nth, workflowId }) => ({
      ...run,
      _id: 1_000 + nth,
      workflowId,
      startedBy: by(nth),
      content: { ...run.content, id: `content ${nth}` },
    })),
  );
  await connection.collection<any>('run_event_batches').insertMany(
    copies.flatMap(({ nth }) =>
      batches.map((batch) => ({
        ...batch,
        _id: `${1_000 + nth}/${batch.first}`,
        runId: 1_000 + nth,
      })),
    ),
  );
}

/** Inserts copies of one user in ten groups, with two sessions each. */
async function multiplyUsers(): Promise<void> {
  const groups: number[] = [];
  for (let nth = 0; nth < 10; nth += 1)
    groups.push(
      (
        await service.api('POST', '/api/userGroup', {
          body: { name: `Group ${nth}`, components: [] },
        })
      ).body.enhanceId,
    );
  const connection = storeConnection();
  const [user, session] = await Promise.all([
    connection.collection<any>('users').findOne({ _id: 1 }),
    connection.collection<any>('sessions').findOne({ userId: 1 }),
  ]);
  const ids = Array.from({ length: PAGE }, (_, nth) => 1_000 + nth);
  await connection.collection<any>('users').insertMany(
    ids.map((id) => ({
      ...user,
      _id: id,
      email: `${id}@copies.test`,
      emailKey: `${id}@copies.test`,
      groupId: groups[id % groups.length],
    })),
  );
  await connection
    .collection<any>('sessions')
    .insertMany(
      ids.flatMap((id) =>
        ['a', 'b'].map((nth) => ({ ...session, _id: `${nth}${id}`, userId: id })),
      ),
    );
}

/** Inserts nested categories with copies of the workflow. */
async function multiplyCategories(): Promise<void> {
  const connection = storeConnection();
  const {
    body: { id },
  } = await service.api('POST', '/api/category', { body: { name: 'The one' } });
  const one = await connection.collection<any>('categories').findOne({ _id: id });
  await connection.collection<any>('categories').insertMany(
    Array.from({ length: 3 * PAGE }, (_, nth) => ({
      ...one,
      _id: 1_000 + nth,
      name: `Copy ${nth}`,
      nameKey: `copy ${nth}`,
      parentId: nth < PAGE ? null : 1_000 + (nth % PAGE),
    })),
  );
  const rows = await connection
    .collection<any>('workflows')
    .find({ _id: { $gte: 1_000 } })
    .toArray();
  for (const { _id } of rows)
    await connection.collection<any>('workflows').updateOne({ _id }, { $set: { categoryId: _id } });
}

const callsOf = async (text: string): Promise<number> =>
  (await storeCalls(() => service.data(text))).length;
const baselines = new Map<string, number>();

/** The additional calls of a field: the minimum of a few attempts, because the user of a request is read again now and then. */
async function added({ query, baseline }: Nested, atMost: number): Promise<number> {
  const without =
    baselines.get(baseline) ?? Math.min(await callsOf(baseline), await callsOf(baseline));
  baselines.set(baseline, without);
  let fewest = Infinity;
  for (let time = 0; time < 4 && fewest > atMost; time += 1)
    fewest = Math.min(fewest, (await callsOf(query)) - without);
  return fewest;
}

longIt('a list or a link below a list costs at most two store calls at any length', async () => {
  expect(nested.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'workflows.versions',
      'workflows.runs',
      'workflows.lastRun.workflow.runs',
      'runs.workflow.versions',
      'runs.events',
      'runs.workflowVersion',
      'workflows.lastRun.workflowVersion',
      'userGroups.users',
      'users.group.users',
      'users.sessions',
      'workflows.lastRun.events',
      'categories.children',
      'categories.workflows',
      'workflows.category.children',
    ]),
  );
  for (const field of waysTo(nested)) {
    const calls = await added(field, 2);
    expect([field.name, calls <= 2 ? 'at most two' : calls]).toEqual([field.name, 'at most two']);
  }
});

it('a list reads no entries for a count alone, and counts only on request', async () => {
  const callsFor = async (selection: string): Promise<string[]> => {
    const query = `{ workflows(first: ${PAGE}) { nodes { runs(first: 2) { ${selection} } } } }`;
    await service.data(query);
    return (await storeCalls(() => service.data(query))).filter((call) => call.includes('runs'));
  };
  const [counting, reading, both] = [
    await callsFor('totalCount'),
    await callsFor('nodes { databaseId }'),
    await callsFor('totalCount nodes { databaseId } pageInfo { hasNextPage }'),
  ];
  expect([counting.length, reading.length, both.length]).toEqual([1, 1, 2]);
});

longIt('each link below a list costs at most one store call at any length', async () => {
  expect(links.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      'workflows.createdBy.user',
      'workflows.updatedBy.user.group',
      'workflows.lastRun.startedBy',
      'runs.startedBy.user',
      'runs.workflow.lastRun',
      'auditEvents.actor.user',
      'topWorkflows.workflow.lastRun',
      'users.group',
      'secrets.usedBy.lastRun',
      'categories.parent',
      'workflows.category.parent',
    ]),
  );
  for (const link of waysTo(links)) {
    const most = link.name.split('.').length - 1;
    const calls = await added(link, most);
    expect([link.name, calls <= most ? 'few' : calls]).toEqual([link.name, 'few']);
  }
});

it('each entry of a list gets its own ordered page and count', async () => {
  const workflows =
    await service.field(`{ workflows(first: ${PAGE}, filter: { title: { contains: "Copy" } }) { nodes { databaseId
    versions(first: 2) { totalCount nodes { number } pageInfo { hasNextPage } }
    last: versions(last: 2) { nodes { number } pageInfo { hasPreviousPage } }
    runs(first: 2) { totalCount nodes { databaseId } pageInfo { hasNextPage endCursor } }
    none: runs(filter: { state: { eq: QUEUED } }) { totalCount nodes { databaseId } } } } }`);
  expect(workflows.nodes).toHaveLength(PAGE);
  for (const [nth, one] of workflows.nodes.entries()) {
    const newest = 1_000 + 3 * nth + 2;
    expect(one).toMatchObject({
      versions: {
        totalCount: 3,
        nodes: [{ number: 3 }, { number: 2 }],
        pageInfo: { hasNextPage: true },
      },
      last: { nodes: [{ number: 2 }, { number: 1 }], pageInfo: { hasPreviousPage: true } },
      runs: {
        totalCount: 3,
        nodes: [{ databaseId: newest }, { databaseId: newest - 1 }],
        pageInfo: { hasNextPage: true },
      },
      none: { totalCount: 0, nodes: [] },
    });
  }
  const after = workflows.nodes[7].runs.pageInfo.endCursor;
  const one = await service.field(
    'query($id: ID!, $after: String) { workflow(id: $id) { runs(first: 2, after: $after) { nodes { databaseId } pageInfo { hasNextPage } } } }',
    { id: 1_007, after },
  );
  expect(one.runs).toEqual({ nodes: [{ databaseId: 1_021 }], pageInfo: { hasNextPage: false } });
  const wrong = await service.gql(
    `{ workflows(first: ${PAGE}) { nodes { runs(first: 2, after: "nonsense") { totalCount } } } }`,
  );
  expect(wrong.errors?.[0]?.extensions.code).toBe('BAD_USER_INPUT');
});

it('each group gets its own users and each user their own sessions', async () => {
  const { users, userGroups } = await service.data(`{
    users(first: ${PAGE}, filter: { email: { contains: "@copies" } }) { nodes { databaseId group { databaseId users(first: 2) { totalCount } } sessions(first: 1) { totalCount nodes { sessionId } pageInfo { hasNextPage } } } }
    userGroups(first: ${PAGE}, filter: { name: { startsWith: "Group" } }) { nodes { databaseId users(first: 3) { totalCount nodes { group { databaseId } } } } } }`);
  expect(users.nodes).toHaveLength(PAGE);
  for (const { databaseId, group, sessions } of users.nodes) {
    expect([group.users.totalCount, sessions]).toEqual([
      PAGE / 10,
      { totalCount: 2, nodes: [{ sessionId: `b${databaseId}` }], pageInfo: { hasNextPage: true } },
    ]);
  }
  expect(userGroups.nodes).toHaveLength(10);
  for (const { databaseId, users: below } of userGroups.nodes)
    expect(below).toEqual({
      totalCount: PAGE / 10,
      nodes: Array(3).fill({ group: { databaseId } }),
    });
});
