import { getNamedType, isInputObjectType, isObjectType } from 'graphql';
import type { GraphQLField, GraphQLInputObjectType } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { MASTER_PASSWORD } from '../../support/service/master-password';
import { suspendedConnector } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { importedInvoker, invokerXml } from '../../support/documents/invokers';
import { png } from '../../support/documents/images';
import { shareOf } from '../../support/rounds';

const service = testService({ env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD } });

const schema = graphqlSchema();
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});

const inputOf = ({ args }: GraphQLField<unknown, unknown>): GraphQLInputObjectType | null => {
  const type = args[0] && getNamedType(args[0].type);
  return isInputObjectType(type) ? type : null;
};
const versionedIn = ({ type }: GraphQLField<unknown, unknown>): string | undefined => {
  const payload = getNamedType(type);
  return isObjectType(payload)
    ? Object.values(payload.getFields()).find(({ type: of }) => {
        const object = getNamedType(of);
        return (
          isObjectType(object) && 'version' in object.getFields() && !String(of).startsWith('[')
        );
      })?.name
    : undefined;
};
/** Mutations that return a record without changing it, as tested below. */
const CHANGES_NO_RECORD = [
  'userSessionsEnd',
  'maskingRuleCreate',
  'templateCreate',
  'workflowDuplicate',
  'scheduleCreate',
  'scheduleTerminate',
  'errorWorkflowSet',
  'workflowResumeSet',
  'sampleSet',
  'sampleRemove',
  'workflowPresenceSet',
  'workflowDraftSet',
  'workflowDraftRemove',
  'userSecondFactorRequire',
  'userSecondFactorReset',
  'userInviteAgain',
  // Possible once per user, and only with an LDAP directory.
  'userPasswordRemove',
];
/** The input field with the id of the record; parts of a workflow use the id of the workflow. */
const nameOf = (field: GraphQLField<unknown, unknown>): string | undefined =>
  ['id', 'workflowId'].find((name) => inputOf(field)?.getFields()[name] !== undefined);
const changing = mutations.filter(
  (field) =>
    versionedIn(field) !== undefined &&
    nameOf(field) !== undefined &&
    !CHANGES_NO_RECORD.includes(field.name),
);

interface Made {
  readonly id: string;
  readonly version: number;
}
interface Change {
  readonly make: () => Promise<Made>;
  /** The input in addition to id and version, different for each call. */
  readonly more: (id: string) => object | Promise<object>;
}

const made = async (name: string, object: string, input: object): Promise<Made> => {
  const answer = await service.mutate(
    name,
    input,
    `${object} { id version } userErrors { message }`,
  );
  expect(answer.userErrors).toEqual([]);
  return answer[object] as Made;
};
const user = (): Promise<Made> =>
  made('userCreate', 'user', {
    email: `${unique('seen')}@hypha.test`,
    password: 'a good password',
    groupId: '2',
  });
const disabledUser = async (): Promise<Made> =>
  made('userDisable', 'user', { id: (await user()).id });
const group = (): Promise<Made> => made('groupCreate', 'group', { name: unique('Seen') });
const permission = (): Promise<Made> =>
  made('permissionCreate', 'permission', { name: unique('SEEN') });
const workflow = (): Promise<Made> => made('workflowCreate', 'workflow', { title: unique('seen') });
const withSteps = (): Promise<Made> =>
  made('workflowCreate', 'workflow', {
    title: unique('seen'),
    methods: [{ stepId: 'm' }, { stepId: 'n' }],
    fieldBindings: [{ bindingId: 'b' }],
  });
const undone = async (): Promise<Made> => {
  const { id } = await edited();
  return made('workflowUndo', 'workflow', { workflowId: id });
};
const edited = async (): Promise<Made> =>
  made('workflowUpdate', 'workflow', {
    id: (await workflow()).id,
    description: 'saved again',
  });
const category = (): Promise<Made> => made('categoryCreate', 'category', { name: unique('seen') });
const secret = (): Promise<Made> =>
  made('secretCreate', 'secret', {
    name: unique('seen'),
    value: 'x',
    origins: ['https://a'],
  });
const template = async (): Promise<Made> =>
  made('templateCreate', 'template', { workflowId: (await workflow()).id });
const invoker = async (): Promise<Made> =>
  service.field('query ($name: String) { invoker(name: $name) { id version } }', {
    name: await importedInvoker(service),
  });
const suspended = async (): Promise<Made> =>
  service.field('query ($id: ID!) { connector(id: $id) { id version } }', {
    id: await suspendedConnector(service),
  });
const connector = (): Promise<Made> =>
  made('connectorCreate', 'connector', {
    title: unique('seen'),
    invokerName: 'Echo',
    requestData: [{ name: 'token', value: 'any' }],
  });
const aggregator = (): Promise<Made> =>
  made('aggregatorCreate', 'aggregator', {
    name: unique('seen'),
    script: '',
  });
const schedule = async (): Promise<Made> =>
  made('scheduleCreate', 'schedule', {
    title: unique('seen'),
    workflowId: (await workflow()).id,
  });
const messageTemplate = (): Promise<Made> =>
  made('messageTemplateCreate', 'messageTemplate', {
    name: unique('seen'),
    channel: 'EMAIL',
    contents: [{ language: 'EN', subject: 'x', body: 'x' }],
  });
const notification = async (): Promise<Made> =>
  made('notificationCreate', 'notification', {
    name: unique('seen'),
    eventType: 'ALERT',
    scheduleId: (await schedule()).id,
    templateId: (await messageTemplate()).id,
    recipients: ['reader@hypha.test'],
  });
const rule = async (): Promise<Made> =>
  made('maskingRuleCreate', 'maskingRule', {
    workflowId: (await workflow()).id,
    type: 'REGEX',
    expression: 'a',
  });
const nothing = (): object => ({});
const newestSnapshot = async (id: string): Promise<object> => ({
  snapshotId: (
    await service.field(
      'query ($id: ID!) { workflow(id: $id) { versions(first: 1) { nodes { snapshotId } } } }',
      { id },
    )
  ).versions.nodes[0].snapshotId,
});

const CHANGES: Record<string, Change> = {
  userUpdate: { make: user, more: () => ({ email: `${unique('changed')}@hypha.test` }) },
  userDetailChange: { make: user, more: () => ({ detail: { name: unique('Ada') } }) },
  userPasswordChange: { make: user, more: () => ({ password: unique('a new password ') }) },
  userGroupChange: { make: user, more: () => ({ groupId: '1' }) },
  userPictureUpload: { make: user, more: nothing },
  userPictureRemove: { make: user, more: nothing },
  userDelete: { make: user, more: nothing },
  userDisable: { make: user, more: nothing },
  userEnable: { make: disabledUser, more: nothing },
  groupUpdate: { make: group, more: () => ({ name: unique('Changed') }) },
  groupComponentsSet: {
    make: group,
    more: () => ({ components: [{ componentId: '1', permissions: ['READ'] }] }),
  },
  groupIconUpload: { make: group, more: nothing },
  groupIconRemove: { make: group, more: nothing },
  groupDelete: { make: group, more: nothing },
  secretUpdate: { make: secret, more: () => ({ name: unique('changed') }) },
  secretDelete: { make: secret, more: nothing },
  permissionUpdate: { make: permission, more: () => ({ name: unique('CHANGED') }) },
  permissionDelete: { make: permission, more: nothing },
  connectorUpdate: {
    make: connector,
    more: () => ({
      title: unique('changed'),
      requestData: [{ name: 'url', value: unique('http://') }],
    }),
  },
  connectorConfirm: { make: suspended, more: nothing },
  connectorIconUpload: { make: connector, more: nothing },
  connectorIconRemove: { make: connector, more: nothing },
  connectorDelete: { make: connector, more: nothing },
  aggregatorUpdate: { make: aggregator, more: () => ({ name: unique('changed') }) },
  aggregatorDelete: { make: aggregator, more: nothing },
  scheduleUpdate: { make: schedule, more: () => ({ title: unique('changed') }) },
  scheduleEnable: { make: schedule, more: () => ({ enabled: false }) },
  scheduleDelete: { make: schedule, more: nothing },
  messageTemplateUpdate: { make: messageTemplate, more: () => ({ name: unique('changed') }) },
  messageTemplateDelete: { make: messageTemplate, more: nothing },
  notificationUpdate: { make: notification, more: () => ({ name: unique('changed') }) },
  notificationDelete: { make: notification, more: nothing },
  categoryUpdate: { make: category, more: () => ({ name: unique('changed') }) },
  categoryDelete: { make: category, more: nothing },
  invokerUpdate: { make: invoker, more: () => ({ xml: invokerXml() }) },
  invokerDelete: { make: invoker, more: nothing },
  workflowUpdate: { make: workflow, more: () => ({ description: unique('changed') }) },
  workflowDelete: { make: workflow, more: nothing },
  templateDelete: { make: template, more: nothing },
  maskingRuleUpdate: { make: rule, more: () => ({ expression: unique('a') }) },
  maskingRuleDelete: { make: rule, more: nothing },
  workflowVersionSwitch: { make: workflow, more: newestSnapshot },
  stepAdd: { make: withSteps, more: () => ({ method: { name: unique('added') } }) },
  stepUpdate: {
    make: withSteps,
    more: () => ({ stepId: 'm', method: { name: unique('changed') } }),
  },
  stepPaste: { make: withSteps, more: () => ({ content: { methods: [{}] } }) },
  stepMove: { make: withSteps, more: () => ({ stepId: 'm' }) },
  stepRemove: { make: withSteps, more: () => ({ stepId: 'm' }) },
  fieldBindingSet: {
    make: withSteps,
    more: () => ({ binding: { bindingId: 'b', from: [{ field: unique('changed') }] } }),
  },
  fieldBindingRemove: { make: withSteps, more: () => ({ bindingId: 'b' }) },
  workflowRedo: { make: undone, more: nothing },
  workflowUndo: { make: edited, more: nothing },
};

async function change(
  name: string,
  id: string,
  expectedVersion: number | undefined,
): Promise<{ record: { version: number } | null; codes: string[] }> {
  const field = mutations.find((one) => one.name === name)!;
  const [type, object] = [inputOf(field)!, versionedIn(field)!];
  const query = `mutation ($input: ${type.name}!) { ${name}(input: $input) { ${object} { version } userErrors { code path } } }`;
  const input = { [nameOf(field)!]: id, expectedVersion, ...(await CHANGES[name].more(id)) };
  let body: { data: Record<string, any>; errors?: unknown };
  if ('file' in type.getFields()) {
    const form = new FormData();
    form.set(
      'operations',
      JSON.stringify({ query, variables: { input: { ...input, file: null } } }),
    );
    form.set('map', JSON.stringify({ 0: ['variables.input.file'] }));
    form.set('0', new Blob([new Uint8Array(png())]), 'x.png');
    body = await service.body('POST', '/graphql', {
      body: form,
      headers: { 'apollo-require-preflight': 'true' },
    });
  } else {
    body = await service.body('POST', '/graphql', {
      body: { query, variables: { input } },
      headers: { 'X-Master-Password': MASTER_PASSWORD },
    });
  }
  if (body.errors) throw new Error(JSON.stringify(body.errors));
  const answer = body.data[name];
  return {
    record: answer[object],
    codes: answer.userErrors.map(({ code }: { code: string }) => code),
  };
}

const LOOK = `query ($id: ID!) {
  node(id: $id) {
    ... on User { version email updatedAt profilePicture group { id } detail { name } }
    ... on UserGroup { version name description icon components { component { id } permissions { name } } }
    ... on Permission { version name description }
    ... on Invoker { version name operationCount }
    ... on Secret { version name note origins }
    ... on Connector { version title icon requestData { stored value } updatedAt }
    ... on MaskingRule { version type expression updatedAt }
    ... on Aggregator { version name active script }
    ... on Schedule { version title cron timeZone enabled updatedAt }
    ... on MessageTemplate { version name }
    ... on Notification { version name }
    ... on Category { version name parent { id } }
    ... on Workflow { version title description updatedAt versions { totalCount } }
  }
  auditEvents(first: 1) { edges { cursor } nodes { id } }
}`;
const look = (id: string): Promise<any> => service.data(LOOK, { id });

describe('a versioned record over GraphQL', () => {
  it('is changed and deleted by mutations with an expected version, which the schema describes', () => {
    expect(changing.map(({ name }) => name).sort()).toEqual(Object.keys(CHANGES).sort());
    expect(
      changing
        .filter((field) => inputOf(field)?.getFields().expectedVersion?.type.toString() !== 'Int')
        .map(({ name }) => name),
    ).toEqual([]);
    const taking = mutations.filter(
      (field) =>
        inputOf(field)?.getFields().expectedVersion !== undefined &&
        !CHANGES_NO_RECORD.includes(field.name),
    );
    expect(taking.filter((field) => !changing.includes(field)).map(({ name }) => name)).toEqual([]);
    const types = new Set(
      changing.map((field) => {
        const payload = getNamedType(field.type);
        const object = isObjectType(payload)
          ? getNamedType(payload.getFields()[versionedIn(field)!].type)
          : null;
        return isObjectType(object)
          ? `${object.name}.version: ${String(object.getFields().version?.type)}`
          : 'none';
      }),
    );
    expect([...types].sort()).toEqual([
      'Aggregator.version: Int!',
      'Category.version: Int!',
      'Connector.version: Int!',
      'Invoker.version: Int!',
      'MaskingRule.version: Int!',
      'MessageTemplate.version: Int!',
      'Notification.version: Int!',
      'Permission.version: Int!',
      'Schedule.version: Int!',
      'Secret.version: Int!',
      'Template.version: Int!',
      'User.version: Int!',
      'UserGroup.version: Int!',
      'Workflow.version: Int!',
    ]);
  });

  it.each(shareOf(Object.keys(CHANGES), 0, 4))(
    '%s accepts the current version or none, and rejects a stale one without a change',
    async (name) => {
      const { id, version } = await CHANGES[name].make();
      const before = await look(id);
      for (const stale of [version - 1, version + 1, -1]) {
        expect([stale, await change(name, id, stale)]).toEqual([
          stale,
          { record: null, codes: ['CONFLICT'] },
        ]);
      }
      expect(await look(id)).toEqual(before);

      const removes = /Delete$/.test(name);
      const done = await change(name, id, version);
      expect(done).toEqual({ record: { version: removes ? version : version + 1 }, codes: [] });
      if (removes) expect((await look(id)).node).toBeNull();
      else expect((await look(id)).node.version).toBe(version + 1);

      const other = await CHANGES[name].make();
      expect((await change(name, other.id, undefined)).codes).toEqual([]);
    },
  );

  it.each(shareOf(Object.keys(CHANGES), 1, 2))(
    '%s lets exactly one of two concurrent calls with the same version succeed',
    async (name) => {
      const { id, version } = await CHANGES[name].make();
      const both = await Promise.all([change(name, id, version), change(name, id, version)]);
      const codes = both.map((answer) => answer.codes[0] ?? 'done').sort();
      expect(codes.filter((code) => code === 'done')).toHaveLength(1);
      // The later of two deletions finds no record.
      const missing = [
        'USER_NOT_EXIST',
        'GROUP_NOT_FOUND',
        'AGGREGATOR_NOT_FOUND',
        'SCHEDULER_NOT_FOUND',
        'INVOKER_NOT_FOUND',
        'PERMISSION_NOT_FOUND',
        'CONNECTION_NOT_FOUND',
        'CATEGORY_NOT_FOUND',
        'MESSAGE_TEMPLATE_NOT_FOUND',
        'NOTIFICATION_NOT_FOUND',
        'CONNECTOR_NOT_FOUND',
        'RULE_NOT_FOUND',
        'SECRET_NOT_FOUND',
        'TEMPLATE_NOT_FOUND',
      ];
      expect(/Delete$/.test(name) ? ['CONFLICT', ...missing] : ['CONFLICT']).toContain(
        codes.find((code) => code !== 'done'),
      );
      if (!/Delete$/.test(name)) expect((await look(id)).node.version).toBe(version + 1);
    },
  );

  it('keeps its version for logins, logouts, runs and changes of its error workflow', async () => {
    const member = await service.userWith([]);
    const version = async (): Promise<number> =>
      (
        await service.field('query ($id: ID!) { user(id: $id) { version } }', {
          id: String(member.id),
        })
      ).version;
    const before = await version();
    await service.login(member.email, member.password);
    await service.mutate('userSessionsEnd', { id: String(member.id) }, 'userErrors { code }');
    expect(await version()).toBe(before);

    const saved = await workflow();
    await service.mutate('workflowRun', { workflowId: saved.id }, 'userErrors { code }');
    const named = await service.mutate(
      'errorWorkflowSet',
      { workflowId: saved.id, errorWorkflowId: (await workflow()).id },
      'workflow { version errorWorkflow { id } }',
    );
    expect(named.workflow).toEqual({
      version: saved.version,
      errorWorkflow: { id: expect.any(String) },
    });
    const resuming = await service.mutate(
      'workflowResumeSet',
      { workflowId: saved.id, resume: true },
      'workflow { version resume }',
    );
    expect(resuming.workflow).toEqual({ version: saved.version, resume: true });
    const steps = await withSteps();
    for (const [name, more] of [
      ['sampleSet', { stepId: 'm', answer: 1 }],
      ['sampleRemove', { stepId: 'm' }],
      ['workflowPresenceSet', { stepId: 'm' }],
      ['workflowDraftSet', { content: {} }],
      ['workflowDraftRemove', {}],
    ] as const)
      expect(
        await service.mutate(name, { workflowId: steps.id, ...more }, 'workflow { version }'),
      ).toEqual({
        workflow: { version: steps.version },
      });
    expect((await look(saved.id)).node.version).toBe(saved.version);
    const started = await schedule();
    for (const name of ['scheduleStart', 'scheduleTerminate'])
      await service.mutate(name, { id: started.id }, 'userErrors { code }');
    expect((await look(started.id)).node.version).toBe(started.version);
  });
});
