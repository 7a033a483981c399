/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { DocumentTypeDecoration } from '@graphql-typed-document-node/core';
/** A variable of an aggregator. */
export type AggregatorArgumentInput = {
  /** Integer id of an existing argument. Omitted: creates one. */
  argumentId?: number | null | undefined;
  /** Description for users; at most 1,000 characters. */
  description?: string | null | undefined;
  /** A JavaScript variable name: letters, digits, `_` and `$`, at most 64 characters, and no reserved word. */
  name: string;
};

/** A new aggregator. */
export type AggregatorCreateInput = {
  /** False: archived. Methods may still refer to it, but it is not evaluated. */
  active?: boolean;
  /** The variables whose values are stored with runs; at most 50. */
  arguments?: Array<AggregatorArgumentInput> | null | undefined;
  /** Unique without regard to case; at most 255 characters. */
  name: string;
  /** JavaScript, at most 65,536 characters. `Requests` and `Responses` are lists of `{status, header, body}` in the order of the calls. */
  script: string;
};

/** Conditions for aggregators. All given conditions must match. */
export type AggregatorFilter = {
  /** True: aggregators that are evaluated; false: archived ones. */
  active?: BooleanFilter | null | undefined;
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<AggregatorFilter> | null | undefined;
  /** Ids of aggregators. */
  id?: IdFilter | null | undefined;
  /** The name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: AggregatorFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<AggregatorFilter> | null | undefined;
};

/** A change of an aggregator. Omitted fields keep their value. Runs that have started are not affected. */
export type AggregatorUpdateInput = {
  /** False: archived. Methods may still refer to it, but it is not evaluated. */
  active?: boolean | null | undefined;
  /** Replaces all arguments; at most 50. */
  arguments?: Array<AggregatorArgumentInput> | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** Unique without regard to case; at most 255 characters. */
  name?: string | null | undefined;
  /** JavaScript, at most 65,536 characters. `Requests` and `Responses` are lists of `{status, header, body}` in the order of the calls. */
  script?: string | null | undefined;
};

/** A new API token of the signed-in user. */
export type ApiTokenCreateInput = {
  /** Days until it expires, 1 to 365. Default: 90. */
  expiresInDays?: number | null | undefined;
  /** What it is for; 1 to 100 characters. */
  name: string;
  /** `component:action` such as `CONNECTION:READ`, and `admin` for operations that only administrators may use. Only what the user may do too. */
  scopes: Array<string>;
};

/** Where a comment stands. */
export const ApplicationConfigCommentPosition = {
  /** Below the key. */
  After: 'AFTER',
  /** Above the key. */
  Before: 'BEFORE',
  /** At the end of the file. */
  Footer: 'FOOTER',
  /** At the beginning of the file. */
  Header: 'HEADER',
  /** On the line of the key. */
  Inline: 'INLINE'
} as const;

export type ApplicationConfigCommentPosition = typeof ApplicationConfigCommentPosition[keyof typeof ApplicationConfigCommentPosition];
/** How a key differs. */
export const ApplicationConfigDifferenceKind = {
  /** The key is new. */
  Added: 'ADDED',
  /** The value differs. */
  Changed: 'CHANGED',
  /** The key is not in use any more. */
  Removed: 'REMOVED'
} as const;

export type ApplicationConfigDifferenceKind = typeof ApplicationConfigDifferenceKind[keyof typeof ApplicationConfigDifferenceKind];
/** A key that changes. */
export type ApplicationConfigFieldInput = {
  /** The last key of a new path, if it contains dots. */
  key?: string | null | undefined;
  /** Keys from the root, joined with dots. */
  path: string;
  /** Default: as it is; `ACTIVE` for a new key. */
  status?: ApplicationConfigKeyStatus | null | undefined;
  /** A text, number, boolean, null, or a list of these. Omitted: the value stays. */
  value?: unknown;
};

/** Whether a key of the configuration file is in use. */
export const ApplicationConfigKeyStatus = {
  /** In use. */
  Active: 'ACTIVE',
  /** Commented out. */
  Inactive: 'INACTIVE'
} as const;

export type ApplicationConfigKeyStatus = typeof ApplicationConfigKeyStatus[keyof typeof ApplicationConfigKeyStatus];
/** A backup to restore. */
export type ApplicationConfigRestoreInput = {
  /** Name of the backup. */
  name: string;
  /** The revision that was read. If the file has another one, nothing is changed. */
  revision?: string | null | undefined;
};

/** Changes of the configuration file. */
export type ApplicationConfigUpdateInput = {
  /** The keys that change. Others stay. */
  fields: Array<ApplicationConfigFieldInput>;
  /** The revision that was read. If the file has another one, nothing is changed. */
  revision?: string | null | undefined;
};

/** Recorded actions. */
export const AuditAction = {
  /** An aggregator was created. */
  AggregatorCreate: 'AGGREGATOR_CREATE',
  /** An aggregator was deleted. */
  AggregatorDelete: 'AGGREGATOR_DELETE',
  /** Name, arguments, script or state of an aggregator were changed. */
  AggregatorUpdate: 'AGGREGATOR_UPDATE',
  /** An API token was created. */
  ApiTokenCreate: 'API_TOKEN_CREATE',
  /** An API token was revoked. */
  ApiTokenRevoke: 'API_TOKEN_REVOKE',
  /** A restart of the service was requested. */
  ApplicationConfigRestart: 'APPLICATION_CONFIG_RESTART',
  /** A backup of the configuration file was restored. */
  ApplicationConfigRestore: 'APPLICATION_CONFIG_RESTORE',
  /** The configuration file was changed. */
  ApplicationConfigUpdate: 'APPLICATION_CONFIG_UPDATE',
  /** A category was created. */
  CategoryCreate: 'CATEGORY_CREATE',
  /** A category was deleted. */
  CategoryDelete: 'CATEGORY_DELETE',
  /** A category was renamed or moved. */
  CategoryUpdate: 'CATEGORY_UPDATE',
  /** The GraphQL schema of a remote system was read with the credentials of a connector. */
  ConnectorBrowse: 'CONNECTOR_BROWSE',
  /** Credentials, of a connector or unsaved, were checked with a remote system. */
  ConnectorCheck: 'CONNECTOR_CHECK',
  /** Stored credentials of a connector were confirmed for the origins that they are now sent to. */
  ConnectorConfirm: 'CONNECTOR_CONFIRM',
  /** A connector was created. */
  ConnectorCreate: 'CONNECTOR_CREATE',
  /** A connector was deleted. */
  ConnectorDelete: 'CONNECTOR_DELETE',
  /** The icon of a connector was set or removed. */
  ConnectorIcon: 'CONNECTOR_ICON',
  /** Hidden credentials were shown after the master password was entered. */
  ConnectorReveal: 'CONNECTOR_REVEAL',
  /** After a change of its invoker, credentials of a connector were suspended, hidden or released. */
  ConnectorSuspend: 'CONNECTOR_SUSPEND',
  /** A connector was changed. */
  ConnectorUpdate: 'CONNECTOR_UPDATE',
  /** A message that was given up is sent again. */
  DeliveryRetry: 'DELIVERY_RETRY',
  /** A mail was sent to test the mail server. */
  DeliveryTest: 'DELIVERY_TEST',
  /** The permissions of a group were changed. */
  GroupComponents: 'GROUP_COMPONENTS',
  /** A group was created. */
  GroupCreate: 'GROUP_CREATE',
  /** A group was deleted. */
  GroupDelete: 'GROUP_DELETE',
  /** The icon of a group was set or removed. */
  GroupIcon: 'GROUP_ICON',
  /** Name or description of a group were changed. */
  GroupUpdate: 'GROUP_UPDATE',
  /** The whole instance was exported to a file. */
  InstanceExport: 'INSTANCE_EXPORT',
  /** Pictures and icons were moved between folders and the database. */
  InstanceFilesMove: 'INSTANCE_FILES_MOVE',
  /** The whole instance was replaced by an exported one. */
  InstanceImport: 'INSTANCE_IMPORT',
  /** The data of a released installation was imported. */
  InstanceImportReleased: 'INSTANCE_IMPORT_RELEASED',
  /** An invoker was created. */
  InvokerCreate: 'INVOKER_CREATE',
  /** An invoker was deleted. */
  InvokerDelete: 'INVOKER_DELETE',
  /** An invoker was replaced or changed. */
  InvokerUpdate: 'INVOKER_UPDATE',
  /** A user cancelled a job. */
  JobCancel: 'JOB_CANCEL',
  /** The connection to the LDAP directory was tested. */
  LdapTest: 'LDAP_TEST',
  /** Credentials and named secrets were encrypted with another key. */
  MasterPasswordChange: 'MASTER_PASSWORD_CHANGE',
  /** A wrong master password was entered. */
  MasterPasswordRefuse: 'MASTER_PASSWORD_REFUSE',
  /** A template of messages was created. */
  MessageTemplateCreate: 'MESSAGE_TEMPLATE_CREATE',
  /** A template of messages was deleted, with its notifications. */
  MessageTemplateDelete: 'MESSAGE_TEMPLATE_DELETE',
  /** A template of messages was changed. */
  MessageTemplateUpdate: 'MESSAGE_TEMPLATE_UPDATE',
  /** A notification was added to a schedule. */
  NotificationCreate: 'NOTIFICATION_CREATE',
  /** A notification of a schedule was deleted. */
  NotificationDelete: 'NOTIFICATION_DELETE',
  /** A notification of a schedule was changed. */
  NotificationUpdate: 'NOTIFICATION_UPDATE',
  /** A version of the portal was refused, and the local record was kept. */
  OnlineItemKeep: 'ONLINE_ITEM_KEEP',
  /** A permission was created. */
  PermissionCreate: 'PERMISSION_CREATE',
  /** A permission was deleted. */
  PermissionDelete: 'PERMISSION_DELETE',
  /** Name or description of a permission were changed. */
  PermissionUpdate: 'PERMISSION_UPDATE',
  /** A run was cancelled. */
  RunCancel: 'RUN_CANCEL',
  /** A run was queued. */
  RunStart: 'RUN_START',
  /** A schedule was created. */
  ScheduleCreate: 'SCHEDULE_CREATE',
  /** A schedule was deleted, alone or with its workflow. */
  ScheduleDelete: 'SCHEDULE_DELETE',
  /** A schedule was changed, enabled or disabled. */
  ScheduleUpdate: 'SCHEDULE_UPDATE',
  /** A named secret was created. */
  SecretCreate: 'SECRET_CREATE',
  /** A named secret was deleted. */
  SecretDelete: 'SECRET_DELETE',
  /** Name, note, value or origins of a named secret were changed. */
  SecretUpdate: 'SECRET_UPDATE',
  /** A session was ended. */
  SessionEnd: 'SESSION_END',
  /** All sessions of a user were ended. */
  SessionEndAll: 'SESSION_END_ALL',
  /** A user signed in. */
  SessionOpen: 'SESSION_OPEN',
  /** Logins failed; counted for each account, address and minute. */
  SessionRefuse: 'SESSION_REFUSE',
  /** A support file with the logs of a workflow was created. */
  SupportLogCreate: 'SUPPORT_LOG_CREATE',
  /** A support file was deleted. */
  SupportLogDelete: 'SUPPORT_LOG_DELETE',
  /** A system setting was reset to its default. */
  SystemSettingDelete: 'SYSTEM_SETTING_DELETE',
  /** A system setting was changed. */
  SystemSettingUpdate: 'SYSTEM_SETTING_UPDATE',
  /** A template was created. */
  TemplateCreate: 'TEMPLATE_CREATE',
  /** A template was deleted. */
  TemplateDelete: 'TEMPLATE_DELETE',
  /** A template was replaced. */
  TemplateUpdate: 'TEMPLATE_UPDATE',
  /** A user was created. */
  UserCreate: 'USER_CREATE',
  /** A user was deleted. */
  UserDelete: 'USER_DELETE',
  /** The details of a user were changed. */
  UserDetail: 'USER_DETAIL',
  /** The account of a user was assigned to their entry in the directory. */
  UserDirectoryEntry: 'USER_DIRECTORY_ENTRY',
  /** A user was disabled: they cannot sign in, and their sessions, API tokens and webhooks ended. */
  UserDisable: 'USER_DISABLE',
  /** A disabled user may sign in again. */
  UserEnable: 'USER_ENABLE',
  /** Logins of a directory user were refused, since their e-mail belongs to the account of another entry; counted for each user and minute. */
  UserEntryRefused: 'USER_ENTRY_REFUSED',
  /** A user was moved to another group. */
  UserGroup: 'USER_GROUP',
  /** Logins of a directory user were refused, since their mapped group does not exist; counted for each user and minute. */
  UserGroupMissing: 'USER_GROUP_MISSING',
  /** A link to set the first password was mailed to a user. */
  UserInvite: 'USER_INVITE',
  /** A second account of a directory user was removed, and what belonged to it was given to their older account. */
  UserJoin: 'USER_JOIN',
  /** The password of a user was set. */
  UserPassword: 'USER_PASSWORD',
  /** A link to set a new password was mailed to a user. */
  UserPasswordLink: 'USER_PASSWORD_LINK',
  /** The local password of a user was removed; the LDAP directory checks their password. */
  UserPasswordRemove: 'USER_PASSWORD_REMOVE',
  /** The profile picture of a user was set or removed. */
  UserPicture: 'USER_PICTURE',
  /** A user replaced the recovery codes of the second factor. */
  UserRecoveryCodes: 'USER_RECOVERY_CODES',
  /** The second factor of a user was set up, required or removed. */
  UserSecondFactor: 'USER_SECOND_FACTOR',
  /** E-mail, password, group or details of a user were changed at once. */
  UserUpdate: 'USER_UPDATE',
  /** A webhook of a schedule was created. */
  WebhookCreate: 'WEBHOOK_CREATE',
  /** The webhook of a schedule was revoked. */
  WebhookDelete: 'WEBHOOK_DELETE',
  /** A widget was created. */
  WidgetCreate: 'WIDGET_CREATE',
  /** A widget was deleted. */
  WidgetDelete: 'WIDGET_DELETE',
  /** A workflow was saved for the first time. */
  WorkflowCreate: 'WORKFLOW_CREATE',
  /** A workflow was deleted. */
  WorkflowDelete: 'WORKFLOW_DELETE',
  /** A workflow was copied. */
  WorkflowDuplicate: 'WORKFLOW_DUPLICATE',
  /** The error workflow of a workflow was set or removed. */
  WorkflowErrorWorkflow: 'WORKFLOW_ERROR_WORKFLOW',
  /** A part of a workflow was changed. */
  WorkflowPatch: 'WORKFLOW_PATCH',
  /** The last undone save of a workflow was redone. */
  WorkflowRedo: 'WORKFLOW_REDO',
  /** Whether runs of a workflow go on after a crash was set. */
  WorkflowResume: 'WORKFLOW_RESUME',
  /** Masking rules were added to a workflow. */
  WorkflowRulesAdd: 'WORKFLOW_RULES_ADD',
  /** A masking rule of a workflow was changed. */
  WorkflowRulesChange: 'WORKFLOW_RULES_CHANGE',
  /** Masking rules of a workflow were deleted. */
  WorkflowRulesRemove: 'WORKFLOW_RULES_REMOVE',
  /** The sample of a step of a workflow was removed. */
  WorkflowSampleRemove: 'WORKFLOW_SAMPLE_REMOVE',
  /** An answer was stored as the sample of a step of a workflow. */
  WorkflowSampleSet: 'WORKFLOW_SAMPLE_SET',
  /** An earlier version of a workflow was made the current one. */
  WorkflowSwitch: 'WORKFLOW_SWITCH',
  /** The last save of a workflow was undone. */
  WorkflowUndo: 'WORKFLOW_UNDO',
  /** A workflow was saved again. */
  WorkflowUpdate: 'WORKFLOW_UPDATE',
  /** The comment of a version of a workflow was changed. */
  WorkflowVersionComment: 'WORKFLOW_VERSION_COMMENT',
  /** A version of a workflow was deleted. */
  WorkflowVersionDelete: 'WORKFLOW_VERSION_DELETE'
} as const;

export type AuditAction = typeof AuditAction[keyof typeof AuditAction];
/** Filters changes; all given conditions must hold. Allowed: a time, and in addition one other field, or the target's type and id, or the actor and the action. */
export type AuditEventFilter = {
  /** The action. */
  action?: ExactAuditActionFilter | null | undefined;
  /** E-mail of the user at the time of the change. */
  actorEmail?: ExactStringFilter | null | undefined;
  /** User who made the change. */
  actorId?: ExactIdFilter | null | undefined;
  /** Period. */
  at?: PeriodFilter | null | undefined;
  /** Id of the request that made the change. */
  requestId?: ExactStringFilter | null | undefined;
  /** Id of the changed record, as in `target.targetId`; requires `targetType`. */
  targetId?: ExactStringFilter | null | undefined;
  /** Type of the changed record. */
  targetType?: ExactAuditTargetTypeFilter | null | undefined;
};

/** Types of records whose changes are recorded. */
export const AuditTargetType = {
  /** A data aggregator. */
  Aggregator: 'AGGREGATOR',
  /** An API token of a user. */
  ApiToken: 'API_TOKEN',
  /** A folder of workflows. */
  Category: 'CATEGORY',
  /** The configuration file of the service. */
  Configuration: 'CONFIGURATION',
  /** A connector. The id is `several` if credentials of several connectors were shown at once, and `unsaved` for a check of unsaved credentials. */
  Connector: 'CONNECTOR',
  /** A mail or a call of a webhook. */
  Delivery: 'DELIVERY',
  /** The LDAP directory. */
  Directory: 'DIRECTORY',
  /** All data of the service. The id is `all`. */
  Instance: 'INSTANCE',
  /** A description of the API of a remote system. */
  Invoker: 'INVOKER',
  /** A background job. */
  Job: 'JOB',
  /** A template of messages. */
  MessageTemplate: 'MESSAGE_TEMPLATE',
  /** A notification of a schedule. */
  Notification: 'NOTIFICATION',
  /** An invoker or a template of the portal. */
  OnlineItem: 'ONLINE_ITEM',
  /** A permission that groups grant. */
  Permission: 'PERMISSION',
  /** An execution of a workflow. */
  Run: 'RUN',
  /** A schedule. */
  Schedule: 'SCHEDULE',
  /** A named secret. */
  Secret: 'SECRET',
  /** A login; its id is the `jti` of the token. */
  Session: 'SESSION',
  /** A support file with the logs of a workflow. */
  SupportLog: 'SUPPORT_LOG',
  /** A setting for all users of the released clients; its id is its name. */
  SystemSetting: 'SYSTEM_SETTING',
  /** A template of workflows. */
  Template: 'TEMPLATE',
  /** A user. The id is `unknown` for failed logins of unknown users. */
  User: 'USER',
  /** A group of users. */
  UserGroup: 'USER_GROUP',
  /** A webhook of a schedule. */
  Webhook: 'WEBHOOK',
  /** A widget of dashboards. */
  Widget: 'WIDGET',
  /** A workflow. */
  Workflow: 'WORKFLOW'
} as const;

export type AuditTargetType = typeof AuditTargetType[keyof typeof AuditTargetType];
/** What checks the password of a user. */
export const AuthSource = {
  /** An LDAP directory. */
  Ldap: 'LDAP',
  /** This service. */
  Local: 'LOCAL'
} as const;

export type AuthSource = typeof AuthSource[keyof typeof AuthSource];
/** One end of a field binding. */
export type BindingEndInput = {
  /** The colour of the method that the field belongs to. */
  color?: string | null | undefined;
  /** Path of the field in the request or response of the method: `id`, `items[*].name`. */
  field?: string | null | undefined;
  /** `response`, `request`, `path` or `header`. */
  type?: string | null | undefined;
};

/** Conditions on a yes or no. */
export type BooleanFilter = {
  /** Equal to this. */
  eq?: boolean | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** A new category. */
export type CategoryCreateInput = {
  /** Unique without regard to case; at most 128 characters. */
  name: string;
  /** The parent category: global id or integer. Null: the top level. */
  parentId?: string | number | null | undefined;
};

/** A category to delete. */
export type CategoryDeleteInput = {
  /** Also delete all categories and workflows in it, at any depth. Without it, its workflows are left without a category, and its subcategories move to the top level. */
  cascade?: boolean;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
};

/** A change of a category. Omitted fields keep their value. */
export type CategoryUpdateInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** The new name. */
  name?: string | null | undefined;
  /** The parent category: global id or integer. Null: the top level. */
  parentId?: string | number | null | undefined;
};

/** Permissions of a group for one component. */
export type ComponentGrantInput = {
  /** The component: global id or integer. */
  componentId: string | number;
  /** Names of permissions, such as `READ`. They replace the previous ones. */
  permissions: Array<string>;
};

/** A protected part of the service. */
export const ComponentName = {
  /** Apps. */
  App: 'APP',
  /** Workflows and their runs. */
  Connection: 'CONNECTION',
  /** Connectors. */
  Connector: 'CONNECTOR',
  /** The dashboard. */
  Dashboard: 'DASHBOARD',
  /** Invokers. */
  Invoker: 'INVOKER',
  /** One's own profile, password, picture and sessions. */
  Myprofile: 'MYPROFILE',
  /** Schedules. */
  Schedule: 'SCHEDULE',
  /** Named secrets. */
  Secret: 'SECRET',
  /** Users and their sessions. */
  User: 'USER',
  /** Groups of users, components and permissions. */
  Usergroup: 'USERGROUP'
} as const;

export type ComponentName = typeof ComponentName[keyof typeof ComponentName];
/** Rules and groups of rules. */
export type ConditionFormInput = {
  /** Its items, at least one. */
  items: Array<ConditionItemInput>;
  /** How its items are joined. */
  joinedBy: ConditionJoin;
};

/** Rules in parentheses. */
export type ConditionGroupInput = {
  /** How its rules are joined. */
  joinedBy: ConditionJoin;
  /** Its rules, at least one. */
  rules: Array<ConditionRuleInput>;
};

/** A part of a condition: give either `rule` or `group`. */
export type ConditionItemInput = {
  /** A group of rules. */
  group?: ConditionGroupInput | null | undefined;
  /** A rule. */
  rule?: ConditionRuleInput | null | undefined;
};

/** How the parts of a condition are joined. */
export const ConditionJoin = {
  /** All are true. */
  And: 'AND',
  /** At least one is true. */
  Or: 'OR'
} as const;

export type ConditionJoin = typeof ConditionJoin[keyof typeof ConditionJoin];
/** A comparison of two values, or a test of one. */
export type ConditionRuleInput = {
  /** The left side. */
  left: ExpressionOperandInput;
  /** Name of a comparison, test, list, keys, text or type operator: see `expressionFunctions`. */
  operator: string;
  /** The right side; null for tests of one value, such as `IsEmpty`. */
  right?: ExpressionOperandInput | null | undefined;
};

/** Credentials to check: given ones, those of a stored connector, or some of both. */
export type ConnectorCheckInput = {
  /** A stored connector, which provides what is missing; secrets only if every public field is as stored. Requires CONNECTOR:UPDATE. */
  id?: string | number | null | undefined;
  /** Name of the invoker. Optional for a stored connector. */
  invokerName?: string | null | undefined;
  /** Credentials, each field once. Missing fields have the defaults of the invoker. */
  requestData?: Array<ConnectorFieldInput>;
  /** True disables the validation of certificates. */
  sslCert?: boolean | null | undefined;
  /** Timeout of a call in milliseconds, at most one hour; 0 is the configured timeout. */
  timeout?: number | null | undefined;
};

/** A new connector. */
export type ConnectorCreateInput = {
  /** Its purpose, at most 2,048 characters. */
  description?: string | null | undefined;
  /** Name of the invoker that describes the remote system. */
  invokerName: string;
  /** True: cookies that the remote system sets are sent with later calls of the same run. */
  keepCookies?: boolean;
  /** The credentials, each field once. */
  requestData?: Array<ConnectorFieldInput>;
  /** True disables the validation of certificates. */
  sslCert?: boolean;
  /** Timeout of a call in milliseconds, at most one hour; 0 is the configured timeout. */
  timeout?: number;
  /** Unique without regard to case, at most 255 characters. */
  title: string;
};

/** A field of the credentials. */
export type ConnectorFieldInput = {
  /** One of the names of the invoker's required data. */
  name: string;
  /** The value. It is stored encrypted. */
  value: string;
};

/** Conditions for connectors. All given conditions must match. */
export type ConnectorFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<ConnectorFilter> | null | undefined;
  /** By the time of creation. */
  createdAt?: DateTimeFilter | null | undefined;
  /** By id. */
  id?: IdFilter | null | undefined;
  /** By the name of the invoker, without regard to case. */
  invokerName?: StringFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: ConnectorFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<ConnectorFilter> | null | undefined;
  /** By title. */
  title?: NameFilter | null | undefined;
  /** By the time of the last change. */
  updatedAt?: DateTimeFilter | null | undefined;
};

/** A new icon. */
export type ConnectorIconUploadInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** PNG, JPEG, GIF or WebP; the type is detected from the content. */
  file: null;
  /** Global id or integer. */
  id: string | number;
};

/** A change of a connector. Missing fields keep their values, also in the credentials. */
export type ConnectorUpdateInput = {
  /** Its purpose, at most 2,048 characters. */
  description?: string | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** Name of the new invoker. A different invoker has different fields: the stored values are removed. */
  invokerName?: string | null | undefined;
  /** True: cookies that the remote system sets are sent with later calls of the same run. */
  keepCookies?: boolean | null | undefined;
  /** Credentials to change, each field once. */
  requestData?: Array<ConnectorFieldInput> | null | undefined;
  /** True disables the validation of certificates. */
  sslCert?: boolean | null | undefined;
  /** Timeout of a call in milliseconds, at most one hour; 0 is the configured timeout. */
  timeout?: number | null | undefined;
  /** The new title. */
  title?: string | null | undefined;
};

/** Conditions on a moment; all that are given must hold. */
export type DateTimeFilter = {
  /** Equal to this. */
  eq?: string | null | undefined;
  /** This or later. */
  gte?: string | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
  /** This or earlier. */
  lte?: string | null | undefined;
};

/** Why a message was not sent. */
export const DeliveryErrorCode = {
  /** An internal error of the service. */
  DeliveryFault: 'DELIVERY_FAULT',
  /** The mail server could not be reached, or the connection broke. */
  MailConnectionFailed: 'MAIL_CONNECTION_FAILED',
  /** The mail server refused user name or password. */
  MailLoginFailed: 'MAIL_LOGIN_FAILED',
  /** No mail server is configured. */
  MailNotConfigured: 'MAIL_NOT_CONFIGURED',
  /** The mail server refused the mail. */
  MailRejected: 'MAIL_REJECTED',
  /** The address has characters outside ASCII before the @, and the mail server does not offer SMTPUTF8. */
  MailSmtputf8Missing: 'MAIL_SMTPUTF8_MISSING',
  /** The connection to the mail server could not be encrypted. */
  MailTlsFailed: 'MAIL_TLS_FAILED',
  /** There is no recipient: none is named, configured, or known from the run. */
  RecipientMissing: 'RECIPIENT_MISSING',
  /** The webhook could not be called, or answered with an error. */
  WebhookFailed: 'WEBHOOK_FAILED'
} as const;

export type DeliveryErrorCode = typeof DeliveryErrorCode[keyof typeof DeliveryErrorCode];
/** Conditions for messages. All given conditions must match. */
export type DeliveryFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<DeliveryFilter> | null | undefined;
  /** How it is sent. */
  channel?: MessageChannelFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: DeliveryFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<DeliveryFilter> | null | undefined;
  /** Why it is sent. */
  purpose?: DeliveryPurposeFilter | null | undefined;
  /** The state. */
  state?: DeliveryStateFilter | null | undefined;
};

/** Why a message is sent. */
export const DeliveryPurpose = {
  /** A notice to the former address that the e-mail of a user was changed. */
  EmailChanged: 'EMAIL_CHANGED',
  /** The mail of the configuration about failed runs. */
  Failure: 'FAILURE',
  /** A link to set the first password of a new user. */
  Invitation: 'INVITATION',
  /** A notification of a schedule. */
  Notification: 'NOTIFICATION',
  /** A notice that the password of a user was changed. */
  PasswordChanged: 'PASSWORD_CHANGED',
  /** A link to set a new password. */
  PasswordReset: 'PASSWORD_RESET',
  /** A mail with which an administrator tests the mail server. */
  Test: 'TEST'
} as const;

export type DeliveryPurpose = typeof DeliveryPurpose[keyof typeof DeliveryPurpose];
/** Conditions on a DeliveryPurpose; all that are given must hold. */
export type DeliveryPurposeFilter = {
  /** Equal to this. */
  eq?: DeliveryPurpose | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<DeliveryPurpose> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** Whether a message was sent. */
export const DeliveryState = {
  /** It was given up. */
  Failed: 'FAILED',
  /** It is sent as soon as possible, or will be tried again. */
  Pending: 'PENDING',
  /** The server of the recipient has accepted it. */
  Sent: 'SENT'
} as const;

export type DeliveryState = typeof DeliveryState[keyof typeof DeliveryState];
/** Conditions on a DeliveryState; all that are given must hold. */
export type DeliveryStateFilter = {
  /** Equal to this. */
  eq?: DeliveryState | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<DeliveryState> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** How a thing differs between two versions. */
export const DifferenceKind = {
  /** It is only in the later version. */
  Added: 'ADDED',
  /** It is in both versions and differs. */
  Changed: 'CHANGED',
  /** Its position in the order of execution differs. */
  Moved: 'MOVED',
  /** It is only in the earlier version. */
  Removed: 'REMOVED'
} as const;

export type DifferenceKind = typeof DifferenceKind[keyof typeof DifferenceKind];
/** The script between the ends of a field binding. */
export type EnhancementInput = {
  /** Description of the script. */
  description?: string | null | undefined;
  /** The text of the script. */
  expertCode?: string | null | undefined;
  /** The variables it reads and the one it sets. */
  expertVar?: string | null | undefined;
  /** `js`; other values are kept. */
  language?: string | null | undefined;
  /** Name of the script. */
  name?: string | null | undefined;
};

/** What went wrong. REST answers carry the same codes in `message`. */
export const ErrorCode = {
  /** No valid token, wrong credentials, or not allowed. */
  AccessDenied: 'ACCESS_DENIED',
  /** Another aggregator has this name. */
  AggregatorAlreadyExist: 'AGGREGATOR_ALREADY_EXIST',
  /** Methods of workflows use the aggregator. */
  AggregatorInUse: 'AGGREGATOR_IN_USE',
  /** The aggregator does not exist. */
  AggregatorNotFound: 'AGGREGATOR_NOT_FOUND',
  /** The user has the maximum number of API tokens. */
  ApiTokenLimit: 'API_TOKEN_LIMIT',
  /** The API token does not exist. */
  ApiTokenNotFound: 'API_TOKEN_NOT_FOUND',
  /** API tokens cannot be used for this operation; it needs a session. */
  ApiTokenRefused: 'API_TOKEN_REFUSED',
  /** A scope is missing, unknown, or not granted to the user. */
  ApiTokenScopeInvalid: 'API_TOKEN_SCOPE_INVALID',
  /** The name of the argument is not a valid variable name. */
  ArgumentNameInvalid: 'ARGUMENT_NAME_INVALID',
  /** The aggregator does not have this argument. */
  ArgumentNotFound: 'ARGUMENT_NOT_FOUND',
  /** The input does not have the documented shape. */
  BadRequest: 'BAD_REQUEST',
  /** The body is null instead of a category. */
  CategoryIsNull: 'CATEGORY_IS_NULL',
  /** The category does not exist. */
  CategoryNotFound: 'CATEGORY_NOT_FOUND',
  /** The permission is unknown, its id differs from the address, or its name is taken. */
  ChangeDenied: 'CHANGE_DENIED',
  /** Another method of the workflow has this colour. */
  ColorTaken: 'COLOR_TAKEN',
  /** The remote system did not respond, or responded with an error. */
  CommunicationFailed: 'COMMUNICATION_FAILED',
  /** A test of the workflow is already running. */
  ConcurrentTestIsForbidden: 'CONCURRENT_TEST_IS_FORBIDDEN',
  /** The backup does not exist. */
  ConfigBackupNotFound: 'CONFIG_BACKUP_NOT_FOUND',
  /** The configuration file was changed in the meantime. */
  ConfigFileChanged: 'CONFIG_FILE_CHANGED',
  /** The service may have several processes, and not all may read the configuration file. */
  ConfigFileNotShared: 'CONFIG_FILE_NOT_SHARED',
  /** The configuration file or its backup cannot be read or written. */
  ConfigFileNotWritable: 'CONFIG_FILE_NOT_WRITABLE',
  /** The change cannot be made, or the service could not start with the configuration file. */
  ConfigInvalid: 'CONFIG_INVALID',
  /** The record was changed in the meantime. */
  Conflict: 'CONFLICT',
  /** The workflow does not exist. */
  ConnectionNotFound: 'CONNECTION_NOT_FOUND',
  /** Another connector has this title. */
  ConnectorAlreadyExists: 'CONNECTOR_ALREADY_EXISTS',
  /** Workflows use the connector. */
  ConnectorInUse: 'CONNECTOR_IN_USE',
  /** The connector does not exist. */
  ConnectorNotFound: 'CONNECTOR_NOT_FOUND',
  /** The content of a message template does not exist. */
  ContentNotFound: 'CONTENT_NOT_FOUND',
  /** The user was not created. */
  CreationError: 'CREATION_ERROR',
  /** A stored value would be sent to an origin it was not entered for: enter it again, or confirm it with the master password. */
  CredentialsNeedConfirmation: 'CREDENTIALS_NEED_CONFIRMATION',
  /** The e-mail or the password is wrong, or the user cannot sign in. */
  CredentialsWrong: 'CREDENTIALS_WRONG',
  /** This is not a cron expression of six or seven fields. */
  CronInvalid: 'CRON_INVALID',
  /** The cron expression has no time in the future. */
  CronNeverDue: 'CRON_NEVER_DUE',
  /** The text is no cURL command that a step can send. */
  CurlInvalid: 'CURL_INVALID',
  /** A category would be its own ancestor. */
  CycleHasFound: 'CYCLE_HAS_FOUND',
  /** Only a message that was given up and is still stored can be sent again. */
  DeliveryNotFailed: 'DELIVERY_NOT_FAILED',
  /** The message does not exist. */
  DeliveryNotFound: 'DELIVERY_NOT_FOUND',
  /** The user has no settings of the editor. */
  EditorSettingsNotFound: 'EDITOR_SETTINGS_NOT_FOUND',
  /** Another user has this e-mail address. */
  EmailAlreadyExist: 'EMAIL_ALREADY_EXIST',
  /** The e-mail address is missing, too long, or not valid. */
  EmailInvalid: 'EMAIL_INVALID',
  /** The workflow does not have this field binding. */
  EnhancementNotFound: 'ENHANCEMENT_NOT_FOUND',
  /** A workflow would be started by its own failure, or the chain of error workflows is too long. */
  ErrorWorkflowCircle: 'ERROR_WORKFLOW_CIRCLE',
  /** The example cannot be called at the address of the service. */
  ExampleNotAvailable: 'EXAMPLE_NOT_AVAILABLE',
  /** The run has already ended. */
  ExecutionAlreadyFinished: 'EXECUTION_ALREADY_FINISHED',
  /** The run has not ended yet. */
  ExecutionNotFinished: 'EXECUTION_NOT_FINISHED',
  /** The run does not exist. */
  ExecutionNotFound: 'EXECUTION_NOT_FOUND',
  /** The instance cannot be exported to this file, or not now. */
  ExportRefused: 'EXPORT_REFUSED',
  /** The form describes no expression. */
  ExpressionFormInvalid: 'EXPRESSION_FORM_INVALID',
  /** The file was not received completely. */
  FileIncomplete: 'FILE_INCOMPLETE',
  /** The file does not exist. */
  FileNotFound: 'FILE_NOT_FOUND',
  /** The group does not exist. */
  GroupNotFound: 'GROUP_NOT_FOUND',
  /** This is not an id, or the id of an object of another type. */
  IdInvalid: 'ID_INVALID',
  /** Too many large inputs are waiting to be read; try again. */
  InputQueueFull: 'INPUT_QUEUE_FULL',
  /** Reading the input takes more memory or time than allowed. */
  InputTooComplex: 'INPUT_TOO_COMPLEX',
  /** An internal error; find it in the log by the request id. */
  InternalServerError: 'INTERNAL_SERVER_ERROR',
  /** The name of the category is blank, too long, or contains characters that are not allowed. */
  InvalidCategoryName: 'INVALID_CATEGORY_NAME',
  /** The link to set a password was used, has expired, or is not valid. */
  InvalidToken: 'INVALID_TOKEN',
  /** The user has signed in, so an invitation is not needed any more. */
  InvitationAccepted: 'INVITATION_ACCEPTED',
  /** Another invoker has this name. */
  InvokerAlreadyExists: 'INVOKER_ALREADY_EXISTS',
  /** The XML of the invoker cannot be read, or is not a valid invoker. */
  InvokerInvalid: 'INVOKER_INVALID',
  /** A connector or a workflow uses the invoker. */
  InvokerInUse: 'INVOKER_IN_USE',
  /** The invoker does not exist. */
  InvokerNotFound: 'INVOKER_NOT_FOUND',
  /** An outer loop uses the same loop variable. */
  IteratorTaken: 'ITERATOR_TAKEN',
  /** The job has already ended. */
  JobAlreadyFinished: 'JOB_ALREADY_FINISHED',
  /** The service stopped while the job was waiting or running. */
  JobInterrupted: 'JOB_INTERRUPTED',
  /** The job does not exist, or belongs to another user. */
  JobNotFound: 'JOB_NOT_FOUND',
  /** The last administrator cannot be deleted, disabled or moved to another group. */
  LastAdministrator: 'LAST_ADMINISTRATOR',
  /** No LDAP directory is configured. */
  LdapNotConfigured: 'LDAP_NOT_CONFIGURED',
  /** Users cannot remove their own local password. */
  LdapOwnAccount: 'LDAP_OWN_ACCOUNT',
  /** The LDAP directory does not answer; try again. */
  LdapUnavailable: 'LDAP_UNAVAILABLE',
  /** A directory checks the password of the user; change it there. */
  LdapUser: 'LDAP_USER',
  /** The product works without a licence, so there is none to activate or delete. */
  LicenceNotNeeded: 'LICENCE_NOT_NEEDED',
  /** The list has more entries than allowed. */
  ListTooLong: 'LIST_TOO_LONG',
  /** This login was completed, or has ended; sign in with the password again. */
  LoginEnded: 'LOGIN_ENDED',
  /** The log of the run does not have this element. */
  LogElementNotFound: 'LOG_ELEMENT_NOT_FOUND',
  /** The log file does not exist. */
  LogFileNotFound: 'LOG_FILE_NOT_FOUND',
  /** Mail is not configured: the server, the sender or the public URL is missing. */
  MailNotConfigured: 'MAIL_NOT_CONFIGURED',
  /** This cannot be a master password. */
  MasterPasswordInvalid: 'MASTER_PASSWORD_INVALID',
  /** No master password is configured. */
  MasterPasswordNotSet: 'MASTER_PASSWORD_NOT_SET',
  /** The master password is wrong, or missing. */
  MasterPasswordWrong: 'MASTER_PASSWORD_WRONG',
  /** The message template does not exist. */
  MessageTemplateNotFound: 'MESSAGE_TEMPLATE_NOT_FOUND',
  /** The address does not accept this method. */
  MethodNotAllowed: 'METHOD_NOT_ALLOWED',
  /** The workflow does not have this method. */
  MethodNotFound: 'METHOD_NOT_FOUND',
  /** The invoker does not have this operation. */
  MethodNotFoundInInvoker: 'METHOD_NOT_FOUND_IN_INVOKER',
  /** The list contains the same thing twice. */
  NamedTwice: 'NAMED_TWICE',
  /** The name is missing, too long, or contains characters that are not allowed. */
  NameInvalid: 'NAME_INVALID',
  /** The notification does not exist. */
  NotificationNotFound: 'NOTIFICATION_NOT_FOUND',
  /** The address does not exist. */
  NotFound: 'NOT_FOUND',
  /** Exactly one of several fields is required. */
  OneOfRequired: 'ONE_OF_REQUIRED',
  /** The portal offers no such item. */
  OnlineItemNotFound: 'ONLINE_ITEM_NOT_FOUND',
  /** The online services are off, or the address of the portal is not set. */
  OnlineServicesOff: 'ONLINE_SERVICES_OFF',
  /** The invoker has no GraphQL operation. */
  OperationNotGraphql: 'OPERATION_NOT_GRAPHQL',
  /** An operator of the workflow has no expression. */
  OperatorExpressionIsEmpty: 'OPERATOR_EXPRESSION_IS_EMPTY',
  /** The workflow does not have this operator. */
  OperatorNotFound: 'OPERATOR_NOT_FOUND',
  /** Users change their own password with the current one: `ownPasswordChange`. */
  OwnPassword: 'OWN_PASSWORD',
  /** The parent category does not exist. */
  ParentCategoryNotFound: 'PARENT_CATEGORY_NOT_FOUND',
  /** The new password and its repetition differ. */
  PasswordsDiffer: 'PASSWORDS_DIFFER',
  /** The password is missing, not 8 to 128 characters long, or consists of blanks only. */
  PasswordInvalid: 'PASSWORD_INVALID',
  /** This is not a JSON patch (RFC 6902). */
  PatchInvalid: 'PATCH_INVALID',
  /** A value that the patch tests is different. */
  PatchTestFailed: 'PATCH_TEST_FAILED',
  /** A path of a patch is not a JSON pointer, does not exist, or goes through a prototype. */
  PathIsInvalid: 'PATH_IS_INVALID',
  /** The body or the file is larger than allowed. */
  PayloadTooLarge: 'PAYLOAD_TOO_LARGE',
  /** Another permission has this name. */
  PermissionAlreadyExist: 'PERMISSION_ALREADY_EXIST',
  /** The permission does not exist. */
  PermissionNotFound: 'PERMISSION_NOT_FOUND',
  /** The four built-in permissions cannot be renamed or deleted. */
  PermissionProtected: 'PERMISSION_PROTECTED',
  /** The portal of the online services does not answer as documented. */
  PortalFailed: 'PORTAL_FAILED',
  /** A recipient is not an e-mail address, or not an http or https URL. */
  RecipientInvalid: 'RECIPIENT_INVALID',
  /** The invoker requires the field. */
  RequiredDataMissing: 'REQUIRED_DATA_MISSING',
  /** The invoker does not have this field. */
  RequiredDataUnknown: 'REQUIRED_DATA_UNKNOWN',
  /** No supervisor is declared that would start the service again, or it may have several processes. */
  RestartNotSupported: 'RESTART_NOT_SUPPORTED',
  /** Another group has this name. */
  RoleAlreadyExist: 'ROLE_ALREADY_EXIST',
  /** The group has members. */
  RoleInUse: 'ROLE_IN_USE',
  /** The groups Admin and User cannot be renamed or deleted, and Admin keeps its permissions. */
  RoleProtected: 'ROLE_PROTECTED',
  /** The masking rule does not compile or could take unlimited time, or there are too many rules. */
  RuleInvalid: 'RULE_INVALID',
  /** The workflow does not have this masking rule. */
  RuleNotFound: 'RULE_NOT_FOUND',
  /** The events of the run were removed. */
  RunLogGone: 'RUN_LOG_GONE',
  /** The version of the workflow, or the input that the run was started with, was deleted. */
  RunNotRepeatable: 'RUN_NOT_REPEATABLE',
  /** There is no answer of a step: test the workflow, or give a sample. */
  SampleMissing: 'SAMPLE_MISSING',
  /** The status of the sample is not one from 100 to 599. */
  SampleStatusInvalid: 'SAMPLE_STATUS_INVALID',
  /** The sample of a step is larger than allowed. */
  SampleTooLarge: 'SAMPLE_TOO_LARGE',
  /** The schedule already has a webhook. */
  SchedulerHasWebhook: 'SCHEDULER_HAS_WEBHOOK',
  /** The schedule does not exist. */
  SchedulerNotFound: 'SCHEDULER_NOT_FOUND',
  /** The code of the second factor is wrong or was used before. */
  SecondFactorInvalid: 'SECOND_FACTOR_INVALID',
  /** The user has no second factor. */
  SecondFactorOff: 'SECOND_FACTOR_OFF',
  /** The user has a second factor. */
  SecondFactorOn: 'SECOND_FACTOR_ON',
  /** Users change their own second factor with its code. */
  SecondFactorOwn: 'SECOND_FACTOR_OWN',
  /** Members of the group need a second factor. */
  SecondFactorRequired: 'SECOND_FACTOR_REQUIRED',
  /** Another secret has this name. */
  SecretAlreadyExist: 'SECRET_ALREADY_EXIST',
  /** Workflows use the secret. */
  SecretInUse: 'SECRET_IN_USE',
  /** The secret does not exist. */
  SecretNotFound: 'SECRET_NOT_FOUND',
  /** The input contains `***` where no hidden value is stored. */
  SecretNotStored: 'SECRET_NOT_STORED',
  /** An origin that the secret may be sent to is missing, invalid, or a wildcard over a public suffix. */
  SecretOriginInvalid: 'SECRET_ORIGIN_INVALID',
  /** The value of the secret is empty. */
  SecretValueInvalid: 'SECRET_VALUE_INVALID',
  /** Users cannot delete themselves. */
  SelfDeletion: 'SELF_DELETION',
  /** Users cannot disable themselves. */
  SelfDisabling: 'SELF_DISABLING',
  /** The service is temporarily unavailable; try again. */
  ServiceUnavailable: 'SERVICE_UNAVAILABLE',
  /** The session does not exist. */
  SessionNotExist: 'SESSION_NOT_EXIST',
  /** These are not copied steps. */
  StepsInvalid: 'STEPS_INVALID',
  /** The step has the other type: a method, or an operator. */
  StepKindDiffers: 'STEP_KIND_DIFFERS',
  /** The workflow does not have this step. */
  StepNotFound: 'STEP_NOT_FOUND',
  /** The step cannot be placed there. */
  StepPlaceInvalid: 'STEP_PLACE_INVALID',
  /** The disk is full: only deletes, sign-in, sign-out and reads are served until there is room. */
  StorageFull: 'STORAGE_FULL',
  /** The subcategory does not exist. */
  SubCategoryNotFound: 'SUB_CATEGORY_NOT_FOUND',
  /** The support file does not exist or was removed. */
  SupportFileNotFound: 'SUPPORT_FILE_NOT_FOUND',
  /** A synchronisation is running. */
  SynchronisationRunning: 'SYNCHRONISATION_RUNNING',
  /** The system check has no component of this name. */
  SystemComponentNotFound: 'SYSTEM_COMPONENT_NOT_FOUND',
  /** The system setting is not set, or there is none of this name. */
  SystemSettingNotFound: 'SYSTEM_SETTING_NOT_FOUND',
  /** The connector has another invoker than the template requires. */
  TemplateConnectorMisfit: 'TEMPLATE_CONNECTOR_MISFIT',
  /** A connector that the template needs was not chosen. */
  TemplateConnectorMissing: 'TEMPLATE_CONNECTOR_MISSING',
  /** The template does not need this connector, or it was chosen twice. */
  TemplateConnectorUnknown: 'TEMPLATE_CONNECTOR_UNKNOWN',
  /** The template cannot be read. */
  TemplateInvalid: 'TEMPLATE_INVALID',
  /** The template does not exist. */
  TemplateNotFound: 'TEMPLATE_NOT_FOUND',
  /** The text is not well-formed Unicode. */
  TextInvalid: 'TEXT_INVALID',
  /** The text has more characters than are allowed. */
  TextTooLong: 'TEXT_TOO_LONG',
  /** The timeout is not a whole number of milliseconds up to one hour. */
  TimeoutInvalid: 'TIMEOUT_INVALID',
  /** The year of the time does not have four digits. */
  TimeInvalid: 'TIME_INVALID',
  /** This is not a time zone of the IANA database. */
  TimeZoneInvalid: 'TIME_ZONE_INVALID',
  /** Another schedule has this title. */
  TitleAlreadyExists: 'TITLE_ALREADY_EXISTS',
  /** Another workflow has this title, or another category this name. */
  TitleHasAlreadyTaken: 'TITLE_HAS_ALREADY_TAKEN',
  /** The title is blank or too long. */
  TitleInvalid: 'TITLE_INVALID',
  /** The session or the API token has expired; sign in again, or use another token. */
  TokenExpired: 'TOKEN_EXPIRED',
  /** Too many failed attempts; wait before the next one. */
  TooManyAttempts: 'TOO_MANY_ATTEMPTS',
  /** Too many calls; wait before the next one. */
  TooManyCalls: 'TOO_MANY_CALLS',
  /** The media type of the body is not supported here. */
  UnsupportedMediaType: 'UNSUPPORTED_MEDIA_TYPE',
  /** The operator of the service installs updates; it does not update itself. */
  UpdateNotSupported: 'UPDATE_NOT_SUPPORTED',
  /** A group still grants the permission. */
  UsergroupNotDeleted: 'USERGROUP_NOT_DELETED',
  /** The user is disabled. */
  UserDisabled: 'USER_DISABLED',
  /** The user does not exist. */
  UserNotExist: 'USER_NOT_EXIST',
  /** The version is the current one of the workflow, or a run executes it. */
  VersionInUse: 'VERSION_IN_USE',
  /** The workflow does not have this version. */
  VersionNotFound: 'VERSION_NOT_FOUND',
  /** The webhook does not exist or was revoked. */
  WebhookNotFound: 'WEBHOOK_NOT_FOUND',
  /** A parameter of the webhook does not have the type that the workflow declares. */
  WebhookParameterInvalid: 'WEBHOOK_PARAMETER_INVALID',
  /** Another widget has this key. */
  WidgetAlreadyExists: 'WIDGET_ALREADY_EXISTS',
  /** The widget does not exist. */
  WidgetNotFound: 'WIDGET_NOT_FOUND',
  /** The position or size of a widget is not a whole number from 0 to 10,000. */
  WidgetPlaceInvalid: 'WIDGET_PLACE_INVALID',
  /** The file is not an exported workflow. */
  WorkflowFileInvalid: 'WORKFLOW_FILE_INVALID',
  /** The workflow cannot be read. */
  WorkflowInvalid: 'WORKFLOW_INVALID',
  /** The workflow has parts that a 4.x client cannot show and would lose. */
  WorkflowNeeds_5XClient: 'WORKFLOW_NEEDS_5X_CLIENT',
  /** The component does not exist. */
  WrongComponent: 'WRONG_COMPONENT',
  /** The file is not an image of a supported type. */
  WrongFormat: 'WRONG_FORMAT',
  /** The current password is wrong or missing. */
  WrongPassword: 'WRONG_PASSWORD',
  /** The name of the permission is blank or taken. */
  WrongPermission: 'WRONG_PERMISSION',
  /** The file is not a zip archive. */
  ZipFileRequired: 'ZIP_FILE_REQUIRED',
  /** The zip archive is damaged, or contains entries that are not supported. */
  ZipInvalid: 'ZIP_INVALID'
} as const;

export type ErrorCode = typeof ErrorCode[keyof typeof ErrorCode];
/** Exactly one value of AuditAction. */
export type ExactAuditActionFilter = {
  /** Equal to this. */
  eq: AuditAction;
};

/** Exactly one value of AuditTargetType. */
export type ExactAuditTargetTypeFilter = {
  /** Equal to this. */
  eq: AuditTargetType;
};

/** Exactly one id: global id or the integer of the REST API. */
export type ExactIdFilter = {
  /** Equal to this. */
  eq: string | number;
};

/** Exactly one text; letters count as they are. */
export type ExactStringFilter = {
  /** Equal to this. */
  eq: string;
};

/** An expression as a form: give either `loop` or `condition`. */
export type ExpressionFormInput = {
  /** A condition. */
  condition?: ConditionFormInput | null | undefined;
  /** A loop. */
  loop?: LoopFormInput | null | undefined;
};

/** How an operator is written. */
export const ExpressionFunctionForm = {
  /** `left NAME right`. */
  Binary: 'BINARY',
  /** `NAME(list)`. */
  Call: 'CALL',
  /** `NAME right`. */
  Prefix: 'PREFIX',
  /** `left NAME`. */
  Unary: 'UNARY'
} as const;

export type ExpressionFunctionForm = typeof ExpressionFunctionForm[keyof typeof ExpressionFunctionForm];
/** What an operator is about. */
export const ExpressionFunctionKind = {
  /** Calculates. */
  Arithmetic: 'ARITHMETIC',
  /** Compares two values. */
  Comparison: 'COMPARISON',
  /** Searches for a field of an object. */
  Keys: 'KEYS',
  /** Searches in a list or text. */
  List: 'LIST',
  /** Joins conditions. */
  Logic: 'LOGIC',
  /** Stands at the start of the expression of a loop. */
  Loop: 'LOOP',
  /** Tests one value. */
  Test: 'TEST',
  /** Compares a text with patterns. */
  Text: 'TEXT',
  /** Tests the type of a value. */
  Type: 'TYPE'
} as const;

export type ExpressionFunctionKind = typeof ExpressionFunctionKind[keyof typeof ExpressionFunctionKind];
/** A value in a rule or loop. */
export type ExpressionOperandInput = {
  /** Its kind. */
  kind: ExpressionOperandKind;
  /** Its text: without quotes for TEXT, otherwise as in expressions. */
  text: string;
};

/** Kinds of operands. */
export const ExpressionOperandKind = {
  /** `true` or `false`. */
  Boolean: 'BOOLEAN',
  /** Any other expression, such as `i + 1`, `[1, 2]` or `${id}`. */
  Expression: 'EXPRESSION',
  /** No value; the text is `null`. */
  Null: 'NULL',
  /** A number. */
  Number: 'NUMBER',
  /** A part of the request or response of a step: `{%#RRGGBB.(response).body.id%}`. */
  Reference: 'REFERENCE',
  /** A text, without quotes. */
  Text: 'TEXT'
} as const;

export type ExpressionOperandKind = typeof ExpressionOperandKind[keyof typeof ExpressionOperandKind];
/** Binds fields of responses to a field of a request. With the `bindingId` of an existing binding, fields that are not given keep their value. */
export type FieldBindingInput = {
  /** Identifies the binding within the workflow. */
  bindingId?: string | number | null | undefined;
  /** Script that converts the values. */
  enhancement?: EnhancementInput | null | undefined;
  /** Sources of the values. */
  from?: Array<BindingEndInput> | null | undefined;
  /** Target of the value. */
  to?: Array<BindingEndInput> | null | undefined;
};

/** A field binding to remove. */
export type FieldBindingRemoveInput = {
  /** The field binding. */
  bindingId: string | number;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** A field binding to add or change. */
export type FieldBindingSetInput = {
  /** With the `bindingId` of an existing binding: its changes. Without: a new one. */
  binding: FieldBindingInput;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** An action on a protected part of the service. */
export const GrantAction = {
  /** Create. */
  Create: 'CREATE',
  /** Delete. */
  Delete: 'DELETE',
  /** Read. */
  Read: 'READ',
  /** Change; run workflows. */
  Update: 'UPDATE'
} as const;

export type GrantAction = typeof GrantAction[keyof typeof GrantAction];
/** All permissions of a group. */
export type GroupComponentsSetInput = {
  /** Replaces all previous permissions. */
  components: Array<ComponentGrantInput>;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
};

/** A new group. */
export type GroupCreateInput = {
  /** What its members may do. Users can grant only permissions that they have. */
  components?: Array<ComponentGrantInput>;
  /** What the group is for. */
  description?: string | null | undefined;
  /** Unique without regard to case, 45 characters at most. */
  name: string;
};

/** A change of name and description. Omitted fields stay unchanged. */
export type GroupUpdateInput = {
  /** What the group is for. */
  description?: string | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** The new name. Admin and User cannot be renamed. */
  name?: string | null | undefined;
};

/** HTTP method of a request. */
export const HttpMethod = {
  /** Deletes a resource. */
  Delete: 'DELETE',
  /** Reads a resource. */
  Get: 'GET',
  /** Reads only the headers. */
  Head: 'HEAD',
  /** Reads the allowed methods. */
  Options: 'OPTIONS',
  /** Changes part of a resource. */
  Patch: 'PATCH',
  /** Submits data. */
  Post: 'POST',
  /** Replaces a resource. */
  Put: 'PUT'
} as const;

export type HttpMethod = typeof HttpMethod[keyof typeof HttpMethod];
/** Conditions on an id: global ids or the integers of the REST API. */
export type IdFilter = {
  /** Equal to this. */
  eq?: string | number | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<string | number> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** The visibility of a value of a connector. */
export const InvokerFieldVisibility = {
  /** Computed, not entered, and hidden. */
  Private: 'PRIVATE',
  /** Entered by a user, then hidden. */
  Protected: 'PROTECTED',
  /** Visible to all users who may read the connector. */
  Public: 'PUBLIC'
} as const;

export type InvokerFieldVisibility = typeof InvokerFieldVisibility[keyof typeof InvokerFieldVisibility];
/** Conditions for invokers. All given conditions must match. */
export type InvokerFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<InvokerFilter> | null | undefined;
  /** By id. */
  id?: IdFilter | null | undefined;
  /** By name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: InvokerFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<InvokerFilter> | null | undefined;
};

/** What to import: a file or a text. */
export type InvokerImportInput = {
  /** XML, or a zip archive of XML files; the type is detected from the content. */
  file?: null | null | undefined;
  /** XML as text. */
  xml?: string | null | undefined;
};

/** The origin of an invoker. */
export const InvokerOrigin = {
  /** Read from the folder of the installation. */
  Folder: 'FOLDER',
  /** Imported or changed by a user. */
  Imported: 'IMPORTED',
  /** Shipped with the service and unchanged. */
  Shipped: 'SHIPPED'
} as const;

export type InvokerOrigin = typeof InvokerOrigin[keyof typeof InvokerOrigin];
/** State of a job. */
export const JobState = {
  /** Cancelled by a user. Nothing was changed. */
  Cancelled: 'CANCELLED',
  /** Ended with an error. Nothing was changed. */
  Failed: 'FAILED',
  /** Waiting for a free slot. */
  Queued: 'QUEUED',
  /** Running. */
  Running: 'RUNNING',
  /** Completed successfully. */
  Succeeded: 'SUCCEEDED'
} as const;

export type JobState = typeof JobState[keyof typeof JobState];
/** A language of the user interface. */
export const Language = {
  /** German. */
  De: 'DE',
  /** English. */
  En: 'EN'
} as const;

export type Language = typeof Language[keyof typeof Language];
/** State of an element in the log of a run. */
export const LogElementState = {
  /** Succeeded. */
  Complete: 'COMPLETE',
  /** Did not succeed. */
  Fail: 'FAIL',
  /** In progress. */
  Pending: 'PENDING'
} as const;

export type LogElementState = typeof LogElementState[keyof typeof LogElementState];
/** Type of an element in the log of a run. */
export const LogElementType = {
  /** The run. */
  Execution: 'EXECUTION',
  /** The workflow of the run; contains all its steps. */
  Flowchart: 'FLOWCHART',
  /** A condition; contains the steps that it executed. */
  If: 'IF',
  /** A loop; contains the steps of its iterations. */
  Loop: 'LOOP',
  /** One attempt of a method. */
  Operation: 'OPERATION'
} as const;

export type LogElementType = typeof LogElementType[keyof typeof LogElementType];
/** Severity of a note. */
export const LogLevel = {
  /** Information. */
  Info: 'INFO',
  /** Warning. */
  Warn: 'WARN'
} as const;

export type LogLevel = typeof LogLevel[keyof typeof LogLevel];
/** Search criteria for logs; all that are given must match. */
export type LogSearchInput = {
  /** Latest start time, exclusive. */
  before?: string | null | undefined;
  /** Earliest start time, inclusive. */
  from?: string | null | undefined;
  /** States. */
  states?: Array<LogElementState> | null | undefined;
  /** Id, index or name of a step. */
  step?: string | null | undefined;
  /** Text in a name, label, connector, URL, condition, warning, error, or body of a request or response, ignoring case; at most 200 characters. Bodies are searched as stored: masked, and shortened if they are long. */
  text?: string | null | undefined;
  /** Types; runs and flowcharts are not searched. */
  types?: Array<LogElementType> | null | undefined;
  /** Workflow, by global or integer id: its runs and tests. Default: all workflows. */
  workflowId?: string | number | null | undefined;
};

/** What a loop iterates over. */
export type LoopFormInput = {
  /** The regular expression at which SPLIT_STRING splits. */
  delimiter?: string | null | undefined;
  /** Its kind. */
  kind: LoopFormKind;
  /** The list, object or text. */
  list: ExpressionOperandInput;
};

/** What a loop iterates over. */
export const LoopFormKind = {
  /** Once per element of a list. */
  For: 'FOR',
  /** Once per field of an object. */
  ForIn: 'FOR_IN',
  /** Once per part of a text. */
  SplitString: 'SPLIT_STRING'
} as const;

export type LoopFormKind = typeof LoopFormKind[keyof typeof LoopFormKind];
/** Language of a masking rule. */
export const MaskingRuleType = {
  /** A path into JSON (RFC 9535): the values that it selects are masked. */
  Jsonpath: 'JSONPATH',
  /** A regular expression of the RE2 syntax: its matches in a text are masked. */
  Regex: 'REGEX',
  /** A location path into XML (XPath 1.0): the texts and attributes that it selects are masked. */
  Xpath: 'XPATH'
} as const;

export type MaskingRuleType = typeof MaskingRuleType[keyof typeof MaskingRuleType];
/** How a message is sent. */
export const MessageChannel = {
  /** A mail. */
  Email: 'EMAIL',
  /** A JSON object with a `text`, posted to a URL such as one of Slack or Teams. */
  IncomingWebhook: 'INCOMING_WEBHOOK'
} as const;

export type MessageChannel = typeof MessageChannel[keyof typeof MessageChannel];
/** Conditions on a MessageChannel; all that are given must hold. */
export type MessageChannelFilter = {
  /** Equal to this. */
  eq?: MessageChannel | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<MessageChannel> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** What a message says in one language. */
export type MessageContentInput = {
  /** At most 1,024 characters. */
  body: string;
  /** The language. */
  language: MessageLanguage;
  /** At most 128 characters, without line breaks. */
  subject: string;
};

/** The language of a content. */
export const MessageLanguage = {
  /** German. */
  De: 'DE',
  /** English. */
  En: 'EN'
} as const;

export type MessageLanguage = typeof MessageLanguage[keyof typeof MessageLanguage];
/** A new template. */
export type MessageTemplateCreateInput = {
  /** How its messages are sent. */
  channel: MessageChannel;
  /** At least one, and one for each language. Messages without one use English. */
  contents: Array<MessageContentInput>;
  /** 1 to 128 characters. */
  name: string;
};

/** Conditions for templates. All given conditions must match. */
export type MessageTemplateFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<MessageTemplateFilter> | null | undefined;
  /** How messages are sent. */
  channel?: MessageChannelFilter | null | undefined;
  /** Ids of templates. */
  id?: IdFilter | null | undefined;
  /** The name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: MessageTemplateFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<MessageTemplateFilter> | null | undefined;
};

/** A change of a template. */
export type MessageTemplateUpdateInput = {
  /** Replaces all. At least one, and one for each language. Messages without one use English. */
  contents?: Array<MessageContentInput> | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The template: global id or integer. */
  id: string | number;
  /** 1 to 128 characters. */
  name?: string | null | undefined;
};

/** The fields of a method other than its position. */
export type MethodContentInput = {
  /** Pause before the first retry, ms, at most a minute; it doubles with each further retry. Null: as configured. */
  backoff?: number | null | undefined;
  /** `#RRGGBB`: references identify the step by its colour. */
  color?: string | null | undefined;
  /** The connector it calls. */
  connector?: StepConnectorInput | null | undefined;
  /** Integer id of the aggregator that is evaluated over its calls; 0 or null: none. */
  dataAggregator?: number | null | undefined;
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** Name of the files in its form-data body, with references in it; null: they keep theirs. */
  fileName?: string | null | undefined;
  /** Its label for users. */
  label?: string | null | undefined;
  /** What it calls. */
  methodType?: MethodType | null | undefined;
  /** Name of the operation. */
  name?: string | null | undefined;
  /** Whether what it sends may be sent again when its run goes on after a crash, whatever its HTTP method. */
  repeatable?: boolean | null | undefined;
  /** What it sends. */
  request?: StepRequestInput | null | undefined;
  /** Whether it ends with REFERENCE_EMPTY if one of its references is null. */
  required?: boolean | null | undefined;
  /** The shape of the response, for editors. */
  response?: unknown;
  /** Number of retries after temporary failures, at most 10. Null: as configured for HTTP methods that may be repeated, else none. */
  retries?: number | null | undefined;
  /** Statuses that count as success, such as `200-299, 404`. Null: those below 400, or as the operation says. */
  successStatus?: string | null | undefined;
  /** Timeout including all attempts, ms, at most an hour. 0 or null: that of its connector, or the configured one. */
  timeout?: number | null | undefined;
};

/** A method as in documents, with its index. With the `stepId` of an existing step, fields that are not given keep their value. */
export type MethodDocumentInput = {
  /** Pause before the first retry, ms, at most a minute; it doubles with each further retry. Null: as configured. */
  backoff?: number | null | undefined;
  /** `#RRGGBB`: references identify the step by its colour. */
  color?: string | null | undefined;
  /** The connector it calls. */
  connector?: StepConnectorInput | null | undefined;
  /** Integer id of the aggregator that is evaluated over its calls; 0 or null: none. */
  dataAggregator?: number | null | undefined;
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** Name of the files in its form-data body, with references in it; null: they keep theirs. */
  fileName?: string | null | undefined;
  /** Its position in the execution order: `1_0` is the first step inside operator `1`. */
  index?: string | null | undefined;
  /** Its label for users. */
  label?: string | null | undefined;
  /** What it calls. */
  methodType?: MethodType | null | undefined;
  /** Name of the operation. */
  name?: string | null | undefined;
  /** Whether what it sends may be sent again when its run goes on after a crash, whatever its HTTP method. */
  repeatable?: boolean | null | undefined;
  /** What it sends. */
  request?: StepRequestInput | null | undefined;
  /** Whether it ends with REFERENCE_EMPTY if one of its references is null. */
  required?: boolean | null | undefined;
  /** The shape of the response, for editors. */
  response?: unknown;
  /** Number of retries after temporary failures, at most 10. Null: as configured for HTTP methods that may be repeated, else none. */
  retries?: number | null | undefined;
  /** Identifies the step within the workflow; created if missing. */
  stepId?: string | number | null | undefined;
  /** Statuses that count as success, such as `200-299, 404`. Null: those below 400, or as the operation says. */
  successStatus?: string | null | undefined;
  /** Timeout including all attempts, ms, at most an hour. 0 or null: that of its connector, or the configured one. */
  timeout?: number | null | undefined;
};

/** A step that calls something. With the `stepId` of an existing step, fields that are not given keep their value. */
export type MethodStepInput = {
  /** Pause before the first retry, ms, at most a minute; it doubles with each further retry. Null: as configured. */
  backoff?: number | null | undefined;
  /** `#RRGGBB`: references identify the step by its colour. */
  color?: string | null | undefined;
  /** The connector it calls. */
  connector?: StepConnectorInput | null | undefined;
  /** Integer id of the aggregator that is evaluated over its calls; 0 or null: none. */
  dataAggregator?: number | null | undefined;
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** Name of the files in its form-data body, with references in it; null: they keep theirs. */
  fileName?: string | null | undefined;
  /** Its label for users. */
  label?: string | null | undefined;
  /** What it calls. */
  methodType?: MethodType | null | undefined;
  /** Name of the operation. */
  name?: string | null | undefined;
  /** Whether what it sends may be sent again when its run goes on after a crash, whatever its HTTP method. */
  repeatable?: boolean | null | undefined;
  /** What it sends. */
  request?: StepRequestInput | null | undefined;
  /** Whether it ends with REFERENCE_EMPTY if one of its references is null. */
  required?: boolean | null | undefined;
  /** The shape of the response, for editors. */
  response?: unknown;
  /** Number of retries after temporary failures, at most 10. Null: as configured for HTTP methods that may be repeated, else none. */
  retries?: number | null | undefined;
  /** Identifies the step within the workflow; created if missing. */
  stepId?: string | number | null | undefined;
  /** Statuses that count as success, such as `200-299, 404`. Null: those below 400, or as the operation says. */
  successStatus?: string | null | undefined;
  /** Timeout including all attempts, ms, at most an hour. 0 or null: that of its connector, or the configured one. */
  timeout?: number | null | undefined;
};

/** The kind of call of a method. Null in legacy data, where it is inferred. */
export const MethodType = {
  /** An operation defined in the invoker of a connector. */
  Connector: 'CONNECTOR',
  /** A free-form request with its own URL, headers and body. */
  HttpRequest: 'HTTP_REQUEST',
  /** Triggers the schedule of another workflow, without waiting. */
  Webhook: 'WEBHOOK'
} as const;

export type MethodType = typeof MethodType[keyof typeof MethodType];
/** What happens with times at which a schedule was due and no process was running. */
export const MissedFires = {
  /** One run makes up for all of them, as soon as a process is running. */
  Once: 'ONCE',
  /** They are skipped. */
  Skip: 'SKIP'
} as const;

export type MissedFires = typeof MissedFires[keyof typeof MissedFires];
/** Conditions on a name, compared without regard to case, compatibility forms and what cannot be seen; all that are given must hold. */
export type NameFilter = {
  /** Has this text in it. In lists of more than 10,000 entries: only together with a condition that leaves 500; use `startsWith`. */
  contains?: string | null | undefined;
  /** Equal to this. */
  eq?: string | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<string> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
  /** Begins with this. */
  startsWith?: string | null | undefined;
};

/** A new notification of a schedule. */
export type NotificationCreateInput = {
  /** When it sends a message. */
  eventType: NotificationEvent;
  /** 1 to 128 characters. */
  name: string;
  /** E-mail addresses, or URLs of webhooks, at most 50. Empty: the user who started the run, else the author of the schedule; or the configured webhooks. */
  recipients?: Array<string> | null | undefined;
  /** The schedule: global id or integer. */
  scheduleId: string | number;
  /** The template: global id or integer. */
  templateId: string | number;
};

/** When a notification sends a message. */
export const NotificationEvent = {
  /** A run of the schedule has failed. */
  Alert: 'ALERT',
  /** A run of the schedule has succeeded. */
  Post: 'POST',
  /** A run of the schedule starts. */
  Pre: 'PRE'
} as const;

export type NotificationEvent = typeof NotificationEvent[keyof typeof NotificationEvent];
/** A change of a notification. Omitted fields keep their value. */
export type NotificationUpdateInput = {
  /** When it sends a message. */
  eventType?: NotificationEvent | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The notification: global id or integer. */
  id: string | number;
  /** 1 to 128 characters. */
  name?: string | null | undefined;
  /** E-mail addresses, or URLs of webhooks, at most 50. Empty: the user who started the run, else the author of the schedule; or the configured webhooks. */
  recipients?: Array<string> | null | undefined;
  /** The template: global id or integer. */
  templateId?: string | number | null | undefined;
};

/** What happened to an item of the portal. */
export const OnlineAction = {
  /** It was missing here, and was added. */
  Added: 'ADDED',
  /** It was changed here and in the portal. The local state was kept. */
  Conflict: 'CONFLICT',
  /** It could not be read or written. Nothing was changed. */
  Failed: 'FAILED',
  /** The portal no longer has it. The local state was kept. */
  Gone: 'GONE',
  /** It was changed or deleted here, and not in the portal. */
  Kept: 'KEPT',
  /** It has the same content here and there. From now on it is updated. */
  Linked: 'LINKED',
  /** Nothing changed. */
  Unchanged: 'UNCHANGED',
  /** It was not changed here since it was taken, and was updated. */
  Updated: 'UPDATED'
} as const;

export type OnlineAction = typeof OnlineAction[keyof typeof OnlineAction];
/** Why an item is not updated by itself. */
export const OnlineConflictReason = {
  /** It was changed here and in the portal. */
  Changed: 'CHANGED',
  /** It was deleted here and changed in the portal. */
  Deleted: 'DELETED',
  /** It exists here with other content, and was never taken from the portal. */
  NotTaken: 'NOT_TAKEN'
} as const;

export type OnlineConflictReason = typeof OnlineConflictReason[keyof typeof OnlineConflictReason];
/** What is taken from the portal. */
export const OnlineKind = {
  /** Invokers, identified by name. */
  Invoker: 'INVOKER',
  /** Templates of workflows, identified by their UUID. */
  Template: 'TEMPLATE'
} as const;

export type OnlineKind = typeof OnlineKind[keyof typeof OnlineKind];
/** The fields of an operator other than its position. */
export type OperatorContentInput = {
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** The condition, or the list of the loop. Missing: OPERATOR_EXPRESSION_IS_EMPTY. */
  expression?: string | null | undefined;
  /** Name of the loop variable. */
  iterator?: string | null | undefined;
  /** Condition or loop. */
  type?: OperatorType | null | undefined;
};

/** An operator as in documents, with its index. With the `stepId` of an existing step, fields that are not given keep their value. */
export type OperatorDocumentInput = {
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** The condition, or the list of the loop. Missing: OPERATOR_EXPRESSION_IS_EMPTY. */
  expression?: string | null | undefined;
  /** Its position in the execution order. */
  index?: string | null | undefined;
  /** Name of the loop variable. */
  iterator?: string | null | undefined;
  /** Identifies the step within the workflow; created if missing. */
  stepId?: string | number | null | undefined;
  /** Condition or loop. */
  type?: OperatorType | null | undefined;
};

/** A condition or loop, with the steps inside. With the `stepId` of an existing step, fields that are not given keep their value. */
export type OperatorStepInput = {
  /** False: it is skipped, with everything in it. Null: true. */
  enabled?: boolean | null | undefined;
  /** The condition, or the list of the loop. Missing: OPERATOR_EXPRESSION_IS_EMPTY. */
  expression?: string | null | undefined;
  /** Name of the loop variable. */
  iterator?: string | null | undefined;
  /** Identifies the step within the workflow; created if missing. */
  stepId?: string | number | null | undefined;
  /** The steps inside, in execution order. */
  steps?: Array<StepInput> | null | undefined;
  /** Condition or loop. */
  type?: OperatorType | null | undefined;
};

/** What an operator does. */
export const OperatorType = {
  /** Executes the steps inside only if its expression is true. */
  If: 'IF',
  /** Repeats the steps inside. */
  Loop: 'LOOP'
} as const;

export type OperatorType = typeof OperatorType[keyof typeof OperatorType];
/** Which end of a list comes first. */
export const OrderDirection = {
  /** The least first. */
  Asc: 'ASC',
  /** The greatest first. */
  Desc: 'DESC'
} as const;

export type OrderDirection = typeof OrderDirection[keyof typeof OrderDirection];
/** What happens when a schedule is due and another run of it has not ended. */
export const OverlapPolicy = {
  /** Another run is queued, unless the last run that was due is still waiting to start. */
  Allow: 'ALLOW',
  /** A run is queued that starts when the others have ended. At most one waits: later times are skipped. */
  Queue: 'QUEUE',
  /** No run is queued: this time is skipped. */
  Skip: 'SKIP'
} as const;

export type OverlapPolicy = typeof OverlapPolicy[keyof typeof OverlapPolicy];
/** The present and the new password of the signed-in user. */
export type OwnPasswordChangeInput = {
  /** The same again. */
  confirmPassword: string;
  /** The present password. */
  currentPassword: string;
  /** 8 to 128 characters. */
  newPassword: string;
};

/** A time from one moment to another. */
export type PeriodFilter = {
  /** This or later. */
  gte?: string | null | undefined;
  /** This or earlier. */
  lte?: string | null | undefined;
};

/** How a text is evaluated. */
export const PreviewKind = {
  /** The expression of a condition or loop; of a loop, what it is repeated for. */
  Expression: 'EXPRESSION',
  /** A body field, URL or header: a reference by itself keeps the type of its value. */
  Text: 'TEXT'
} as const;

export type PreviewKind = typeof PreviewKind[keyof typeof PreviewKind];
/** What a process does. */
export const ProcessRole = {
  /** Serves clients. */
  Api: 'API',
  /** Starts the runs of schedules. */
  Scheduler: 'SCHEDULER',
  /** Executes runs. */
  Worker: 'WORKER'
} as const;

export type ProcessRole = typeof ProcessRole[keyof typeof ProcessRole];
/** Whether a process gives signs of life, which it does every five seconds. */
export const ProcessState = {
  /** It does. */
  Alive: 'ALIVE',
  /** It ended without stopping, or is silent for 30 seconds. */
  Dead: 'DEAD',
  /** It missed two. */
  Late: 'LATE'
} as const;

export type ProcessState = typeof ProcessState[keyof typeof ProcessState];
/** The body of a request. */
export type RequestBodyInput = {
  /** `raw`, `graphql` and others. */
  data?: string | null | undefined;
  /** The content: values and references. */
  fields?: unknown;
  /** `json`, `xml`, `text` or `x-www-form-urlencoded`; other values are kept and sent as JSON. */
  format?: string | null | undefined;
  /** `object`, `array` or `string`; other values are kept. */
  type?: string | null | undefined;
};

/** Error codes of steps and runs. This version has no others. */
export const RunErrorCode = {
  /** A field binding with a script writes to a field that the request of its step does not have. */
  BindingFieldUnknown: 'BINDING_FIELD_UNKNOWN',
  /** A body field combines several references, and no field binding defines how. */
  BindingNotFound: 'BINDING_NOT_FOUND',
  /** A field binding with a script writes to something other than a body field, path or header. */
  BindingTypeUnknown: 'BINDING_TYPE_UNKNOWN',
  /** Two methods have the same colour, so that references to them are ambiguous. */
  ColorDuplicate: 'COLOR_DUPLICATE',
  /** The colour of a method does not have the form #RRGGBB. */
  ColorInvalid: 'COLOR_INVALID',
  /** The step has no connector, or its connector was deleted. */
  ConnectorNotFound: 'CONNECTOR_NOT_FOUND',
  /** A stored value of the connector would be sent to an origin it was not entered for. */
  CredentialsNeedConfirmation: 'CREDENTIALS_NEED_CONFIRMATION',
  /** A value of the connector that an operation of its invoker returns could not be fetched. */
  CredentialsNotComputed: 'CREDENTIALS_NOT_COMPUTED',
  /** A regular expression does not parse, or is too large. */
  ExpressionBadPattern: 'EXPRESSION_BAD_PATTERN',
  /** The right side of a division is 0. */
  ExpressionDivisionByZero: 'EXPRESSION_DIVISION_BY_ZERO',
  /** The expression of an `if` is neither true nor false. */
  ExpressionNotBoolean: 'EXPRESSION_NOT_BOOLEAN',
  /** Arithmetic with a number beyond 2^53 would round it. */
  ExpressionNumberTooLarge: 'EXPRESSION_NUMBER_TOO_LARGE',
  /** An expression does not parse; the message says where. */
  ExpressionSyntax: 'EXPRESSION_SYNTAX',
  /** An operator or a loop got a value of a type that it does not accept. */
  ExpressionTypeMismatch: 'EXPRESSION_TYPE_MISMATCH',
  /** The remote system responded with an error status. */
  HttpStatusError: 'HTTP_STATUS_ERROR',
  /** Two steps have the same index. */
  IndexDuplicate: 'INDEX_DUPLICATE',
  /** An index does not consist of numbers joined with `_`. */
  IndexInvalid: 'INDEX_INVALID',
  /** The invoker of the connector was deleted. */
  InvokerNotFound: 'INVOKER_NOT_FOUND',
  /** The name of a loop variable is not valid, or an outer loop uses it. */
  IteratorInvalid: 'ITERATOR_INVALID',
  /** A step refers to a loop variable, but no loop around the step has it. */
  IteratorUnknown: 'ITERATOR_UNKNOWN',
  /** The step defines where the run continues after it, which is not supported yet. */
  JumpNotAvailable: 'JUMP_NOT_AVAILABLE',
  /** A loop has more iterations than allowed. */
  LoopTooLong: 'LOOP_TOO_LONG',
  /** According to its index, a step is inside a method. */
  MethodHasChildren: 'METHOD_HAS_CHILDREN',
  /** The type of a method is not supported. */
  MethodTypeUnknown: 'METHOD_TYPE_UNKNOWN',
  /** The invoker defines the response as a failure of the operation. */
  OperationFailed: 'OPERATION_FAILED',
  /** The invoker of the connector has no operation with the name of the step. */
  OperationNotFound: 'OPERATION_NOT_FOUND',
  /** An operator has no expression. */
  OperatorExpressionIsEmpty: 'OPERATOR_EXPRESSION_IS_EMPTY',
  /** An operator is neither an `if` nor a `loop`. */
  OperatorTypeUnknown: 'OPERATOR_TYPE_UNKNOWN',
  /** The address policy refuses calls to this host. */
  OutboundAddressRefused: 'OUTBOUND_ADDRESS_REFUSED',
  /** The request cannot be sent over HTTP. */
  OutboundBadRequest: 'OUTBOUND_BAD_REQUEST',
  /** The response is not valid HTTP, or cannot be decompressed. */
  OutboundBadResponse: 'OUTBOUND_BAD_RESPONSE',
  /** The URL is not absolute, or not http or https. */
  OutboundBadUrl: 'OUTBOUND_BAD_URL',
  /** The connection could not be opened, or broke. */
  OutboundConnectionFailed: 'OUTBOUND_CONNECTION_FAILED',
  /** A redirect would send the body to another origin, or lead to an address that is not allowed. */
  OutboundRedirectRefused: 'OUTBOUND_REDIRECT_REFUSED',
  /** The response was not complete in time. */
  OutboundTimeout: 'OUTBOUND_TIMEOUT',
  /** The TLS connection failed: the certificate or the handshake. */
  OutboundTlsFailed: 'OUTBOUND_TLS_FAILED',
  /** The response is larger than allowed. */
  OutboundTooLarge: 'OUTBOUND_TOO_LARGE',
  /** There were more redirects than allowed. */
  OutboundTooManyRedirects: 'OUTBOUND_TOO_MANY_REDIRECTS',
  /** The pages of an operation do not end: the request for the next page equals the last one. */
  PagesRepeat: 'PAGES_REPEAT',
  /** A page has no list at the path that the operation defines for its items. */
  PageWithoutList: 'PAGE_WITHOUT_LIST',
  /** A step that demands its values refers to something that is not there, or is null. */
  ReferenceEmpty: 'REFERENCE_EMPTY',
  /** A reference does not parse; the message says where. */
  ReferenceSyntax: 'REFERENCE_SYNTAX',
  /** The body of the request cannot be written in its format. */
  RequestBodyInvalid: 'REQUEST_BODY_INVALID',
  /** The body of the request is larger than allowed. */
  RequestBodyTooLarge: 'REQUEST_BODY_TOO_LARGE',
  /** A header of the request has an invalid name, or a value that is not text. */
  RequestHeaderInvalid: 'REQUEST_HEADER_INVALID',
  /** The value of a header contains a line break or another control character. */
  RequestHeaderUnsafe: 'REQUEST_HEADER_UNSAFE',
  /** The HTTP method of the request is not supported. */
  RequestMethodInvalid: 'REQUEST_METHOD_INVALID',
  /** The request has no URL. */
  RequestUrlIsEmpty: 'REQUEST_URL_IS_EMPTY',
  /** A value would change the host of the URL or leave its path. */
  RequestUrlUnsafe: 'REQUEST_URL_UNSAFE',
  /** The response is compressed in an unknown way. */
  ResponseEncodingUnknown: 'RESPONSE_ENCODING_UNKNOWN',
  /** The response is declared as JSON but is not. */
  ResponseNotJson: 'RESPONSE_NOT_JSON',
  /** The response is declared as XML but is not, and a step reads it. */
  ResponseNotXml: 'RESPONSE_NOT_XML',
  /** The response contains a number that would be rounded. */
  ResponseNumberTooLarge: 'RESPONSE_NUMBER_TOO_LARGE',
  /** The process that executed the run ended unexpectedly. See the log of the service. */
  RunCrashed: 'RUN_CRASHED',
  /** The events of the run could not be stored. */
  RunEventsRefused: 'RUN_EVENTS_REFUSED',
  /** An internal error; see the log of the service. */
  RunFault: 'RUN_FAULT',
  /** The service process of the run was stopped, died, or lost its lease after the run had sent a request. */
  RunInterrupted: 'RUN_INTERRUPTED',
  /** The run cannot go on: what earlier processes have kept of it does not fit its steps any more. */
  RunJournalUnfit: 'RUN_JOURNAL_UNFIT',
  /** The run needed more memory than allowed, in total or for the responses that later steps read. */
  RunOutOfMemory: 'RUN_OUT_OF_MEMORY',
  /** The run blocked its process for too long, for example with an expression or a pattern on a very large text. */
  RunStalled: 'RUN_STALLED',
  /** The run took longer than allowed. */
  RunTimeout: 'RUN_TIMEOUT',
  /** The chain of runs that started each other is longer than 10. */
  RunTooDeep: 'RUN_TOO_DEEP',
  /** The events of the run, or a single one, are larger than allowed. */
  RunTooLarge: 'RUN_TOO_LARGE',
  /** The run has more events than allowed. */
  RunTooManyEvents: 'RUN_TOO_MANY_EVENTS',
  /** The loops of the run have more iterations in total than allowed. */
  RunTooManyTurns: 'RUN_TOO_MANY_TURNS',
  /** A single step is tested in a loop whose list is empty in the samples. */
  SampleMissing: 'SAMPLE_MISSING',
  /** The polyglot engine returned an internal error. */
  ScriptEngineFailed: 'SCRIPT_ENGINE_FAILED',
  /** The language of the script needs the polyglot engine, which is disabled. */
  ScriptEngineOff: 'SCRIPT_ENGINE_OFF',
  /** The polyglot engine does not respond, or stopped. */
  ScriptEngineUnreachable: 'SCRIPT_ENGINE_UNREACHABLE',
  /** The script does not parse, or threw an error; the message has the reason and the line. */
  ScriptError: 'SCRIPT_ERROR',
  /** The language of the script is not supported. */
  ScriptLanguageUnknown: 'SCRIPT_LANGUAGE_UNKNOWN',
  /** The script, with its input, needed more memory than allowed. */
  ScriptOutOfMemory: 'SCRIPT_OUT_OF_MEMORY',
  /** The value of `RESULT_VAR` cannot be written as JSON: it is undefined, a function, a promise, or a circular object. */
  ScriptResultInvalid: 'SCRIPT_RESULT_INVALID',
  /** The script took longer than allowed. */
  ScriptTimeout: 'SCRIPT_TIMEOUT',
  /** A named secret is used where none is allowed. */
  SecretNotAllowedHere: 'SECRET_NOT_ALLOWED_HERE',
  /** The step uses a named secret that does not exist. */
  SecretNotFound: 'SECRET_NOT_FOUND',
  /** A named secret, or a value of a connector that is not public, would be sent to an origin it does not belong to, even if it was returned in a response. */
  SecretOriginRefused: 'SECRET_ORIGIN_REFUSED',
  /** The timeout, retries, back-off or success statuses of a step are not allowed values. */
  StepSettingInvalid: 'STEP_SETTING_INVALID',
  /** A value is nested too deeply or too long to be processed. */
  ValueTooLarge: 'VALUE_TOO_LARGE',
  /** The webhook that the step calls does not exist. */
  WebhookNotFound: 'WEBHOOK_NOT_FOUND',
  /** A parameter of the webhook that started the run does not have the type that the workflow declares. */
  WebhookParameterInvalid: 'WEBHOOK_PARAMETER_INVALID'
} as const;

export type RunErrorCode = typeof RunErrorCode[keyof typeof RunErrorCode];
/** Conditions on a RunErrorCode; all that are given must hold. */
export type RunErrorCodeFilter = {
  /** Equal to this. */
  eq?: RunErrorCode | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<RunErrorCode> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** Conditions for runs. All given conditions must match. */
export type RunFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<RunFilter> | null | undefined;
  /** Codes of the errors that ended them. */
  errorCode?: RunErrorCodeFilter | null | undefined;
  /** End times. */
  finishedAt?: DateTimeFilter | null | undefined;
  /** Ids. */
  id?: IdFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: RunFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<RunFilter> | null | undefined;
  /** Times at which they were queued. */
  queuedAt?: DateTimeFilter | null | undefined;
  /** Schedules that started them. */
  schedule?: IdFilter | null | undefined;
  /** Start times. */
  startedAt?: DateTimeFilter | null | undefined;
  /** Users who started them. */
  startedBy?: IdFilter | null | undefined;
  /** States. */
  state?: RunStateFilter | null | undefined;
  /** Test runs; requires `includeTest`. */
  test?: BooleanFilter | null | undefined;
  /** Triggers. */
  trigger?: RunTriggerFilter | null | undefined;
  /** Workflows. */
  workflow?: IdFilter | null | undefined;
};

/** Where a retry of a run begins. */
export const RunRetryFrom = {
  /** After the open step, as if it had succeeded with an empty answer, with the answers of the steps before it. */
  AfterStep: 'AFTER_STEP',
  /** From the start: every step is executed again. */
  Start: 'START',
  /** At the step that failed, with the answers of the steps before it. If it is open, what it sent may be sent a second time. */
  Step: 'STEP'
} as const;

export type RunRetryFrom = typeof RunRetryFrom[keyof typeof RunRetryFrom];
/** State of a run. */
export const RunState = {
  /** A user cancelled the run. */
  Cancelled: 'CANCELLED',
  /** The run ended with an error. */
  Failed: 'FAILED',
  /** The service process of the run was stopped or lost. */
  Interrupted: 'INTERRUPTED',
  /** The run waits in the queue. */
  Queued: 'QUEUED',
  /** The run is executing. */
  Running: 'RUNNING',
  /** The run ended without an error. */
  Succeeded: 'SUCCEEDED'
} as const;

export type RunState = typeof RunState[keyof typeof RunState];
/** Conditions on a RunState; all that are given must hold. */
export type RunStateFilter = {
  /** Equal to this. */
  eq?: RunState | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<RunState> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** What starts a run. */
export const RunTrigger = {
  /** A run failed, and its workflow has this one as error workflow. */
  Error: 'ERROR',
  /** A user ran the workflow. */
  Manual: 'MANUAL',
  /** A user retried a run. */
  Retry: 'RETRY',
  /** A schedule was due. */
  Schedule: 'SCHEDULE',
  /** A user tested the workflow. */
  Test: 'TEST',
  /** A webhook was called. */
  Webhook: 'WEBHOOK'
} as const;

export type RunTrigger = typeof RunTrigger[keyof typeof RunTrigger];
/** Conditions on a RunTrigger; all that are given must hold. */
export type RunTriggerFilter = {
  /** Equal to this. */
  eq?: RunTrigger | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<RunTrigger> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** A step whose stored sample is removed. */
export type SampleRemoveInput = {
  /** The step. */
  stepId: string | number;
  /** Global or integer id of the workflow. */
  workflowId: string | number;
};

/** A sample of a step to store. */
export type SampleSetInput = {
  /** The body of the answer; a text is no JSON. Default: the last answer of the step, as `Workflow.samples` shows it, is pinned. */
  answer?: unknown;
  /** HTTP status, 100 to 599. Default: 200, or that of the pinned answer. */
  status?: number | null | undefined;
  /** The step. */
  stepId: string | number;
  /** Global or integer id of the workflow. */
  workflowId: string | number;
};

/** Where the sample of a step comes from. */
export const SampleSource = {
  /** An answer that a user has pinned. */
  Pinned: 'PINNED',
  /** A run with a log. */
  Run: 'RUN',
  /** A test of yours. */
  Test: 'TEST',
  /** An answer that a user has typed. */
  Typed: 'TYPED'
} as const;

export type SampleSource = typeof SampleSource[keyof typeof SampleSource];
/** A new schedule. */
export type ScheduleCreateInput = {
  /** When it is due, as a cron expression. Empty: never by itself. */
  cron?: string | null | undefined;
  /** False: it does not fire by itself. */
  enabled?: boolean;
  /** Record requests and responses, secrets masked, in the events of its runs. */
  logging?: boolean;
  /** What happens with due times at which no process was running. */
  missedFires?: MissedFires;
  /** What happens when it is due and another run of it has not ended. Starts by a webhook or by hand are not affected. */
  overlapPolicy?: OverlapPolicy;
  /** The time zone of `cron`. Default: that of the configuration. */
  timeZone?: string | null | undefined;
  /** Unique without regard to case, 45 characters at most. */
  title: string;
  /** The workflow to run: global id or integer. */
  workflowId: string | number;
};

/** Conditions for schedules. All given conditions must match. */
export type ScheduleFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<ScheduleFilter> | null | undefined;
  /** Only enabled or only disabled ones. */
  enabled?: BooleanFilter | null | undefined;
  /** These schedules, by their ids. */
  id?: IdFilter | null | undefined;
  /** By next due time; null for those that are never due. */
  nextFire?: DateTimeFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: ScheduleFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<ScheduleFilter> | null | undefined;
  /** By title. */
  title?: NameFilter | null | undefined;
  /** Of these workflows. */
  workflow?: IdFilter | null | undefined;
};

/** What the list is ordered by; equal entries by their id. */
export type ScheduleOrder = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** What is compared. */
  field: ScheduleOrderField;
};

/** What the list is ordered by. */
export const ScheduleOrderField = {
  /** Id. */
  Id: 'ID',
  /** Next due time. Those that are never due come first. */
  NextFire: 'NEXT_FIRE',
  /** Title, without regard to case. */
  Title: 'TITLE'
} as const;

export type ScheduleOrderField = typeof ScheduleOrderField[keyof typeof ScheduleOrderField];
/** A change of a schedule; missing fields stay unchanged. */
export type ScheduleUpdateInput = {
  /** When it is due, as a cron expression. Empty: never by itself. */
  cron?: string | null | undefined;
  /** False: it does not fire by itself. */
  enabled?: boolean | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** Record requests and responses, secrets masked, in the events of its runs. */
  logging?: boolean | null | undefined;
  /** What happens with due times at which no process was running. */
  missedFires?: MissedFires | null | undefined;
  /** What happens when it is due and another run of it has not ended. Starts by a webhook or by hand are not affected. */
  overlapPolicy?: OverlapPolicy | null | undefined;
  /** The time zone of `cron`. */
  timeZone?: string | null | undefined;
  /** Unique without regard to case, 45 characters at most. */
  title?: string | null | undefined;
  /** The workflow to run: global id or integer. */
  workflowId?: string | number | null | undefined;
};

/** Types of records that can be searched by title. */
export const SearchType = {
  /** Data aggregators, by name. */
  Aggregator: 'AGGREGATOR',
  /** Categories, by name. */
  Category: 'CATEGORY',
  /** Connectors. */
  Connector: 'CONNECTOR',
  /** Invokers, by name. */
  Invoker: 'INVOKER',
  /** Schedules. */
  Schedule: 'SCHEDULE',
  /** Named secrets, by name. */
  Secret: 'SECRET',
  /** Templates, by name. */
  Template: 'TEMPLATE',
  /** Workflows, without those of test runs. */
  Workflow: 'WORKFLOW'
} as const;

export type SearchType = typeof SearchType[keyof typeof SearchType];
/** Whether a user has a second factor. */
export const SecondFactorState = {
  /** The user signs in with the password only. */
  Off: 'OFF',
  /** The user signs in with password and code. */
  On: 'ON',
  /** The user, or their group, needs one: the user must set up an authenticator app at the next login. */
  Pending: 'PENDING'
} as const;

export type SecondFactorState = typeof SecondFactorState[keyof typeof SecondFactorState];
/** A new secret. */
export type SecretCreateInput = {
  /** A letter, then letters, digits, - and _; at most 64 characters. Unique without regard to case. */
  name: string;
  /** Description for users; at most 1,000 characters. */
  note?: string | null | undefined;
  /** The origins that it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` matches all hosts below, but not the host itself; it must not be followed by a public suffix such as `com` or `github.io`. */
  origins: Array<string>;
  /** The value, at most 8,192 characters. It is never returned. */
  value: string;
};

/** Conditions for secrets. All given conditions must match. */
export type SecretFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<SecretFilter> | null | undefined;
  /** Ids of secrets. */
  id?: IdFilter | null | undefined;
  /** The name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: SecretFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<SecretFilter> | null | undefined;
};

/** A change of a secret. Omitted fields keep their value. */
export type SecretUpdateInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** A letter, then letters, digits, - and _; at most 64 characters. Unique without regard to case. A secret that workflows use cannot be renamed. */
  name?: string | null | undefined;
  /** Description for users; at most 1,000 characters. */
  note?: string | null | undefined;
  /** Replaces all origins. The origins that it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` matches all hosts below, but not the host itself; it must not be followed by a public suffix such as `com` or `github.io`. */
  origins?: Array<string> | null | undefined;
  /** The new value, at most 8,192 characters. Runs that have started keep the previous value. */
  value?: string | null | undefined;
};

/** A restart of the service. */
export type ServiceRestartInput = {
  /** The revision that was read. If the file has another one, nothing is restarted. */
  revision?: string | null | undefined;
};

/** A step to add: a method or an operator. */
export type StepAddInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** A step that sends a request. */
  method?: MethodContentInput | null | undefined;
  /** A condition or a loop. */
  operator?: OperatorContentInput | null | undefined;
  /** The operator that contains it. Default: no operator. */
  parentStepId?: string | number | null | undefined;
  /** Its position among the steps there, from 0. Default: the last. */
  position?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** The connector that a method calls. */
export type StepConnectorInput = {
  /** Integer id of the connector. */
  connectorId?: number | null | undefined;
  /** Its title, for users. */
  title?: string | null | undefined;
};

/** A step: give either `method` or `operator`. */
export type StepInput = {
  /** A step that calls something. */
  method?: MethodStepInput | null | undefined;
  /** A condition or loop. */
  operator?: OperatorStepInput | null | undefined;
};

/** A step to move, with everything in it. */
export type StepMoveInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The operator that contains it. Default: no operator. */
  parentStepId?: string | number | null | undefined;
  /** Its position among the other steps there, from 0. Default: the last. */
  position?: number | null | undefined;
  /** The step. */
  stepId: string | number;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** Copied steps to add. */
export type StepPasteInput = {
  /** What `Workflow.stepCopy` returned, of this or of another workflow. */
  content: unknown;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The operator that contains it. Default: no operator. */
  parentStepId?: string | number | null | undefined;
  /** Position of the first among the steps there, from 0. Default: the last. */
  position?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** A step to remove, with everything in it. */
export type StepRemoveInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The step. */
  stepId: string | number;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** What a method sends. */
export type StepRequestInput = {
  /** The body, if there is one. */
  body?: RequestBodyInput | null | undefined;
  /** The URL, with references in it. */
  endpoint?: string | null | undefined;
  /** Header names and values. */
  header?: unknown;
  /** The HTTP method. Missing: GET. */
  httpMethod?: HttpMethod | null | undefined;
  /** The HTTP method as in documents, in place of `httpMethod`: stored unchanged and checked by a run. */
  method?: string | null | undefined;
};

/** The connector of a 4.x client to which a step belongs. */
export const StepSide = {
  /** The source connector. */
  From: 'FROM',
  /** The target connector. */
  To: 'TO'
} as const;

export type StepSide = typeof StepSide[keyof typeof StepSide];
/** A step to change. Fields that are not given stay. */
export type StepUpdateInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Changes of a method. If its colour changes, references are updated. */
  method?: MethodContentInput | null | undefined;
  /** Changes of an operator. If its loop variable changes, references are updated. */
  operator?: OperatorContentInput | null | undefined;
  /** The step. */
  stepId: string | number;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** Conditions on a text; all that are given must hold. */
export type StringFilter = {
  /** Has this text in it, without regard to case. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  contains?: string | null | undefined;
  /** Equal to this. */
  eq?: string | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<string> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** What to pack. */
export type SupportLogCreateInput = {
  /** Execute the workflow first, with a log; this also requires CONNECTION:UPDATE. Otherwise only existing logs are packed. */
  execute?: boolean;
  /** Masking rules in addition to those of the workflow, at most 100. */
  rules?: Array<SupportLogRuleInput>;
  /** The workflow: global id or integer. */
  workflowId: string | number;
};

/** Conditions for support files. All given conditions must match. */
export type SupportLogFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<SupportLogFilter> | null | undefined;
  /** When they were packed. */
  createdAt?: DateTimeFilter | null | undefined;
  /** These support files. */
  id?: IdFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: SupportLogFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<SupportLogFilter> | null | undefined;
  /** Those of these workflows. */
  workflow?: IdFilter | null | undefined;
};

/** A masking rule for a support file, in addition to those of its workflow. It is not stored. */
export type SupportLogRuleInput = {
  /** The expression, at most 1,000 characters. */
  expression: string;
  /** The language of the expression. */
  type: MaskingRuleType;
};

/** A synchronisation to start. */
export type SynchronisationStartInput = {
  /** Only list what would be done; change nothing. */
  isDryRun?: boolean;
  /** What to synchronise. */
  kind: OnlineKind;
};

/** Whether a synchronisation has ended. */
export const SynchronisationState = {
  /** The portal could not be read, or the synchronisation was interrupted. */
  Failed: 'FAILED',
  /** Running. */
  Running: 'RUNNING',
  /** All items of the portal were compared. */
  Succeeded: 'SUCCEEDED'
} as const;

export type SynchronisationState = typeof SynchronisationState[keyof typeof SynchronisationState];
/** The state of the service or of one of its components. */
export const SystemStatus = {
  /** It does not work. */
  Down: 'DOWN',
  /** It is not in use. */
  Unknown: 'UNKNOWN',
  /** It works. */
  Up: 'UP'
} as const;

export type SystemStatus = typeof SystemStatus[keyof typeof SystemStatus];
/** A connector for a connector slot. */
export type TemplateConnectorChoiceInput = {
  /** The connector: global id or integer. It must have the invoker of the slot. */
  connectorId: string | number;
  /** Number of the slot, as in `Template.connectors`. */
  slot?: number;
};

/** A workflow to create a template from. */
export type TemplateCreateInput = {
  /** Description for users, at most 4,000 characters. Default: the description of the workflow. */
  description?: string | null | undefined;
  /** License of the template, at most 255 characters. */
  license?: string | null | undefined;
  /** Name of the template, at most 255 characters. Default: the title of the workflow. */
  name?: string | null | undefined;
  /** The workflow: global id or integer. Also needs CONNECTION:READ. */
  workflowId: string | number;
};

/** Conditions for templates. All given conditions must match. */
export type TemplateFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<TemplateFilter> | null | undefined;
  /** Time of creation. */
  createdAt?: DateTimeFilter | null | undefined;
  /** Ids of templates. */
  id?: IdFilter | null | undefined;
  /** The name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: TemplateFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<TemplateFilter> | null | undefined;
  /** The UUID used by REST and in files. */
  templateId?: StringFilter | null | undefined;
  /** Time of the last change. */
  updatedAt?: DateTimeFilter | null | undefined;
};

/** A file with templates. */
export type TemplateImportInput = {
  /** A JSON file with one template, which replaces an existing one with the same id; or a zip archive of such files, whose templates get new ids. */
  file: null;
};

/** A template to create a workflow from. */
export type TemplateInstantiateInput = {
  /** A connector for each slot of the template. */
  connectors?: Array<TemplateConnectorChoiceInput>;
  /** The template: global id or integer. */
  templateId: string | number;
  /** Title of the workflow. Default: the name of the template, or the first free title derived from it. */
  title?: string | null | undefined;
};

/** The workflow to test: give exactly one of `workflowId` and `workflow`. */
export type TestRunStartInput = {
  /** Id of the saved workflow that `workflow` is a draft of: its masking rules apply, and its samples. */
  draftOf?: string | number | null | undefined;
  /** A method: only its request is sent, in a loop in the first iteration. The answers of the steps that it needs come from `Workflow.samples`; if one is missing, nothing is started (SAMPLE_MISSING). */
  only?: string | number | null | undefined;
  /** A step: the run ends successfully when it has ended once, in a loop in its first iteration. */
  until?: string | number | null | undefined;
  /** A workflow that is not saved. */
  workflow?: WorkflowInput | null | undefined;
  /** Global or integer id of a saved workflow. */
  workflowId?: string | number | null | undefined;
};

/** A new user. */
export type UserCreateInput = {
  /** Personal details. Omitted fields stay unchanged, or empty for a new user. */
  detail?: UserDetailInput | null | undefined;
  /** Unique without regard to case. */
  email: string;
  /** The group: global id or integer. It must not have rights that the signed-in user lacks. */
  groupId: string | number;
  /** 8 to 128 characters. */
  password: string;
};

/** A change of details. */
export type UserDetailChangeInput = {
  /** The fields to change. Omitted fields stay unchanged, null clears. */
  detail: UserDetailInput;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
};

/** Personal details. In a change, omitted fields stay unchanged, and null clears. */
export type UserDetailInput = {
  /** Whether interfaces show the tutorial. */
  appTour?: boolean | null | undefined;
  /** Account name at Bitbucket, 100 characters at most. */
  bitbucketUser?: string | null | undefined;
  /** Department, 45 characters at most. */
  department?: string | null | undefined;
  /** Language of the user interface. */
  lang?: Language | null | undefined;
  /** Given name, 45 characters at most. */
  name?: string | null | undefined;
  /** Organisation, 100 characters at most. */
  organisation?: string | null | undefined;
  /** Telephone number, 45 characters at most. */
  phoneNumber?: string | null | undefined;
  /** A time that the client stores. */
  requestTime?: string | null | undefined;
  /** Mr., Dr., …, 10 characters at most. */
  salutation?: string | null | undefined;
  /** Family name, 45 characters at most. */
  surname?: string | null | undefined;
  /** Appearance settings of the client, 4,000 characters at most. */
  theme?: string | null | undefined;
  /** Whether all devices use the same appearance. */
  themeSync?: boolean | null | undefined;
};

/** Conditions for users. All given conditions must match. */
export type UserFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<UserFilter> | null | undefined;
  /** When the user was created. */
  createdAt?: DateTimeFilter | null | undefined;
  /** Department, without regard to case. */
  department?: NameFilter | null | undefined;
  /** When the user was disabled. `isNull: true`: users who are not. */
  disabledAt?: DateTimeFilter | null | undefined;
  /** E-mail. */
  email?: NameFilter | null | undefined;
  /** Group. */
  groupId?: IdFilter | null | undefined;
  /** Users by their ids. */
  id?: IdFilter | null | undefined;
  /** Given name, without regard to case. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: UserFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<UserFilter> | null | undefined;
  /** Organisation, without regard to case. */
  organisation?: NameFilter | null | undefined;
  /** Family name, without regard to case. */
  surname?: NameFilter | null | undefined;
};

/** Conditions for groups. All given conditions must match. */
export type UserGroupFilter = {
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<UserGroupFilter> | null | undefined;
  /** Description. */
  description?: StringFilter | null | undefined;
  /** Groups by their ids. */
  id?: IdFilter | null | undefined;
  /** Name. */
  name?: NameFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: UserGroupFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<UserGroupFilter> | null | undefined;
};

/** A new user, who sets the password. */
export type UserInviteInput = {
  /** Personal details; `lang` is the language of the mail. */
  detail?: UserDetailInput | null | undefined;
  /** Gets the mail. Unique without regard to case. */
  email: string;
  /** The group: global id or integer. It must not have rights that the signed-in user lacks. */
  groupId: string | number;
};

/** What the list is ordered by; equal entries by their id. */
export type UserOrder = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** What is compared. */
  field: UserOrderField;
};

/** What the list is ordered by. */
export const UserOrderField = {
  /** When the user was created. */
  CreatedAt: 'CREATED_AT',
  /** E-mail, without regard to case. */
  Email: 'EMAIL',
  /** Id. */
  Id: 'ID',
  /** When the user last signed in. Users who never signed in sort lowest. */
  LastLogin: 'LAST_LOGIN',
  /** Given name, without regard to case. */
  Name: 'NAME',
  /** Family name, without regard to case. */
  Surname: 'SURNAME',
  /** When the user was last changed. */
  UpdatedAt: 'UPDATED_AT'
} as const;

export type UserOrderField = typeof UserOrderField[keyof typeof UserOrderField];
/** A new password. */
export type UserPasswordChangeInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** 8 to 128 characters. */
  password: string;
};

/** A new profile picture. */
export type UserPictureUploadInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** PNG, JPEG, GIF or WebP, detected from the content. */
  file: null;
  /** Global id or integer. */
  id: string | number;
};

/** A change of a user. Omitted fields stay unchanged. */
export type UserUpdateInput = {
  /** Your current password, to change your own e-mail. */
  currentPassword?: string | null | undefined;
  /** Personal details. Omitted fields stay unchanged, or empty for a new user. */
  detail?: UserDetailInput | null | undefined;
  /** Unique without regard to case. The former address gets a mail. */
  email?: string | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The group: global id or integer. It must not have rights that the signed-in user lacks. */
  groupId?: string | number | null | undefined;
  /** Global id or integer. */
  id: string | number;
  /** 8 to 128 characters. Ends the other sessions of the user. */
  password?: string | null | undefined;
};

/** A workflow whose draft is removed. */
export type WorkflowDraftRemoveInput = {
  /** Global or integer id. */
  workflowId: string | number;
};

/** Your draft of a workflow. */
export type WorkflowDraftSetInput = {
  /** Any JSON, which is not checked; at most 256 KiB. */
  content: unknown;
  /** Global or integer id. */
  workflowId: string | number;
};

/** Conditions for workflows. All given conditions must match. */
export type WorkflowFilter = {
  /** A method uses this aggregator. */
  aggregator?: ExactIdFilter | null | undefined;
  /** All of these must hold. In lists of more than 10,000 entries: what an index has together in the order asked for, or a condition that leaves 500. */
  and?: Array<WorkflowFilter> | null | undefined;
  /** The workflow is in one of these categories. */
  category?: IdFilter | null | undefined;
  /** A step calls this connector. */
  connector?: ExactIdFilter | null | undefined;
  /** Time of the first save. */
  createdAt?: DateTimeFilter | null | undefined;
  /** These workflows. */
  id?: IdFilter | null | undefined;
  /** The workflow names this invoker itself, as imported workflows do; without regard to case. */
  invoker?: ExactStringFilter | null | undefined;
  /** This must not hold. In lists of more than 10,000 entries: only together with a condition that leaves 500. */
  not?: WorkflowFilter | null | undefined;
  /** One of these must hold. In lists of more than 10,000 entries: ranges of one field, or together with a condition that leaves 500. */
  or?: Array<WorkflowFilter> | null | undefined;
  /** The workflow uses the secret with this name, without regard to case. */
  secret?: ExactStringFilter | null | undefined;
  /** Workflows of test runs; needs `includeTest`. */
  test?: BooleanFilter | null | undefined;
  /** Their title. */
  title?: StringFilter | null | undefined;
  /** Time of the last save. */
  updatedAt?: DateTimeFilter | null | undefined;
  /** The users who saved them last. */
  updatedBy?: IdFilter | null | undefined;
};

/** A workflow to import: exactly one of `file` and `content`. */
export type WorkflowImportInput = {
  /** A connector for each slot of the file. Default for a slot: the connector with the same title and invoker, if there is one. */
  connectors?: Array<TemplateConnectorChoiceInput>;
  /** Content of the file. */
  content?: unknown;
  /** The file. */
  file?: null | null | undefined;
  /** Title of the workflow. Default: the title in the file, or the first free title derived from it. */
  title?: string | null | undefined;
};

/** The content of a workflow that is not saved. */
export type WorkflowInput = {
  /** Its category, global id or integer; null removes it from its category. */
  categoryId?: string | number | null | undefined;
  /** Its purpose; at most 512 characters. */
  description?: string | null | undefined;
  /** Field bindings between steps. */
  fieldBindings?: Array<FieldBindingInput> | null | undefined;
  /** Steps that call something, as in documents; not together with `steps`. */
  methods?: Array<MethodDocumentInput> | null | undefined;
  /** Conditions and loops, as in documents; not together with `steps`. */
  operators?: Array<OperatorDocumentInput> | null | undefined;
  /** Its steps as a tree, in execution order: their order gives their indexes. A new method without a colour gets one. */
  steps?: Array<StepInput> | null | undefined;
  /** At most 128 characters, unique without regard to case. */
  title?: string | null | undefined;
  /** The layout; stored unchanged. */
  ui?: unknown;
};

/** What the list is ordered by; equal entries by their id. */
export type WorkflowOrder = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** What is compared. */
  field: WorkflowOrderField;
};

/** What the list is ordered by. */
export const WorkflowOrderField = {
  /** Time of the first save. */
  CreatedAt: 'CREATED_AT',
  /** The integer id. */
  DatabaseId: 'DATABASE_ID',
  /** The title, without regard to case. */
  Title: 'TITLE',
  /** Time of the last save. */
  UpdatedAt: 'UPDATED_AT'
} as const;

export type WorkflowOrderField = typeof WorkflowOrderField[keyof typeof WorkflowOrderField];
/** A workflow that the signed-in user has open. */
export type WorkflowPresenceSetInput = {
  /** False: the user has left it. Default: true. */
  present?: boolean | null | undefined;
  /** The selected step. Default: none. */
  stepId?: string | number | null | undefined;
  /** Global or integer id. */
  workflowId: string | number;
};

/** Kinds of problems of a workflow. */
export const WorkflowProblemCode = {
  /** A method refers to an aggregator that does not exist. */
  AggregatorNotFound: 'AGGREGATOR_NOT_FOUND',
  /** A field binding writes into a field that the body of its method does not have. */
  BindingFieldUnknown: 'BINDING_FIELD_UNKNOWN',
  /** A field binding does not say what it writes to. */
  BindingIncomplete: 'BINDING_INCOMPLETE',
  /** A field binding names a part of a request or response that does not exist. */
  BindingTypeUnknown: 'BINDING_TYPE_UNKNOWN',
  /** The category of the workflow does not exist. */
  CategoryNotFound: 'CATEGORY_NOT_FOUND',
  /** Two methods have the same colour, so that references to them are ambiguous. */
  ColorDuplicate: 'COLOR_DUPLICATE',
  /** The colour of a method does not have the form #RRGGBB. */
  ColorInvalid: 'COLOR_INVALID',
  /** A step calls no connector, or one that does not exist. */
  ConnectorNotFound: 'CONNECTOR_NOT_FOUND',
  /** A stored value of the connector would be sent to an origin it was not entered for. */
  CredentialsNeedConfirmation: 'CREDENTIALS_NEED_CONFIRMATION',
  /** An expression does not parse; the message says where. */
  ExpressionSyntax: 'EXPRESSION_SYNTAX',
  /** Two steps have the same index. */
  IndexDuplicate: 'INDEX_DUPLICATE',
  /** An index does not consist of numbers joined with `_`. */
  IndexInvalid: 'INDEX_INVALID',
  /** The invoker of a connector does not exist. */
  InvokerNotFound: 'INVOKER_NOT_FOUND',
  /** The name of a loop variable is not valid, or an outer loop uses it. */
  IteratorInvalid: 'ITERATOR_INVALID',
  /** A step refers to a loop variable, but no loop around the step has it. */
  IteratorUnknown: 'ITERATOR_UNKNOWN',
  /** A list has too many entries. */
  ListTooLong: 'LIST_TOO_LONG',
  /** According to its index, a step is inside a method. */
  MethodHasChildren: 'METHOD_HAS_CHILDREN',
  /** The invoker of a connector has no operation of that name. */
  OperationNotFound: 'OPERATION_NOT_FOUND',
  /** An operator has no expression. */
  OperatorExpressionIsEmpty: 'OPERATOR_EXPRESSION_IS_EMPTY',
  /** An operator is neither an `if` nor a `loop`. */
  OperatorTypeUnknown: 'OPERATOR_TYPE_UNKNOWN',
  /** A reference names a colour that no method has. */
  ReferenceColorUnknown: 'REFERENCE_COLOR_UNKNOWN',
  /** A reference names a field that the operation of its step does not declare. */
  ReferenceFieldUnknown: 'REFERENCE_FIELD_UNKNOWN',
  /** A reference does not parse; the message says where. */
  ReferenceSyntax: 'REFERENCE_SYNTAX',
  /** The body of the request cannot be written in its format. */
  RequestBodyInvalid: 'REQUEST_BODY_INVALID',
  /** A header of the request has an invalid name, or a value that is not text. */
  RequestHeaderInvalid: 'REQUEST_HEADER_INVALID',
  /** The HTTP method of the request is not supported. */
  RequestMethodInvalid: 'REQUEST_METHOD_INVALID',
  /** The request has no URL. */
  RequestUrlIsEmpty: 'REQUEST_URL_IS_EMPTY',
  /** A named secret is used where none is allowed. */
  SecretNotAllowedHere: 'SECRET_NOT_ALLOWED_HERE',
  /** A step uses a named secret that does not exist. */
  SecretNotFound: 'SECRET_NOT_FOUND',
  /** The timeout, retries, back-off or success statuses of a step are not allowed values. */
  StepSettingInvalid: 'STEP_SETTING_INVALID',
  /** A text has too many characters. */
  TextTooLong: 'TEXT_TOO_LONG',
  /** The title is blank or too long. */
  TitleInvalid: 'TITLE_INVALID',
  /** A value has an invalid type; the workflow cannot be saved. */
  WorkflowInvalid: 'WORKFLOW_INVALID'
} as const;

export type WorkflowProblemCode = typeof WorkflowProblemCode[keyof typeof WorkflowProblemCode];
/** A workflow whose last undone save is redone. */
export type WorkflowRedoInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** A workflow whose last save is undone. */
export type WorkflowUndoInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** Changes of a workflow. Fields that are not given keep their value; a given list replaces the whole list. */
export type WorkflowUpdateInput = {
  /** Its category, global id or integer; null removes it from its category. */
  categoryId?: string | number | null | undefined;
  /** Comment on this version; at most 500 characters. */
  comment?: string | null | undefined;
  /** Its purpose; at most 512 characters. */
  description?: string | null | undefined;
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** Field bindings between steps. */
  fieldBindings?: Array<FieldBindingInput> | null | undefined;
  /** The workflow: global id or integer. */
  id: string | number;
  /** Steps that call something, as in documents; not together with `steps`. */
  methods?: Array<MethodDocumentInput> | null | undefined;
  /** Conditions and loops, as in documents; not together with `steps`. */
  operators?: Array<OperatorDocumentInput> | null | undefined;
  /** Its steps as a tree, in execution order: their order gives their indexes. A new method without a colour gets one. */
  steps?: Array<StepInput> | null | undefined;
  /** At most 128 characters, unique without regard to case. */
  title?: string | null | undefined;
  /** The layout; stored unchanged. */
  ui?: unknown;
};

/** A version to make the current one. */
export type WorkflowVersionSwitchInput = {
  /** Change or delete only this version. If the record has another version, the answer is CONFLICT and nothing changes. */
  expectedVersion?: number | null | undefined;
  /** The version: its `snapshotId`. */
  snapshotId: string;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

/** The comment of a version. */
export type WorkflowVersionUpdateInput = {
  /** The comment, at most 500 characters; null removes it. */
  comment?: string | null | undefined;
  /** The version: its `snapshotId`. */
  snapshotId: string;
  /** Id of the workflow, global or integer. */
  workflowId: string | number;
};

export type UserRecordFragment = { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } };

export type SessionRowFragment = { sessionId: string, address: string, userAgent: string, createdAt: string, lastAccessed: string, current: boolean };

export type TokenRowFragment = { apiTokenId: number, name: string, prefix: string, scopes: Array<string>, createdAt: string, expiresAt: string, lastUsedAt: string | null, lastAddress: string | null };

export type AccountQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountQuery = { secondFactorRequired: boolean, me: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, can: Array<{ component: ComponentName, action: GrantAction }>, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } };

export type AccountSessionsQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountSessionsQuery = { mySessions: Array<{ sessionId: string, address: string, userAgent: string, createdAt: string, lastAccessed: string, current: boolean }> };

export type AccountTokensQueryVariables = Exact<{ [key: string]: never; }>;


export type AccountTokensQuery = { myApiTokens: Array<{ apiTokenId: number, name: string, prefix: string, scopes: Array<string>, createdAt: string, expiresAt: string, lastUsedAt: string | null, lastAddress: string | null }> };

export type ChangeUserDetailMutationVariables = Exact<{
  input: UserDetailChangeInput;
}>;


export type ChangeUserDetailMutation = { userDetailChange: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ChangePasswordMutationVariables = Exact<{
  input: UserPasswordChangeInput;
}>;


export type ChangePasswordMutation = { userPasswordChange: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ChangeOwnPasswordMutationVariables = Exact<{
  input: OwnPasswordChangeInput;
}>;


export type ChangeOwnPasswordMutation = { ownPasswordChange: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UploadPictureMutationVariables = Exact<{
  input: UserPictureUploadInput;
}>;


export type UploadPictureMutation = { userPictureUpload: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type RemovePictureMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type RemovePictureMutation = { userPictureRemove: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type BeginSecondFactorMutationVariables = Exact<{
  password: string;
}>;


export type BeginSecondFactorMutation = { secondFactorBegin: { enrolment: { secretKey: string, qr: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ConfirmSecondFactorMutationVariables = Exact<{
  code: string;
}>;


export type ConfirmSecondFactorMutation = { secondFactorConfirm: { recoveryCodes: Array<string> | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type RenewRecoveryCodesMutationVariables = Exact<{
  code: string;
}>;


export type RenewRecoveryCodesMutation = { recoveryCodesRenew: { recoveryCodes: Array<string> | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DisableSecondFactorMutationVariables = Exact<{
  code: string;
}>;


export type DisableSecondFactorMutation = { secondFactorDisable: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type CreateApiTokenMutationVariables = Exact<{
  input: ApiTokenCreateInput;
}>;


export type CreateApiTokenMutation = { apiTokenCreate: { token: string | null, apiToken: { name: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type RevokeApiTokenMutationVariables = Exact<{
  id: string | number;
}>;


export type RevokeApiTokenMutation = { apiTokenRevoke: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type EndSessionMutationVariables = Exact<{
  sessionId: string | number;
}>;


export type EndSessionMutation = { sessionEnd: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type AggregatorRecordFragment = { databaseId: number, name: string, script: string, active: boolean, version: number, arguments: Array<{ argumentId: number, name: string, description: string | null }>, usedBy: Array<{ databaseId: number, title: string }>, viewerCan: { update: boolean, delete: boolean } };

export type AggregatorsQueryVariables = Exact<{
  filter?: AggregatorFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AggregatorsQuery = { aggregators: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, active: boolean, version: number, arguments: Array<{ name: string }> }> } };

export type AggregatorDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type AggregatorDetailsQuery = { aggregator: { databaseId: number, name: string, script: string, active: boolean, version: number, arguments: Array<{ argumentId: number, name: string, description: string | null }>, usedBy: Array<{ databaseId: number, title: string }>, viewerCan: { update: boolean, delete: boolean } } | null };

export type CreateAggregatorMutationVariables = Exact<{
  input: AggregatorCreateInput;
}>;


export type CreateAggregatorMutation = { aggregatorCreate: { aggregator: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateAggregatorMutationVariables = Exact<{
  input: AggregatorUpdateInput;
}>;


export type UpdateAggregatorMutation = { aggregatorUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteAggregatorMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
  force: boolean;
}>;


export type DeleteAggregatorMutation = { aggregatorDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteAggregatorsMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
  force: boolean;
}>;


export type DeleteAggregatorsMutation = { aggregatorsDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type AuditEventsQueryVariables = Exact<{
  filter?: AuditEventFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type AuditEventsQuery = { auditEvents: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, at: string, action: AuditAction, actor: { email: string }, target: { type: AuditTargetType, targetId: string } }> } };

export type AuditEventDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type AuditEventDetailsQuery = { auditEvent: { requestId: string, clientRequestId: string | null, before: unknown, after: unknown } | null };

export type WatchAuditSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WatchAuditSubscription = { auditEvents: { databaseId: number } };

export type CategoryRowFragment = { databaseId: number, name: string, version: number, parent: { databaseId: number } | null, workflows: { totalCount: number }, viewerCan: { update: boolean, delete: boolean } };

export type CategoriesQueryVariables = Exact<{
  after?: string | null | undefined;
}>;


export type CategoriesQuery = { categories: { pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, version: number, parent: { databaseId: number } | null, workflows: { totalCount: number }, viewerCan: { update: boolean, delete: boolean } }> } };

export type CreateCategoryMutationVariables = Exact<{
  input: CategoryCreateInput;
}>;


export type CreateCategoryMutation = { categoryCreate: { category: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateCategoryMutationVariables = Exact<{
  input: CategoryUpdateInput;
}>;


export type UpdateCategoryMutation = { categoryUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteCategoryMutationVariables = Exact<{
  input: CategoryDeleteInput;
}>;


export type DeleteCategoryMutation = { categoryDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type ComparedRunFragment = { logging: boolean, hasLog: boolean, id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflowVersion: { number: number, snapshotId: string, steps: Array<
      | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
      | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
    > } | null, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } };

export type ComparedRunsQueryVariables = Exact<{
  id: string | number;
  otherId: string | number;
}>;


export type ComparedRunsQuery = { run: { logging: boolean, hasLog: boolean, id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflowVersion: { number: number, snapshotId: string, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
        | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
      > } | null, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } } | null, other: { logging: boolean, hasLog: boolean, id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflowVersion: { number: number, snapshotId: string, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
        | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
      > } | null, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } } | null };

export type RunToCompareQueryVariables = Exact<{
  id: string | number;
}>;


export type RunToCompareQuery = { run: { databaseId: number, queuedAt: string, workflow: { databaseId: number } | null } | null };

export type LastSuccessQueryVariables = Exact<{
  before: RunFilter;
  any: RunFilter;
}>;


export type LastSuccessQuery = { before: { nodes: Array<{ databaseId: number }> }, any: { nodes: Array<{ databaseId: number }> } };

export type RunsToCompareQueryVariables = Exact<{
  filter: RunFilter;
}>;


export type RunsToCompareQuery = { runs: { nodes: Array<{ databaseId: number, state: RunState, queuedAt: string }> } };

export type StepAnswersQueryVariables = Exact<{
  id: string | number;
  after: number;
  first: number;
  withAnswers: boolean;
}>;


export type StepAnswersQuery = { run: { events: { nodes: Array<
        | { __typename: 'ConditionEvaluated', index: string, loopIndex: Array<number>, result: boolean, sequence: number }
        | { __typename: 'LoopFinished', index: string, loopIndex: Array<number>, sequence: number }
        | { __typename: 'LoopIteration', index: string, loopIndex: Array<number>, sequence: number }
        | { __typename: 'LoopStarted', index: string, loopIndex: Array<number>, sequence: number }
        | { __typename: 'OperatorFailed', index: string, loopIndex: Array<number>, sequence: number }
        | { __typename: 'RunFinished', sequence: number }
        | { __typename: 'RunLog', sequence: number }
        | { __typename: 'RunStarted', sequence: number }
        | { __typename: 'StepFinished', index: string, loopIndex: Array<number>, state: RunState, statusCode: number | null, durationMs: number, sequence: number, response?: { payload: string } | null }
        | { __typename: 'StepStarted', index: string, loopIndex: Array<number>, sequence: number }
      > } } | null };

export type ConfigFieldPartsFragment = { key: string, path: string, parentPath: string | null, status: ApplicationConfigKeyStatus, isBlock: boolean, isSecret: boolean, value: unknown, comments: Array<{ position: ApplicationConfigCommentPosition, text: string }>, setting: { meaning: string, accepts: string, default: string, variable: string } | null };

export type ConfigDifferencePartsFragment = { path: string, change: ApplicationConfigDifferenceKind, before: unknown, after: unknown };

export type ConfigurationQueryVariables = Exact<{ [key: string]: never; }>;


export type ConfigurationQuery = { applicationConfig: { path: string, exists: boolean, revision: string, problems: Array<string>, writeProblems: Array<string>, canRestart: boolean, fields: Array<{ key: string, path: string, parentPath: string | null, status: ApplicationConfigKeyStatus, isBlock: boolean, isSecret: boolean, value: unknown, comments: Array<{ position: ApplicationConfigCommentPosition, text: string }>, setting: { meaning: string, accepts: string, default: string, variable: string } | null }>, pending: Array<{ path: string, change: ApplicationConfigDifferenceKind, before: unknown, after: unknown }>, settings: Array<{ key: string, meaning: string, accepts: string, default: string, variable: string }> }, applicationConfigBackups: Array<{ name: string, createdAt: string, bytes: number }> };

export type RestartServiceMutationVariables = Exact<{
  input: ServiceRestartInput;
}>;


export type RestartServiceMutation = { serviceRestart: { restarting: boolean | null, userErrors: Array<{ message: string }> } };

export type ConfigurationBackupQueryVariables = Exact<{
  name: string;
}>;


export type ConfigurationBackupQuery = { applicationConfigBackup: { name: string, changes: Array<{ path: string, change: ApplicationConfigDifferenceKind, before: unknown, after: unknown }> } };

export type UpdateConfigurationMutationVariables = Exact<{
  input: ApplicationConfigUpdateInput;
}>;


export type UpdateConfigurationMutation = { applicationConfigUpdate: { result: { message: string, revision: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type RestoreConfigurationMutationVariables = Exact<{
  input: ApplicationConfigRestoreInput;
}>;


export type RestoreConfigurationMutation = { applicationConfigRestore: { result: { message: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ConnectorRecordFragment = { databaseId: number, title: string, description: string, icon: string | null, invokerName: string, sslCert: boolean, keepCookies: boolean, timeout: number, version: number, updatedAt: string, lastCheck: { at: string, status: string, error: string | null } | null, requestData: Array<{ name: string, visibility: InvokerFieldVisibility, stored: boolean, value: string | null, suspended: boolean, unconfirmedOrigins: Array<string> }>, invoker: { name: string, description: string | null, hint: string | null, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }> } | null, viewerCan: { update: boolean, delete: boolean } };

export type ConnectorInvokerFragment = { name: string, description: string | null, hint: string | null, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }> };

export type WorkflowUsersFragment = { totalCount: number, nodes: Array<{ databaseId: number, title: string }> };

export type ConnectorsQueryVariables = Exact<{
  filter?: ConnectorFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type ConnectorsQuery = { connectors: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, title: string, description: string, icon: string | null, invokerName: string, lastCheck: { at: string, status: string, error: string | null } | null }> } };

export type ConnectorDetailsQueryVariables = Exact<{
  id: string | number;
  workflow: ExactIdFilter;
  withWorkflows: boolean;
}>;


export type ConnectorDetailsQuery = { connector: { databaseId: number, title: string, description: string, icon: string | null, invokerName: string, sslCert: boolean, keepCookies: boolean, timeout: number, version: number, updatedAt: string, lastCheck: { at: string, status: string, error: string | null } | null, requestData: Array<{ name: string, visibility: InvokerFieldVisibility, stored: boolean, value: string | null, suspended: boolean, unconfirmedOrigins: Array<string> }>, invoker: { name: string, description: string | null, hint: string | null, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }> } | null, viewerCan: { update: boolean, delete: boolean } } | null, workflows?: { totalCount: number, nodes: Array<{ databaseId: number, title: string }> } };

export type NewConnectorInvokerQueryVariables = Exact<{
  name: string;
}>;


export type NewConnectorInvokerQuery = { invoker: { name: string, description: string | null, hint: string | null, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }> } | null };

export type CreateConnectorMutationVariables = Exact<{
  input: ConnectorCreateInput;
}>;


export type CreateConnectorMutation = { connectorCreate: { connector: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type UpdateConnectorMutationVariables = Exact<{
  input: ConnectorUpdateInput;
}>;


export type UpdateConnectorMutation = { connectorUpdate: { connector: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type UpdateConfirmedConnectorMutationVariables = Exact<{
  input: ConnectorUpdateInput;
}>;


export type UpdateConfirmedConnectorMutation = { connectorUpdate: { connector: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type ConfirmConnectorMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type ConfirmConnectorMutation = { connectorConfirm: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type CheckConnectorMutationVariables = Exact<{
  input: ConnectorCheckInput;
}>;


export type CheckConnectorMutation = { connectorCheck: { check: { accepted: boolean, status: string, error: string | null } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type DeleteConnectorMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
  force: boolean;
}>;


export type DeleteConnectorMutation = { connectorDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteConnectorsMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
  force: boolean;
}>;


export type DeleteConnectorsMutation = { connectorsDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type UploadConnectorIconMutationVariables = Exact<{
  input: ConnectorIconUploadInput;
}>;


export type UploadConnectorIconMutation = { connectorIconUpload: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type RemoveConnectorIconMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type RemoveConnectorIconMutation = { connectorIconRemove: { userErrors: Array<{ message: string, path: Array<string> }> } };

type EditedStep_MethodStep_Fragment = { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null };

type EditedStep_OperatorStep_Fragment = { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null };

export type EditedStepFragment =
  | EditedStep_MethodStep_Fragment
  | EditedStep_OperatorStep_Fragment
;

export type EditedBindingFragment = { bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null };

export type EditedWorkflowFragment = { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
    | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
    | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
  >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } };

export type EditorWorkflowQueryVariables = Exact<{
  id: string | number;
}>;


export type EditorWorkflowQuery = { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, draft: { content: unknown } | null, updatedBy: { userId: number, email: string }, steps: Array<
      | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
      | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
    >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null };

export type SetDraftMutationVariables = Exact<{
  input: WorkflowDraftSetInput;
}>;


export type SetDraftMutation = { workflowDraftSet: { userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type RemoveDraftMutationVariables = Exact<{
  input: WorkflowDraftRemoveInput;
}>;


export type RemoveDraftMutation = { workflowDraftRemove: { userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type SetPresenceMutationVariables = Exact<{
  input: WorkflowPresenceSetInput;
}>;


export type SetPresenceMutation = { workflowPresenceSet: { userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type WatchEditedWorkflowSubscriptionVariables = Exact<{
  filter?: WorkflowFilter | null | undefined;
}>;


export type WatchEditedWorkflowSubscription = { workflowsChanged: { removedIds: Array<string>, changed: Array<{ version: number, presence: Array<{ stepId: string | null, user: { userId: number, email: string } }> }> } };

export type EditErrorFragment = { code: ErrorCode, message: string, path: Array<string> };

export type CreateEmptyWorkflowMutationVariables = Exact<{
  title: string;
}>;


export type CreateEmptyWorkflowMutation = { workflowCreate: { workflow: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type CreateExampleMutationVariables = Exact<{ [key: string]: never; }>;


export type CreateExampleMutation = { exampleWorkflowCreate: { workflow: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type WorkflowCountQueryVariables = Exact<{ [key: string]: never; }>;


export type WorkflowCountQuery = { workflows: { totalCount: number } };

export type EditWorkflowMutationVariables = Exact<{
  input: WorkflowUpdateInput;
}>;


export type EditWorkflowMutation = { workflowUpdate: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type AddStepMutationVariables = Exact<{
  input: StepAddInput;
}>;


export type AddStepMutation = { stepAdd: { stepId: string | null, workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type PasteStepsMutationVariables = Exact<{
  input: StepPasteInput;
}>;


export type PasteStepsMutation = { stepPaste: { stepId: string | null, workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type UpdateStepMutationVariables = Exact<{
  input: StepUpdateInput;
}>;


export type UpdateStepMutation = { stepUpdate: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type MoveStepMutationVariables = Exact<{
  input: StepMoveInput;
}>;


export type MoveStepMutation = { stepMove: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type RemoveStepMutationVariables = Exact<{
  input: StepRemoveInput;
}>;


export type RemoveStepMutation = { stepRemove: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type SetBindingMutationVariables = Exact<{
  input: FieldBindingSetInput;
}>;


export type SetBindingMutation = { fieldBindingSet: { bindingId: string | null, workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type RemoveBindingMutationVariables = Exact<{
  input: FieldBindingRemoveInput;
}>;


export type RemoveBindingMutation = { fieldBindingRemove: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type UndoWorkflowMutationVariables = Exact<{
  input: WorkflowUndoInput;
}>;


export type UndoWorkflowMutation = { workflowUndo: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type RedoWorkflowMutationVariables = Exact<{
  input: WorkflowRedoInput;
}>;


export type RedoWorkflowMutation = { workflowRedo: { workflow: { databaseId: number, title: string, description: string | null, version: number, canUndo: boolean, canRedo: boolean, updatedAt: string, updatedBy: { userId: number, email: string }, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
        | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
      >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }>, validation: Array<{ code: WorkflowProblemCode, message: string, stepId: string | null, field: string | null, line: number | null, column: number | null }>, viewerCan: { update: boolean } } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type StepCopyQueryVariables = Exact<{
  id: string | number;
  stepId: string | number;
}>;


export type StepCopyQuery = { workflow: { stepCopy: unknown } | null };

export type EditorConnectorsQueryVariables = Exact<{ [key: string]: never; }>;


export type EditorConnectorsQuery = { connectors: { nodes: Array<{ databaseId: number, title: string, invoker: { name: string, operations: Array<{ name: string, type: string, request: { method: string, endpoint: string } }> } | null }> } };

export type OperandFragment = { kind: ExpressionOperandKind, text: string };

export type RuleFragment = { operator: string, left: { kind: ExpressionOperandKind, text: string }, right: { kind: ExpressionOperandKind, text: string } | null };

export type ExpressionFormQueryVariables = Exact<{
  text: string;
}>;


export type ExpressionFormQuery = { expressionForm: { problem: { message: string, line: number | null, column: number | null } | null, form: { loop: { kind: LoopFormKind, delimiter: string | null, list: { kind: ExpressionOperandKind, text: string } } | null, condition: { joinedBy: ConditionJoin, items: Array<{ rule: { operator: string, left: { kind: ExpressionOperandKind, text: string }, right: { kind: ExpressionOperandKind, text: string } | null } | null, group: { joinedBy: ConditionJoin, rules: Array<{ operator: string, left: { kind: ExpressionOperandKind, text: string }, right: { kind: ExpressionOperandKind, text: string } | null }> } | null }> } | null } | null } };

export type ExpressionTextQueryVariables = Exact<{
  form: ExpressionFormInput;
}>;


export type ExpressionTextQuery = { expressionText: string };

export type ExpressionFunctionsQueryVariables = Exact<{ [key: string]: never; }>;


export type ExpressionFunctionsQuery = { expressionFunctions: Array<{ name: string, aliases: Array<string>, kind: ExpressionFunctionKind, form: ExpressionFunctionForm, label: string, description: string, example: string }> };

export type EditorOperationQueryVariables = Exact<{
  connectorId: string | number;
  operation: string;
}>;


export type EditorOperationQuery = { connector: { title: string, invoker: { name: string, hint: string | null, operations: Array<{ name: string, type: string, request: { method: string, endpoint: string, body: { type: string, format: string, data: string, fields: unknown } | null } }> } | null } | null };

export type StartTestMutationVariables = Exact<{
  input: TestRunStartInput;
}>;


export type StartTestMutation = { testRunStart: { run: { databaseId: number } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type TestRunQueryVariables = Exact<{
  id: string | number;
}>;


export type TestRunQuery = { run: { databaseId: number, state: RunState, error: { code: RunErrorCode, message: string, stepId: string | null } | null } | null };

export type StepSamplePartsFragment = { stepId: string, at: string, source: SampleSource, iteration: Array<number>, run: { databaseId: number } | null, request: { method: HttpMethod, url: string, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, answer: { status: number, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, error: { code: RunErrorCode, message: string } | null };

export type StepSamplesQueryVariables = Exact<{
  id: string | number;
}>;


export type StepSamplesQuery = { workflow: { samples: Array<{ stepId: string, at: string, source: SampleSource, iteration: Array<number>, run: { databaseId: number } | null, request: { method: HttpMethod, url: string, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, answer: { status: number, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, error: { code: RunErrorCode, message: string } | null }> } | null };

export type SetSampleMutationVariables = Exact<{
  input: SampleSetInput;
}>;


export type SetSampleMutation = { sampleSet: { workflow: { samples: Array<{ stepId: string, at: string, source: SampleSource, iteration: Array<number>, run: { databaseId: number } | null, request: { method: HttpMethod, url: string, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, answer: { status: number, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, error: { code: RunErrorCode, message: string } | null }> } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type RemoveSampleMutationVariables = Exact<{
  input: SampleRemoveInput;
}>;


export type RemoveSampleMutation = { sampleRemove: { workflow: { samples: Array<{ stepId: string, at: string, source: SampleSource, iteration: Array<number>, run: { databaseId: number } | null, request: { method: HttpMethod, url: string, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, answer: { status: number, header: unknown, body: unknown, bodyText: string | null, truncated: boolean } | null, error: { code: RunErrorCode, message: string } | null }> } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type ValuePreviewsQueryVariables = Exact<{
  workflowId: string | number;
  stepId: string | number;
  texts: Array<string> | string;
  kind: PreviewKind;
}>;


export type ValuePreviewsQuery = { valuePreview: Array<{ text: string | null, value: unknown, missing: boolean, problem: { message: string, line: number | null, column: number | null } | null }> };

export type ScriptResultQueryVariables = Exact<{
  workflowId: string | number;
  stepId: string | number;
  binding: FieldBindingInput;
}>;


export type ScriptResultQuery = { scriptPreview: { inputs: unknown, result: unknown, durationMs: number | null, problem: { message: string, line: number | null } | null } };

export type CurlAsRequestQueryVariables = Exact<{
  command: string;
}>;


export type CurlAsRequestQuery = { requestFromCurl: { httpMethod: HttpMethod, url: string, header: unknown, warnings: Array<string>, body: { format: string, data: string, fields: unknown } | null } };

export type WorkflowTriggersQueryVariables = Exact<{
  workflow: string | number;
}>;


export type WorkflowTriggersQuery = { schedules: { nodes: Array<{ databaseId: number, title: string, cron: string, enabled: boolean, nextFireTimes: Array<string>, webhook: { id: string } | null }> } };

export type SecretNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type SecretNamesQuery = { secrets: { nodes: Array<{ name: string }> } };

export type GroupRecordFragment = { databaseId: number, name: string, description: string | null, version: number, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }>, viewerCan: { update: boolean, delete: boolean } };

export type GroupListQueryVariables = Exact<{
  filter?: UserGroupFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type GroupListQuery = { userGroups: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, description: string | null, components: Array<{ permissions: Array<{ databaseId: number }> }> }> } };

export type GroupDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type GroupDetailsQuery = { userGroup: { databaseId: number, name: string, description: string | null, version: number, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }>, viewerCan: { update: boolean, delete: boolean } } | null, components: Array<{ databaseId: number, name: string, description: string }>, permissions: { nodes: Array<{ name: string }> } };

export type CreateGroupMutationVariables = Exact<{
  input: GroupCreateInput;
}>;


export type CreateGroupMutation = { groupCreate: { group: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateGroupMutationVariables = Exact<{
  input: GroupUpdateInput;
}>;


export type UpdateGroupMutation = { groupUpdate: { group: { databaseId: number, name: string, description: string | null, version: number, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }>, viewerCan: { update: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type SetGroupRightsMutationVariables = Exact<{
  input: GroupComponentsSetInput;
}>;


export type SetGroupRightsMutation = { groupComponentsSet: { group: { databaseId: number, name: string, description: string | null, version: number, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }>, viewerCan: { update: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteGroupMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteGroupMutation = { groupDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type ImportWorkflowMutationVariables = Exact<{
  input: WorkflowImportInput;
}>;


export type ImportWorkflowMutation = { workflowImport: { workflow: { databaseId: number, title: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ImportTemplatesMutationVariables = Exact<{
  input: TemplateImportInput;
}>;


export type ImportTemplatesMutation = { templateImport: { job: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type ImportedTemplatesQueryVariables = Exact<{
  templateIds: Array<string> | string;
}>;


export type ImportedTemplatesQuery = { templates: { nodes: Array<{ databaseId: number, templateId: string, name: string }> } };

export type InvokersQueryVariables = Exact<{
  filter?: InvokerFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type InvokersQuery = { invokers: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string, name: string, description: string | null, origin: InvokerOrigin, operationCount: number, updatedAt: string }> } };

export type InvokerRecordFragment = { id: string, name: string, description: string | null, hint: string | null, icon: string | null, authType: string | null, fileName: string, origin: InvokerOrigin, version: number, updatedAt: string, warnings: Array<string>, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }>, pagination: Array<{ name: string, action: string | null, ref: string | null, value: string }>, operations: Array<{ name: string, type: string, request: { method: string, endpoint: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }, success: { status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null } | null, fails: Array<{ status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }>, pagination: Array<{ name: string, action: string | null, ref: string | null, value: string }> }>, viewerCan: { update: boolean, delete: boolean } };

export type PaginationPartsFragment = { name: string, action: string | null, ref: string | null, value: string };

export type BodyPartsFragment = { type: string, format: string, data: string, fields: unknown };

export type HeaderPartsFragment = { name: string, value: string };

export type ResultPartsFragment = { status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null };

export type OperationPartsFragment = { name: string, type: string, request: { method: string, endpoint: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }, success: { status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null } | null, fails: Array<{ status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }>, pagination: Array<{ name: string, action: string | null, ref: string | null, value: string }> };

export type InvokerDetailsQueryVariables = Exact<{
  name: string;
  withConnectors: boolean;
}>;


export type InvokerDetailsQuery = { invoker: { id: string, name: string, description: string | null, hint: string | null, icon: string | null, authType: string | null, fileName: string, origin: InvokerOrigin, version: number, updatedAt: string, warnings: Array<string>, connectors?: { totalCount: number, nodes: Array<{ databaseId: number, title: string }> } | null, requiredData: Array<{ name: string, type: string, visibility: InvokerFieldVisibility, value: string }>, pagination: Array<{ name: string, action: string | null, ref: string | null, value: string }>, operations: Array<{ name: string, type: string, request: { method: string, endpoint: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }, success: { status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null } | null, fails: Array<{ status: string, header: Array<{ name: string, value: string }>, body: { type: string, format: string, data: string, fields: unknown } | null }>, pagination: Array<{ name: string, action: string | null, ref: string | null, value: string }> }>, viewerCan: { update: boolean, delete: boolean } } | null };

export type InvokerXmlQueryVariables = Exact<{
  name: string;
}>;


export type InvokerXmlQuery = { invoker: { id: string, name: string, version: number, xml: string } | null };

export type ImportInvokerMutationVariables = Exact<{
  input: InvokerImportInput;
}>;


export type ImportInvokerMutation = { invokerImport: { job: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateInvokerMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
  xml: string;
}>;


export type UpdateInvokerMutation = { invokerUpdate: { invoker: { name: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteInvokerMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
  force: boolean;
}>;


export type DeleteInvokerMutation = { invokerDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteInvokersMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
  force: boolean;
}>;


export type DeleteInvokersMutation = { invokersDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type LdapConfigQueryVariables = Exact<{ [key: string]: never; }>;


export type LdapConfigQuery = { ldapConfig: { urls: string } };

export type TestLdapMutationVariables = Exact<{
  email: string;
}>;


export type TestLdapMutation = { ldapTest: { result: { isSuccessful: boolean, messages: Array<{ title: string, text: string }> } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type LogSearchQueryVariables = Exact<{
  search: LogSearchInput;
  first: number;
  after?: string | null | undefined;
}>;


export type LogSearchQuery = { logSearch: { pageInfo: { hasNextPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ elementId: string, type: LogElementType, state: LogElementState, index: string | null, loopIndex: Array<number>, startedAt: string | null, name: string | null, label: string | null, expression: string | null, iterator: string | null, statusCode: number | null, durationMs: number | null, error: { code: RunErrorCode, message: string } | null, connector: { title: string } | null, run: { databaseId: number, workflowTitle: string, state: RunState, test: boolean } }> } };

export type WhoAmIQueryVariables = Exact<{ [key: string]: never; }>;


export type WhoAmIQuery = { me: { databaseId: number, email: string, permissions: Array<string>, group: { name: string }, detail: { name: string | null, surname: string | null } } };

export type DeliveryRowFragment = { databaseId: number, channel: MessageChannel, purpose: DeliveryPurpose, recipient: string, subject: string, state: DeliveryState, attempts: number, createdAt: string, nextAttemptAt: string | null, finishedAt: string | null, error: { code: DeliveryErrorCode, message: string } | null };

export type DeliveriesQueryVariables = Exact<{
  filter?: DeliveryFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type DeliveriesQuery = { deliveries: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, channel: MessageChannel, purpose: DeliveryPurpose, recipient: string, subject: string, state: DeliveryState, attempts: number, createdAt: string, nextAttemptAt: string | null, finishedAt: string | null, error: { code: DeliveryErrorCode, message: string } | null }> }, lastMail: { nodes: Array<{ error: { code: DeliveryErrorCode } | null }> } };

export type MissingMailSettingsQueryVariables = Exact<{ [key: string]: never; }>;


export type MissingMailSettingsQuery = { missingMailSettings: Array<string> };

export type LastMailQueryVariables = Exact<{ [key: string]: never; }>;


export type LastMailQuery = { lastMail: { nodes: Array<{ error: { code: DeliveryErrorCode } | null }> } };

export type TestMailMutationVariables = Exact<{
  recipient: string;
}>;


export type TestMailMutation = { mailTest: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type RetryDeliveryMutationVariables = Exact<{
  id: string | number;
}>;


export type RetryDeliveryMutation = { deliveryRetry: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type MessageTemplateRecordFragment = { databaseId: number, name: string, channel: MessageChannel, version: number, warnings: Array<string>, contents: Array<{ language: MessageLanguage, subject: string, body: string }> };

export type MessageTemplatesQueryVariables = Exact<{
  filter?: MessageTemplateFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type MessageTemplatesQuery = { messageTemplates: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, channel: MessageChannel, warnings: Array<string>, contents: Array<{ language: MessageLanguage, subject: string }> }> } };

export type MessageTemplateNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type MessageTemplateNamesQuery = { messageTemplates: { nodes: Array<{ databaseId: number, name: string, channel: MessageChannel }> } };

export type MessageTemplateDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type MessageTemplateDetailsQuery = { messageTemplate: { databaseId: number, name: string, channel: MessageChannel, version: number, warnings: Array<string>, contents: Array<{ language: MessageLanguage, subject: string, body: string }> } | null };

export type CreateMessageTemplateMutationVariables = Exact<{
  input: MessageTemplateCreateInput;
}>;


export type CreateMessageTemplateMutation = { messageTemplateCreate: { messageTemplate: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateMessageTemplateMutationVariables = Exact<{
  input: MessageTemplateUpdateInput;
}>;


export type UpdateMessageTemplateMutation = { messageTemplateUpdate: { messageTemplate: { databaseId: number, name: string, channel: MessageChannel, version: number, warnings: Array<string>, contents: Array<{ language: MessageLanguage, subject: string, body: string }> } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteMessageTemplateMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteMessageTemplateMutation = { messageTemplateDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type NotificationRowFragment = { databaseId: number, name: string, eventType: NotificationEvent, recipients: Array<string>, version: number, template: { databaseId: number, name: string, channel: MessageChannel } | null };

export type ScheduleNotificationsQueryVariables = Exact<{
  id: string | number;
}>;


export type ScheduleNotificationsQuery = { schedule: { notifications: Array<{ databaseId: number, name: string, eventType: NotificationEvent, recipients: Array<string>, version: number, template: { databaseId: number, name: string, channel: MessageChannel } | null }> } | null };

export type CreateNotificationMutationVariables = Exact<{
  input: NotificationCreateInput;
}>;


export type CreateNotificationMutation = { notificationCreate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateNotificationMutationVariables = Exact<{
  input: NotificationUpdateInput;
}>;


export type UpdateNotificationMutation = { notificationUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteNotificationMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteNotificationMutation = { notificationDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type OnlineServicesQueryVariables = Exact<{ [key: string]: never; }>;


export type OnlineServicesQuery = { onlineServices: { isActive: boolean, address: string | null, missingSettings: Array<string>, sources: Array<{ kind: OnlineKind, isActive: boolean, cron: string, nextAt: string | null, last: { state: SynchronisationState, startedAt: string, message: string | null } | null, conflicts: Array<{ itemId: string, name: string, reason: OnlineConflictReason, since: string }> }> } };

export type SynchronisationsQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SynchronisationsQuery = { synchronisations: { totalCount: number, nodes: Array<{ databaseId: number, kind: OnlineKind, isDryRun: boolean, startedBy: string | null, state: SynchronisationState, message: string | null, startedAt: string, counts: { added: number, updated: number, linked: number, unchanged: number, kept: number, conflicts: number, gone: number, failed: number }, items: Array<{ name: string, action: OnlineAction, message: string | null }> }>, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null } } };

export type StartSynchronisationMutationVariables = Exact<{
  input: SynchronisationStartInput;
}>;


export type StartSynchronisationMutation = { synchronisationStart: { job: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type WatchSynchronisationSubscriptionVariables = Exact<{
  jobId: string | number;
}>;


export type WatchSynchronisationSubscription = { jobProgress: { state: JobState, percent: number, message: string | null, error: { message: string } | null } };

export type TakeOnlineItemMutationVariables = Exact<{
  itemId: string;
}>;


export type TakeOnlineItemMutation = { onlineItemTake: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type KeepOnlineItemMutationVariables = Exact<{
  itemId: string;
}>;


export type KeepOnlineItemMutation = { onlineItemKeep: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type RecentWorkflowsQueryVariables = Exact<{
  failed: RunFilter;
  succeeded: RunFilter;
}>;


export type RecentWorkflowsQuery = { failed: { nodes: Array<{ workflow: { databaseId: number } | null }> }, succeeded: { nodes: Array<{ workflow: { databaseId: number } | null }> } };

export type WorkflowHealthQueryVariables = Exact<{
  ids: Array<string | number> | string | number;
  failed: RunFilter;
  succeeded: RunFilter;
}>;


export type WorkflowHealthQuery = { workflows: { nodes: Array<{ databaseId: number, title: string, failures: { nodes: Array<{ databaseId: number, queuedAt: string, error: { code: RunErrorCode, message: string } | null }> }, successes: { nodes: Array<{ databaseId: number, queuedAt: string, durationMs: number | null }> } }> } };

export type NextRunsQueryVariables = Exact<{ [key: string]: never; }>;


export type NextRunsQuery = { schedules: { nodes: Array<{ databaseId: number, title: string, nextFireTimes: Array<string>, workflow: { title: string } | null }> } };

export type OverviewQueryVariables = Exact<{
  days: number;
}>;


export type OverviewQuery = { executionsTimeline: Array<{ date: string, startsAt: string, endsAt: string, executions: number, failures: number }>, topWorkflows: Array<{ workflowId: string, title: string, executions: number, failureRate: number, workflow: { databaseId: number } | null }> };

export type WatchOverviewSubscriptionVariables = Exact<{
  days: number;
}>;


export type WatchOverviewSubscription = { dashboard: { timeline: Array<{ date: string, startsAt: string, endsAt: string, executions: number, failures: number }>, topWorkflows: Array<{ workflowId: string, title: string, executions: number, failureRate: number, workflow: { databaseId: number } | null }> } };

export type PaletteRecordsQueryVariables = Exact<{
  text: string;
  runId: string | number;
  isRun: boolean;
}>;


export type PaletteRecordsQuery = { search: Array<{ title: string, type: SearchType, node:
      | { databaseId: number }
      | { databaseId: number }
      | { databaseId: number }
      | { databaseId: number }
      | { databaseId: number }
      | { databaseId: number }
      | { databaseId: number }
      | Record<PropertyKey, never>
     | null }>, run?: { databaseId: number, state: RunState, workflow: { title: string } | null } | null };

export type LogPlaceQueryVariables = Exact<{
  parentId: string | number;
  loopIndex?: Array<number> | number | null | undefined;
  after?: string | number | null | undefined;
  first: number;
}>;


export type LogPlaceQuery = { logElements: Array<{ elementId: string, type: LogElementType, state: LogElementState, index: string | null, loopIndex: Array<number>, startedAt: string | null, durationMs: number | null, name: string | null, label: string | null, attempt: number | null, statusCode: number | null, result: boolean | null, size: number | null, error: { code: RunErrorCode, message: string } | null }> };

export type LogTurnValueQueryVariables = Exact<{
  elementId: string | number;
  loopIndex: Array<number> | number;
}>;


export type LogTurnValueQuery = { logTurn: { index: string, loopIndex: Array<number>, value: unknown } | null };

export type LogExchangeQueryVariables = Exact<{
  elementId: string | number;
}>;


export type LogExchangeQuery = { logElement: { request: { url: string, method: HttpMethod, header: unknown, payload: string } | null, response: { status: number, durationMs: number, header: unknown, payload: string } | null } };

export type RunTailQueryVariables = Exact<{
  id: string | number;
  after: number;
}>;


export type RunTailQuery = { run: { events: { nodes: Array<
        | { __typename: 'ConditionEvaluated', index: string, loopIndex: Array<number> }
        | { __typename: 'LoopFinished', index: string, loopIndex: Array<number> }
        | { __typename: 'LoopIteration', index: string, loopIndex: Array<number>, turn: number }
        | { __typename: 'LoopStarted', index: string, loopIndex: Array<number> }
        | { __typename: 'OperatorFailed', index: string, loopIndex: Array<number> }
        | { __typename: 'RunFinished' }
        | { __typename: 'RunLog' }
        | { __typename: 'RunStarted' }
        | { __typename: 'StepFinished', index: string, loopIndex: Array<number> }
        | { __typename: 'StepStarted', index: string, loopIndex: Array<number> }
      > } } | null };

type StepShape_MethodStep_Fragment = { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null };

type StepShape_OperatorStep_Fragment = { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null };

export type StepShapeFragment =
  | StepShape_MethodStep_Fragment
  | StepShape_OperatorStep_Fragment
;

export type RunQueryVariables = Exact<{
  id: string | number;
}>;


export type RunQuery = { run: { logging: boolean, hasLog: boolean, retryFrom: Array<RunRetryFrom>, dueAt: string | null, lastSequence: number | null, id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, startedBy: { email: string } | null, workflow: { databaseId: number, viewerCan: { update: boolean } } | null, error: { stepId: string | null, loopIndex: Array<number> | null, attempt: number, remedy: string | null, code: RunErrorCode, message: string, index: string | null } | null, retryOf: { databaseId: number, state: RunState } | null, retries: { totalCount: number, nodes: Array<{ databaseId: number, state: RunState, startedAt: string | null, durationMs: number | null }> }, errorOf: { databaseId: number, state: RunState, workflowTitle: string } | null, errorRun: { databaseId: number, state: RunState, workflowTitle: string, startedAt: string | null, durationMs: number | null } | null, values: Array<{ argumentId: number, name: string, index: string, value: unknown }>, workflowVersion: { number: number, snapshotId: string, current: boolean, steps: Array<
        | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
        | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
      > } | null, schedule: { databaseId: number, title: string } | null, viewerCan: { cancel: boolean, start: boolean } } | null };

export type WatchRunSubscriptionVariables = Exact<{
  runId: string | number;
  afterSequence: number;
}>;


export type WatchRunSubscription = { runEvents:
    | { __typename: 'ConditionEvaluated', index: string, loopIndex: Array<number>, expression: string, result: boolean, sequence: number, at: string }
    | { __typename: 'LoopFinished', index: string, loopIndex: Array<number>, turns: number, sequence: number, at: string }
    | { __typename: 'LoopIteration', index: string, loopIndex: Array<number>, turn: number, size: number, value: unknown, sequence: number, at: string }
    | { __typename: 'LoopStarted', index: string, loopIndex: Array<number>, iterator: string, size: number, sequence: number, at: string }
    | { __typename: 'OperatorFailed', index: string, loopIndex: Array<number>, operator: OperatorType, sequence: number, at: string, error: { code: RunErrorCode, message: string } | null }
    | { __typename: 'RunFinished', state: RunState, sequence: number, at: string }
    | { __typename: 'RunLog', level: LogLevel, message: string, stepIndex: string | null, sequence: number, at: string }
    | { __typename: 'RunStarted', sequence: number, at: string }
    | { __typename: 'StepFinished', index: string, loopIndex: Array<number>, attempt: number, state: RunState, statusCode: number | null, durationMs: number, sequence: number, at: string, error: { code: RunErrorCode, message: string } | null }
    | { __typename: 'StepStarted', index: string, loopIndex: Array<number>, name: string | null, label: string | null, attempt: number, sequence: number, at: string, connector: { title: string } | null }
   };

export type WatchRelativesSubscriptionVariables = Exact<{
  filter: RunFilter;
}>;


export type WatchRelativesSubscription = { runsChanged: { removedIds: Array<string>, changed: Array<{ retryOf: { databaseId: number } | null, errorOf: { databaseId: number } | null }> } };

export type RequestPartsFragment = { url: string, method: HttpMethod, header: unknown, payload: string };

export type ResponsePartsFragment = { status: number, durationMs: number, header: unknown, payload: string };

export type StepExchangeQueryVariables = Exact<{
  id: string | number;
  after: number;
}>;


export type StepExchangeQuery = { run: { events: { nodes: Array<
        | { request: { url: string, method: HttpMethod, header: unknown, payload: string } | null, response: { status: number, durationMs: number, header: unknown, payload: string } | null }
        | Record<PropertyKey, never>
      > } } | null };

export type ErrorExchangeQueryVariables = Exact<{
  id: string | number;
}>;


export type ErrorExchangeQuery = { run: { errorExchange: { request: { url: string, method: HttpMethod, header: unknown, payload: string }, response: { status: number, durationMs: number, header: unknown, payload: string } | null } | null } | null };

export type RunRowFragment = { id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } };

export type RunsQueryVariables = Exact<{
  filter?: RunFilter | null | undefined;
  includeTest: boolean;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type RunsQuery = { runs: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } }> } };

export type WatchRunsSubscriptionVariables = Exact<{
  filter?: RunFilter | null | undefined;
  includeTest: boolean;
}>;


export type WatchRunsSubscription = { runsChanged: { removedIds: Array<string>, changed: Array<{ id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } }> } };

export type WorkflowTitlesQueryVariables = Exact<{
  filter?: WorkflowFilter | null | undefined;
}>;


export type WorkflowTitlesQuery = { workflows: { totalCount: number, nodes: Array<{ databaseId: number, title: string }> } };

export type CancelRunMutationVariables = Exact<{
  id: string | number;
}>;


export type CancelRunMutation = { runCancel: { run: { id: string, databaseId: number, state: RunState, test: boolean, trigger: RunTrigger, workflowTitle: string, queuedAt: string, startedAt: string | null, finishedAt: string | null, durationMs: number | null, stepCount: number | null, warnings: number, workflow: { databaseId: number } | null, schedule: { databaseId: number, title: string } | null, error: { code: RunErrorCode, message: string, index: string | null } | null, viewerCan: { cancel: boolean, start: boolean } } | null, userErrors: Array<{ message: string }> } };

export type RetryRunMutationVariables = Exact<{
  id: string | number;
  logging?: boolean | null | undefined;
  from?: RunRetryFrom | null | undefined;
}>;


export type RetryRunMutation = { runRetry: { run: { databaseId: number } | null, userErrors: Array<{ message: string }> } };

export type RetryRunsMutationVariables = Exact<{
  filter: RunFilter;
}>;


export type RetryRunsMutation = { runsRetry: { job: { databaseId: number } | null, userErrors: Array<{ message: string }> } };

export type WatchJobSubscriptionVariables = Exact<{
  jobId: string | number;
}>;


export type WatchJobSubscription = { jobProgress: { state: JobState, percent: number, message: string | null, result: unknown, error: { message: string, problems: Array<{ message: string }> } | null } };

export type CountFailedRunsQueryVariables = Exact<{
  states: Array<RunState> | RunState;
  since: string;
}>;


export type CountFailedRunsQuery = { runs: { totalCount: number } };

export type CreateScheduleMutationVariables = Exact<{
  input: ScheduleCreateInput;
}>;


export type CreateScheduleMutation = { scheduleCreate: { schedule: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateScheduleMutationVariables = Exact<{
  input: ScheduleUpdateInput;
}>;


export type UpdateScheduleMutation = { scheduleUpdate: { schedule: { id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteScheduleMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteScheduleMutation = { scheduleDelete: { userErrors: Array<{ message: string }> } };

export type DeleteSchedulesMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type DeleteSchedulesMutation = { schedulesDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type EnableSchedulesMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
  enabled: boolean;
}>;


export type EnableSchedulesMutation = { schedulesEnable: { userErrors: Array<{ message: string }> } };

export type CreateWebhookMutationVariables = Exact<{
  scheduleId: string | number;
}>;


export type CreateWebhookMutation = { webhookCreate: { userErrors: Array<{ message: string }> } };

export type DeleteWebhookMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteWebhookMutation = { webhookDelete: { userErrors: Array<{ message: string }> } };

export type ScheduleNextRunsQueryVariables = Exact<{
  cron: string;
  timeZone?: string | null | undefined;
}>;


export type ScheduleNextRunsQuery = { scheduleNextRuns: { words: string, times: Array<string>, problem: { message: string } | null } };

export type ScheduleRowFragment = { id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean } };

export type SchedulesQueryVariables = Exact<{
  filter?: ScheduleFilter | null | undefined;
  orderBy?: ScheduleOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SchedulesQuery = { schedules: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean } }> } };

export type ScheduleWebhookFragment = { webhook: { databaseId: number, url: string, createdAt: string, createdBy: { email: string }, apiToken: { name: string, expiresAt: string } | null } | null, workflow: { webhookVariables: Array<{ name: string, type: string }> } | null };

export type ScheduleDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type ScheduleDetailsQuery = { schedule: { id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string, webhookVariables: Array<{ name: string, type: string }> } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean }, webhook: { databaseId: number, url: string, createdAt: string, createdBy: { email: string }, apiToken: { name: string, expiresAt: string } | null } | null } | null };

export type ScheduleTitleQueryVariables = Exact<{
  id: string | number;
}>;


export type ScheduleTitleQuery = { schedule: { title: string } | null };

export type WatchSchedulesSubscriptionVariables = Exact<{
  filter?: ScheduleFilter | null | undefined;
}>;


export type WatchSchedulesSubscription = { schedulesChanged: { removedIds: Array<string>, changed: Array<{ databaseId: number }> } };

export type WatchScheduledRunsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WatchScheduledRunsSubscription = { runsChanged: { removedIds: Array<string>, changed: Array<{ schedule: { databaseId: number } | null }> } };

export type EnableScheduleMutationVariables = Exact<{
  id: string | number;
  enabled: boolean;
  expectedVersion: number;
}>;


export type EnableScheduleMutation = { scheduleEnable: { schedule: { id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean } } | null, userErrors: Array<{ message: string }> } };

export type SetOverlapPolicyMutationVariables = Exact<{
  id: string | number;
  overlapPolicy: OverlapPolicy;
  expectedVersion: number;
}>;


export type SetOverlapPolicyMutation = { scheduleUpdate: { schedule: { id: string, databaseId: number, title: string, cron: string, timeZone: string, enabled: boolean, logging: boolean, missedFires: MissedFires, overlapPolicy: OverlapPolicy, nextFireTimes: Array<string>, version: number, createdBy: { email: string, user: { databaseId: number, email: string, disabledAt: string | null } | null }, workflow: { databaseId: number, title: string } | null, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string } | null, viewerCan: { update: boolean, start: boolean, delete: boolean } } | null, userErrors: Array<{ message: string }> } };

export type StartScheduleMutationVariables = Exact<{
  id: string | number;
}>;


export type StartScheduleMutation = { scheduleStart: { run: { databaseId: number } | null, userErrors: Array<{ message: string }> } };

export type SecretRecordFragment = { databaseId: number, name: string, note: string | null, origins: Array<string>, version: number, viewerCan: { update: boolean, delete: boolean } };

export type SecretsQueryVariables = Exact<{
  filter?: SecretFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SecretsQuery = { secrets: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, note: string | null, origins: Array<string> }> } };

export type SecretDetailsQueryVariables = Exact<{
  id: string | number;
  withWorkflows: boolean;
}>;


export type SecretDetailsQuery = { secret: { databaseId: number, name: string, note: string | null, origins: Array<string>, version: number, usedBy?: Array<{ databaseId: number, title: string }> | null, viewerCan: { update: boolean, delete: boolean } } | null };

export type CreateSecretMutationVariables = Exact<{
  input: SecretCreateInput;
}>;


export type CreateSecretMutation = { secretCreate: { secret: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateSecretMutationVariables = Exact<{
  input: SecretUpdateInput;
}>;


export type UpdateSecretMutation = { secretUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteSecretMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
  force: boolean;
}>;


export type DeleteSecretMutation = { secretDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteSecretsMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
  force: boolean;
}>;


export type DeleteSecretsMutation = { secretsDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type SupportLogsQueryVariables = Exact<{
  filter?: SupportLogFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type SupportLogsQuery = { supportLogs: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, fileName: string, workflowTitle: string, size: number, createdAt: string, expiresAt: string, url: string, createdBy: { email: string }, workflow: { databaseId: number } | null, runs: Array<{ databaseId: number }> }> } };

export type WatchSupportLogsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WatchSupportLogsSubscription = { supportLogs: { removedIds: Array<string>, changed: Array<{ databaseId: number }> } };

export type CreateSupportLogMutationVariables = Exact<{
  input: SupportLogCreateInput;
}>;


export type CreateSupportLogMutation = { supportLogCreate: { job: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteSupportLogMutationVariables = Exact<{
  id: string | number;
}>;


export type DeleteSupportLogMutation = { supportLogDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type SystemHealthFragment = { status: SystemStatus, components: Array<{ name: string, title: string, status: SystemStatus, isUsed: boolean, error: string | null, checkedAt: string, durationMs: number, details: Array<{ name: string, value: string }> }> };

export type ProcessesQueryVariables = Exact<{ [key: string]: never; }>;


export type ProcessesQuery = { processes: Array<{ name: string, roles: Array<ProcessRole>, version: string, host: string, pid: number, since: string, beatAt: string, lagMs: number, state: ProcessState, runs: number }> };

export type SystemCheckQueryVariables = Exact<{ [key: string]: never; }>;


export type SystemCheckQuery = { systemCheck: { status: SystemStatus, components: Array<{ name: string, title: string, status: SystemStatus, isUsed: boolean, error: string | null, checkedAt: string, durationMs: number, details: Array<{ name: string, value: string }> }> } };

export type WatchSystemCheckSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WatchSystemCheckSubscription = { systemCheck: { status: SystemStatus, components: Array<{ name: string, title: string, status: SystemStatus, isUsed: boolean, error: string | null, checkedAt: string, durationMs: number, details: Array<{ name: string, value: string }> }> } };

export type TemplatesQueryVariables = Exact<{
  filter?: TemplateFilter | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type TemplatesQuery = { templates: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, name: string, description: string | null, version: number, updatedAt: string, connectors: Array<{ slot: number, invoker: string | null }> }> } };

export type TemplateDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type TemplateDetailsQuery = { template: { databaseId: number, templateId: string, name: string, description: string | null, license: string | null, productVersion: string, version: number, updatedAt: string, leftOut: Array<string>, warnings: Array<string>, updatedBy: { email: string }, connectors: Array<{ slot: number, invoker: string | null, title: string }>, steps: Array<
      | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
      | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
    > | null, viewerCan: { delete: boolean } } | null };

export type ConnectorSlotFragment = { slot: number, invoker: string | null, title: string };

export type TemplateDocumentQueryVariables = Exact<{
  id: string | number;
}>;


export type TemplateDocumentQuery = { template: { document: unknown } | null };

export type ConnectorOptionsQueryVariables = Exact<{
  filter?: ConnectorFilter | null | undefined;
}>;


export type ConnectorOptionsQuery = { connectors: { nodes: Array<{ databaseId: number, title: string }> } };

export type CreateTemplateMutationVariables = Exact<{
  input: TemplateCreateInput;
}>;


export type CreateTemplateMutation = { templateCreate: { template: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type InstantiateTemplateMutationVariables = Exact<{
  input: TemplateInstantiateInput;
}>;


export type InstantiateTemplateMutation = { templateInstantiate: { workflow: { databaseId: number, title: string } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteTemplateMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteTemplateMutation = { templateDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type UserListQueryVariables = Exact<{
  filter?: UserFilter | null | undefined;
  orderBy?: UserOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type UserListQuery = { users: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null } }> } };

export type GroupNamesQueryVariables = Exact<{ [key: string]: never; }>;


export type GroupNamesQuery = { userGroups: { nodes: Array<{ databaseId: number, name: string }> } };

export type UserDetailsQueryVariables = Exact<{
  id: string | number;
}>;


export type UserDetailsQuery = { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null };

export type UserSessionsQueryVariables = Exact<{
  id: string | number;
}>;


export type UserSessionsQuery = { user: { sessions: { nodes: Array<{ sessionId: string, address: string, userAgent: string, createdAt: string, lastAccessed: string, current: boolean }> } | null } | null };

export type UserTokensQueryVariables = Exact<{
  id: string | number;
}>;


export type UserTokensQuery = { user: { apiTokens: Array<{ apiTokenId: number, name: string, prefix: string, scopes: Array<string>, createdAt: string, expiresAt: string, lastUsedAt: string | null, lastAddress: string | null }> | null } | null };

export type CreateUserMutationVariables = Exact<{
  input: UserCreateInput;
}>;


export type CreateUserMutation = { userCreate: { user: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type InviteUserMutationVariables = Exact<{
  input: UserInviteInput;
}>;


export type InviteUserMutation = { userInvite: { user: { databaseId: number } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type InviteUserAgainMutationVariables = Exact<{
  id: string | number;
}>;


export type InviteUserAgainMutation = { userInviteAgain: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DisableUserMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DisableUserMutation = { userDisable: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type EnableUserMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type EnableUserMutation = { userEnable: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type UpdateUserMutationVariables = Exact<{
  input: UserUpdateInput;
}>;


export type UpdateUserMutation = { userUpdate: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type RemovePasswordMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type RemovePasswordMutation = { userPasswordRemove: { user: { databaseId: number, email: string, authSource: AuthSource, disabledAt: string | null, profilePicture: string | null, version: number, lastLogin: string | null, secondFactor: SecondFactorState | null, group: { databaseId: number, name: string }, detail: { name: string | null, surname: string | null, salutation: string | null, phoneNumber: string | null, department: string | null, organisation: string | null, lang: Language }, viewerCan: { update: boolean, changeDetail: boolean, changePassword: boolean, changePicture: boolean, removePassword: boolean, disable: boolean, invite: boolean, delete: boolean } } | null, userErrors: Array<{ message: string, path: Array<string> }> } };

export type EndUserSessionsMutationVariables = Exact<{
  id: string | number;
}>;


export type EndUserSessionsMutation = { userSessionsEnd: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type RequireSecondFactorMutationVariables = Exact<{
  id: string | number;
}>;


export type RequireSecondFactorMutation = { userSecondFactorRequire: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type ResetSecondFactorMutationVariables = Exact<{
  id: string | number;
}>;


export type ResetSecondFactorMutation = { userSecondFactorReset: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DeleteUserMutationVariables = Exact<{
  id: string | number;
  expectedVersion: number;
}>;


export type DeleteUserMutation = { userDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type DuplicateWorkflowMutationVariables = Exact<{
  id: string | number;
}>;


export type DuplicateWorkflowMutation = { workflowDuplicate: { workflow: { databaseId: number, title: string } | null, userErrors: Array<{ message: string }> } };

export type ExportWorkflowMutationVariables = Exact<{
  id: string | number;
}>;


export type ExportWorkflowMutation = { workflowExport: { file: { fileName: string, content: unknown } | null, userErrors: Array<{ message: string }> } };

export type DeleteWorkflowsMutationVariables = Exact<{
  ids: Array<string | number> | string | number;
}>;


export type DeleteWorkflowsMutation = { workflowsDelete: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type MoveWorkflowMutationVariables = Exact<{
  id: string | number;
  categoryId?: string | number | null | undefined;
}>;


export type MoveWorkflowMutation = { workflowUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type WorkflowsQueryVariables = Exact<{
  filter?: WorkflowFilter | null | undefined;
  orderBy?: WorkflowOrder | null | undefined;
  first?: number | null | undefined;
  after?: string | null | undefined;
  last?: number | null | undefined;
  before?: string | null | undefined;
}>;


export type WorkflowsQuery = { workflows: { totalCount: number, pageInfo: { hasNextPage: boolean, hasPreviousPage: boolean, startCursor: string | null, endCursor: string | null }, nodes: Array<{ databaseId: number, title: string, description: string | null, updatedAt: string, category: { name: string } | null, updatedBy: { email: string }, lastRun: { databaseId: number, state: RunState, startedAt: string | null, queuedAt: string, durationMs: number | null } | null }> } };

export type WatchWorkflowsSubscriptionVariables = Exact<{
  filter?: WorkflowFilter | null | undefined;
}>;


export type WatchWorkflowsSubscription = { workflowsChanged: { removedIds: Array<string>, changed: Array<{ databaseId: number }> } };

export type WatchLastRunsSubscriptionVariables = Exact<{ [key: string]: never; }>;


export type WatchLastRunsSubscription = { runsChanged: { removedIds: Array<string>, changed: Array<{ databaseId: number }> } };

export type WorkflowQueryVariables = Exact<{
  id: string | number;
}>;


export type WorkflowQuery = { workflow: { databaseId: number, title: string, description: string | null, createdAt: string, updatedAt: string, resume: boolean, createdBy: { email: string }, updatedBy: { email: string }, category: { name: string } | null, errorWorkflow: { databaseId: number, title: string } | null, validation: Array<{ code: WorkflowProblemCode, message: string, index: string | null }>, steps: Array<
      | { __typename: 'MethodStep', name: string | null, label: string | null, methodType: MethodType | null, retries: number | null, timeout: number | null, methodId: string, methodIndex: string | null, connector: { title: string | null, connector: { title: string } | null } | null, request: { method: string | null, endpoint: string | null } | null }
      | { __typename: 'OperatorStep', expression: string, iterator: string | null, operatorId: string, operatorIndex: string | null, operatorType: OperatorType | null }
    >, lastRun: { viewerCan: { start: boolean } } | null, viewerCan: { update: boolean } } | null };

export type SetWorkflowResumeMutationVariables = Exact<{
  id: string | number;
  resume: boolean;
}>;


export type SetWorkflowResumeMutation = { workflowResumeSet: { userErrors: Array<{ message: string }> } };

export type WorkflowVersionsQueryVariables = Exact<{
  id: string | number;
  first?: number | null | undefined;
  after?: string | null | undefined;
}>;


export type WorkflowVersionsQuery = { workflow: { versions: { totalCount: number, pageInfo: { hasNextPage: boolean, endCursor: string | null }, nodes: Array<{ number: number, snapshotId: string, comment: string | null, createdAt: string, current: boolean, author: { email: string } }> } } | null };

export type VersionedWorkflowQueryVariables = Exact<{
  id: string | number;
}>;


export type VersionedWorkflowQuery = { workflow: { title: string, version: number, updatedAt: string, viewerCan: { update: boolean } } | null, runs: { nodes: Array<{ databaseId: number, queuedAt: string, workflowVersion: { number: number, snapshotId: string, current: boolean } | null }> } };

export type RestoreVersionMutationVariables = Exact<{
  input: WorkflowVersionSwitchInput;
}>;


export type RestoreVersionMutation = { workflowVersionSwitch: { userErrors: Array<{ message: string }> } };

export type NameVersionMutationVariables = Exact<{
  input: WorkflowVersionUpdateInput;
}>;


export type NameVersionMutation = { workflowVersionUpdate: { userErrors: Array<{ message: string, path: Array<string> }> } };

export type ComparedVersionFragment = { number: number, steps: Array<
    | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
    | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
  >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }> };

export type VersionDiffQueryVariables = Exact<{
  id: string | number;
  from: string;
  to: string;
}>;


export type VersionDiffQuery = { workflow: { diff: { equal: boolean, complete: boolean, from: { number: number, steps: Array<
          | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
          | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
        >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }> }, to: { number: number, steps: Array<
          | { __typename: 'MethodStep', name: string | null, label: string | null, color: string | null, methodType: MethodType | null, timeout: number | null, retries: number | null, backoff: number | null, dataAggregator: number | null, required: boolean, repeatable: boolean, enabled: boolean, successStatus: string | null, fileName: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, connector: { connectorId: number | null, title: string | null } | null, request: { endpoint: string | null, method: string | null, httpMethod: HttpMethod | null, header: unknown, body: { type: string | null, format: string | null, data: string | null, fields: unknown } | null } | null }
          | { __typename: 'OperatorStep', enabled: boolean, expression: string, iterator: string | null, stepId: string, parentStepId: string | null, index: string | null, side: StepSide | null, operatorType: OperatorType | null }
        >, fieldBindings: Array<{ bindingId: string | null, from: Array<{ color: string | null, type: string | null, field: string | null }>, to: Array<{ color: string | null, type: string | null, field: string | null }>, enhancement: { name: string | null, description: string | null, language: string | null, expertVar: string | null, expertCode: string | null } | null }> }, fields: Array<{ path: string, kind: DifferenceKind, before: unknown, after: unknown, masked: boolean }>, steps: Array<{ stepId: string | null, kinds: Array<DifferenceKind>, fields: Array<{ path: string, kind: DifferenceKind, before: unknown, after: unknown, masked: boolean }> }>, fieldBindings: Array<{ bindingId: string | null, kinds: Array<DifferenceKind>, fields: Array<{ path: string, kind: DifferenceKind, before: unknown, after: unknown, masked: boolean }> }> } } | null };

export type FieldChangeFragment = { path: string, kind: DifferenceKind, before: unknown, after: unknown, masked: boolean };

export type RunWorkflowMutationVariables = Exact<{
  id: string | number;
  logging: boolean;
}>;


export type RunWorkflowMutation = { workflowRun: { run: { databaseId: number } | null, userErrors: Array<{ message: string }> } };

export class TypedDocumentString<TResult, TVariables>
  extends String
  implements DocumentTypeDecoration<TResult, TVariables>
{
  __apiType?: NonNullable<DocumentTypeDecoration<TResult, TVariables>['__apiType']>;
  private value: string;
  public __meta__?: Record<string, any> | undefined;

  constructor(value: string, __meta__?: Record<string, any> | undefined) {
    super(value);
    this.value = value;
    this.__meta__ = __meta__;
  }

  override toString(): string & DocumentTypeDecoration<TResult, TVariables> {
    return this.value;
  }
}
export const UserRecordFragmentDoc = new TypedDocumentString(`
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}
    `, {"fragmentName":"UserRecord"}) as unknown as TypedDocumentString<UserRecordFragment, unknown>;
export const SessionRowFragmentDoc = new TypedDocumentString(`
    fragment SessionRow on Session {
  sessionId
  address
  userAgent
  createdAt
  lastAccessed
  current
}
    `, {"fragmentName":"SessionRow"}) as unknown as TypedDocumentString<SessionRowFragment, unknown>;
export const TokenRowFragmentDoc = new TypedDocumentString(`
    fragment TokenRow on ApiToken {
  apiTokenId
  name
  prefix
  scopes
  createdAt
  expiresAt
  lastUsedAt
  lastAddress
}
    `, {"fragmentName":"TokenRow"}) as unknown as TypedDocumentString<TokenRowFragment, unknown>;
export const AggregatorRecordFragmentDoc = new TypedDocumentString(`
    fragment AggregatorRecord on Aggregator {
  databaseId
  name
  script
  active
  version
  arguments {
    argumentId
    name
    description
  }
  usedBy {
    databaseId
    title
  }
  viewerCan {
    update
    delete
  }
}
    `, {"fragmentName":"AggregatorRecord"}) as unknown as TypedDocumentString<AggregatorRecordFragment, unknown>;
export const CategoryRowFragmentDoc = new TypedDocumentString(`
    fragment CategoryRow on Category {
  databaseId
  name
  version
  parent {
    databaseId
  }
  workflows(first: 1) {
    totalCount
  }
  viewerCan {
    update
    delete
  }
}
    `, {"fragmentName":"CategoryRow"}) as unknown as TypedDocumentString<CategoryRowFragment, unknown>;
export const RunRowFragmentDoc = new TypedDocumentString(`
    fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}
    `, {"fragmentName":"RunRow"}) as unknown as TypedDocumentString<RunRowFragment, unknown>;
export const StepShapeFragmentDoc = new TypedDocumentString(`
    fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}
    `, {"fragmentName":"StepShape"}) as unknown as TypedDocumentString<StepShapeFragment, unknown>;
export const ComparedRunFragmentDoc = new TypedDocumentString(`
    fragment ComparedRun on Run {
  ...RunRow
  logging
  hasLog
  workflowVersion {
    number
    snapshotId
    steps {
      ...StepShape
    }
  }
}
    fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}
fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`, {"fragmentName":"ComparedRun"}) as unknown as TypedDocumentString<ComparedRunFragment, unknown>;
export const ConfigFieldPartsFragmentDoc = new TypedDocumentString(`
    fragment ConfigFieldParts on ApplicationConfigField {
  key
  path
  parentPath
  status
  isBlock
  isSecret
  value
  comments {
    position
    text
  }
  setting {
    meaning
    accepts
    default
    variable
  }
}
    `, {"fragmentName":"ConfigFieldParts"}) as unknown as TypedDocumentString<ConfigFieldPartsFragment, unknown>;
export const ConfigDifferencePartsFragmentDoc = new TypedDocumentString(`
    fragment ConfigDifferenceParts on ApplicationConfigDifference {
  path
  change
  before
  after
}
    `, {"fragmentName":"ConfigDifferenceParts"}) as unknown as TypedDocumentString<ConfigDifferencePartsFragment, unknown>;
export const ConnectorInvokerFragmentDoc = new TypedDocumentString(`
    fragment ConnectorInvoker on Invoker {
  name
  description
  hint
  requiredData {
    name
    type
    visibility
    value
  }
}
    `, {"fragmentName":"ConnectorInvoker"}) as unknown as TypedDocumentString<ConnectorInvokerFragment, unknown>;
export const ConnectorRecordFragmentDoc = new TypedDocumentString(`
    fragment ConnectorRecord on Connector {
  databaseId
  title
  description
  icon
  invokerName
  sslCert
  keepCookies
  timeout
  version
  updatedAt
  lastCheck {
    at
    status
    error
  }
  requestData {
    name
    visibility
    stored
    value
    suspended
    unconfirmedOrigins
  }
  invoker {
    ...ConnectorInvoker
  }
  viewerCan {
    update
    delete
  }
}
    fragment ConnectorInvoker on Invoker {
  name
  description
  hint
  requiredData {
    name
    type
    visibility
    value
  }
}`, {"fragmentName":"ConnectorRecord"}) as unknown as TypedDocumentString<ConnectorRecordFragment, unknown>;
export const WorkflowUsersFragmentDoc = new TypedDocumentString(`
    fragment WorkflowUsers on WorkflowConnection {
  totalCount
  nodes {
    databaseId
    title
  }
}
    `, {"fragmentName":"WorkflowUsers"}) as unknown as TypedDocumentString<WorkflowUsersFragment, unknown>;
export const EditedStepFragmentDoc = new TypedDocumentString(`
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
    `, {"fragmentName":"EditedStep"}) as unknown as TypedDocumentString<EditedStepFragment, unknown>;
export const EditedBindingFragmentDoc = new TypedDocumentString(`
    fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
    `, {"fragmentName":"EditedBinding"}) as unknown as TypedDocumentString<EditedBindingFragment, unknown>;
export const EditedWorkflowFragmentDoc = new TypedDocumentString(`
    fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}`, {"fragmentName":"EditedWorkflow"}) as unknown as TypedDocumentString<EditedWorkflowFragment, unknown>;
export const EditErrorFragmentDoc = new TypedDocumentString(`
    fragment EditError on UserError {
  code
  message
  path
}
    `, {"fragmentName":"EditError"}) as unknown as TypedDocumentString<EditErrorFragment, unknown>;
export const OperandFragmentDoc = new TypedDocumentString(`
    fragment Operand on ExpressionOperand {
  kind
  text
}
    `, {"fragmentName":"Operand"}) as unknown as TypedDocumentString<OperandFragment, unknown>;
export const RuleFragmentDoc = new TypedDocumentString(`
    fragment Rule on ConditionRule {
  operator
  left {
    ...Operand
  }
  right {
    ...Operand
  }
}
    fragment Operand on ExpressionOperand {
  kind
  text
}`, {"fragmentName":"Rule"}) as unknown as TypedDocumentString<RuleFragment, unknown>;
export const StepSamplePartsFragmentDoc = new TypedDocumentString(`
    fragment StepSampleParts on StepSample {
  stepId
  at
  source
  iteration
  run {
    databaseId
  }
  request {
    method
    url
    header
    body
    bodyText
    truncated
  }
  answer {
    status
    header
    body
    bodyText
    truncated
  }
  error {
    code
    message
  }
}
    `, {"fragmentName":"StepSampleParts"}) as unknown as TypedDocumentString<StepSamplePartsFragment, unknown>;
export const GroupRecordFragmentDoc = new TypedDocumentString(`
    fragment GroupRecord on UserGroup {
  databaseId
  name
  description
  version
  components {
    component {
      name
    }
    permissions {
      name
    }
  }
  viewerCan {
    update
    delete
  }
}
    `, {"fragmentName":"GroupRecord"}) as unknown as TypedDocumentString<GroupRecordFragment, unknown>;
export const PaginationPartsFragmentDoc = new TypedDocumentString(`
    fragment PaginationParts on InvokerPaginationParameter {
  name
  action
  ref
  value
}
    `, {"fragmentName":"PaginationParts"}) as unknown as TypedDocumentString<PaginationPartsFragment, unknown>;
export const HeaderPartsFragmentDoc = new TypedDocumentString(`
    fragment HeaderParts on InvokerHeader {
  name
  value
}
    `, {"fragmentName":"HeaderParts"}) as unknown as TypedDocumentString<HeaderPartsFragment, unknown>;
export const BodyPartsFragmentDoc = new TypedDocumentString(`
    fragment BodyParts on InvokerBody {
  type
  format
  data
  fields
}
    `, {"fragmentName":"BodyParts"}) as unknown as TypedDocumentString<BodyPartsFragment, unknown>;
export const ResultPartsFragmentDoc = new TypedDocumentString(`
    fragment ResultParts on InvokerResult {
  status
  header {
    ...HeaderParts
  }
  body {
    ...BodyParts
  }
}
    fragment BodyParts on InvokerBody {
  type
  format
  data
  fields
}
fragment HeaderParts on InvokerHeader {
  name
  value
}`, {"fragmentName":"ResultParts"}) as unknown as TypedDocumentString<ResultPartsFragment, unknown>;
export const OperationPartsFragmentDoc = new TypedDocumentString(`
    fragment OperationParts on InvokerOperation {
  name
  type
  request {
    method
    endpoint
    header {
      ...HeaderParts
    }
    body {
      ...BodyParts
    }
  }
  success {
    ...ResultParts
  }
  fails {
    ...ResultParts
  }
  pagination {
    ...PaginationParts
  }
}
    fragment PaginationParts on InvokerPaginationParameter {
  name
  action
  ref
  value
}
fragment BodyParts on InvokerBody {
  type
  format
  data
  fields
}
fragment HeaderParts on InvokerHeader {
  name
  value
}
fragment ResultParts on InvokerResult {
  status
  header {
    ...HeaderParts
  }
  body {
    ...BodyParts
  }
}`, {"fragmentName":"OperationParts"}) as unknown as TypedDocumentString<OperationPartsFragment, unknown>;
export const InvokerRecordFragmentDoc = new TypedDocumentString(`
    fragment InvokerRecord on Invoker {
  id
  name
  description
  hint
  icon
  authType
  fileName
  origin
  version
  updatedAt
  warnings
  requiredData {
    name
    type
    visibility
    value
  }
  pagination {
    ...PaginationParts
  }
  operations {
    ...OperationParts
  }
  viewerCan {
    update
    delete
  }
}
    fragment PaginationParts on InvokerPaginationParameter {
  name
  action
  ref
  value
}
fragment BodyParts on InvokerBody {
  type
  format
  data
  fields
}
fragment HeaderParts on InvokerHeader {
  name
  value
}
fragment ResultParts on InvokerResult {
  status
  header {
    ...HeaderParts
  }
  body {
    ...BodyParts
  }
}
fragment OperationParts on InvokerOperation {
  name
  type
  request {
    method
    endpoint
    header {
      ...HeaderParts
    }
    body {
      ...BodyParts
    }
  }
  success {
    ...ResultParts
  }
  fails {
    ...ResultParts
  }
  pagination {
    ...PaginationParts
  }
}`, {"fragmentName":"InvokerRecord"}) as unknown as TypedDocumentString<InvokerRecordFragment, unknown>;
export const DeliveryRowFragmentDoc = new TypedDocumentString(`
    fragment DeliveryRow on Delivery {
  databaseId
  channel
  purpose
  recipient
  subject
  state
  attempts
  createdAt
  nextAttemptAt
  finishedAt
  error {
    code
    message
  }
}
    `, {"fragmentName":"DeliveryRow"}) as unknown as TypedDocumentString<DeliveryRowFragment, unknown>;
export const MessageTemplateRecordFragmentDoc = new TypedDocumentString(`
    fragment MessageTemplateRecord on MessageTemplate {
  databaseId
  name
  channel
  version
  warnings
  contents {
    language
    subject
    body
  }
}
    `, {"fragmentName":"MessageTemplateRecord"}) as unknown as TypedDocumentString<MessageTemplateRecordFragment, unknown>;
export const NotificationRowFragmentDoc = new TypedDocumentString(`
    fragment NotificationRow on Notification {
  databaseId
  name
  eventType
  recipients
  version
  template {
    databaseId
    name
    channel
  }
}
    `, {"fragmentName":"NotificationRow"}) as unknown as TypedDocumentString<NotificationRowFragment, unknown>;
export const RequestPartsFragmentDoc = new TypedDocumentString(`
    fragment RequestParts on RequestSegment {
  url
  method
  header
  payload
}
    `, {"fragmentName":"RequestParts"}) as unknown as TypedDocumentString<RequestPartsFragment, unknown>;
export const ResponsePartsFragmentDoc = new TypedDocumentString(`
    fragment ResponseParts on ResponseSegment {
  status
  durationMs
  header
  payload
}
    `, {"fragmentName":"ResponseParts"}) as unknown as TypedDocumentString<ResponsePartsFragment, unknown>;
export const ScheduleRowFragmentDoc = new TypedDocumentString(`
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}
    `, {"fragmentName":"ScheduleRow"}) as unknown as TypedDocumentString<ScheduleRowFragment, unknown>;
export const ScheduleWebhookFragmentDoc = new TypedDocumentString(`
    fragment ScheduleWebhook on Schedule {
  webhook {
    databaseId
    url
    createdAt
    createdBy {
      email
    }
    apiToken {
      name
      expiresAt
    }
  }
  workflow {
    webhookVariables {
      name
      type
    }
  }
}
    `, {"fragmentName":"ScheduleWebhook"}) as unknown as TypedDocumentString<ScheduleWebhookFragment, unknown>;
export const SecretRecordFragmentDoc = new TypedDocumentString(`
    fragment SecretRecord on Secret {
  databaseId
  name
  note
  origins
  version
  viewerCan {
    update
    delete
  }
}
    `, {"fragmentName":"SecretRecord"}) as unknown as TypedDocumentString<SecretRecordFragment, unknown>;
export const SystemHealthFragmentDoc = new TypedDocumentString(`
    fragment SystemHealth on SystemCheck {
  status
  components {
    name
    title
    status
    isUsed
    error
    checkedAt
    durationMs
    details {
      name
      value
    }
  }
}
    `, {"fragmentName":"SystemHealth"}) as unknown as TypedDocumentString<SystemHealthFragment, unknown>;
export const ConnectorSlotFragmentDoc = new TypedDocumentString(`
    fragment ConnectorSlot on TemplateConnector {
  slot
  invoker
  title
}
    `, {"fragmentName":"ConnectorSlot"}) as unknown as TypedDocumentString<ConnectorSlotFragment, unknown>;
export const ComparedVersionFragmentDoc = new TypedDocumentString(`
    fragment ComparedVersion on WorkflowVersion {
  number
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}`, {"fragmentName":"ComparedVersion"}) as unknown as TypedDocumentString<ComparedVersionFragment, unknown>;
export const FieldChangeFragmentDoc = new TypedDocumentString(`
    fragment FieldChange on FieldDifference {
  path
  kind
  before
  after
  masked
}
    `, {"fragmentName":"FieldChange"}) as unknown as TypedDocumentString<FieldChangeFragment, unknown>;
export const AccountDocument = new TypedDocumentString(`
    query Account {
  secondFactorRequired
  me {
    ...UserRecord
    can {
      component
      action
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<AccountQuery, AccountQueryVariables>;
export const AccountSessionsDocument = new TypedDocumentString(`
    query AccountSessions {
  mySessions(first: 100) {
    ...SessionRow
  }
}
    fragment SessionRow on Session {
  sessionId
  address
  userAgent
  createdAt
  lastAccessed
  current
}`) as unknown as TypedDocumentString<AccountSessionsQuery, AccountSessionsQueryVariables>;
export const AccountTokensDocument = new TypedDocumentString(`
    query AccountTokens {
  myApiTokens {
    ...TokenRow
  }
}
    fragment TokenRow on ApiToken {
  apiTokenId
  name
  prefix
  scopes
  createdAt
  expiresAt
  lastUsedAt
  lastAddress
}`) as unknown as TypedDocumentString<AccountTokensQuery, AccountTokensQueryVariables>;
export const ChangeUserDetailDocument = new TypedDocumentString(`
    mutation ChangeUserDetail($input: UserDetailChangeInput!) {
  userDetailChange(input: $input) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<ChangeUserDetailMutation, ChangeUserDetailMutationVariables>;
export const ChangePasswordDocument = new TypedDocumentString(`
    mutation ChangePassword($input: UserPasswordChangeInput!) {
  userPasswordChange(input: $input) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<ChangePasswordMutation, ChangePasswordMutationVariables>;
export const ChangeOwnPasswordDocument = new TypedDocumentString(`
    mutation ChangeOwnPassword($input: OwnPasswordChangeInput!) {
  ownPasswordChange(input: $input) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<ChangeOwnPasswordMutation, ChangeOwnPasswordMutationVariables>;
export const UploadPictureDocument = new TypedDocumentString(`
    mutation UploadPicture($input: UserPictureUploadInput!) {
  userPictureUpload(input: $input) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<UploadPictureMutation, UploadPictureMutationVariables>;
export const RemovePictureDocument = new TypedDocumentString(`
    mutation RemovePicture($id: ID!, $expectedVersion: Int!) {
  userPictureRemove(input: {id: $id, expectedVersion: $expectedVersion}) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<RemovePictureMutation, RemovePictureMutationVariables>;
export const BeginSecondFactorDocument = new TypedDocumentString(`
    mutation BeginSecondFactor($password: String!) {
  secondFactorBegin(input: {password: $password}) {
    enrolment {
      secretKey
      qr
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<BeginSecondFactorMutation, BeginSecondFactorMutationVariables>;
export const ConfirmSecondFactorDocument = new TypedDocumentString(`
    mutation ConfirmSecondFactor($code: String!) {
  secondFactorConfirm(input: {code: $code}) {
    recoveryCodes
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ConfirmSecondFactorMutation, ConfirmSecondFactorMutationVariables>;
export const RenewRecoveryCodesDocument = new TypedDocumentString(`
    mutation RenewRecoveryCodes($code: String!) {
  recoveryCodesRenew(input: {code: $code}) {
    recoveryCodes
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RenewRecoveryCodesMutation, RenewRecoveryCodesMutationVariables>;
export const DisableSecondFactorDocument = new TypedDocumentString(`
    mutation DisableSecondFactor($code: String!) {
  secondFactorDisable(input: {code: $code}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DisableSecondFactorMutation, DisableSecondFactorMutationVariables>;
export const CreateApiTokenDocument = new TypedDocumentString(`
    mutation CreateApiToken($input: ApiTokenCreateInput!) {
  apiTokenCreate(input: $input) {
    token
    apiToken {
      name
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateApiTokenMutation, CreateApiTokenMutationVariables>;
export const RevokeApiTokenDocument = new TypedDocumentString(`
    mutation RevokeApiToken($id: ID!) {
  apiTokenRevoke(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RevokeApiTokenMutation, RevokeApiTokenMutationVariables>;
export const EndSessionDocument = new TypedDocumentString(`
    mutation EndSession($sessionId: ID!) {
  sessionEnd(input: {sessionId: $sessionId}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<EndSessionMutation, EndSessionMutationVariables>;
export const AggregatorsDocument = new TypedDocumentString(`
    query Aggregators($filter: AggregatorFilter, $first: Int, $after: String, $last: Int, $before: String) {
  aggregators(
    filter: $filter
    orderBy: {field: NAME}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      name
      active
      version
      arguments {
        name
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AggregatorsQuery, AggregatorsQueryVariables>;
export const AggregatorDetailsDocument = new TypedDocumentString(`
    query AggregatorDetails($id: ID!) {
  aggregator(id: $id) {
    ...AggregatorRecord
  }
}
    fragment AggregatorRecord on Aggregator {
  databaseId
  name
  script
  active
  version
  arguments {
    argumentId
    name
    description
  }
  usedBy {
    databaseId
    title
  }
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<AggregatorDetailsQuery, AggregatorDetailsQueryVariables>;
export const CreateAggregatorDocument = new TypedDocumentString(`
    mutation CreateAggregator($input: AggregatorCreateInput!) {
  aggregatorCreate(input: $input) {
    aggregator {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateAggregatorMutation, CreateAggregatorMutationVariables>;
export const UpdateAggregatorDocument = new TypedDocumentString(`
    mutation UpdateAggregator($input: AggregatorUpdateInput!) {
  aggregatorUpdate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateAggregatorMutation, UpdateAggregatorMutationVariables>;
export const DeleteAggregatorDocument = new TypedDocumentString(`
    mutation DeleteAggregator($id: ID!, $expectedVersion: Int!, $force: Boolean!) {
  aggregatorDelete(
    input: {id: $id, expectedVersion: $expectedVersion, force: $force}
  ) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteAggregatorMutation, DeleteAggregatorMutationVariables>;
export const DeleteAggregatorsDocument = new TypedDocumentString(`
    mutation DeleteAggregators($ids: [ID!]!, $force: Boolean!) {
  aggregatorsDelete(input: {ids: $ids, force: $force}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteAggregatorsMutation, DeleteAggregatorsMutationVariables>;
export const AuditEventsDocument = new TypedDocumentString(`
    query AuditEvents($filter: AuditEventFilter, $first: Int, $after: String, $last: Int, $before: String) {
  auditEvents(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      at
      action
      actor {
        email
      }
      target {
        type
        targetId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<AuditEventsQuery, AuditEventsQueryVariables>;
export const AuditEventDetailsDocument = new TypedDocumentString(`
    query AuditEventDetails($id: ID!) {
  auditEvent(id: $id) {
    requestId
    clientRequestId
    before
    after
  }
}
    `) as unknown as TypedDocumentString<AuditEventDetailsQuery, AuditEventDetailsQueryVariables>;
export const WatchAuditDocument = new TypedDocumentString(`
    subscription WatchAudit {
  auditEvents {
    databaseId
  }
}
    `) as unknown as TypedDocumentString<WatchAuditSubscription, WatchAuditSubscriptionVariables>;
export const CategoriesDocument = new TypedDocumentString(`
    query Categories($after: String) {
  categories(first: 100, after: $after) {
    pageInfo {
      hasNextPage
      endCursor
    }
    nodes {
      ...CategoryRow
    }
  }
}
    fragment CategoryRow on Category {
  databaseId
  name
  version
  parent {
    databaseId
  }
  workflows(first: 1) {
    totalCount
  }
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<CategoriesQuery, CategoriesQueryVariables>;
export const CreateCategoryDocument = new TypedDocumentString(`
    mutation CreateCategory($input: CategoryCreateInput!) {
  categoryCreate(input: $input) {
    category {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateCategoryMutation, CreateCategoryMutationVariables>;
export const UpdateCategoryDocument = new TypedDocumentString(`
    mutation UpdateCategory($input: CategoryUpdateInput!) {
  categoryUpdate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateCategoryMutation, UpdateCategoryMutationVariables>;
export const DeleteCategoryDocument = new TypedDocumentString(`
    mutation DeleteCategory($input: CategoryDeleteInput!) {
  categoryDelete(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteCategoryMutation, DeleteCategoryMutationVariables>;
export const ComparedRunsDocument = new TypedDocumentString(`
    query ComparedRuns($id: ID!, $otherId: ID!) {
  run(id: $id) {
    ...ComparedRun
  }
  other: run(id: $otherId) {
    ...ComparedRun
  }
}
    fragment ComparedRun on Run {
  ...RunRow
  logging
  hasLog
  workflowVersion {
    number
    snapshotId
    steps {
      ...StepShape
    }
  }
}
fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}
fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`) as unknown as TypedDocumentString<ComparedRunsQuery, ComparedRunsQueryVariables>;
export const RunToCompareDocument = new TypedDocumentString(`
    query RunToCompare($id: ID!) {
  run(id: $id) {
    databaseId
    queuedAt
    workflow {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<RunToCompareQuery, RunToCompareQueryVariables>;
export const LastSuccessDocument = new TypedDocumentString(`
    query LastSuccess($before: RunFilter!, $any: RunFilter!) {
  before: runs(filter: $before, first: 2) {
    nodes {
      databaseId
    }
  }
  any: runs(filter: $any, first: 2) {
    nodes {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<LastSuccessQuery, LastSuccessQueryVariables>;
export const RunsToCompareDocument = new TypedDocumentString(`
    query RunsToCompare($filter: RunFilter!) {
  runs(filter: $filter, first: 50) {
    nodes {
      databaseId
      state
      queuedAt
    }
  }
}
    `) as unknown as TypedDocumentString<RunsToCompareQuery, RunsToCompareQueryVariables>;
export const StepAnswersDocument = new TypedDocumentString(`
    query StepAnswers($id: ID!, $after: Int!, $first: Int!, $withAnswers: Boolean!) {
  run(id: $id) {
    events(afterSequence: $after, first: $first) {
      nodes {
        __typename
        sequence
        ... on StepEvent {
          index
          loopIndex
        }
        ... on StepFinished {
          state
          statusCode
          durationMs
          response @include(if: $withAnswers) {
            payload
          }
        }
        ... on ConditionEvaluated {
          result
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<StepAnswersQuery, StepAnswersQueryVariables>;
export const ConfigurationDocument = new TypedDocumentString(`
    query Configuration {
  applicationConfig {
    path
    exists
    revision
    problems
    writeProblems
    canRestart
    fields {
      ...ConfigFieldParts
    }
    pending {
      ...ConfigDifferenceParts
    }
    settings {
      key
      meaning
      accepts
      default
      variable
    }
  }
  applicationConfigBackups {
    name
    createdAt
    bytes
  }
}
    fragment ConfigFieldParts on ApplicationConfigField {
  key
  path
  parentPath
  status
  isBlock
  isSecret
  value
  comments {
    position
    text
  }
  setting {
    meaning
    accepts
    default
    variable
  }
}
fragment ConfigDifferenceParts on ApplicationConfigDifference {
  path
  change
  before
  after
}`) as unknown as TypedDocumentString<ConfigurationQuery, ConfigurationQueryVariables>;
export const RestartServiceDocument = new TypedDocumentString(`
    mutation RestartService($input: ServiceRestartInput!) {
  serviceRestart(input: $input) {
    restarting
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RestartServiceMutation, RestartServiceMutationVariables>;
export const ConfigurationBackupDocument = new TypedDocumentString(`
    query ConfigurationBackup($name: String!) {
  applicationConfigBackup(name: $name) {
    name
    changes {
      ...ConfigDifferenceParts
    }
  }
}
    fragment ConfigDifferenceParts on ApplicationConfigDifference {
  path
  change
  before
  after
}`) as unknown as TypedDocumentString<ConfigurationBackupQuery, ConfigurationBackupQueryVariables>;
export const UpdateConfigurationDocument = new TypedDocumentString(`
    mutation UpdateConfiguration($input: ApplicationConfigUpdateInput!) {
  applicationConfigUpdate(input: $input) {
    result {
      message
      revision
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateConfigurationMutation, UpdateConfigurationMutationVariables>;
export const RestoreConfigurationDocument = new TypedDocumentString(`
    mutation RestoreConfiguration($input: ApplicationConfigRestoreInput!) {
  applicationConfigRestore(input: $input) {
    result {
      message
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RestoreConfigurationMutation, RestoreConfigurationMutationVariables>;
export const ConnectorsDocument = new TypedDocumentString(`
    query Connectors($filter: ConnectorFilter, $first: Int, $after: String, $last: Int, $before: String) {
  connectors(
    filter: $filter
    orderBy: {field: TITLE}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      title
      description
      icon
      invokerName
      lastCheck {
        at
        status
        error
      }
    }
  }
}
    `) as unknown as TypedDocumentString<ConnectorsQuery, ConnectorsQueryVariables>;
export const ConnectorDetailsDocument = new TypedDocumentString(`
    query ConnectorDetails($id: ID!, $workflow: ExactIdFilter!, $withWorkflows: Boolean!) {
  connector(id: $id) {
    ...ConnectorRecord
  }
  workflows(filter: {connector: $workflow}, first: 20, orderBy: {field: TITLE}) @include(if: $withWorkflows) {
    ...WorkflowUsers
  }
}
    fragment ConnectorRecord on Connector {
  databaseId
  title
  description
  icon
  invokerName
  sslCert
  keepCookies
  timeout
  version
  updatedAt
  lastCheck {
    at
    status
    error
  }
  requestData {
    name
    visibility
    stored
    value
    suspended
    unconfirmedOrigins
  }
  invoker {
    ...ConnectorInvoker
  }
  viewerCan {
    update
    delete
  }
}
fragment ConnectorInvoker on Invoker {
  name
  description
  hint
  requiredData {
    name
    type
    visibility
    value
  }
}
fragment WorkflowUsers on WorkflowConnection {
  totalCount
  nodes {
    databaseId
    title
  }
}`) as unknown as TypedDocumentString<ConnectorDetailsQuery, ConnectorDetailsQueryVariables>;
export const NewConnectorInvokerDocument = new TypedDocumentString(`
    query NewConnectorInvoker($name: String!) {
  invoker(name: $name) {
    ...ConnectorInvoker
  }
}
    fragment ConnectorInvoker on Invoker {
  name
  description
  hint
  requiredData {
    name
    type
    visibility
    value
  }
}`) as unknown as TypedDocumentString<NewConnectorInvokerQuery, NewConnectorInvokerQueryVariables>;
export const CreateConnectorDocument = new TypedDocumentString(`
    mutation CreateConnector($input: ConnectorCreateInput!) {
  connectorCreate(input: $input) {
    connector {
      databaseId
    }
    userErrors {
      code
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateConnectorMutation, CreateConnectorMutationVariables>;
export const UpdateConnectorDocument = new TypedDocumentString(`
    mutation UpdateConnector($input: ConnectorUpdateInput!) {
  connectorUpdate(input: $input) {
    connector {
      databaseId
    }
    userErrors {
      code
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateConnectorMutation, UpdateConnectorMutationVariables>;
export const UpdateConfirmedConnectorDocument = new TypedDocumentString(`
    mutation UpdateConfirmedConnector($input: ConnectorUpdateInput!) {
  connectorUpdate(input: $input) {
    connector {
      databaseId
    }
    userErrors {
      code
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateConfirmedConnectorMutation, UpdateConfirmedConnectorMutationVariables>;
export const ConfirmConnectorDocument = new TypedDocumentString(`
    mutation ConfirmConnector($id: ID!, $expectedVersion: Int!) {
  connectorConfirm(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ConfirmConnectorMutation, ConfirmConnectorMutationVariables>;
export const CheckConnectorDocument = new TypedDocumentString(`
    mutation CheckConnector($input: ConnectorCheckInput!) {
  connectorCheck(input: $input) {
    check {
      accepted
      status
      error
    }
    userErrors {
      code
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CheckConnectorMutation, CheckConnectorMutationVariables>;
export const DeleteConnectorDocument = new TypedDocumentString(`
    mutation DeleteConnector($id: ID!, $expectedVersion: Int!, $force: Boolean!) {
  connectorDelete(
    input: {id: $id, expectedVersion: $expectedVersion, force: $force}
  ) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteConnectorMutation, DeleteConnectorMutationVariables>;
export const DeleteConnectorsDocument = new TypedDocumentString(`
    mutation DeleteConnectors($ids: [ID!]!, $force: Boolean!) {
  connectorsDelete(input: {ids: $ids, force: $force}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteConnectorsMutation, DeleteConnectorsMutationVariables>;
export const UploadConnectorIconDocument = new TypedDocumentString(`
    mutation UploadConnectorIcon($input: ConnectorIconUploadInput!) {
  connectorIconUpload(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UploadConnectorIconMutation, UploadConnectorIconMutationVariables>;
export const RemoveConnectorIconDocument = new TypedDocumentString(`
    mutation RemoveConnectorIcon($id: ID!, $expectedVersion: Int!) {
  connectorIconRemove(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RemoveConnectorIconMutation, RemoveConnectorIconMutationVariables>;
export const EditorWorkflowDocument = new TypedDocumentString(`
    query EditorWorkflow($id: ID!) {
  workflow(id: $id) {
    ...EditedWorkflow
    draft {
      content
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}`) as unknown as TypedDocumentString<EditorWorkflowQuery, EditorWorkflowQueryVariables>;
export const SetDraftDocument = new TypedDocumentString(`
    mutation SetDraft($input: WorkflowDraftSetInput!) {
  workflowDraftSet(input: $input) {
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<SetDraftMutation, SetDraftMutationVariables>;
export const RemoveDraftDocument = new TypedDocumentString(`
    mutation RemoveDraft($input: WorkflowDraftRemoveInput!) {
  workflowDraftRemove(input: $input) {
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<RemoveDraftMutation, RemoveDraftMutationVariables>;
export const SetPresenceDocument = new TypedDocumentString(`
    mutation SetPresence($input: WorkflowPresenceSetInput!) {
  workflowPresenceSet(input: $input) {
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<SetPresenceMutation, SetPresenceMutationVariables>;
export const WatchEditedWorkflowDocument = new TypedDocumentString(`
    subscription WatchEditedWorkflow($filter: WorkflowFilter) {
  workflowsChanged(filter: $filter, includePresence: true) {
    changed {
      version
      presence {
        stepId
        user {
          userId
          email
        }
      }
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchEditedWorkflowSubscription, WatchEditedWorkflowSubscriptionVariables>;
export const CreateEmptyWorkflowDocument = new TypedDocumentString(`
    mutation CreateEmptyWorkflow($title: String!) {
  workflowCreate(input: {title: $title, steps: []}) {
    workflow {
      databaseId
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<CreateEmptyWorkflowMutation, CreateEmptyWorkflowMutationVariables>;
export const CreateExampleDocument = new TypedDocumentString(`
    mutation CreateExample {
  exampleWorkflowCreate {
    workflow {
      databaseId
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<CreateExampleMutation, CreateExampleMutationVariables>;
export const WorkflowCountDocument = new TypedDocumentString(`
    query WorkflowCount {
  workflows(first: 1) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<WorkflowCountQuery, WorkflowCountQueryVariables>;
export const EditWorkflowDocument = new TypedDocumentString(`
    mutation EditWorkflow($input: WorkflowUpdateInput!) {
  workflowUpdate(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<EditWorkflowMutation, EditWorkflowMutationVariables>;
export const AddStepDocument = new TypedDocumentString(`
    mutation AddStep($input: StepAddInput!) {
  stepAdd(input: $input) {
    stepId
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<AddStepMutation, AddStepMutationVariables>;
export const PasteStepsDocument = new TypedDocumentString(`
    mutation PasteSteps($input: StepPasteInput!) {
  stepPaste(input: $input) {
    stepId
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<PasteStepsMutation, PasteStepsMutationVariables>;
export const UpdateStepDocument = new TypedDocumentString(`
    mutation UpdateStep($input: StepUpdateInput!) {
  stepUpdate(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<UpdateStepMutation, UpdateStepMutationVariables>;
export const MoveStepDocument = new TypedDocumentString(`
    mutation MoveStep($input: StepMoveInput!) {
  stepMove(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<MoveStepMutation, MoveStepMutationVariables>;
export const RemoveStepDocument = new TypedDocumentString(`
    mutation RemoveStep($input: StepRemoveInput!) {
  stepRemove(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<RemoveStepMutation, RemoveStepMutationVariables>;
export const SetBindingDocument = new TypedDocumentString(`
    mutation SetBinding($input: FieldBindingSetInput!) {
  fieldBindingSet(input: $input) {
    bindingId
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<SetBindingMutation, SetBindingMutationVariables>;
export const RemoveBindingDocument = new TypedDocumentString(`
    mutation RemoveBinding($input: FieldBindingRemoveInput!) {
  fieldBindingRemove(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<RemoveBindingMutation, RemoveBindingMutationVariables>;
export const UndoWorkflowDocument = new TypedDocumentString(`
    mutation UndoWorkflow($input: WorkflowUndoInput!) {
  workflowUndo(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<UndoWorkflowMutation, UndoWorkflowMutationVariables>;
export const RedoWorkflowDocument = new TypedDocumentString(`
    mutation RedoWorkflow($input: WorkflowRedoInput!) {
  workflowRedo(input: $input) {
    workflow {
      ...EditedWorkflow
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment EditedWorkflow on Workflow {
  databaseId
  title
  description
  version
  canUndo
  canRedo
  updatedAt
  updatedBy {
    userId
    email
  }
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
  validation {
    code
    message
    stepId
    field
    line
    column
  }
  viewerCan {
    update
  }
}
fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<RedoWorkflowMutation, RedoWorkflowMutationVariables>;
export const StepCopyDocument = new TypedDocumentString(`
    query StepCopy($id: ID!, $stepId: ID!) {
  workflow(id: $id) {
    stepCopy(stepId: $stepId)
  }
}
    `) as unknown as TypedDocumentString<StepCopyQuery, StepCopyQueryVariables>;
export const EditorConnectorsDocument = new TypedDocumentString(`
    query EditorConnectors {
  connectors(first: 100) {
    nodes {
      databaseId
      title
      invoker {
        name
        operations {
          name
          type
          request {
            method
            endpoint
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EditorConnectorsQuery, EditorConnectorsQueryVariables>;
export const ExpressionFormDocument = new TypedDocumentString(`
    query ExpressionForm($text: String!) {
  expressionForm(text: $text) {
    problem {
      message
      line
      column
    }
    form {
      loop {
        kind
        delimiter
        list {
          ...Operand
        }
      }
      condition {
        joinedBy
        items {
          rule {
            ...Rule
          }
          group {
            joinedBy
            rules {
              ...Rule
            }
          }
        }
      }
    }
  }
}
    fragment Operand on ExpressionOperand {
  kind
  text
}
fragment Rule on ConditionRule {
  operator
  left {
    ...Operand
  }
  right {
    ...Operand
  }
}`) as unknown as TypedDocumentString<ExpressionFormQuery, ExpressionFormQueryVariables>;
export const ExpressionTextDocument = new TypedDocumentString(`
    query ExpressionText($form: ExpressionFormInput!) {
  expressionText(form: $form)
}
    `) as unknown as TypedDocumentString<ExpressionTextQuery, ExpressionTextQueryVariables>;
export const ExpressionFunctionsDocument = new TypedDocumentString(`
    query ExpressionFunctions {
  expressionFunctions {
    name
    aliases
    kind
    form
    label
    description
    example
  }
}
    `) as unknown as TypedDocumentString<ExpressionFunctionsQuery, ExpressionFunctionsQueryVariables>;
export const EditorOperationDocument = new TypedDocumentString(`
    query EditorOperation($connectorId: ID!, $operation: String!) {
  connector(id: $connectorId) {
    title
    invoker {
      name
      hint
      operations(name: $operation) {
        name
        type
        request {
          method
          endpoint
          body {
            type
            format
            data
            fields
          }
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<EditorOperationQuery, EditorOperationQueryVariables>;
export const StartTestDocument = new TypedDocumentString(`
    mutation StartTest($input: TestRunStartInput!) {
  testRunStart(input: $input) {
    run {
      databaseId
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}`) as unknown as TypedDocumentString<StartTestMutation, StartTestMutationVariables>;
export const TestRunDocument = new TypedDocumentString(`
    query TestRun($id: ID!) {
  run(id: $id) {
    databaseId
    state
    error {
      code
      message
      stepId
    }
  }
}
    `) as unknown as TypedDocumentString<TestRunQuery, TestRunQueryVariables>;
export const StepSamplesDocument = new TypedDocumentString(`
    query StepSamples($id: ID!) {
  workflow(id: $id) {
    samples {
      ...StepSampleParts
    }
  }
}
    fragment StepSampleParts on StepSample {
  stepId
  at
  source
  iteration
  run {
    databaseId
  }
  request {
    method
    url
    header
    body
    bodyText
    truncated
  }
  answer {
    status
    header
    body
    bodyText
    truncated
  }
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<StepSamplesQuery, StepSamplesQueryVariables>;
export const SetSampleDocument = new TypedDocumentString(`
    mutation SetSample($input: SampleSetInput!) {
  sampleSet(input: $input) {
    workflow {
      samples {
        ...StepSampleParts
      }
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}
fragment StepSampleParts on StepSample {
  stepId
  at
  source
  iteration
  run {
    databaseId
  }
  request {
    method
    url
    header
    body
    bodyText
    truncated
  }
  answer {
    status
    header
    body
    bodyText
    truncated
  }
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<SetSampleMutation, SetSampleMutationVariables>;
export const RemoveSampleDocument = new TypedDocumentString(`
    mutation RemoveSample($input: SampleRemoveInput!) {
  sampleRemove(input: $input) {
    workflow {
      samples {
        ...StepSampleParts
      }
    }
    userErrors {
      ...EditError
    }
  }
}
    fragment EditError on UserError {
  code
  message
  path
}
fragment StepSampleParts on StepSample {
  stepId
  at
  source
  iteration
  run {
    databaseId
  }
  request {
    method
    url
    header
    body
    bodyText
    truncated
  }
  answer {
    status
    header
    body
    bodyText
    truncated
  }
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<RemoveSampleMutation, RemoveSampleMutationVariables>;
export const ValuePreviewsDocument = new TypedDocumentString(`
    query ValuePreviews($workflowId: ID!, $stepId: ID!, $texts: [String!]!, $kind: PreviewKind!) {
  valuePreview(
    workflowId: $workflowId
    stepId: $stepId
    texts: $texts
    kind: $kind
  ) {
    text
    value
    missing
    problem {
      message
      line
      column
    }
  }
}
    `) as unknown as TypedDocumentString<ValuePreviewsQuery, ValuePreviewsQueryVariables>;
export const ScriptResultDocument = new TypedDocumentString(`
    query ScriptResult($workflowId: ID!, $stepId: ID!, $binding: FieldBindingInput!) {
  scriptPreview(workflowId: $workflowId, stepId: $stepId, binding: $binding) {
    inputs
    result
    durationMs
    problem {
      message
      line
    }
  }
}
    `) as unknown as TypedDocumentString<ScriptResultQuery, ScriptResultQueryVariables>;
export const CurlAsRequestDocument = new TypedDocumentString(`
    query CurlAsRequest($command: String!) {
  requestFromCurl(command: $command) {
    httpMethod
    url
    header
    body {
      format
      data
      fields
    }
    warnings
  }
}
    `) as unknown as TypedDocumentString<CurlAsRequestQuery, CurlAsRequestQueryVariables>;
export const WorkflowTriggersDocument = new TypedDocumentString(`
    query WorkflowTriggers($workflow: ID!) {
  schedules(filter: {workflow: {eq: $workflow}}, first: 10) {
    nodes {
      databaseId
      title
      cron
      enabled
      nextFireTimes
      webhook {
        id
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowTriggersQuery, WorkflowTriggersQueryVariables>;
export const SecretNamesDocument = new TypedDocumentString(`
    query SecretNames {
  secrets(first: 100) {
    nodes {
      name
    }
  }
}
    `) as unknown as TypedDocumentString<SecretNamesQuery, SecretNamesQueryVariables>;
export const GroupListDocument = new TypedDocumentString(`
    query GroupList($filter: UserGroupFilter, $first: Int, $after: String, $last: Int, $before: String) {
  userGroups(
    filter: $filter
    orderBy: {field: NAME}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      name
      description
      components {
        permissions {
          databaseId
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<GroupListQuery, GroupListQueryVariables>;
export const GroupDetailsDocument = new TypedDocumentString(`
    query GroupDetails($id: ID!) {
  userGroup(id: $id) {
    ...GroupRecord
  }
  components {
    databaseId
    name
    description
  }
  permissions(first: 100, orderBy: {field: ID}) {
    nodes {
      name
    }
  }
}
    fragment GroupRecord on UserGroup {
  databaseId
  name
  description
  version
  components {
    component {
      name
    }
    permissions {
      name
    }
  }
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<GroupDetailsQuery, GroupDetailsQueryVariables>;
export const CreateGroupDocument = new TypedDocumentString(`
    mutation CreateGroup($input: GroupCreateInput!) {
  groupCreate(input: $input) {
    group {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateGroupMutation, CreateGroupMutationVariables>;
export const UpdateGroupDocument = new TypedDocumentString(`
    mutation UpdateGroup($input: GroupUpdateInput!) {
  groupUpdate(input: $input) {
    group {
      ...GroupRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment GroupRecord on UserGroup {
  databaseId
  name
  description
  version
  components {
    component {
      name
    }
    permissions {
      name
    }
  }
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<UpdateGroupMutation, UpdateGroupMutationVariables>;
export const SetGroupRightsDocument = new TypedDocumentString(`
    mutation SetGroupRights($input: GroupComponentsSetInput!) {
  groupComponentsSet(input: $input) {
    group {
      ...GroupRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment GroupRecord on UserGroup {
  databaseId
  name
  description
  version
  components {
    component {
      name
    }
    permissions {
      name
    }
  }
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<SetGroupRightsMutation, SetGroupRightsMutationVariables>;
export const DeleteGroupDocument = new TypedDocumentString(`
    mutation DeleteGroup($id: ID!, $expectedVersion: Int!) {
  groupDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteGroupMutation, DeleteGroupMutationVariables>;
export const ImportWorkflowDocument = new TypedDocumentString(`
    mutation ImportWorkflow($input: WorkflowImportInput!) {
  workflowImport(input: $input) {
    workflow {
      databaseId
      title
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ImportWorkflowMutation, ImportWorkflowMutationVariables>;
export const ImportTemplatesDocument = new TypedDocumentString(`
    mutation ImportTemplates($input: TemplateImportInput!) {
  templateImport(input: $input) {
    job {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ImportTemplatesMutation, ImportTemplatesMutationVariables>;
export const ImportedTemplatesDocument = new TypedDocumentString(`
    query ImportedTemplates($templateIds: [String!]!) {
  templates(filter: {templateId: {in: $templateIds}}, first: 100) {
    nodes {
      databaseId
      templateId
      name
    }
  }
}
    `) as unknown as TypedDocumentString<ImportedTemplatesQuery, ImportedTemplatesQueryVariables>;
export const InvokersDocument = new TypedDocumentString(`
    query Invokers($filter: InvokerFilter, $first: Int, $after: String, $last: Int, $before: String) {
  invokers(
    filter: $filter
    orderBy: {field: NAME}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      id
      name
      description
      origin
      operationCount
      updatedAt
    }
  }
}
    `) as unknown as TypedDocumentString<InvokersQuery, InvokersQueryVariables>;
export const InvokerDetailsDocument = new TypedDocumentString(`
    query InvokerDetails($name: String!, $withConnectors: Boolean!) {
  invoker(name: $name) {
    ...InvokerRecord
    connectors(first: 20, orderBy: {field: TITLE}) @include(if: $withConnectors) {
      totalCount
      nodes {
        databaseId
        title
      }
    }
  }
}
    fragment InvokerRecord on Invoker {
  id
  name
  description
  hint
  icon
  authType
  fileName
  origin
  version
  updatedAt
  warnings
  requiredData {
    name
    type
    visibility
    value
  }
  pagination {
    ...PaginationParts
  }
  operations {
    ...OperationParts
  }
  viewerCan {
    update
    delete
  }
}
fragment PaginationParts on InvokerPaginationParameter {
  name
  action
  ref
  value
}
fragment BodyParts on InvokerBody {
  type
  format
  data
  fields
}
fragment HeaderParts on InvokerHeader {
  name
  value
}
fragment ResultParts on InvokerResult {
  status
  header {
    ...HeaderParts
  }
  body {
    ...BodyParts
  }
}
fragment OperationParts on InvokerOperation {
  name
  type
  request {
    method
    endpoint
    header {
      ...HeaderParts
    }
    body {
      ...BodyParts
    }
  }
  success {
    ...ResultParts
  }
  fails {
    ...ResultParts
  }
  pagination {
    ...PaginationParts
  }
}`) as unknown as TypedDocumentString<InvokerDetailsQuery, InvokerDetailsQueryVariables>;
export const InvokerXmlDocument = new TypedDocumentString(`
    query InvokerXml($name: String!) {
  invoker(name: $name) {
    id
    name
    version
    xml
  }
}
    `) as unknown as TypedDocumentString<InvokerXmlQuery, InvokerXmlQueryVariables>;
export const ImportInvokerDocument = new TypedDocumentString(`
    mutation ImportInvoker($input: InvokerImportInput!) {
  invokerImport(input: $input) {
    job {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ImportInvokerMutation, ImportInvokerMutationVariables>;
export const UpdateInvokerDocument = new TypedDocumentString(`
    mutation UpdateInvoker($id: ID!, $expectedVersion: Int!, $xml: String!) {
  invokerUpdate(input: {id: $id, expectedVersion: $expectedVersion, xml: $xml}) {
    invoker {
      name
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateInvokerMutation, UpdateInvokerMutationVariables>;
export const DeleteInvokerDocument = new TypedDocumentString(`
    mutation DeleteInvoker($id: ID!, $expectedVersion: Int!, $force: Boolean!) {
  invokerDelete(
    input: {id: $id, expectedVersion: $expectedVersion, force: $force}
  ) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteInvokerMutation, DeleteInvokerMutationVariables>;
export const DeleteInvokersDocument = new TypedDocumentString(`
    mutation DeleteInvokers($ids: [ID!]!, $force: Boolean!) {
  invokersDelete(input: {ids: $ids, force: $force}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteInvokersMutation, DeleteInvokersMutationVariables>;
export const LdapConfigDocument = new TypedDocumentString(`
    query LdapConfig {
  ldapConfig {
    urls
  }
}
    `) as unknown as TypedDocumentString<LdapConfigQuery, LdapConfigQueryVariables>;
export const TestLdapDocument = new TypedDocumentString(`
    mutation TestLdap($email: String!) {
  ldapTest(input: {email: $email}) {
    result {
      isSuccessful
      messages {
        title
        text
      }
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<TestLdapMutation, TestLdapMutationVariables>;
export const LogSearchDocument = new TypedDocumentString(`
    query LogSearch($search: LogSearchInput!, $first: Int!, $after: String) {
  logSearch(search: $search, first: $first, after: $after) {
    pageInfo {
      hasNextPage
      startCursor
      endCursor
    }
    nodes {
      elementId
      type
      state
      index
      loopIndex
      startedAt
      name
      label
      expression
      iterator
      statusCode
      durationMs
      error {
        code
        message
      }
      connector {
        title
      }
      run {
        databaseId
        workflowTitle
        state
        test
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LogSearchQuery, LogSearchQueryVariables>;
export const WhoAmIDocument = new TypedDocumentString(`
    query WhoAmI {
  me {
    databaseId
    email
    permissions
    group {
      name
    }
    detail {
      name
      surname
    }
  }
}
    `) as unknown as TypedDocumentString<WhoAmIQuery, WhoAmIQueryVariables>;
export const DeliveriesDocument = new TypedDocumentString(`
    query Deliveries($filter: DeliveryFilter, $first: Int, $after: String, $last: Int, $before: String) {
  deliveries(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      ...DeliveryRow
    }
  }
  lastMail: deliveries(filter: {channel: {eq: EMAIL}}, first: 1) {
    nodes {
      error {
        code
      }
    }
  }
}
    fragment DeliveryRow on Delivery {
  databaseId
  channel
  purpose
  recipient
  subject
  state
  attempts
  createdAt
  nextAttemptAt
  finishedAt
  error {
    code
    message
  }
}`) as unknown as TypedDocumentString<DeliveriesQuery, DeliveriesQueryVariables>;
export const MissingMailSettingsDocument = new TypedDocumentString(`
    query MissingMailSettings {
  missingMailSettings
}
    `) as unknown as TypedDocumentString<MissingMailSettingsQuery, MissingMailSettingsQueryVariables>;
export const LastMailDocument = new TypedDocumentString(`
    query LastMail {
  lastMail: deliveries(filter: {channel: {eq: EMAIL}}, first: 1) {
    nodes {
      error {
        code
      }
    }
  }
}
    `) as unknown as TypedDocumentString<LastMailQuery, LastMailQueryVariables>;
export const TestMailDocument = new TypedDocumentString(`
    mutation TestMail($recipient: String!) {
  mailTest(input: {recipient: $recipient}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<TestMailMutation, TestMailMutationVariables>;
export const RetryDeliveryDocument = new TypedDocumentString(`
    mutation RetryDelivery($id: ID!) {
  deliveryRetry(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RetryDeliveryMutation, RetryDeliveryMutationVariables>;
export const MessageTemplatesDocument = new TypedDocumentString(`
    query MessageTemplates($filter: MessageTemplateFilter, $first: Int, $after: String, $last: Int, $before: String) {
  messageTemplates(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      name
      channel
      warnings
      contents {
        language
        subject
      }
    }
  }
}
    `) as unknown as TypedDocumentString<MessageTemplatesQuery, MessageTemplatesQueryVariables>;
export const MessageTemplateNamesDocument = new TypedDocumentString(`
    query MessageTemplateNames {
  messageTemplates(first: 100) {
    nodes {
      databaseId
      name
      channel
    }
  }
}
    `) as unknown as TypedDocumentString<MessageTemplateNamesQuery, MessageTemplateNamesQueryVariables>;
export const MessageTemplateDetailsDocument = new TypedDocumentString(`
    query MessageTemplateDetails($id: ID!) {
  messageTemplate(id: $id) {
    ...MessageTemplateRecord
  }
}
    fragment MessageTemplateRecord on MessageTemplate {
  databaseId
  name
  channel
  version
  warnings
  contents {
    language
    subject
    body
  }
}`) as unknown as TypedDocumentString<MessageTemplateDetailsQuery, MessageTemplateDetailsQueryVariables>;
export const CreateMessageTemplateDocument = new TypedDocumentString(`
    mutation CreateMessageTemplate($input: MessageTemplateCreateInput!) {
  messageTemplateCreate(input: $input) {
    messageTemplate {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateMessageTemplateMutation, CreateMessageTemplateMutationVariables>;
export const UpdateMessageTemplateDocument = new TypedDocumentString(`
    mutation UpdateMessageTemplate($input: MessageTemplateUpdateInput!) {
  messageTemplateUpdate(input: $input) {
    messageTemplate {
      ...MessageTemplateRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment MessageTemplateRecord on MessageTemplate {
  databaseId
  name
  channel
  version
  warnings
  contents {
    language
    subject
    body
  }
}`) as unknown as TypedDocumentString<UpdateMessageTemplateMutation, UpdateMessageTemplateMutationVariables>;
export const DeleteMessageTemplateDocument = new TypedDocumentString(`
    mutation DeleteMessageTemplate($id: ID!, $expectedVersion: Int!) {
  messageTemplateDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteMessageTemplateMutation, DeleteMessageTemplateMutationVariables>;
export const ScheduleNotificationsDocument = new TypedDocumentString(`
    query ScheduleNotifications($id: ID!) {
  schedule(id: $id) {
    notifications {
      ...NotificationRow
    }
  }
}
    fragment NotificationRow on Notification {
  databaseId
  name
  eventType
  recipients
  version
  template {
    databaseId
    name
    channel
  }
}`) as unknown as TypedDocumentString<ScheduleNotificationsQuery, ScheduleNotificationsQueryVariables>;
export const CreateNotificationDocument = new TypedDocumentString(`
    mutation CreateNotification($input: NotificationCreateInput!) {
  notificationCreate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateNotificationMutation, CreateNotificationMutationVariables>;
export const UpdateNotificationDocument = new TypedDocumentString(`
    mutation UpdateNotification($input: NotificationUpdateInput!) {
  notificationUpdate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateNotificationMutation, UpdateNotificationMutationVariables>;
export const DeleteNotificationDocument = new TypedDocumentString(`
    mutation DeleteNotification($id: ID!, $expectedVersion: Int!) {
  notificationDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteNotificationMutation, DeleteNotificationMutationVariables>;
export const OnlineServicesDocument = new TypedDocumentString(`
    query OnlineServices {
  onlineServices {
    isActive
    address
    missingSettings
    sources {
      kind
      isActive
      cron
      nextAt
      last {
        state
        startedAt
        message
      }
      conflicts {
        itemId
        name
        reason
        since
      }
    }
  }
}
    `) as unknown as TypedDocumentString<OnlineServicesQuery, OnlineServicesQueryVariables>;
export const SynchronisationsDocument = new TypedDocumentString(`
    query Synchronisations($first: Int, $after: String, $last: Int, $before: String) {
  synchronisations(first: $first, after: $after, last: $last, before: $before) {
    nodes {
      databaseId
      kind
      isDryRun
      startedBy
      state
      message
      startedAt
      counts {
        added
        updated
        linked
        unchanged
        kept
        conflicts
        gone
        failed
      }
      items {
        name
        action
        message
      }
    }
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    totalCount
  }
}
    `) as unknown as TypedDocumentString<SynchronisationsQuery, SynchronisationsQueryVariables>;
export const StartSynchronisationDocument = new TypedDocumentString(`
    mutation StartSynchronisation($input: SynchronisationStartInput!) {
  synchronisationStart(input: $input) {
    job {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<StartSynchronisationMutation, StartSynchronisationMutationVariables>;
export const WatchSynchronisationDocument = new TypedDocumentString(`
    subscription WatchSynchronisation($jobId: ID!) {
  jobProgress(jobId: $jobId) {
    state
    percent
    message
    error {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<WatchSynchronisationSubscription, WatchSynchronisationSubscriptionVariables>;
export const TakeOnlineItemDocument = new TypedDocumentString(`
    mutation TakeOnlineItem($itemId: String!) {
  onlineItemTake(input: {itemId: $itemId}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<TakeOnlineItemMutation, TakeOnlineItemMutationVariables>;
export const KeepOnlineItemDocument = new TypedDocumentString(`
    mutation KeepOnlineItem($itemId: String!) {
  onlineItemKeep(input: {itemId: $itemId}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<KeepOnlineItemMutation, KeepOnlineItemMutationVariables>;
export const RecentWorkflowsDocument = new TypedDocumentString(`
    query RecentWorkflows($failed: RunFilter!, $succeeded: RunFilter!) {
  failed: runs(filter: $failed, first: 50) {
    nodes {
      workflow {
        databaseId
      }
    }
  }
  succeeded: runs(filter: $succeeded, first: 50) {
    nodes {
      workflow {
        databaseId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RecentWorkflowsQuery, RecentWorkflowsQueryVariables>;
export const WorkflowHealthDocument = new TypedDocumentString(`
    query WorkflowHealth($ids: [ID!]!, $failed: RunFilter!, $succeeded: RunFilter!) {
  workflows(filter: {id: {in: $ids}}, first: 20) {
    nodes {
      databaseId
      title
      failures: runs(filter: $failed, first: 20) {
        nodes {
          databaseId
          queuedAt
          error {
            code
            message
          }
        }
      }
      successes: runs(filter: $succeeded, first: 11) {
        nodes {
          databaseId
          queuedAt
          durationMs
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowHealthQuery, WorkflowHealthQueryVariables>;
export const NextRunsDocument = new TypedDocumentString(`
    query NextRuns {
  schedules(
    filter: {enabled: {eq: true}, nextFire: {isNull: false}}
    orderBy: {field: NEXT_FIRE}
    first: 6
  ) {
    nodes {
      databaseId
      title
      nextFireTimes
      workflow {
        title
      }
    }
  }
}
    `) as unknown as TypedDocumentString<NextRunsQuery, NextRunsQueryVariables>;
export const OverviewDocument = new TypedDocumentString(`
    query Overview($days: Int!) {
  executionsTimeline(days: $days) {
    date
    startsAt
    endsAt
    executions
    failures
  }
  topWorkflows(limit: 6) {
    workflowId
    title
    executions
    failureRate
    workflow {
      databaseId
    }
  }
}
    `) as unknown as TypedDocumentString<OverviewQuery, OverviewQueryVariables>;
export const WatchOverviewDocument = new TypedDocumentString(`
    subscription WatchOverview($days: Int!) {
  dashboard(days: $days, top: 6) {
    timeline {
      date
      startsAt
      endsAt
      executions
      failures
    }
    topWorkflows {
      workflowId
      title
      executions
      failureRate
      workflow {
        databaseId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchOverviewSubscription, WatchOverviewSubscriptionVariables>;
export const PaletteRecordsDocument = new TypedDocumentString(`
    query PaletteRecords($text: String!, $runId: ID!, $isRun: Boolean!) {
  search(text: $text, limit: 6) {
    title
    type
    node {
      ... on Aggregator {
        databaseId
      }
      ... on Category {
        databaseId
      }
      ... on Connector {
        databaseId
      }
      ... on Schedule {
        databaseId
      }
      ... on Secret {
        databaseId
      }
      ... on Template {
        databaseId
      }
      ... on Workflow {
        databaseId
      }
    }
  }
  run(id: $runId) @include(if: $isRun) {
    databaseId
    state
    workflow {
      title
    }
  }
}
    `) as unknown as TypedDocumentString<PaletteRecordsQuery, PaletteRecordsQueryVariables>;
export const LogPlaceDocument = new TypedDocumentString(`
    query LogPlace($parentId: ID!, $loopIndex: [Int!], $after: ID, $first: Int!) {
  logElements(
    parentId: $parentId
    loopIndex: $loopIndex
    after: $after
    first: $first
  ) {
    elementId
    type
    state
    index
    loopIndex
    startedAt
    durationMs
    name
    label
    attempt
    statusCode
    result
    size
    error {
      code
      message
    }
  }
}
    `) as unknown as TypedDocumentString<LogPlaceQuery, LogPlaceQueryVariables>;
export const LogTurnValueDocument = new TypedDocumentString(`
    query LogTurnValue($elementId: ID!, $loopIndex: [Int!]!) {
  logTurn(elementId: $elementId, loopIndex: $loopIndex) {
    index
    loopIndex
    value
  }
}
    `) as unknown as TypedDocumentString<LogTurnValueQuery, LogTurnValueQueryVariables>;
export const LogExchangeDocument = new TypedDocumentString(`
    query LogExchange($elementId: ID!) {
  logElement(elementId: $elementId) {
    request {
      ...RequestParts
    }
    response {
      ...ResponseParts
    }
  }
}
    fragment RequestParts on RequestSegment {
  url
  method
  header
  payload
}
fragment ResponseParts on ResponseSegment {
  status
  durationMs
  header
  payload
}`) as unknown as TypedDocumentString<LogExchangeQuery, LogExchangeQueryVariables>;
export const RunTailDocument = new TypedDocumentString(`
    query RunTail($id: ID!, $after: Int!) {
  run(id: $id) {
    events(afterSequence: $after, first: 100) {
      nodes {
        __typename
        ... on StepEvent {
          index
          loopIndex
        }
        ... on LoopIteration {
          turn
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<RunTailQuery, RunTailQueryVariables>;
export const RunDocument = new TypedDocumentString(`
    query Run($id: ID!) {
  run(id: $id) {
    ...RunRow
    logging
    hasLog
    retryFrom
    dueAt
    lastSequence
    startedBy {
      email
    }
    workflow {
      viewerCan {
        update
      }
    }
    error {
      stepId
      loopIndex
      attempt
      remedy
    }
    retryOf {
      databaseId
      state
    }
    retries(first: 5) {
      totalCount
      nodes {
        databaseId
        state
        startedAt
        durationMs
      }
    }
    errorOf {
      databaseId
      state
      workflowTitle
    }
    errorRun {
      databaseId
      state
      workflowTitle
      startedAt
      durationMs
    }
    values {
      argumentId
      name
      index
      value
    }
    workflowVersion {
      number
      snapshotId
      current
      steps {
        ...StepShape
      }
    }
  }
}
    fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}
fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`) as unknown as TypedDocumentString<RunQuery, RunQueryVariables>;
export const WatchRunDocument = new TypedDocumentString(`
    subscription WatchRun($runId: ID!, $afterSequence: Int!) {
  runEvents(runId: $runId, afterSequence: $afterSequence) {
    __typename
    sequence
    at
    ... on StepEvent {
      index
      loopIndex
    }
    ... on StepStarted {
      name
      label
      attempt
      connector {
        title
      }
    }
    ... on StepFinished {
      attempt
      state
      statusCode
      durationMs
      error {
        code
        message
      }
    }
    ... on ConditionEvaluated {
      expression
      result
    }
    ... on OperatorFailed {
      operator
      error {
        code
        message
      }
    }
    ... on LoopStarted {
      iterator
      size
    }
    ... on LoopIteration {
      turn
      size
      value
    }
    ... on LoopFinished {
      turns
    }
    ... on RunLog {
      level
      message
      stepIndex
    }
    ... on RunFinished {
      state
    }
  }
}
    `) as unknown as TypedDocumentString<WatchRunSubscription, WatchRunSubscriptionVariables>;
export const WatchRelativesDocument = new TypedDocumentString(`
    subscription WatchRelatives($filter: RunFilter!) {
  runsChanged(filter: $filter, first: 50) {
    changed {
      retryOf {
        databaseId
      }
      errorOf {
        databaseId
      }
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchRelativesSubscription, WatchRelativesSubscriptionVariables>;
export const StepExchangeDocument = new TypedDocumentString(`
    query StepExchange($id: ID!, $after: Int!) {
  run(id: $id) {
    events(afterSequence: $after, first: 1) {
      nodes {
        ... on StepFinished {
          request {
            ...RequestParts
          }
          response {
            ...ResponseParts
          }
        }
      }
    }
  }
}
    fragment RequestParts on RequestSegment {
  url
  method
  header
  payload
}
fragment ResponseParts on ResponseSegment {
  status
  durationMs
  header
  payload
}`) as unknown as TypedDocumentString<StepExchangeQuery, StepExchangeQueryVariables>;
export const ErrorExchangeDocument = new TypedDocumentString(`
    query ErrorExchange($id: ID!) {
  run(id: $id) {
    errorExchange {
      request {
        ...RequestParts
      }
      response {
        ...ResponseParts
      }
    }
  }
}
    fragment RequestParts on RequestSegment {
  url
  method
  header
  payload
}
fragment ResponseParts on ResponseSegment {
  status
  durationMs
  header
  payload
}`) as unknown as TypedDocumentString<ErrorExchangeQuery, ErrorExchangeQueryVariables>;
export const RunsDocument = new TypedDocumentString(`
    query Runs($filter: RunFilter, $includeTest: Boolean!, $first: Int, $after: String, $last: Int, $before: String) {
  runs(
    filter: $filter
    includeTest: $includeTest
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      ...RunRow
    }
  }
}
    fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`) as unknown as TypedDocumentString<RunsQuery, RunsQueryVariables>;
export const WatchRunsDocument = new TypedDocumentString(`
    subscription WatchRuns($filter: RunFilter, $includeTest: Boolean!) {
  runsChanged(filter: $filter, includeTest: $includeTest, first: 50) {
    changed {
      ...RunRow
    }
    removedIds
  }
}
    fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`) as unknown as TypedDocumentString<WatchRunsSubscription, WatchRunsSubscriptionVariables>;
export const WorkflowTitlesDocument = new TypedDocumentString(`
    query WorkflowTitles($filter: WorkflowFilter) {
  workflows(first: 100, filter: $filter, orderBy: {field: TITLE}) {
    totalCount
    nodes {
      databaseId
      title
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowTitlesQuery, WorkflowTitlesQueryVariables>;
export const CancelRunDocument = new TypedDocumentString(`
    mutation CancelRun($id: ID!) {
  runCancel(input: {id: $id}) {
    run {
      ...RunRow
    }
    userErrors {
      message
    }
  }
}
    fragment RunRow on Run {
  id
  databaseId
  state
  test
  trigger
  workflowTitle
  workflow {
    databaseId
  }
  schedule {
    databaseId
    title
  }
  queuedAt
  startedAt
  finishedAt
  durationMs
  stepCount
  warnings
  error {
    code
    message
    index
  }
  viewerCan {
    cancel
    start
  }
}`) as unknown as TypedDocumentString<CancelRunMutation, CancelRunMutationVariables>;
export const RetryRunDocument = new TypedDocumentString(`
    mutation RetryRun($id: ID!, $logging: Boolean, $from: RunRetryFrom) {
  runRetry(input: {id: $id, logging: $logging, from: $from}) {
    run {
      databaseId
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetryRunMutation, RetryRunMutationVariables>;
export const RetryRunsDocument = new TypedDocumentString(`
    mutation RetryRuns($filter: RunFilter!) {
  runsRetry(input: {filter: $filter}) {
    job {
      databaseId
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RetryRunsMutation, RetryRunsMutationVariables>;
export const WatchJobDocument = new TypedDocumentString(`
    subscription WatchJob($jobId: ID!) {
  jobProgress(jobId: $jobId) {
    state
    percent
    message
    result
    error {
      message
      problems {
        message
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WatchJobSubscription, WatchJobSubscriptionVariables>;
export const CountFailedRunsDocument = new TypedDocumentString(`
    query CountFailedRuns($states: [RunState!]!, $since: DateTime!) {
  runs(
    first: 1
    filter: {state: {in: $states}, finishedAt: {gte: $since}}
    orderBy: {field: FINISHED_AT, direction: DESC}
  ) {
    totalCount
  }
}
    `) as unknown as TypedDocumentString<CountFailedRunsQuery, CountFailedRunsQueryVariables>;
export const CreateScheduleDocument = new TypedDocumentString(`
    mutation CreateSchedule($input: ScheduleCreateInput!) {
  scheduleCreate(input: $input) {
    schedule {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateScheduleMutation, CreateScheduleMutationVariables>;
export const UpdateScheduleDocument = new TypedDocumentString(`
    mutation UpdateSchedule($input: ScheduleUpdateInput!) {
  scheduleUpdate(input: $input) {
    schedule {
      ...ScheduleRow
    }
    userErrors {
      message
      path
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}`) as unknown as TypedDocumentString<UpdateScheduleMutation, UpdateScheduleMutationVariables>;
export const DeleteScheduleDocument = new TypedDocumentString(`
    mutation DeleteSchedule($id: ID!, $expectedVersion: Int!) {
  scheduleDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteScheduleMutation, DeleteScheduleMutationVariables>;
export const DeleteSchedulesDocument = new TypedDocumentString(`
    mutation DeleteSchedules($ids: [ID!]!) {
  schedulesDelete(input: {ids: $ids}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSchedulesMutation, DeleteSchedulesMutationVariables>;
export const EnableSchedulesDocument = new TypedDocumentString(`
    mutation EnableSchedules($ids: [ID!]!, $enabled: Boolean!) {
  schedulesEnable(input: {ids: $ids, enabled: $enabled}) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<EnableSchedulesMutation, EnableSchedulesMutationVariables>;
export const CreateWebhookDocument = new TypedDocumentString(`
    mutation CreateWebhook($scheduleId: ID!) {
  webhookCreate(input: {scheduleId: $scheduleId}) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<CreateWebhookMutation, CreateWebhookMutationVariables>;
export const DeleteWebhookDocument = new TypedDocumentString(`
    mutation DeleteWebhook($id: ID!) {
  webhookDelete(input: {id: $id}) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteWebhookMutation, DeleteWebhookMutationVariables>;
export const ScheduleNextRunsDocument = new TypedDocumentString(`
    query ScheduleNextRuns($cron: String!, $timeZone: TimeZone) {
  scheduleNextRuns(cron: $cron, timeZone: $timeZone) {
    words
    times
    problem {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ScheduleNextRunsQuery, ScheduleNextRunsQueryVariables>;
export const SchedulesDocument = new TypedDocumentString(`
    query Schedules($filter: ScheduleFilter, $orderBy: ScheduleOrder, $first: Int, $after: String, $last: Int, $before: String) {
  schedules(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      ...ScheduleRow
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}`) as unknown as TypedDocumentString<SchedulesQuery, SchedulesQueryVariables>;
export const ScheduleDetailsDocument = new TypedDocumentString(`
    query ScheduleDetails($id: ID!) {
  schedule(id: $id) {
    ...ScheduleRow
    ...ScheduleWebhook
  }
}
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}
fragment ScheduleWebhook on Schedule {
  webhook {
    databaseId
    url
    createdAt
    createdBy {
      email
    }
    apiToken {
      name
      expiresAt
    }
  }
  workflow {
    webhookVariables {
      name
      type
    }
  }
}`) as unknown as TypedDocumentString<ScheduleDetailsQuery, ScheduleDetailsQueryVariables>;
export const ScheduleTitleDocument = new TypedDocumentString(`
    query ScheduleTitle($id: ID!) {
  schedule(id: $id) {
    title
  }
}
    `) as unknown as TypedDocumentString<ScheduleTitleQuery, ScheduleTitleQueryVariables>;
export const WatchSchedulesDocument = new TypedDocumentString(`
    subscription WatchSchedules($filter: ScheduleFilter) {
  schedulesChanged(filter: $filter, first: 100) {
    changed {
      databaseId
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchSchedulesSubscription, WatchSchedulesSubscriptionVariables>;
export const WatchScheduledRunsDocument = new TypedDocumentString(`
    subscription WatchScheduledRuns {
  runsChanged(filter: {schedule: {isNull: false}}, first: 100) {
    changed {
      schedule {
        databaseId
      }
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchScheduledRunsSubscription, WatchScheduledRunsSubscriptionVariables>;
export const EnableScheduleDocument = new TypedDocumentString(`
    mutation EnableSchedule($id: ID!, $enabled: Boolean!, $expectedVersion: Int!) {
  scheduleEnable(
    input: {id: $id, enabled: $enabled, expectedVersion: $expectedVersion}
  ) {
    schedule {
      ...ScheduleRow
    }
    userErrors {
      message
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}`) as unknown as TypedDocumentString<EnableScheduleMutation, EnableScheduleMutationVariables>;
export const SetOverlapPolicyDocument = new TypedDocumentString(`
    mutation SetOverlapPolicy($id: ID!, $overlapPolicy: OverlapPolicy!, $expectedVersion: Int!) {
  scheduleUpdate(
    input: {id: $id, overlapPolicy: $overlapPolicy, expectedVersion: $expectedVersion}
  ) {
    schedule {
      ...ScheduleRow
    }
    userErrors {
      message
    }
  }
}
    fragment ScheduleRow on Schedule {
  id
  databaseId
  title
  cron
  timeZone
  enabled
  logging
  missedFires
  overlapPolicy
  nextFireTimes
  version
  createdBy {
    email
    user {
      databaseId
      email
      disabledAt
    }
  }
  workflow {
    databaseId
    title
  }
  lastRun {
    databaseId
    state
    startedAt
    queuedAt
  }
  viewerCan {
    update
    start
    delete
  }
}`) as unknown as TypedDocumentString<SetOverlapPolicyMutation, SetOverlapPolicyMutationVariables>;
export const StartScheduleDocument = new TypedDocumentString(`
    mutation StartSchedule($id: ID!) {
  scheduleStart(input: {id: $id}) {
    run {
      databaseId
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<StartScheduleMutation, StartScheduleMutationVariables>;
export const SecretsDocument = new TypedDocumentString(`
    query Secrets($filter: SecretFilter, $first: Int, $after: String, $last: Int, $before: String) {
  secrets(
    filter: $filter
    orderBy: {field: NAME}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      name
      note
      origins
    }
  }
}
    `) as unknown as TypedDocumentString<SecretsQuery, SecretsQueryVariables>;
export const SecretDetailsDocument = new TypedDocumentString(`
    query SecretDetails($id: ID!, $withWorkflows: Boolean!) {
  secret(id: $id) {
    ...SecretRecord
    usedBy @include(if: $withWorkflows) {
      databaseId
      title
    }
  }
}
    fragment SecretRecord on Secret {
  databaseId
  name
  note
  origins
  version
  viewerCan {
    update
    delete
  }
}`) as unknown as TypedDocumentString<SecretDetailsQuery, SecretDetailsQueryVariables>;
export const CreateSecretDocument = new TypedDocumentString(`
    mutation CreateSecret($input: SecretCreateInput!) {
  secretCreate(input: $input) {
    secret {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateSecretMutation, CreateSecretMutationVariables>;
export const UpdateSecretDocument = new TypedDocumentString(`
    mutation UpdateSecret($input: SecretUpdateInput!) {
  secretUpdate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<UpdateSecretMutation, UpdateSecretMutationVariables>;
export const DeleteSecretDocument = new TypedDocumentString(`
    mutation DeleteSecret($id: ID!, $expectedVersion: Int!, $force: Boolean!) {
  secretDelete(input: {id: $id, expectedVersion: $expectedVersion, force: $force}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSecretMutation, DeleteSecretMutationVariables>;
export const DeleteSecretsDocument = new TypedDocumentString(`
    mutation DeleteSecrets($ids: [ID!]!, $force: Boolean!) {
  secretsDelete(input: {ids: $ids, force: $force}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSecretsMutation, DeleteSecretsMutationVariables>;
export const SupportLogsDocument = new TypedDocumentString(`
    query SupportLogs($filter: SupportLogFilter, $first: Int, $after: String, $last: Int, $before: String) {
  supportLogs(
    filter: $filter
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      fileName
      workflowTitle
      size
      createdAt
      expiresAt
      url
      createdBy {
        email
      }
      workflow {
        databaseId
      }
      runs {
        databaseId
      }
    }
  }
}
    `) as unknown as TypedDocumentString<SupportLogsQuery, SupportLogsQueryVariables>;
export const WatchSupportLogsDocument = new TypedDocumentString(`
    subscription WatchSupportLogs {
  supportLogs {
    changed {
      databaseId
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchSupportLogsSubscription, WatchSupportLogsSubscriptionVariables>;
export const CreateSupportLogDocument = new TypedDocumentString(`
    mutation CreateSupportLog($input: SupportLogCreateInput!) {
  supportLogCreate(input: $input) {
    job {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateSupportLogMutation, CreateSupportLogMutationVariables>;
export const DeleteSupportLogDocument = new TypedDocumentString(`
    mutation DeleteSupportLog($id: ID!) {
  supportLogDelete(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteSupportLogMutation, DeleteSupportLogMutationVariables>;
export const ProcessesDocument = new TypedDocumentString(`
    query Processes {
  processes {
    name
    roles
    version
    host
    pid
    since
    beatAt
    lagMs
    state
    runs
  }
}
    `) as unknown as TypedDocumentString<ProcessesQuery, ProcessesQueryVariables>;
export const SystemCheckDocument = new TypedDocumentString(`
    query SystemCheck {
  systemCheck {
    ...SystemHealth
  }
}
    fragment SystemHealth on SystemCheck {
  status
  components {
    name
    title
    status
    isUsed
    error
    checkedAt
    durationMs
    details {
      name
      value
    }
  }
}`) as unknown as TypedDocumentString<SystemCheckQuery, SystemCheckQueryVariables>;
export const WatchSystemCheckDocument = new TypedDocumentString(`
    subscription WatchSystemCheck {
  systemCheck {
    ...SystemHealth
  }
}
    fragment SystemHealth on SystemCheck {
  status
  components {
    name
    title
    status
    isUsed
    error
    checkedAt
    durationMs
    details {
      name
      value
    }
  }
}`) as unknown as TypedDocumentString<WatchSystemCheckSubscription, WatchSystemCheckSubscriptionVariables>;
export const TemplatesDocument = new TypedDocumentString(`
    query Templates($filter: TemplateFilter, $first: Int, $after: String, $last: Int, $before: String) {
  templates(
    filter: $filter
    orderBy: {field: NAME}
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      name
      description
      version
      updatedAt
      connectors {
        slot
        invoker
      }
    }
  }
}
    `) as unknown as TypedDocumentString<TemplatesQuery, TemplatesQueryVariables>;
export const TemplateDetailsDocument = new TypedDocumentString(`
    query TemplateDetails($id: ID!) {
  template(id: $id) {
    databaseId
    templateId
    name
    description
    license
    productVersion
    version
    updatedAt
    updatedBy {
      email
    }
    leftOut
    warnings
    connectors {
      ...ConnectorSlot
    }
    steps {
      ...StepShape
    }
    viewerCan {
      delete
    }
  }
}
    fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}
fragment ConnectorSlot on TemplateConnector {
  slot
  invoker
  title
}`) as unknown as TypedDocumentString<TemplateDetailsQuery, TemplateDetailsQueryVariables>;
export const TemplateDocumentDocument = new TypedDocumentString(`
    query TemplateDocument($id: ID!) {
  template(id: $id) {
    document
  }
}
    `) as unknown as TypedDocumentString<TemplateDocumentQuery, TemplateDocumentQueryVariables>;
export const ConnectorOptionsDocument = new TypedDocumentString(`
    query ConnectorOptions($filter: ConnectorFilter) {
  connectors(filter: $filter, orderBy: {field: TITLE}, first: 20) {
    nodes {
      databaseId
      title
    }
  }
}
    `) as unknown as TypedDocumentString<ConnectorOptionsQuery, ConnectorOptionsQueryVariables>;
export const CreateTemplateDocument = new TypedDocumentString(`
    mutation CreateTemplate($input: TemplateCreateInput!) {
  templateCreate(input: $input) {
    template {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateTemplateMutation, CreateTemplateMutationVariables>;
export const InstantiateTemplateDocument = new TypedDocumentString(`
    mutation InstantiateTemplate($input: TemplateInstantiateInput!) {
  templateInstantiate(input: $input) {
    workflow {
      databaseId
      title
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<InstantiateTemplateMutation, InstantiateTemplateMutationVariables>;
export const DeleteTemplateDocument = new TypedDocumentString(`
    mutation DeleteTemplate($id: ID!, $expectedVersion: Int!) {
  templateDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteTemplateMutation, DeleteTemplateMutationVariables>;
export const UserListDocument = new TypedDocumentString(`
    query UserList($filter: UserFilter, $orderBy: UserOrder, $first: Int, $after: String, $last: Int, $before: String) {
  users(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      email
      authSource
      disabledAt
      lastLogin
      secondFactor
      group {
        databaseId
        name
      }
      detail {
        name
        surname
      }
    }
  }
}
    `) as unknown as TypedDocumentString<UserListQuery, UserListQueryVariables>;
export const GroupNamesDocument = new TypedDocumentString(`
    query GroupNames {
  userGroups(first: 100, orderBy: {field: NAME}) {
    nodes {
      databaseId
      name
    }
  }
}
    `) as unknown as TypedDocumentString<GroupNamesQuery, GroupNamesQueryVariables>;
export const UserDetailsDocument = new TypedDocumentString(`
    query UserDetails($id: ID!) {
  user(id: $id) {
    ...UserRecord
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<UserDetailsQuery, UserDetailsQueryVariables>;
export const UserSessionsDocument = new TypedDocumentString(`
    query UserSessions($id: ID!) {
  user(id: $id) {
    sessions(first: 100) {
      nodes {
        ...SessionRow
      }
    }
  }
}
    fragment SessionRow on Session {
  sessionId
  address
  userAgent
  createdAt
  lastAccessed
  current
}`) as unknown as TypedDocumentString<UserSessionsQuery, UserSessionsQueryVariables>;
export const UserTokensDocument = new TypedDocumentString(`
    query UserTokens($id: ID!) {
  user(id: $id) {
    apiTokens {
      ...TokenRow
    }
  }
}
    fragment TokenRow on ApiToken {
  apiTokenId
  name
  prefix
  scopes
  createdAt
  expiresAt
  lastUsedAt
  lastAddress
}`) as unknown as TypedDocumentString<UserTokensQuery, UserTokensQueryVariables>;
export const CreateUserDocument = new TypedDocumentString(`
    mutation CreateUser($input: UserCreateInput!) {
  userCreate(input: $input) {
    user {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<CreateUserMutation, CreateUserMutationVariables>;
export const InviteUserDocument = new TypedDocumentString(`
    mutation InviteUser($input: UserInviteInput!) {
  userInvite(input: $input) {
    user {
      databaseId
    }
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<InviteUserMutation, InviteUserMutationVariables>;
export const InviteUserAgainDocument = new TypedDocumentString(`
    mutation InviteUserAgain($id: ID!) {
  userInviteAgain(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<InviteUserAgainMutation, InviteUserAgainMutationVariables>;
export const DisableUserDocument = new TypedDocumentString(`
    mutation DisableUser($id: ID!, $expectedVersion: Int!) {
  userDisable(input: {id: $id, expectedVersion: $expectedVersion}) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<DisableUserMutation, DisableUserMutationVariables>;
export const EnableUserDocument = new TypedDocumentString(`
    mutation EnableUser($id: ID!, $expectedVersion: Int!) {
  userEnable(input: {id: $id, expectedVersion: $expectedVersion}) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<EnableUserMutation, EnableUserMutationVariables>;
export const UpdateUserDocument = new TypedDocumentString(`
    mutation UpdateUser($input: UserUpdateInput!) {
  userUpdate(input: $input) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<UpdateUserMutation, UpdateUserMutationVariables>;
export const RemovePasswordDocument = new TypedDocumentString(`
    mutation RemovePassword($id: ID!, $expectedVersion: Int!) {
  userPasswordRemove(input: {id: $id, expectedVersion: $expectedVersion}) {
    user {
      ...UserRecord
    }
    userErrors {
      message
      path
    }
  }
}
    fragment UserRecord on User {
  databaseId
  email
  authSource
  disabledAt
  profilePicture
  version
  lastLogin
  secondFactor
  group {
    databaseId
    name
  }
  detail {
    name
    surname
    salutation
    phoneNumber
    department
    organisation
    lang
  }
  viewerCan {
    update
    changeDetail
    changePassword
    changePicture
    removePassword
    disable
    invite
    delete
  }
}`) as unknown as TypedDocumentString<RemovePasswordMutation, RemovePasswordMutationVariables>;
export const EndUserSessionsDocument = new TypedDocumentString(`
    mutation EndUserSessions($id: ID!) {
  userSessionsEnd(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<EndUserSessionsMutation, EndUserSessionsMutationVariables>;
export const RequireSecondFactorDocument = new TypedDocumentString(`
    mutation RequireSecondFactor($id: ID!) {
  userSecondFactorRequire(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<RequireSecondFactorMutation, RequireSecondFactorMutationVariables>;
export const ResetSecondFactorDocument = new TypedDocumentString(`
    mutation ResetSecondFactor($id: ID!) {
  userSecondFactorReset(input: {id: $id}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<ResetSecondFactorMutation, ResetSecondFactorMutationVariables>;
export const DeleteUserDocument = new TypedDocumentString(`
    mutation DeleteUser($id: ID!, $expectedVersion: Int!) {
  userDelete(input: {id: $id, expectedVersion: $expectedVersion}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteUserMutation, DeleteUserMutationVariables>;
export const DuplicateWorkflowDocument = new TypedDocumentString(`
    mutation DuplicateWorkflow($id: ID!) {
  workflowDuplicate(input: {workflowId: $id}) {
    workflow {
      databaseId
      title
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<DuplicateWorkflowMutation, DuplicateWorkflowMutationVariables>;
export const ExportWorkflowDocument = new TypedDocumentString(`
    mutation ExportWorkflow($id: ID!) {
  workflowExport(input: {workflowId: $id}) {
    file {
      fileName
      content
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<ExportWorkflowMutation, ExportWorkflowMutationVariables>;
export const DeleteWorkflowsDocument = new TypedDocumentString(`
    mutation DeleteWorkflows($ids: [ID!]!) {
  workflowsDelete(input: {ids: $ids}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<DeleteWorkflowsMutation, DeleteWorkflowsMutationVariables>;
export const MoveWorkflowDocument = new TypedDocumentString(`
    mutation MoveWorkflow($id: ID!, $categoryId: ID) {
  workflowUpdate(input: {id: $id, categoryId: $categoryId}) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<MoveWorkflowMutation, MoveWorkflowMutationVariables>;
export const WorkflowsDocument = new TypedDocumentString(`
    query Workflows($filter: WorkflowFilter, $orderBy: WorkflowOrder, $first: Int, $after: String, $last: Int, $before: String) {
  workflows(
    filter: $filter
    orderBy: $orderBy
    first: $first
    after: $after
    last: $last
    before: $before
  ) {
    totalCount
    pageInfo {
      hasNextPage
      hasPreviousPage
      startCursor
      endCursor
    }
    nodes {
      databaseId
      title
      description
      category {
        name
      }
      updatedAt
      updatedBy {
        email
      }
      lastRun {
        databaseId
        state
        startedAt
        queuedAt
        durationMs
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowsQuery, WorkflowsQueryVariables>;
export const WatchWorkflowsDocument = new TypedDocumentString(`
    subscription WatchWorkflows($filter: WorkflowFilter) {
  workflowsChanged(filter: $filter) {
    changed {
      databaseId
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchWorkflowsSubscription, WatchWorkflowsSubscriptionVariables>;
export const WatchLastRunsDocument = new TypedDocumentString(`
    subscription WatchLastRuns {
  runsChanged(first: 100) {
    changed {
      databaseId
    }
    removedIds
  }
}
    `) as unknown as TypedDocumentString<WatchLastRunsSubscription, WatchLastRunsSubscriptionVariables>;
export const WorkflowDocument = new TypedDocumentString(`
    query Workflow($id: ID!) {
  workflow(id: $id) {
    databaseId
    title
    description
    createdAt
    createdBy {
      email
    }
    updatedAt
    updatedBy {
      email
    }
    category {
      name
    }
    errorWorkflow {
      databaseId
      title
    }
    resume
    validation {
      code
      message
      index
    }
    steps {
      ...StepShape
    }
    lastRun {
      viewerCan {
        start
      }
    }
    viewerCan {
      update
    }
  }
}
    fragment StepShape on Step {
  __typename
  ... on MethodStep {
    methodId: stepId
    methodIndex: index
    name
    label
    methodType
    connector {
      title
      connector {
        title
      }
    }
    request {
      method
      endpoint
    }
    retries
    timeout
  }
  ... on OperatorStep {
    operatorId: stepId
    operatorIndex: index
    operatorType: type
    expression
    iterator
  }
}`) as unknown as TypedDocumentString<WorkflowQuery, WorkflowQueryVariables>;
export const SetWorkflowResumeDocument = new TypedDocumentString(`
    mutation SetWorkflowResume($id: ID!, $resume: Boolean!) {
  workflowResumeSet(input: {workflowId: $id, resume: $resume}) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<SetWorkflowResumeMutation, SetWorkflowResumeMutationVariables>;
export const WorkflowVersionsDocument = new TypedDocumentString(`
    query WorkflowVersions($id: ID!, $first: Int, $after: String) {
  workflow(id: $id) {
    versions(first: $first, after: $after) {
      totalCount
      pageInfo {
        hasNextPage
        endCursor
      }
      nodes {
        number
        snapshotId
        comment
        createdAt
        current
        author {
          email
        }
      }
    }
  }
}
    `) as unknown as TypedDocumentString<WorkflowVersionsQuery, WorkflowVersionsQueryVariables>;
export const VersionedWorkflowDocument = new TypedDocumentString(`
    query VersionedWorkflow($id: ID!) {
  workflow(id: $id) {
    title
    version
    updatedAt
    viewerCan {
      update
    }
  }
  runs(first: 1, filter: {workflow: {eq: $id}, state: {eq: SUCCEEDED}}) {
    nodes {
      databaseId
      queuedAt
      workflowVersion {
        number
        snapshotId
        current
      }
    }
  }
}
    `) as unknown as TypedDocumentString<VersionedWorkflowQuery, VersionedWorkflowQueryVariables>;
export const RestoreVersionDocument = new TypedDocumentString(`
    mutation RestoreVersion($input: WorkflowVersionSwitchInput!) {
  workflowVersionSwitch(input: $input) {
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RestoreVersionMutation, RestoreVersionMutationVariables>;
export const NameVersionDocument = new TypedDocumentString(`
    mutation NameVersion($input: WorkflowVersionUpdateInput!) {
  workflowVersionUpdate(input: $input) {
    userErrors {
      message
      path
    }
  }
}
    `) as unknown as TypedDocumentString<NameVersionMutation, NameVersionMutationVariables>;
export const VersionDiffDocument = new TypedDocumentString(`
    query VersionDiff($id: ID!, $from: String!, $to: String!) {
  workflow(id: $id) {
    diff(from: $from, to: $to) {
      equal
      complete
      from {
        ...ComparedVersion
      }
      to {
        ...ComparedVersion
      }
      fields {
        ...FieldChange
      }
      steps {
        stepId
        kinds
        fields {
          ...FieldChange
        }
      }
      fieldBindings {
        bindingId
        kinds
        fields {
          ...FieldChange
        }
      }
    }
  }
}
    fragment EditedStep on Step {
  __typename
  stepId
  parentStepId
  index
  side
  ... on MethodStep {
    name
    label
    color
    methodType
    connector {
      connectorId
      title
    }
    request {
      endpoint
      method
      httpMethod
      header
      body {
        type
        format
        data
        fields
      }
    }
    timeout
    retries
    backoff
    dataAggregator
    required
    repeatable
    enabled
    successStatus
    fileName
  }
  ... on OperatorStep {
    enabled
    operatorType: type
    expression
    iterator
  }
}
fragment EditedBinding on FieldBinding {
  bindingId
  from {
    color
    type
    field
  }
  to {
    color
    type
    field
  }
  enhancement {
    name
    description
    language
    expertVar
    expertCode
  }
}
fragment ComparedVersion on WorkflowVersion {
  number
  steps {
    ...EditedStep
  }
  fieldBindings {
    ...EditedBinding
  }
}
fragment FieldChange on FieldDifference {
  path
  kind
  before
  after
  masked
}`) as unknown as TypedDocumentString<VersionDiffQuery, VersionDiffQueryVariables>;
export const RunWorkflowDocument = new TypedDocumentString(`
    mutation RunWorkflow($id: ID!, $logging: Boolean!) {
  workflowRun(input: {workflowId: $id, logging: $logging}) {
    run {
      databaseId
    }
    userErrors {
      message
    }
  }
}
    `) as unknown as TypedDocumentString<RunWorkflowMutation, RunWorkflowMutationVariables>;