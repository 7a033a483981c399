import {
  getNamedType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isRequiredInputField,
} from 'graphql';
import type { GraphQLInputField, GraphQLInputObjectType } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { testService } from '../../support/service/harness';
import { storedJob } from '../../support/service/jobs';
import { storedSynchronisation } from '../../support/peers/portal';
import { UNREACHABLE_MAIL, waitingMessages } from '../../support/peers/mail-server';
import { storeCalls } from '../../support/store/stored';
import { supportFile } from '../../support/calls/support-log-calls';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const schema = graphqlSchema();
const types = Object.values(schema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const nodeType = schema.getType('Node');
if (!isInterfaceType(nodeType)) throw new Error('There is no interface Node.');
const nodeTypes = schema
  .getPossibleTypes(nodeType)
  .map(({ name }) => name)
  .sort();

/** A query that finds records of each node type. */
const SOMEWHERE: Record<string, string> = {
  Connector: 'connectors(first: 3) { nodes { id databaseId } }',
  Schedule: 'schedules(first: 3) { nodes { id databaseId } }',
  Aggregator: 'aggregators(first: 3) { nodes { id databaseId } }',
  Category: 'categories(first: 3) { nodes { id databaseId } }',
  Secret: 'secrets(first: 3) { nodes { id databaseId } }',
  AuditEvent: 'auditEvents(first: 3) { nodes { id databaseId } }',
  Component: 'components { id databaseId }',
  Job: 'jobs(first: 3) { nodes { id databaseId } }',
  Template: 'templates(first: 3) { nodes { id databaseId } }',
  Invoker: 'invokers(first: 3) { nodes { id databaseId } }',
  Permission: 'permissions(first: 3) { nodes { id databaseId } }',
  Run: 'runs(first: 3) { nodes { id databaseId } }',
  User: 'users(first: 3) { nodes { id databaseId } }',
  UserGroup: 'userGroups(first: 3) { nodes { id databaseId } }',
  SupportLog: 'supportLogs(first: 3) { nodes { id databaseId } }',
  Workflow: 'workflows(first: 3) { nodes { id databaseId } }',
  Widget: 'widgets { id databaseId }',
  Webhook: 'schedules(first: 3) { nodes { webhook { id databaseId } } }',
  MessageTemplate: 'messageTemplates(first: 3) { nodes { id databaseId } }',
  Delivery: 'deliveries(first: 3) { nodes { id databaseId } }',
  Synchronisation: 'synchronisations(first: 3) { nodes { id databaseId } }',
  Notification: 'schedule(id: "1") { notifications { id databaseId } }',
  MaskingRule: 'workflow(id: "1") { rules(first: 3) { nodes { id databaseId } } }',
};

interface StoredObject {
  readonly type: string;
  readonly id: string;
  readonly databaseId: number;
}

const service = testService({ env: UNREACHABLE_MAIL });
let objects: StoredObject[];
beforeAll(async () => {
  for (let nth = 0; nth < 2; nth += 1)
    await ended(
      service,
      await started(service, await saved(service, workflow([method('0', 'http://127.0.0.1:9/')]))),
    );
  await storedJob();
  for (const id of [1, 2]) await storedSynchronisation(id);
  for (const id of [1, 2]) await supportFile(service, id);
  for (const name of ['One', 'Two'])
    await service.api('POST', '/api/aggregator', { body: { name } });
  for (const title of ['One', 'Two'])
    await service.api('POST', '/api/scheduler', { body: { title, connectionId: 1 } });
  for (const name of ['One', 'Two']) {
    const { body } = await service.api('POST', '/api/message', {
      body: { name, type: 'email', content: [{ language: 'en', subject: 'x', body: 'x' }] },
    });
    await service.api('POST', '/api/scheduler/1/notification', {
      body: { name, eventType: 'alert', template: body, recipients: ['reader@hypha.test'] },
    });
  }
  await waitingMessages(service, 2);
  for (const id of [1, 2]) await service.api('GET', `/api/webhook/url/1/${id}`);
  for (const name of ['One', 'Two']) await service.api('POST', '/api/category', { body: { name } });
  for (const name of ['one', 'two'])
    await service.api('POST', '/api/secret', {
      body: { name, value: 'x', origins: ['https://a'] },
    });
  await service.api('POST', '/api/template', { body: { name: 'x', connection: workflow([]) } });
  for (const title of ['One', 'Two'])
    await service.api('POST', '/api/connector', {
      body: { title, invoker: { name: 'Echo' }, requestData: { token: 'any' } },
    });
  for (const expression of ['a', 'b'])
    await service.api('POST', '/api/connection/1/rule', { body: { type: 'regex', expression } });
  objects = [];
  for (const [type, list] of Object.entries(SOMEWHERE)) {
    const [answer] = Object.values<any>(await service.data(`{ ${list} }`));
    const page = answer.rules ?? answer.notifications ?? answer;
    for (const node of page.nodes ?? page) objects.push({ type, ...(node.webhook ?? node) });
  }
});

const NODES = 'query($ids: [ID!]!) { nodes(ids: $ids) { __typename id databaseId } }';
const shown = ({ type, id, databaseId }: StoredObject) => ({ __typename: type, id, databaseId });

it('every field named `id` is a global id', () => {
  const wrong = types
    .filter((type) => isObjectType(type) || isInterfaceType(type))
    .flatMap((type) => {
      const { id } = type.getFields();
      const isNode = type === nodeType || type.getInterfaces().includes(nodeType);
      return (id !== undefined) !== isNode || (id && String(id.type) !== 'ID!') ? [type.name] : [];
    });
  expect(wrong).toEqual([]);
  const inputs = types.filter(isInputObjectType).flatMap((type) => {
    const { id } = type.getFields();
    return id && !/^(ID!?|IdFilter)$/.test(String(id.type)) ? [type.name] : [];
  });
  expect(inputs).toEqual([]);
});

it('inputs use the same field names as outputs', () => {
  const fieldsOf = (name: string): string[] => {
    const type = schema.getType(name);
    if (!isInputObjectType(type) && !isObjectType(type)) throw new Error(`There is no ${name}.`);
    return Object.keys(type.getFields());
  };
  for (const name of [
    'MethodStep',
    'OperatorStep',
    'FieldBinding',
    'StepConnector',
    'StepRequest',
    'RequestBody',
    'BindingEnd',
    'Enhancement',
  ]) {
    // The steps inside an operator are read flat, each with its `parentStepId`.
    const outputs = [...fieldsOf(name), ...(name === 'OperatorStep' ? ['steps'] : [])];
    expect([name, fieldsOf(`${name}Input`).filter((field) => !outputs.includes(field))]).toEqual([
      name,
      [],
    ]);
  }
});

/** A valid value for every required field. */
function filled(type: GraphQLInputObjectType, id: string): Record<string, unknown> {
  const value = (field: GraphQLInputField): unknown => {
    const named = getNamedType(field.type);
    if (field.name === 'id') return id;
    if (String(field.type).startsWith('[')) return [];
    return isInputObjectType(named) ? filled(named, id) : named.name === 'Int' ? 1 : '1';
  };
  return Object.fromEntries(
    Object.values(type.getFields())
      .filter((field) => field.name === 'id' || isRequiredInputField(field))
      .map((field) => [field.name, value(field)]),
  );
}

/** Rejected before the input is read, since this service has no master password. */
const NEED_MASTER_PASSWORD = new Set(['connectorConfirm']);

it('an input accepts only a global id of the right type', async () => {
  const foreign = objects.find(({ type }) => type === 'AuditEvent')?.id ?? '';
  const mutations: string[] = [];
  for (const {
    name,
    args: [argument],
  } of Object.values(schema.getMutationType()?.getFields() ?? {})) {
    const type = argument && getNamedType(argument.type);
    if (
      !isInputObjectType(type) ||
      !type.getFields().id ||
      name.endsWith('Upload') ||
      NEED_MASTER_PASSWORD.has(name)
    )
      continue;
    const answer = await service.mutate(name, filled(type, foreign), 'userErrors { message }');
    mutations.push(name);
    expect([name, answer.userErrors]).toEqual([
      name,
      expect.arrayContaining([
        { message: expect.stringMatching(/^This id names a AuditEvent, not a \w+\.$/) },
      ]),
    ]);
  }
  expect(mutations.length).toBeGreaterThan(12);
});

it('`node(id)` finds every type of record', async () => {
  expect(Object.keys(SOMEWHERE).sort()).toEqual(nodeTypes);
  expect([...new Set(objects.map(({ type }) => type))].sort()).toEqual(nodeTypes);
  for (const record of objects) {
    const node = await service.field(
      'query($id: ID!) { node(id: $id) { __typename id databaseId } }',
      { id: record.id },
    );
    expect(node).toEqual(shown(record));
  }
});

describe('nodes(ids)', () => {
  it('returns the requested order, with null for unknown ids and with duplicates', async () => {
    const unknown = ['User', 'Run', 'Component'].map((type) =>
      Buffer.from(`${type}:987654`).toString('base64url'),
    );
    const garbage = ['', '12', 'nonsense', Buffer.from('Shelf:1').toString('base64url')];
    const ids = [
      ...objects.toReversed().map(({ id }) => id),
      ...unknown,
      ...garbage,
      objects[0].id,
      objects[0].id,
    ];
    const nodes = await service.field(NODES, { ids });
    expect(nodes).toEqual([
      ...objects.toReversed().map(shown),
      ...[...unknown, ...garbage].map(() => null),
      shown(objects[0]),
      shown(objects[0]),
    ]);
  });

  it('runs one query per type', async () => {
    const calls = await storeCalls(() => service.data(NODES, { ids: objects.map(({ id }) => id) }));
    const counted = (collection: string) =>
      calls.filter((call) => call.startsWith(`${collection}.`)).length;
    expect([...new Set(objects.map(({ type }) => type))].length).toBe(nodeTypes.length);
    // The session lookup may add a read of users.
    expect(['workflows', 'runs', 'audit_events', 'categories', 'connectors'].map(counted)).toEqual([
      1, 1, 1, 1, 1,
    ]);
    expect(counted('users')).toBeLessThanOrEqual(2);
    expect(['groups', 'permissions', 'components'].map(counted)).toEqual([0, 0, 0]);
  });

  it('returns null for records that the caller may not read', async () => {
    const { token, id: own } = await service.userWith(['MYPROFILE:READ', 'CONNECTION:READ']);
    const self = Buffer.from(`User:${own}`).toString('base64url');
    const nodes = await service.field(
      NODES,
      { ids: [...objects.map(({ id }) => id), self] },
      token,
    );
    expect(nodes).toEqual([
      ...objects.map((record) =>
        ['Aggregator', 'Category', 'MaskingRule', 'Run', 'Workflow'].includes(record.type)
          ? shown(record)
          : null,
      ),
      { __typename: 'User', id: self, databaseId: own },
    ]);
    expect((await service.gql(NODES, { ids: [self] }, null)).errors?.[0]?.extensions.code).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('accepts 100 ids and adds their cost', async () => {
    const { id } = objects[0];
    expect(await service.field(NODES, { ids: Array(100).fill(id) })).toHaveLength(100);
    const { errors } = await service.gql(NODES, { ids: Array(101).fill(id) });
    expect([errors?.[0]?.extensions.code, errors?.[0]?.message]).toEqual([
      'BAD_USER_INPUT',
      '`ids` takes 100 ids at most.',
    ]);
    expect(await service.field(NODES, { ids: id })).toEqual([shown(objects[0])]);

    const deep = (ids: string) =>
      `query($ids: [ID!]!) { ${Array.from({ length: 10 }, (_, nth) => `n${nth}: nodes(ids: ${ids}) { id ... on Workflow { ui } }`).join(' ')} }`;
    const tooMuch = await service.gql(deep('$ids'), { ids: Array(100).fill(id) });
    expect([tooMuch.status, tooMuch.errors?.[0]?.message]).toEqual([
      expect.any(Number),
      expect.stringContaining('cost'),
    ]);
    expect((await service.gql(deep('$ids'), { ids: [id] })).errors).toBeUndefined();
  });
});

it('steps and bindings keep their ids across a change', async () => {
  const id = await saved(
    service,
    workflow([method('0', 'http://a.test', { extra: 'kept' })], [], {
      fieldBinding: [{ nodeId: 'b1', from: [], to: [], extra: 'kept' }],
    }),
  );
  const workflowUpdate = await service.mutate(
    'workflowUpdate',
    {
      id: String(id),
      methods: [{ stepId: 'm0', name: 'renamed' }],
      fieldBindings: [{ bindingId: 'b1', to: [{ field: 'x' }] }],
    },
    'userErrors { message } workflow { steps { ... on MethodStep { stepId name } } fieldBindings { bindingId } }',
  );
  expect(workflowUpdate).toEqual({
    userErrors: [],
    workflow: { steps: [{ stepId: 'm0', name: 'renamed' }], fieldBindings: [{ bindingId: 'b1' }] },
  });
  const { body } = await service.api('GET', `/api/connection/${id}`);
  expect([body.fromConnector.methods[0].extra, body.fieldBinding[0].extra]).toEqual([
    'kept',
    'kept',
  ]);
});
