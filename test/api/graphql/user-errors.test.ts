import {
  getNamedType,
  getNullableType,
  isInputObjectType,
  isListType,
  isScalarType,
} from 'graphql';
import type { GraphQLInputType } from 'graphql';
import { graphqlSchema } from '../../../src/app';
import { ERROR_CODES } from '../../../src/platform/errors/codes';
import { globalId } from '../../../src/platform/graphql/schema/ids';
import { invokerXml } from '../../support/documents/invokers';
import { MASTER_PASSWORD } from '../../support/service/master-password';
import { ADMIN_EMAIL, testService, unique } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { UNREACHABLE_MAIL } from '../../support/peers/mail-server';
import { rounds, shareOf } from '../../support/rounds';

const schema = graphqlSchema();
const MUTATIONS = Object.values(schema.getMutationType()?.getFields() ?? {});
/** Codes for a whole input, which REST uses; a `userErrors` code must be specific. */
const WIDE = ['CREATION_ERROR', 'WRONG_PERMISSION', 'CHANGE_DENIED', 'BAD_REQUEST'];
const UNKNOWN = '987654';
const HALF = '\ud800';

type Path = readonly (string | number)[];
type Input = Record<string, unknown>;

interface Member {
  readonly path: Path;
  /** `UserDetailInput.name`, the key of the rules. */
  readonly name: string;
  readonly type: string;
}

/** Every leaf of an input type, with one entry per list and without recursive filters. */
function members(
  type: GraphQLInputType,
  path: Path,
  owner: string,
  within: readonly string[] = [],
): Member[] {
  const nullable = getNullableType(type);
  if (isListType(nullable)) return members(nullable.ofType, [...path, 0], owner, within);
  if (isInputObjectType(nullable)) {
    if (within.includes(nullable.name)) return [];
    return Object.values(nullable.getFields()).flatMap((field) =>
      members(field.type, [...path, field.name], `${nullable.name}.${field.name}`, [
        ...within,
        nullable.name,
      ]),
    );
  }
  return [{ path, name: owner, type: getNamedType(nullable).name }];
}

/** Whether the input type has this path; free-form values have every path. */
function exists(type: GraphQLInputType, [first, ...rest]: readonly string[]): boolean {
  const nullable = getNullableType(type);
  if (first === undefined) return true;
  if (isListType(nullable)) return /^\d+$/.test(first) && exists(nullable.ofType, rest);
  if (isScalarType(nullable)) return nullable.name === 'JSON';
  if (!isInputObjectType(nullable)) return false;
  const field = nullable.getFields()[first];
  return field !== undefined && exists(field.type, rest);
}

function withValue(input: unknown, [first, ...rest]: Path, value: unknown): unknown {
  if (first === undefined) return value;
  if (typeof first === 'number') {
    const list = Array.isArray(input) ? [...(input as unknown[])] : [];
    list[first] = withValue(list[first] ?? {}, rest, value);
    return list;
  }
  const fields = (typeof input === 'object' && input !== null ? input : {}) as Input;
  return { ...fields, [first]: withValue(fields[first], rest, value) };
}

type Bad = readonly [value: unknown, code: string, below?: Path];
const long = (length: number): string => 'x'.repeat(length + 1);
const ID = (code: string, type: string): Bad[] => [
  ['garbage!', 'ID_INVALID'],
  [globalId(type === 'User' ? 'Run' : 'User', 1), 'ID_INVALID'],
  [UNKNOWN, code],
  [globalId(type, 987_654), code],
];
const TEXT = (length: number): Bad[] => [
  [long(length), 'TEXT_TOO_LONG'],
  [HALF, 'TEXT_INVALID'],
];
const EMAIL: Bad[] = [
  ['', 'EMAIL_INVALID'],
  ['nobody', 'EMAIL_INVALID'],
  [`${long(254)}@x.test`, 'EMAIL_INVALID'],
  [ADMIN_EMAIL.toUpperCase(), 'EMAIL_ALREADY_EXIST'],
];
const PASSWORD: Bad[] = [
  ['short', 'PASSWORD_INVALID'],
  [' '.repeat(8), 'PASSWORD_INVALID'],
  [long(128), 'PASSWORD_INVALID'],
  [HALF.repeat(9), 'PASSWORD_INVALID'],
];
const GROUP_NAME: Bad[] = [
  [' ', 'NAME_INVALID'],
  [long(45), 'NAME_INVALID'],
  ['\u200b', 'NAME_INVALID'],
  ['admin', 'ROLE_ALREADY_EXIST'],
];
const PERMISSION_NAME: Bad[] = [
  [' ', 'NAME_INVALID'],
  [long(45), 'NAME_INVALID'],
  ['a:b', 'NAME_INVALID'],
  ['read', 'PERMISSION_ALREADY_EXIST'],
];
const SECRET_NAME: Bad[] = [
  ['', 'NAME_INVALID'],
  ['1a', 'NAME_INVALID'],
  ['a b', 'NAME_INVALID'],
  ['ä', 'NAME_INVALID'],
  [' a', 'NAME_INVALID'],
  [long(64), 'NAME_INVALID'],
  ['TAKEN-secret', 'SECRET_ALREADY_EXIST'],
];
const SECRET_VALUE: Bad[] = [
  ['', 'SECRET_VALUE_INVALID'],
  [long(8_192), 'TEXT_TOO_LONG'],
  [HALF, 'TEXT_INVALID'],
];
const SECRET_ORIGIN: Bad[] = [
  ['', 'SECRET_ORIGIN_INVALID'],
  ['https://a/path', 'SECRET_ORIGIN_INVALID'],
  ['https://*', 'SECRET_ORIGIN_INVALID'],
  ['ftp://a', 'SECRET_ORIGIN_INVALID'],
  [long(300), 'SECRET_ORIGIN_INVALID'],
];
const OF_SECRET = ID('SECRET_NOT_FOUND', 'Secret');
const OF_USER = ID('USER_NOT_EXIST', 'User');
const OF_GROUP = ID('GROUP_NOT_FOUND', 'UserGroup');
const OF_WORKFLOW = ID('CONNECTION_NOT_FOUND', 'Workflow');
const OF_CONNECTOR = ID('CONNECTOR_NOT_FOUND', 'Connector');
const CONNECTOR_TITLE: Bad[] = [
  [' ', 'TITLE_INVALID'],
  [long(255), 'TITLE_INVALID'],
  ['a\u0007b', 'TITLE_INVALID'],
  [HALF, 'TITLE_INVALID'],
];
const INVOKER_NAME: Bad[] = [
  ['Nobody', 'INVOKER_NOT_FOUND'],
  ['', 'INVOKER_NOT_FOUND'],
];
const TIMEOUT: Bad[] = [
  [-1, 'TIMEOUT_INVALID'],
  [3_600_001, 'TIMEOUT_INVALID'],
];
const OF_CATEGORY = ID('CATEGORY_NOT_FOUND', 'Category');
const CATEGORY_NAME: Bad[] = [
  [' ', 'INVALID_CATEGORY_NAME'],
  [long(128), 'INVALID_CATEGORY_NAME'],
  ['\u200b', 'INVALID_CATEGORY_NAME'],
  [HALF, 'INVALID_CATEGORY_NAME'],
];
const OF_AGGREGATOR = ID('AGGREGATOR_NOT_FOUND', 'Aggregator');
const AGGREGATOR_NAME: Bad[] = [
  [' ', 'NAME_INVALID'],
  [long(255), 'NAME_INVALID'],
  ['\u200b', 'NAME_INVALID'],
  [HALF, 'NAME_INVALID'],
  ['JUDGED AGGREGATOR', 'AGGREGATOR_ALREADY_EXIST'],
];
const SCRIPT: Bad[] = [
  [long(65_536), 'TEXT_TOO_LONG'],
  [HALF, 'TEXT_INVALID'],
];
const OF_SCHEDULE = ID('SCHEDULER_NOT_FOUND', 'Schedule');
const SCHEDULE_TITLE: Bad[] = [
  [' ', 'TITLE_INVALID'],
  [long(45), 'TITLE_INVALID'],
  ['\u200b', 'TITLE_INVALID'],
  [HALF, 'TITLE_INVALID'],
  ['JUDGED SCHEDULE', 'TITLE_ALREADY_EXISTS'],
];
const CRON: Bad[] = [
  ['* * * * *', 'CRON_INVALID'],
  ['0 0 12 L-31 * ?', 'CRON_INVALID'],
  ['0 0 12 30 2 ?', 'CRON_NEVER_DUE'],
  ['0 61 * * * ?', 'CRON_INVALID'],
  [HALF, 'CRON_INVALID'],
  [long(255), 'CRON_INVALID'],
];
const TIME_ZONE: Bad[] = [
  ['', 'TIME_ZONE_INVALID'],
  ['Nowhere/Town', 'TIME_ZONE_INVALID'],
  ['+02:00', 'TIME_ZONE_INVALID'],
];
const OF_INVOKER = ID('INVOKER_NOT_FOUND', 'Invoker');
const RULE: Bad[] = [['', 'RULE_INVALID'], ['(', 'RULE_INVALID'], ...TEXT(1_000)];
const WORKFLOW_TITLE: Bad[] = [
  [long(128), 'TITLE_INVALID'],
  ['a\u0007b', 'TITLE_INVALID'],
  [HALF, 'TITLE_INVALID'],
];
const OLD_VERSION: Bad[] = [[4_711, 'CONFLICT']];

/** Values that the type system accepts and a rule rejects. */
const RULES: Readonly<Record<string, readonly Bad[]>> = {
  'UserCreateInput.email': EMAIL,
  'UserCreateInput.password': [['', 'PASSWORD_INVALID'], ...PASSWORD],
  'UserCreateInput.groupId': OF_GROUP,
  'UserUpdateInput.id': OF_USER,
  'UserUpdateInput.email': EMAIL,
  'UserUpdateInput.password': PASSWORD,
  'UserUpdateInput.groupId': OF_GROUP,
  'UserUpdateInput.expectedVersion': OLD_VERSION,
  'UserDetailInput.name': TEXT(45),
  'UserDetailInput.surname': TEXT(45),
  'UserDetailInput.salutation': TEXT(10),
  'UserDetailInput.phoneNumber': TEXT(45),
  'UserDetailInput.department': TEXT(45),
  'UserDetailInput.organisation': TEXT(100),
  'UserDetailInput.theme': TEXT(4_000),
  'UserDetailInput.bitbucketUser': TEXT(100),
  'UserDetailInput.requestTime': [['9999-12-31T23:59:59-23:00', 'TIME_INVALID']],
  'UserPasswordChangeInput.id': OF_USER,
  'UserPasswordChangeInput.password': [['', 'PASSWORD_INVALID'], ...PASSWORD],
  'UserPasswordChangeInput.expectedVersion': OLD_VERSION,
  'UserDetailChangeInput.id': OF_USER,
  'UserDetailChangeInput.expectedVersion': OLD_VERSION,
  'UserGroupChangeInput.id': OF_USER,
  'UserGroupChangeInput.groupId': OF_GROUP,
  'UserGroupChangeInput.expectedVersion': OLD_VERSION,
  'UserIdInput.id': OF_USER,
  'UserIdInput.expectedVersion': OLD_VERSION,
  'UserIdsInput.ids': OF_USER,
  'UserSessionsEndInput.id': OF_USER,
  'GroupCreateInput.name': GROUP_NAME,
  'GroupCreateInput.description': TEXT(255),
  'GroupUpdateInput.id': OF_GROUP,
  'GroupUpdateInput.name': GROUP_NAME,
  'GroupUpdateInput.description': TEXT(255),
  'GroupUpdateInput.expectedVersion': OLD_VERSION,
  'GroupComponentsSetInput.id': OF_GROUP,
  'GroupComponentsSetInput.expectedVersion': OLD_VERSION,
  'GroupIdInput.id': OF_GROUP,
  'GroupIdInput.expectedVersion': OLD_VERSION,
  'GroupIdsInput.ids': OF_GROUP,
  'ComponentGrantInput.componentId': ID('WRONG_COMPONENT', 'Component'),
  'ComponentGrantInput.permissions': [['FLY', 'PERMISSION_NOT_FOUND']],
  'PermissionCreateInput.name': PERMISSION_NAME,
  'PermissionCreateInput.description': TEXT(255),
  'PermissionUpdateInput.id': ID('PERMISSION_NOT_FOUND', 'Permission'),
  'PermissionUpdateInput.name': PERMISSION_NAME,
  'PermissionUpdateInput.description': TEXT(255),
  'PermissionDeleteInput.id': ID('PERMISSION_NOT_FOUND', 'Permission'),
  'LoginInput.email': [[HALF, 'TEXT_INVALID']],
  'LoginInput.password': [[HALF, 'TEXT_INVALID']],
  'LogoutInput.sessionId': [['garbage!', 'SESSION_NOT_EXIST']],
  'SessionEndInput.sessionId': [['garbage!', 'SESSION_NOT_EXIST']],
  'WorkflowUpdateInput.id': OF_WORKFLOW,
  'WorkflowUpdateInput.expectedVersion': OLD_VERSION,
  ...Object.fromEntries(
    ['WorkflowInput', 'WorkflowCreateInput', 'WorkflowUpdateInput'].flatMap((type) => [
      [`${type}.title`, WORKFLOW_TITLE],
      [`${type}.description`, TEXT(512)],
    ]),
  ),
  'ExampleWorkflowCreateInput.title': [[' ', 'TITLE_INVALID'], ...WORKFLOW_TITLE],
  'WorkflowCreateInput.comment': TEXT(500),
  'WorkflowUpdateInput.comment': TEXT(500),
  'MethodStepInput.response': [[5, 'WORKFLOW_INVALID']],
  'MethodDocumentInput.response': [[5, 'WORKFLOW_INVALID']],
  'StepRequestInput.header': [[{ Authorization: '***' }, 'SECRET_NOT_STORED', ['Authorization']]],
  'StepRequestInput.endpoint': [
    ['http://user:***@host.test/', 'SECRET_NOT_STORED'],
    ['http://host.test/?api_key=***', 'SECRET_NOT_STORED'],
  ],
  'OperatorStepInput.expression': [[' ', 'OPERATOR_EXPRESSION_IS_EMPTY']],
  'OperatorDocumentInput.expression': [[' ', 'OPERATOR_EXPRESSION_IS_EMPTY']],
  ...Object.fromEntries(
    [
      'WorkflowVersionSwitchInput',
      'WorkflowVersionUpdateInput',
      'WorkflowVersionDeleteInput',
    ].flatMap((name) => [
      [`${name}.workflowId`, OF_WORKFLOW],
      [`${name}.snapshotId`, [['garbage', 'VERSION_NOT_FOUND']]],
    ]),
  ),
  'MaskingRuleCreateInput.workflowId': OF_WORKFLOW,
  'MaskingRuleCreateInput.expression': RULE,
  'MaskingRuleUpdateInput.id': ID('RULE_NOT_FOUND', 'MaskingRule'),
  'MaskingRuleUpdateInput.expression': RULE,
  'MaskingRuleUpdateInput.expectedVersion': OLD_VERSION,
  'MaskingRuleDeleteInput.id': ID('RULE_NOT_FOUND', 'MaskingRule'),
  'MaskingRuleDeleteInput.expectedVersion': OLD_VERSION,
  'WorkflowVersionSwitchInput.expectedVersion': OLD_VERSION,
  'WorkflowVersionUpdateInput.comment': TEXT(500),
  'WorkflowDuplicateInput.workflowId': OF_WORKFLOW,
  'WorkflowDuplicateInput.title': [
    [' ', 'TITLE_INVALID'],
    [long(128), 'TITLE_INVALID'],
    [HALF, 'TITLE_INVALID'],
  ],
  ...Object.fromEntries(
    [
      'StepAdd',
      'StepUpdate',
      'StepMove',
      'StepPaste',
      'StepRemove',
      'FieldBindingSet',
      'FieldBindingRemove',
      'WorkflowRedo',
      'WorkflowUndo',
    ].flatMap((name) => [
      [`${name}Input.workflowId`, OF_WORKFLOW],
      [`${name}Input.expectedVersion`, OLD_VERSION],
    ]),
  ),
  ...Object.fromEntries(
    ['StepAdd', 'StepMove', 'StepPaste'].flatMap((name) => [
      [
        `${name}Input.parentStepId`,
        [
          ['none', 'STEP_NOT_FOUND'],
          ['m', 'STEP_PLACE_INVALID'],
        ],
      ],
      [
        `${name}Input.position`,
        [
          [-1, 'STEP_PLACE_INVALID'],
          [99, 'STEP_PLACE_INVALID'],
        ],
      ],
    ]),
  ),
  ...Object.fromEntries(
    ['StepUpdate', 'StepMove', 'StepRemove'].map((name) => [
      `${name}Input.stepId`,
      [['none', 'STEP_NOT_FOUND']],
    ]),
  ),
  'StepPasteInput.content': [[{}, 'STEPS_INVALID']],
  'MethodContentInput.color': [
    ['#ABCDEF', 'COLOR_TAKEN'],
    ['#abcdef', 'COLOR_TAKEN'],
  ],
  'MethodContentInput.response': [[5, 'WORKFLOW_INVALID']],
  'FieldBindingRemoveInput.bindingId': [['none', 'ENHANCEMENT_NOT_FOUND']],
  'WorkflowDeleteInput.id': OF_WORKFLOW,
  'WorkflowRunInput.workflowId': OF_WORKFLOW,
  'TestRunStartInput.workflowId': OF_WORKFLOW,
  'WorkflowExportInput.workflowId': OF_WORKFLOW,
  'TemplateCreateInput.workflowId': OF_WORKFLOW,
  'TemplateCreateInput.name': [
    [' ', 'NAME_INVALID'],
    [long(255), 'TEXT_TOO_LONG'],
    [HALF, 'TEXT_INVALID'],
  ],
  'TemplateCreateInput.description': TEXT(4_000),
  'TemplateCreateInput.license': TEXT(255),
  'TemplateInstantiateInput.templateId': ID('TEMPLATE_NOT_FOUND', 'Template'),
  'TemplateInstantiateInput.title': [
    [long(128), 'TITLE_INVALID'],
    [HALF, 'TITLE_INVALID'],
  ],
  'TemplateDeleteInput.id': ID('TEMPLATE_NOT_FOUND', 'Template'),
  'TemplateDeleteInput.expectedVersion': OLD_VERSION,
  'InvokerUpdateInput.id': OF_INVOKER,
  'InvokerUpdateInput.xml': [
    ['', 'INVOKER_INVALID'],
    ['<invoker/>', 'INVOKER_INVALID'],
    [invokerXml('Hypha'), 'INVOKER_ALREADY_EXISTS'],
  ],
  'InvokerUpdateInput.expectedVersion': OLD_VERSION,
  'InvokerDeleteInput.id': OF_INVOKER,
  'InvokerDeleteInput.expectedVersion': OLD_VERSION,
  'InvokersDeleteInput.ids': OF_INVOKER,
  'JobCancelInput.id': ID('JOB_NOT_FOUND', 'Job'),
  'ConnectorCreateInput.title': CONNECTOR_TITLE,
  'ConnectorCreateInput.description': TEXT(2_048),
  'ConnectorCreateInput.invokerName': INVOKER_NAME,
  'ConnectorCreateInput.timeout': TIMEOUT,
  'ConnectorUpdateInput.id': OF_CONNECTOR,
  'ConnectorUpdateInput.title': CONNECTOR_TITLE,
  'ConnectorUpdateInput.description': TEXT(2_048),
  'ConnectorUpdateInput.invokerName': INVOKER_NAME,
  'ConnectorUpdateInput.timeout': TIMEOUT,
  'ConnectorUpdateInput.expectedVersion': OLD_VERSION,
  'ConnectorFieldInput.name': [
    ['pin', 'REQUIRED_DATA_UNKNOWN'],
    ['__proto__', 'REQUIRED_DATA_UNKNOWN'],
  ],
  'ConnectorFieldInput.value': TEXT(65_536),
  'ConnectorCheckInput.id': OF_CONNECTOR,
  'ConnectorCheckInput.invokerName': INVOKER_NAME,
  'ConnectorCheckInput.timeout': TIMEOUT,
  'ConnectorDeleteInput.id': OF_CONNECTOR,
  'ConnectorDeleteInput.expectedVersion': OLD_VERSION,
  'ConnectorIdsInput.ids': OF_CONNECTOR,
  'ConnectorIdInput.id': OF_CONNECTOR,
  'ConnectorIdInput.expectedVersion': OLD_VERSION,
  'CategoryCreateInput.name': CATEGORY_NAME,
  'CategoryCreateInput.parentId': ID('PARENT_CATEGORY_NOT_FOUND', 'Category'),
  'CategoryUpdateInput.id': OF_CATEGORY,
  'CategoryUpdateInput.name': CATEGORY_NAME,
  'CategoryUpdateInput.parentId': ID('PARENT_CATEGORY_NOT_FOUND', 'Category'),
  'CategoryUpdateInput.expectedVersion': OLD_VERSION,
  'CategoryDeleteInput.id': OF_CATEGORY,
  'CategoryDeleteInput.expectedVersion': OLD_VERSION,
  'CategoryIdsInput.ids': OF_CATEGORY,
  'AggregatorCreateInput.name': AGGREGATOR_NAME,
  'AggregatorCreateInput.script': SCRIPT,
  'AggregatorUpdateInput.id': OF_AGGREGATOR,
  'AggregatorUpdateInput.name': AGGREGATOR_NAME,
  'AggregatorUpdateInput.script': SCRIPT,
  'AggregatorUpdateInput.expectedVersion': OLD_VERSION,
  'AggregatorDeleteInput.id': OF_AGGREGATOR,
  'AggregatorDeleteInput.expectedVersion': OLD_VERSION,
  'AggregatorIdsInput.ids': OF_AGGREGATOR,
  'AggregatorArgumentInput.name': [
    ['', 'ARGUMENT_NAME_INVALID'],
    ['a b', 'ARGUMENT_NAME_INVALID'],
    ['1a', 'ARGUMENT_NAME_INVALID'],
    ['class', 'ARGUMENT_NAME_INVALID'],
    ['Responses', 'ARGUMENT_NAME_INVALID'],
    [long(64), 'ARGUMENT_NAME_INVALID'],
  ],
  'AggregatorArgumentInput.description': TEXT(1_000),
  'AggregatorArgumentInput.argumentId': [[987_654, 'ARGUMENT_NOT_FOUND']],
  'MethodContentInput.dataAggregator': [[987_654, 'AGGREGATOR_NOT_FOUND']],
  ...Object.fromEntries(
    ['ScheduleCreateInput', 'ScheduleUpdateInput'].flatMap((name) => [
      [`${name}.title`, SCHEDULE_TITLE],
      [`${name}.workflowId`, OF_WORKFLOW],
      [`${name}.cron`, CRON],
      [`${name}.timeZone`, TIME_ZONE],
    ]),
  ),
  ...Object.fromEntries(
    ['ScheduleUpdateInput', 'ScheduleEnableInput', 'ScheduleDeleteInput'].flatMap((name) => [
      [`${name}.id`, OF_SCHEDULE],
      [`${name}.expectedVersion`, OLD_VERSION],
    ]),
  ),
  'WidgetCreateInput.key': [
    [' ', 'NAME_INVALID'],
    [long(64), 'NAME_INVALID'],
    ['\u200b', 'NAME_INVALID'],
    [HALF, 'NAME_INVALID'],
    ['Current_Scheduler', 'WIDGET_ALREADY_EXISTS'],
  ],
  'WidgetCreateInput.icon': TEXT(64),
  'WidgetCreateInput.tooltipTranslationKey': TEXT(255),
  'WidgetDeleteInput.id': ID('WIDGET_NOT_FOUND', 'Widget'),
  'WidgetSettingInput.widgetId': ID('WIDGET_NOT_FOUND', 'Widget'),
  ...Object.fromEntries(
    ['x', 'y', 'w', 'h', 'minW', 'minH'].map((place) => [
      `WidgetSettingInput.${place}`,
      [
        [-1, 'WIDGET_PLACE_INVALID'],
        [10_001, 'WIDGET_PLACE_INVALID'],
      ],
    ]),
  ),
  'WebhookCreateInput.scheduleId': OF_SCHEDULE,
  'ScheduleIdInput.id': OF_SCHEDULE,
  'ScheduleIdsInput.ids': OF_SCHEDULE,
  'SchedulesEnableInput.ids': OF_SCHEDULE,
  'SecretCreateInput.name': SECRET_NAME,
  'SecretCreateInput.note': TEXT(1_000),
  'SecretCreateInput.value': SECRET_VALUE,
  'SecretCreateInput.origins': SECRET_ORIGIN,
  'SecretUpdateInput.id': OF_SECRET,
  'SecretUpdateInput.name': SECRET_NAME,
  'SecretUpdateInput.note': TEXT(1_000),
  'SecretUpdateInput.value': SECRET_VALUE,
  'SecretUpdateInput.origins': SECRET_ORIGIN,
  'SecretUpdateInput.expectedVersion': OLD_VERSION,
  'SecretDeleteInput.id': OF_SECRET,
  'SecretDeleteInput.expectedVersion': OLD_VERSION,
  'SecretIdsInput.ids': OF_SECRET,
  'RunCancelInput.id': ID('EXECUTION_NOT_FOUND', 'Run'),
  'RunRetryInput.id': ID('EXECUTION_NOT_FOUND', 'Run'),
  'ErrorWorkflowSetInput.workflowId': OF_WORKFLOW,
  'ErrorWorkflowSetInput.errorWorkflowId': OF_WORKFLOW,
  'WorkflowResumeSetInput.workflowId': OF_WORKFLOW,
  'WorkflowPresenceSetInput.workflowId': OF_WORKFLOW,
  'WorkflowPresenceSetInput.stepId': [['x'.repeat(201), 'TEXT_TOO_LONG']],
  'WorkflowDraftSetInput.workflowId': OF_WORKFLOW,
  'WorkflowDraftSetInput.content': [['x'.repeat(300_000), 'TEXT_TOO_LONG']],
  'WorkflowDraftRemoveInput.workflowId': OF_WORKFLOW,
  'SampleSetInput.workflowId': OF_WORKFLOW,
  'SampleSetInput.stepId': [['none', 'STEP_NOT_FOUND']],
  'SampleSetInput.answer': [['x'.repeat(300_000), 'SAMPLE_TOO_LARGE']],
  'SampleSetInput.status': [[99, 'SAMPLE_STATUS_INVALID']],
  'SampleRemoveInput.workflowId': OF_WORKFLOW,
  'SampleRemoveInput.stepId': [['m', 'SAMPLE_MISSING']],
};

describe('userErrors', () => {
  const service = testService({
    env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER_PASSWORD, ...UNREACHABLE_MAIL },
  });
  let user: { id: number; token: string };
  let ids: {
    group: number;
    template: string;
    category: string;
    connector: string;
    permission: string;
    workflow: string;
    snapshot: string;
    rule: string;
    steps: string;
    secret: string;
    aggregator: string;
    schedule: string;
  };
  beforeAll(async () => {
    user = await service.userWith([]);
    const {
      groupCreate,
      categoryCreate,
      connectorCreate,
      permissionCreate,
      workflowCreate,
      secretCreate,
      aggregatorCreate,
    } = await service.data(
      `mutation ($name: String!) {
      groupCreate(input: { name: $name }) { group { databaseId } } categoryCreate(input: { name: $name }) { category { id } }
      connectorCreate(input: { title: $name, invokerName: "Echo", requestData: [{ name: "token", value: "any" }] }) { connector { id } } permissionCreate(input: { name: $name }) { permission { id } }
      workflowCreate(input: { title: $name }) { workflow { id versions { nodes { snapshotId } } } }
      taken: secretCreate(input: { name: "Taken-Secret", value: "x", origins: ["https://a"] }) { secret { id } }
      judged: aggregatorCreate(input: { name: "Judged aggregator", script: "" }) { aggregator { id } } aggregatorCreate(input: { name: $name, script: "" }) { aggregator { id } }
      secretCreate(input: { name: "judged", value: "x", origins: ["https://a"] }) { secret { id } } }`,
      { name: unique('Errors') },
    );
    const templateCreate = await service.mutate(
      'templateCreate',
      { workflowId: workflowCreate.workflow.id },
      'template { id }',
    );
    const { workflow: steps } = await service.mutate(
      'workflowCreate',
      {
        title: unique('Steps'),
        methods: [{ stepId: 'm' }, { stepId: 'taken', color: '#ABCDEF' }],
        fieldBindings: [{ bindingId: 'b' }],
      },
      'workflow { id }',
    );
    const { scheduleCreate } = await service.data(
      `mutation ($id: ID!, $title: String!) { judged: scheduleCreate(input: { title: "Judged schedule", workflowId: $id }) { schedule { id } }
      scheduleCreate(input: { title: $title, workflowId: $id }) { schedule { id } } }`,
      { id: workflowCreate.workflow.id, title: unique('S') },
    );
    ids = {
      schedule: scheduleCreate.schedule.id,
      aggregator: aggregatorCreate.aggregator.id,
      steps: steps.id,
      template: templateCreate.template.id,
      group: groupCreate.group.databaseId,
      category: categoryCreate.category.id,
      connector: connectorCreate.connector.id,
      permission: permissionCreate.permission.id,
      workflow: workflowCreate.workflow.id,
      snapshot: workflowCreate.workflow.versions.nodes[0].snapshotId,
      rule: '',
      secret: secretCreate.secret.id,
    };
    const maskingRuleCreate = await service.mutate(
      'maskingRuleCreate',
      { workflowId: ids.workflow, type: 'REGEX', expression: 'a' },
      'maskingRule { id }',
    );
    ids = { ...ids, rule: maskingRuleCreate.maskingRule.id };
  });

  /** A valid input of a mutation, `{}` for unlisted ones. */
  function right(mutation: string): Input {
    const [id, group, components] = [
      String(user.id),
      String(ids.group),
      [{ componentId: '1', permissions: ['READ'] }],
    ];
    const inputs: Readonly<Record<string, Input>> = {
      userCreate: {
        email: `${unique('new')}@hypha.test`,
        password: 'a good password',
        groupId: group,
      },
      userInvite: { email: `${unique('new')}@hypha.test`, groupId: group },
      userDisable: { id },
      userEnable: { id },
      userUpdate: { id },
      userPasswordChange: { id, password: 'a good password' },
      userDetailChange: { id, detail: {} },
      userGroupChange: { id, groupId: group },
      userDelete: { id },
      usersDelete: { ids: [id] },
      userPictureRemove: { id },
      userSessionsEnd: { id },
      groupCreate: { name: unique('G'), components },
      groupUpdate: { id: group },
      groupComponentsSet: { id: group, components },
      groupDelete: { id: group },
      groupsDelete: { ids: [group] },
      groupIconRemove: { id: group },
      permissionCreate: { name: unique('P') },
      permissionUpdate: { id: ids.permission, name: unique('P') },
      permissionDelete: { id: ids.permission },
      login: { email: 'unknown@hypha.test', password: 'a password' },
      workflowCreate: { title: unique('W') },
      workflowUpdate: { id: ids.workflow },
      workflowDelete: { id: ids.workflow },
      ...Object.fromEntries(
        ['workflowVersionSwitch', 'workflowVersionUpdate', 'workflowVersionDelete'].map((name) => [
          name,
          { workflowId: ids.workflow, snapshotId: ids.snapshot },
        ]),
      ),
      workflowDuplicate: { workflowId: ids.workflow },
      stepAdd: { workflowId: ids.steps, method: {} },
      stepUpdate: { workflowId: ids.steps, stepId: 'm', method: {} },
      stepPaste: { workflowId: ids.steps, content: { methods: [{}] } },
      stepMove: { workflowId: ids.steps, stepId: 'm' },
      stepRemove: { workflowId: ids.steps, stepId: 'm' },
      fieldBindingSet: { workflowId: ids.steps, binding: {} },
      fieldBindingRemove: { workflowId: ids.steps, bindingId: 'b' },
      workflowRedo: { workflowId: ids.steps },
      workflowUndo: { workflowId: ids.steps },
      maskingRuleCreate: { workflowId: ids.workflow, type: 'REGEX', expression: 'a' },
      maskingRuleUpdate: { id: ids.rule },
      maskingRuleDelete: { id: ids.rule },
      categoryCreate: { name: unique('C') },
      categoryUpdate: { id: ids.category },
      categoryDelete: { id: ids.category },
      categoriesDelete: { ids: [ids.category] },
      workflowExport: { workflowId: ids.workflow },
      templateCreate: { workflowId: ids.workflow },
      templateInstantiate: { templateId: ids.template },
      templateDelete: { id: ids.template },
      invokerUpdate: { id: '2', xml: invokerXml() },
      invokerDelete: { id: '2' },
      invokersDelete: { ids: ['2'] },
      ...Object.fromEntries(
        ['connectorDelete', 'connectorIconRemove', 'connectorConfirm'].map((name) => [
          name,
          { id: ids.connector },
        ]),
      ),
      connectorsDelete: { ids: [ids.connector] },
      connectorUpdate: {
        id: ids.connector,
        requestData: [{ name: 'url', value: 'http://127.0.0.1:9' }],
      },
      connectorCreate: {
        title: unique('C'),
        invokerName: 'Echo',
        requestData: [
          { name: 'url', value: 'http://127.0.0.1:9' },
          { name: 'token', value: 'any' },
        ],
      },
      connectorCheck: {
        invokerName: 'Echo',
        requestData: [{ name: 'url', value: 'http://127.0.0.1:9' }],
      },
      aggregatorCreate: { name: unique('A'), script: '', arguments: [{ name: 'tickets' }] },
      aggregatorUpdate: { id: ids.aggregator, arguments: [{ name: 'tickets' }] },
      aggregatorDelete: { id: ids.aggregator },
      aggregatorsDelete: { ids: [ids.aggregator] },
      workflowRun: { workflowId: ids.workflow },
      errorWorkflowSet: { workflowId: ids.workflow },
      workflowResumeSet: { workflowId: ids.workflow, resume: true },
      workflowPresenceSet: { workflowId: ids.workflow },
      workflowDraftSet: { workflowId: ids.workflow, content: {} },
      workflowDraftRemove: { workflowId: ids.workflow },
      sampleSet: { workflowId: ids.steps, stepId: 'm', answer: 1 },
      sampleRemove: { workflowId: ids.steps, stepId: 'm' },
      testRunStart: {},
      scheduleCreate: { title: unique('S'), workflowId: ids.workflow },
      ...Object.fromEntries(
        [
          'scheduleUpdate',
          'scheduleEnable',
          'scheduleDelete',
          'scheduleStart',
          'scheduleTerminate',
        ].map((name) => [name, { id: ids.schedule }]),
      ),
      ...Object.fromEntries(
        ['schedulesEnable', 'schedulesDelete', 'schedulesStart'].map((name) => [
          name,
          { ids: [ids.schedule] },
        ]),
      ),
      widgetCreate: { key: unique('W') },
      widgetSettingsReplace: { settings: [{ widgetId: '1' }] },
      webhookCreate: { scheduleId: ids.schedule },
      secretCreate: { name: unique('s'), value: 'x', origins: ['https://a'] },
      secretUpdate: { id: ids.secret },
      secretDelete: { id: ids.secret },
      secretsDelete: { ids: [ids.secret] },
    };
    return inputs[mutation] ?? {};
  }

  const errorsOf = async (
    mutation: string,
    type: string,
    input: unknown,
  ): Promise<{ code: string; path: string[]; message: string }[]> => {
    const query = `mutation ($input: ${type}) { ${mutation}(input: $input) { userErrors { code path message } } }`;
    const { body } = await service.api('POST', '/graphql', {
      body: { query, variables: { input } },
      headers: { 'X-Master-Password': MASTER_PASSWORD },
    });
    if (body.errors) throw new Error(`${mutation} failed: ${JSON.stringify(body.errors)}`);
    return body.data[mutation].userErrors;
  };

  // Removing a password fails without a directory, whatever the input.
  const cases = MUTATIONS.flatMap(({ name: mutation, args: [input] }) =>
    (input && mutation !== 'userPasswordRemove' ? members(input.type, [], '') : []).flatMap(
      (member) => (RULES[member.name] ?? []).map((bad) => ({ mutation, input, member, bad })),
    ),
  );

  /** Values of required fields whose errors concern the caller or the configuration. */
  const REQUIRED: Readonly<Record<string, object>> = {
    apiTokenCreate: { name: 'x', scopes: ['USER:READ'] },
    applicationConfigRestore: { name: 'application.yml.bak.1' },
    applicationConfigUpdate: { fields: [] },
    loginConfirm: { challengeId: 'x', code: '000000' },
    userPasswordRemove: { id: '1' },
    messageTemplateCreate: {
      name: 'x',
      channel: 'EMAIL',
      contents: [{ language: 'EN', subject: 'x', body: 'x' }],
    },
    notificationCreate: { name: 'x', eventType: 'ALERT', scheduleId: '1', templateId: '1' },
    onlineItemKeep: { itemId: 'x' },
    onlineItemTake: { itemId: 'x' },
    synchronisationStart: { kind: 'INVOKER' },
    ownPasswordChange: { currentPassword: 'x', newPassword: 'x', confirmPassword: 'x' },
    passwordForgotten: { email: 'x' },
    passwordReset: { token: 'x', newPassword: 'x', confirmPassword: 'x' },
    recoveryCodesRenew: { code: '000000' },
    secondFactorBegin: { password: 'x' },
    secondFactorConfirm: { code: '000000' },
    secondFactorDisable: { code: '000000' },
  };

  it('are tested for every mutation', () => {
    expect(MUTATIONS.filter(({ args }) => args.length !== 1).map(({ name }) => name)).toEqual([]);
    const judged = new Set(cases.map(({ mutation }) => mutation));
    const files = ['userPictureUpload', 'groupIconUpload'];
    expect(
      MUTATIONS.map(({ name }) => name).filter(
        (name) => !judged.has(name) && !files.includes(name) && Object.keys(right(name)).length > 0,
      ),
    ).toEqual([]);
    expect(cases.length).toBeGreaterThan(200);
  });

  longIt('contain the exact code and path for every rejected value', async () => {
    const wrong: unknown[] = [];
    for (const {
      mutation,
      input,
      member,
      bad: [value, code, below = []],
    } of shareOf(cases, 0, 3)) {
      const errors = await errorsOf(
        mutation,
        String(input.type),
        withValue(right(mutation), member.path, value),
      );
      const expected = [{ code, path: [...member.path, ...below].map(String) }];
      const actual = errors.map(({ code: reason, path }) => ({ code: reason, path }));
      if (JSON.stringify(actual) !== JSON.stringify(expected))
        wrong.push({ mutation, value: JSON.stringify(value).slice(0, 40), actual, expected });
    }
    expect(wrong).toEqual([]);
  });

  longIt('contain a specific code of the enum and an existing path for any input', async () => {
    const wrong: unknown[] = [];
    for (const {
      name: mutation,
      args: [input],
    } of MUTATIONS) {
      if (!input) continue;
      const all = members(input.type, [], '');
      if (all.some(({ type }) => type === 'Upload')) continue;
      for (let round = 0; round < rounds(5); round += 1) {
        let everything: unknown = { ...REQUIRED[mutation], ...right(mutation) };
        for (const { path, name, type } of all) {
          const rules = RULES[name] ?? (type === 'ID' ? [['garbage!']] : []);
          if (rules.length > 0)
            everything = withValue(everything, path, rules[round % rules.length]?.[0]);
        }
        for (const { code, path, message } of await errorsOf(
          mutation,
          String(input.type),
          everything,
        )) {
          if (
            !(ERROR_CODES as readonly string[]).includes(code) ||
            WIDE.includes(code) ||
            !exists(input.type, path) ||
            message === ''
          )
            wrong.push({ mutation, code, path });
        }
      }
    }
    expect(wrong).toEqual([]);
  });

  it('are returned all at once, in one order', async () => {
    const detail = { name: long(45), phoneNumber: HALF, requestTime: '9999-12-31T23:59:59-23:00' };
    const of = async (mutation: string, type: string, input: unknown): Promise<string[]> =>
      (await errorsOf(mutation, type, input)).map(({ code, path }) => `${path.join('.')} ${code}`);
    const OF_DETAIL = [
      'detail.name TEXT_TOO_LONG',
      'detail.phoneNumber TEXT_INVALID',
      'detail.requestTime TIME_INVALID',
    ];
    expect(
      await of('userCreate', 'UserCreateInput!', {
        email: ADMIN_EMAIL,
        password: 'x',
        groupId: UNKNOWN,
        detail,
      }),
    ).toEqual([
      'email EMAIL_ALREADY_EXIST',
      'password PASSWORD_INVALID',
      ...OF_DETAIL,
      'groupId GROUP_NOT_FOUND',
    ]);
    expect(
      await of('userUpdate', 'UserUpdateInput!', {
        id: String(user.id),
        email: ADMIN_EMAIL,
        password: 'x',
        groupId: 'none',
        expectedVersion: 99,
        detail,
      }),
    ).toEqual([
      'groupId ID_INVALID',
      'password PASSWORD_INVALID',
      ...OF_DETAIL,
      'expectedVersion CONFLICT',
      'email EMAIL_ALREADY_EXIST',
    ]);
    expect(
      await of('userUpdate', 'UserUpdateInput!', { id: UNKNOWN, password: 'x', detail }),
    ).toEqual(['id USER_NOT_EXIST', 'password PASSWORD_INVALID', ...OF_DETAIL]);
    expect(
      await of('usersDelete', 'UserIdsInput!', {
        ids: [String(user.id), UNKNOWN, '1', 'none', '987655'],
      }),
    ).toEqual([
      'ids.3 ID_INVALID',
      'ids.1 USER_NOT_EXIST',
      'ids.4 USER_NOT_EXIST',
      'ids.2 SELF_DELETION',
    ]);
    expect(
      await of('groupCreate', 'GroupCreateInput!', {
        name: 'admin',
        description: 'x',
        components: [
          { componentId: UNKNOWN, permissions: ['FLY'] },
          { componentId: '1', permissions: ['READ', 'SWIM'] },
        ],
      }),
    ).toEqual([
      'components.0.componentId WRONG_COMPONENT',
      'components.0.permissions.0 PERMISSION_NOT_FOUND',
      'components.1.permissions.1 PERMISSION_NOT_FOUND',
      'name ROLE_ALREADY_EXIST',
    ]);
    expect(await of('groupsDelete', 'GroupIdsInput!', { ids: ['1', UNKNOWN, '2'] })).toEqual([
      'ids.0 ROLE_PROTECTED',
      'ids.1 GROUP_NOT_FOUND',
      'ids.2 ROLE_PROTECTED',
    ]);
    expect(
      await of('permissionUpdate', 'PermissionUpdateInput!', {
        id: '1',
        name: 'UPDATE',
        description: long(255),
      }),
    ).toEqual([
      'description TEXT_TOO_LONG',
      'name PERMISSION_PROTECTED',
      'name PERMISSION_ALREADY_EXIST',
    ]);
    expect(
      await of('workflowUpdate', 'WorkflowUpdateInput!', {
        comment: long(500),
        expectedVersion: 99,
        id: ids.workflow,
        title: ' ',
        description: long(512),
        methods: [{}, {}, {}, { request: { endpoint: 'http://user:***@host.test/' } }],
        operators: [{}, { expression: 'x' }, {}],
      }),
    ).toEqual([
      'comment TEXT_TOO_LONG',
      'expectedVersion CONFLICT',
      'title TITLE_INVALID',
      'description TEXT_TOO_LONG',
      'operators.0.expression OPERATOR_EXPRESSION_IS_EMPTY',
      'operators.2.expression OPERATOR_EXPRESSION_IS_EMPTY',
      'methods.3.request.endpoint SECRET_NOT_STORED',
    ]);
    expect(await of('login', 'LoginInput!', { email: HALF, password: HALF })).toEqual([
      'email TEXT_INVALID',
      'password TEXT_INVALID',
    ]);
  });

  it('do not change the responses of REST', async () => {
    const refused = async (method: string, path: string, body: unknown) => {
      const answer = await service.api(method, path, { body });
      return [answer.status, answer.body.message, answer.body.error];
    };
    expect(
      await refused('POST', '/api/user', {
        email: 'nobody',
        password: 'short',
        userGroup: 2,
        userDetail: { phoneNumber: long(45) },
      }),
    ).toEqual([
      500,
      'CREATION_ERROR',
      'The user was not created. email: This is not an e-mail address; password: The password must have 8 to 128 characters; this one has 5; userDetail.phoneNumber: At most 45 characters.',
    ]);
    expect(
      await refused('POST', '/api/user', {
        email: `${unique('rest')}@hypha.test`,
        password: 'a good password',
        userGroup: 987,
      }),
    ).toEqual([
      500,
      'CREATION_ERROR',
      'The user was not created. userGroup: There is no group 987.',
    ]);
    expect(
      await refused('PUT', `/api/user/${user.id}/userDetail`, { phoneNumber: long(45) }),
    ).toEqual([
      400,
      'BAD_REQUEST',
      'The details were not changed. phoneNumber: At most 45 characters.',
    ]);
    expect(
      await refused('PUT', `/api/user/${user.id}`, { email: ADMIN_EMAIL, userGroup: 987 }),
    ).toEqual([404, 'GROUP_NOT_FOUND', 'There is no group 987.']);
    expect(await refused('POST', '/api/permission', { name: ' ', description: long(255) })).toEqual(
      [500, 'WRONG_PERMISSION', 'The name is blank.'],
    );
    expect(await refused('PUT', '/api/permission/987', { name: 'LOOK' })).toEqual([
      500,
      'CHANGE_DENIED',
      'There is no permission 987.',
    ]);
    expect(
      await refused('POST', '/api/connection', {
        title: 'x',
        description: long(512),
        fromConnector: { operators: [{ index: '0', type: 'if' }] },
      }),
    ).toEqual([
      400,
      'WORKFLOW_INVALID',
      'This workflow cannot be saved. description: A description has at most 512 characters.',
    ]);
    expect(
      await refused('POST', '/api/connection', { title: ' ', description: long(512) }),
    ).toEqual([400, 'TITLE_INVALID', 'A workflow needs a title.']);
  });
});
