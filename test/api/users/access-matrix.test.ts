import {
  buildSchema,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isRequiredArgument,
  isRequiredInputField,
  Kind,
} from 'graphql';
import type { GraphQLField, GraphQLInputType } from 'graphql';
import { describeApis } from '../../../src/app';
import { startService } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { longIt } from '../../support/long';
import { shareOf } from '../../support/rounds';

/** MYPROFILE applies to own records, USER to the records of others. */
const own = (action: string): string =>
  `MYPROFILE:${action} for one's own, USER:${action} for others`;
const AUTHENTICATED = 'authenticated';
/** The record id does not name its user: the API requires either permission, the service checks the exact one. */
const MINE_OR_ALL = 'MYPROFILE:UPDATE or USER:UPDATE';
const END_ALL = "authenticated for one's own, USER:UPDATE for others";

const IMPORT = 'INVOKER:CREATE or INVOKER:UPDATE';

const CHECK = 'CONNECTOR:CREATE or CONNECTOR:UPDATE';

/** Users see their own test runs; reading other runs requires a permission. */
const READ_OR_START = 'CONNECTION:READ or CONNECTION:UPDATE';

const READ_TESTS = 'SCHEDULE:READ or CONNECTION:UPDATE';

/** Maintained by hand, independently of the declarations in the code. */
const REST: Record<string, string> = {
  'POST /login': 'public',
  'POST /api/login': 'public',
  'POST /auth/logout': AUTHENTICATED,
  'POST /api/auth/logout': AUTHENTICATED,
  'POST /totp-validate': 'public',
  'POST /api/totp-validate': 'public',
  'GET /api/user/totp-qr/exists': AUTHENTICATED,
  'POST /api/second-factor/begin': AUTHENTICATED,
  'POST /api/second-factor/confirm': AUTHENTICATED,
  'POST /api/second-factor/recovery-codes': AUTHENTICATED,
  'POST /api/second-factor/disable': AUTHENTICATED,
  'PUT /api/user/{id}/totp/{action}': 'USER:UPDATE',
  'PUT /api/user/list/totp/{action}': 'USER:UPDATE',
  'GET /api/api-token/all': AUTHENTICATED,
  'POST /api/api-token': AUTHENTICATED,
  'GET /api/api-token/{id}': AUTHENTICATED,
  'DELETE /api/api-token/{id}': AUTHENTICATED,
  'GET /api/user/{id}/api-token/all': "authenticated for one's own, USER:READ for others",
  'GET /api/storage/files/{name}': 'public',
  'POST /api/storage/profilePicture': MINE_OR_ALL,
  'POST /api/storage/groupIcon': 'USERGROUP:UPDATE',
  'GET /api/user/all': 'USER:READ',
  'GET /api/user/check/{email}': 'USER:READ',
  'POST /api/user': 'USER:CREATE',
  'POST /api/user/invite': 'USER:CREATE',
  'POST /api/user/{id}/invite': 'USER:UPDATE',
  'PUT /api/user/{id}': 'USER:UPDATE',
  'PUT /api/user/{id}/userGroup': 'USER:UPDATE',
  'PUT /api/user/{id}/disable': 'USER:UPDATE',
  'PUT /api/user/{id}/enable': 'USER:UPDATE',
  'DELETE /api/user/{id}': 'USER:DELETE',
  'PUT /api/user/list/delete': 'USER:DELETE',
  'GET /api/user/{id}': own('READ'),
  'PUT /api/user/{id}/password': own('UPDATE'),
  'DELETE /api/user/{id}/password': 'USER:UPDATE',
  'GET /api/ldap/default/config': 'admin',
  'POST /api/ldap/test': 'admin',
  'GET /api/application-config': 'admin',
  'PATCH /api/application-config': 'admin',
  'GET /api/application-config/backups': 'admin',
  'GET /api/application-config/backups/{name}': 'admin',
  'POST /api/application-config/backups/{name}/restore': 'admin',
  'PUT /api/user/{id}/userDetail': own('UPDATE'),
  'DELETE /api/user/{id}/profilePicture': own('UPDATE'),
  'PUT /api/userDetail/{id}': own('UPDATE'),
  'GET /api/user/{id}/logout': END_ALL,
  ...Object.fromEntries(
    ['userGroup', 'role'].flatMap((base) => [
      [`GET /api/${base}/all`, 'USERGROUP:READ'],
      [`GET /api/${base}/{id}`, 'USERGROUP:READ'],
      [`GET /api/${base}/exists/{name}`, 'USERGROUP:READ'],
      [`POST /api/${base}`, 'USERGROUP:CREATE'],
      [`PUT /api/${base}/{id}`, 'USERGROUP:UPDATE'],
      [`PUT /api/${base}/{id}/component`, 'USERGROUP:UPDATE'],
      [`DELETE /api/${base}/{id}/icon`, 'USERGROUP:UPDATE'],
      [`DELETE /api/${base}/{id}`, 'USERGROUP:DELETE'],
      [`PUT /api/${base}/list/delete`, 'USERGROUP:DELETE'],
    ]),
  ),
  'GET /api/component/all': 'USERGROUP:READ',
  'GET /api/permission/all': 'USERGROUP:READ',
  'PUT /api/permission/all': 'USERGROUP:READ',
  'POST /api/permission': 'USERGROUP:CREATE',
  'GET /api/permission/{id}': 'USERGROUP:READ',
  'PUT /api/permission/{id}': 'USERGROUP:UPDATE',
  'DELETE /api/permission/{id}': 'USERGROUP:DELETE',
  'DELETE /api/{id}': 'USERGROUP:DELETE',
  'GET /api/connection/all': 'CONNECTION:READ',
  'GET /api/connection/{id}': 'CONNECTION:READ',
  'GET /api/connection/check': 'CONNECTION:READ',
  'GET /api/connection/check/{name}': 'CONNECTION:READ',
  'GET /api/connection/all/meta': 'CONNECTION:READ',
  'GET /api/connection/dependency/{invokerName}': 'CONNECTION:READ',
  'POST /api/connection/all/by-ids': 'CONNECTION:READ',
  'GET /api/connection/{id}/webhook/vars': 'CONNECTION:READ',
  'GET /api/connection/id': 'CONNECTION:CREATE',
  'POST /api/connection/remoteapi': 'CONNECTION:UPDATE',
  'PUT /api/connection/list/delete': 'CONNECTION:DELETE',
  'DELETE /api/connection/test': 'CONNECTION:DELETE',
  'POST /api/connection': 'CONNECTION:CREATE',
  'PUT /api/connection/{id}': 'CONNECTION:UPDATE',
  'DELETE /api/connection/{id}': 'CONNECTION:DELETE',
  'POST /api/connection/execution/test': 'CONNECTION:UPDATE',
  'POST /api/scheduler': 'SCHEDULE:CREATE',
  'POST /api/scheduler/list/get': READ_TESTS,
  'GET /api/scheduler/running/all': 'SCHEDULE:READ',
  'DELETE /api/scheduler/{id}': 'SCHEDULE:DELETE',
  'PUT /api/scheduler/list/delete': 'SCHEDULE:DELETE',
  ...Object.fromEntries(
    [
      'PUT /api/scheduler/{id}',
      'PUT /api/scheduler/{id}/title',
      'PUT /api/scheduler/{id}/status',
      'PUT /api/scheduler/startAll',
      'PUT /api/scheduler/enableAll',
      'PUT /api/scheduler/disableAll',
      'GET /api/scheduler/execute/{id}',
    ].map((name) => [name, 'SCHEDULE:UPDATE']),
  ),
  'GET /api/widget/all': 'DASHBOARD:READ',
  'GET /api/widget/{id}': 'DASHBOARD:READ',
  'POST /api/widget': 'DASHBOARD:CREATE',
  'DELETE /api/widget/{id}': 'DASHBOARD:DELETE',
  'GET /api/widget_setting/user/{userId}': "DASHBOARD:READ for one's own, USER:READ for others",
  'POST /api/widget_setting': 'DASHBOARD:READ',
  'GET /api/webhook/url/{userId}/{schedulerId}': 'SCHEDULE:UPDATE',
  'DELETE /api/webhook/{id}': 'SCHEDULE:UPDATE',
  'GET /api/webhook/supported/types': AUTHENTICATED,
  'GET /api/webhook/health': 'public',
  'GET /api/webhook/execute/{token}': 'public',
  'POST /api/webhook/execute/{token}': 'public',
  'GET /api/scheduler/all': READ_TESTS,
  'GET /api/scheduler/{id}': READ_TESTS,
  'GET /api/scheduler/terminate/{id}': 'SCHEDULE:UPDATE or CONNECTION:UPDATE',
  'POST /api/connection/{id}/execution': 'CONNECTION:UPDATE',
  'GET /api/execution/{id}': READ_OR_START,
  ...Object.fromEntries(
    [
      'log-files',
      'logs/children',
      'logs/search',
      'log/element/{elementId}/children',
      'log/element/{elementId}/details',
      '{id}/raw/log',
    ].map((path) => [`GET /api/execution/${path}`, READ_OR_START]),
  ),
  'POST /api/execution/{id}/cancel': 'CONNECTION:UPDATE',
  'POST /api/execution/{id}/retry': 'CONNECTION:UPDATE',
  'POST /api/execution/retry': 'CONNECTION:UPDATE',
  'GET /api/connection/{id}/error-workflow': 'CONNECTION:READ',
  'PUT /api/connection/{id}/error-workflow': 'CONNECTION:UPDATE',
  'DELETE /api/connection/{id}/error-workflow': 'CONNECTION:UPDATE',
  'GET /api/connection/{id}/resume': 'CONNECTION:READ',
  'PUT /api/connection/{id}/resume': 'CONNECTION:UPDATE',
  ...Object.fromEntries(
    ['GET /api/connection/{id}/rule/all', 'GET /api/connection/{id}/rule/{ruleId}'].map((one) => [
      one,
      'CONNECTION:READ',
    ]),
  ),
  ...Object.fromEntries(
    [
      'POST /api/connection/{id}/rule',
      'POST /api/connection/{id}/rule/list',
      'DELETE /api/connection/{id}/rule/all',
      'PUT /api/connection/{id}/rule/{ruleId}',
      'DELETE /api/connection/{id}/rule/{ruleId}',
    ].map((one) => [one, 'CONNECTION:UPDATE']),
  ),
  'POST /api/connection/validate': 'CONNECTION:READ',
  'GET /api/connection/{id}/versions': 'CONNECTION:READ',
  'GET /api/connection/{id}/diff': 'CONNECTION:READ',
  'GET /api/connection/{id}/version/{snapshotId}': 'CONNECTION:READ',
  'PUT /api/connection/{id}/version/{snapshotId}': 'CONNECTION:UPDATE',
  ...Object.fromEntries(
    [
      'PATCH /api/connection/{id}',
      ...[
        'method/{methodId}',
        'operator/{operatorId}',
        'fieldBinding/{fieldBindingId}',
        'connector/{connectorId}',
      ].map((part) => `PATCH /api/connection/{id}/${part}`),
      'GET /api/connection/{id}/undo',
      'POST /api/connection/{id}/undo',
    ].map((one) => [one, 'CONNECTION:UPDATE']),
  ),
  'DELETE /api/connection/{id}/version/{snapshotId}': 'CONNECTION:DELETE',
  'PUT /api/connection/{id}/switch-version/{snapshotId}': 'CONNECTION:UPDATE',
  ...Object.fromEntries(
    [
      'all',
      'exists/{name}',
      'file/exists/{fileName}',
      '{name}',
      '{name}/xml',
      '{name}/dependency',
    ].map((path) => [`GET /api/invoker/${path}`, 'INVOKER:READ']),
  ),
  'GET /api/invoker/refresh': 'INVOKER:UPDATE',
  'GET /api/invoker/synchronisation': 'INVOKER:UPDATE',
  'POST /api/invoker': 'INVOKER:CREATE',
  'POST /api/invoker/{name}/xml': 'INVOKER:UPDATE',
  'DELETE /api/invoker/{name}': 'INVOKER:DELETE',
  'DELETE /api/invoker/{name}/force': 'INVOKER:DELETE',
  'PUT /api/invoker/list/delete': 'INVOKER:DELETE',
  'POST /api/storage/invoker': IMPORT,
  'POST /api/storage/invoker/zip': IMPORT,
  'GET /api/job/{jobId}': AUTHENTICATED,
  ...Object.fromEntries(
    ['all', 'exists/{title}', '{id}'].map((path) => [
      `GET /api/connector/${path}`,
      'CONNECTOR:READ',
    ]),
  ),
  'POST /api/connector': 'CONNECTOR:CREATE',
  'PUT /api/connector/{id}': 'CONNECTOR:UPDATE',
  'PUT /api/connector/{id}/required-data': 'CONNECTOR:UPDATE',
  'POST /api/connector/{id}/confirm': 'CONNECTOR:UPDATE',
  'DELETE /api/connector/{id}': 'CONNECTOR:DELETE',
  'PUT /api/connector/list/delete': 'CONNECTOR:DELETE',
  'POST /api/connector/{id}/icon': 'CONNECTOR:UPDATE',
  'DELETE /api/connector/{id}/icon': 'CONNECTOR:UPDATE',
  'POST /api/storage/connector': 'CONNECTOR:UPDATE',
  'POST /api/connector/check': CHECK,
  'POST /api/connector/{id}/graphql-schema': 'CONNECTOR:READ',
  'GET /api/connector/master-password/status': AUTHENTICATED,
  'GET /api/connector/master-password/status/exist': AUTHENTICATED,
  'GET /api/connector/meta/all': 'CONNECTOR:READ',
  'POST /api/connector/{id}/status/refresh': 'CONNECTOR:UPDATE',
  'GET /api/aggregator/all': 'CONNECTION:READ',
  'GET /api/aggregator/unique/{name}': 'CONNECTION:READ',
  'GET /api/aggregator/{id}': 'CONNECTION:READ',
  'POST /api/aggregator': 'CONNECTION:CREATE or CONNECTION:UPDATE',
  'PUT /api/aggregator': 'CONNECTION:UPDATE',
  'PUT /api/aggregator/{id}/status': 'CONNECTION:UPDATE',
  'DELETE /api/aggregator/argument/{argId}': 'CONNECTION:UPDATE',
  'DELETE /api/aggregator/{id}': 'CONNECTION:DELETE',
  'POST /api/auth/forgot-password': 'public',
  'POST /api/auth/reset-password': 'public',
  'POST /api/user/change-password': 'MYPROFILE:UPDATE',
  'GET /api/delivery/all': 'admin',
  'GET /api/sync-history': 'admin',
  'GET /api/online-services': 'admin',
  'POST /api/online-services/synchronisations': 'admin',
  'POST /api/online-services/items/take': 'admin',
  'POST /api/online-services/items/keep': 'admin',
  'PUT /api/invoker/{name}/sync-force': 'admin',
  'PUT /api/invoker/list/sync-force': 'admin',
  'POST /api/delivery/{id}/retry': 'admin',
  'POST /api/delivery/test': 'admin',
  'GET /api/message/all': 'SCHEDULE:READ',
  'GET /api/message/all/{type}': 'SCHEDULE:READ',
  'GET /api/message/languages': 'SCHEDULE:READ',
  'GET /api/message/tools/all': 'SCHEDULE:READ',
  'GET /api/message/tools/incoming_webhook': 'SCHEDULE:CREATE',
  'GET /api/message/{id}': 'SCHEDULE:READ',
  'POST /api/message': 'SCHEDULE:CREATE or SCHEDULE:UPDATE',
  'PUT /api/message/{id}': 'SCHEDULE:UPDATE',
  'PUT /api/message/list/delete': 'SCHEDULE:DELETE',
  'DELETE /api/message/{id}': 'SCHEDULE:DELETE',
  'GET /api/content/all': 'SCHEDULE:READ',
  'GET /api/content/{id}': 'SCHEDULE:READ',
  'POST /api/content': 'SCHEDULE:UPDATE',
  'GET /api/scheduler/{id}/notification/all': 'SCHEDULE:READ',
  'GET /api/scheduler/notification/{id}': 'SCHEDULE:READ',
  'POST /api/scheduler/{id}/notification': 'SCHEDULE:UPDATE',
  'PUT /api/scheduler/notification/{id}': 'SCHEDULE:UPDATE',
  'PUT /api/scheduler/notification/delete': 'SCHEDULE:UPDATE',
  'DELETE /api/scheduler/notification/{id}': 'SCHEDULE:UPDATE',
  'GET /api/search/{title}': AUTHENTICATED,
  'GET /api/category/all': 'CONNECTION:READ',
  'GET /api/category/check/{name}': 'CONNECTION:READ',
  'GET /api/category/{id}': 'CONNECTION:READ',
  'POST /api/category': 'CONNECTION:CREATE',
  'PUT /api/category/{id}': 'CONNECTION:UPDATE',
  'DELETE /api/category/{id}': 'CONNECTION:DELETE',
  'DELETE /api/category/cascade-delete/{id}': 'CONNECTION:DELETE',
  'PUT /api/category/list/delete': 'CONNECTION:DELETE',
  'PUT /api/category/list/cascade-delete': 'CONNECTION:DELETE',
  'GET /api/secret/all': 'SECRET:READ',
  'GET /api/secret/{id}': 'SECRET:READ',
  'POST /api/secret': 'SECRET:CREATE',
  'PUT /api/secret/{id}': 'SECRET:UPDATE',
  'DELETE /api/secret/{id}': 'SECRET:DELETE',
  'GET /api/template/all': 'SCHEDULE:READ',
  'GET /api/template/all/{fromConnectorId}/{toConnectorId}': 'SCHEDULE:READ and CONNECTOR:READ',
  'GET /api/template/check/{templateId}': 'SCHEDULE:READ',
  'GET /api/template/connection/{connectionId}': 'SCHEDULE:READ',
  'GET /api/template/file/{filename}': 'SCHEDULE:READ',
  'GET /api/template/{id}': 'SCHEDULE:READ',
  'POST /api/template': 'SCHEDULE:CREATE',
  'PUT /api/template/all': 'SCHEDULE:UPDATE',
  'PUT /api/template/{id}': 'SCHEDULE:UPDATE',
  'PUT /api/template/list/delete': 'SCHEDULE:DELETE',
  'DELETE /api/template/{id}': 'SCHEDULE:DELETE',
  'POST /api/storage/template': 'SCHEDULE:CREATE',
  'POST /api/storage/template/zip': 'SCHEDULE:CREATE',
  ...Object.fromEntries(
    ['list', '{which}', '{connectionId}/list', '{connectionId}/{zip}'].map((path) => [
      `GET /api/connection/support-file/${path}`,
      'APP:READ and CONNECTION:READ',
    ]),
  ),
  'POST /api/connection/execute/{id}/support-file': 'APP:CREATE and CONNECTION:READ',
  'DELETE /api/connection/support-file/{which}': 'APP:DELETE',
  'PUT /api/connection/support-file/delete/list': 'APP:DELETE',
  ...Object.fromEntries(
    [
      'subs/active',
      'subs/all',
      'subs/connection/check',
      'subs/activation/request/generate',
      'sync-history/status',
      'assistant/oc/version',
      'assistant/oc/installation',
      'assistant/oc/restart/file/exists',
      'assistant/oc/online/version/all',
      'assistant/oc/offline/version/all',
      'assistant/changelog/file/{name}',
      'system-setting/{name}',
    ].map((path) => [`GET /api/${path}`, AUTHENTICATED]),
  ),
  ...Object.fromEntries(
    [
      'GET /api/subs/free/activate',
      'POST /api/subs/activate/license',
      'POST /api/subs/{subId}',
      'DELETE /api/subs/{subId}',
      'POST /api/extra-ops',
      'GET /api/assistant/oc/online/version/{name}/download',
      'POST /api/assistant/oc/update',
      'POST /api/assistant/oc/migrate',
      'GET /api/actuator/processes',
      'POST /api/assistant/zipfile',
      'DELETE /api/assistant/zipfile/{name}',
      'PUT /api/system-setting/{name}',
      'DELETE /api/system-setting/{name}',
    ].map((name) => [name, 'admin']),
  ),
  'GET /api/subs/operation/usage': 'CONNECTION:READ',
  'GET /api/subs/operation/usage/{usageId}/details': 'CONNECTION:READ',
  'GET /api/editor/settings/user/{userId}': "authenticated for one's own, USER:READ for others",
  'POST /api/editor/settings': AUTHENTICATED,
  'GET /api/oidc/info': 'public',
  'GET /api/actuator/health': AUTHENTICATED,
  'GET /actuator/health': AUTHENTICATED,
  'GET /api/actuator/health/{component}': AUTHENTICATED,
  'GET /actuator/health/{component}': AUTHENTICATED,
  'GET /api/widget/executions-timeline': 'DASHBOARD:READ',
  'GET /api/widget/top-workflows': 'DASHBOARD:READ',
  ...Object.fromEntries(
    [
      '/healthz',
      '/readyz',
      '/config.json',
      '/openapi.json',
      '/v3/api-docs',
      '/websocket/info',
      '/ws/info',
    ].flatMap((path) => [
      [`GET ${path}`, 'public'],
      [`GET /api${path}`, 'public'],
    ]),
  ),
};

const GRAPHQL: Record<string, string> = {
  'Query.users': 'USER:READ',
  'Query.user': own('READ'),
  'Query.me': AUTHENTICATED,
  'Query.mySessions': 'MYPROFILE:READ',
  'Query.node': AUTHENTICATED,
  'Query.nodes': AUTHENTICATED,
  'Query.userGroups': 'USERGROUP:READ',
  'Query.userGroup': 'USERGROUP:READ',
  'Query.components': 'USERGROUP:READ',
  'Query.permissions': 'USERGROUP:READ',
  'Query.permission': 'USERGROUP:READ',
  'Query.secrets': 'SECRET:READ',
  'Query.secret': 'SECRET:READ',
  'Mutation.secretCreate': 'SECRET:CREATE',
  'Mutation.secretUpdate': 'SECRET:UPDATE',
  'Mutation.secretDelete': 'SECRET:DELETE',
  'Mutation.secretsDelete': 'SECRET:DELETE',
  'Query.workflows': 'CONNECTION:READ',
  'Query.workflow': 'CONNECTION:READ',
  'Query.expressionForm': 'CONNECTION:READ',
  'Query.expressionText': 'CONNECTION:READ',
  'Query.expressionFunctions': 'CONNECTION:READ',
  'Query.requestFromCurl': 'CONNECTION:READ',
  'Query.stepReferences': 'CONNECTION:READ',
  'Query.workflowValidate': 'CONNECTION:READ',
  'Query.runs': READ_OR_START,
  'Query.run': READ_OR_START,
  'Query.logElements': READ_OR_START,
  'Query.logElement': READ_OR_START,
  'Query.logTurn': READ_OR_START,
  'Query.logSearch': READ_OR_START,
  'Mutation.workflowExport': 'CONNECTION:READ',
  'Mutation.workflowImport': 'CONNECTION:CREATE',
  'Query.templates': 'SCHEDULE:READ',
  'Query.template': 'SCHEDULE:READ',
  'Mutation.templateCreate': 'SCHEDULE:CREATE',
  'Mutation.templateImport': 'SCHEDULE:CREATE',
  'Mutation.templateInstantiate': 'CONNECTION:CREATE',
  'Mutation.templateDelete': 'SCHEDULE:DELETE',
  'Query.invokers': 'INVOKER:READ',
  'Query.invoker': 'INVOKER:READ',
  'Mutation.invokerImport': IMPORT,
  'Mutation.invokerUpdate': 'INVOKER:UPDATE',
  'Mutation.invokerDelete': 'INVOKER:DELETE',
  'Mutation.invokersDelete': 'INVOKER:DELETE',
  'Query.connectors': 'CONNECTOR:READ',
  'Query.connector': 'CONNECTOR:READ',
  'Mutation.connectorCreate': 'CONNECTOR:CREATE',
  'Mutation.connectorUpdate': 'CONNECTOR:UPDATE',
  'Mutation.connectorConfirm': 'CONNECTOR:UPDATE',
  'Mutation.connectorDelete': 'CONNECTOR:DELETE',
  'Mutation.connectorsDelete': 'CONNECTOR:DELETE',
  'Mutation.connectorCheck': CHECK,
  'Mutation.connectorIconUpload': 'CONNECTOR:UPDATE',
  'Mutation.connectorIconRemove': 'CONNECTOR:UPDATE',
  'Query.job': AUTHENTICATED,
  'Query.jobs': AUTHENTICATED,
  'Mutation.jobCancel': AUTHENTICATED,
  'Subscription.jobProgress': AUTHENTICATED,
  'Query.executionsTimeline': 'DASHBOARD:READ',
  'Query.topWorkflows': 'DASHBOARD:READ',
  'Query.auditEvents': 'admin',
  'Query.auditEvent': 'admin',
  'Mutation.login': 'public',
  'Mutation.loginConfirm': 'public',
  'Query.secondFactorRequired': AUTHENTICATED,
  'Mutation.secondFactorBegin': AUTHENTICATED,
  'Mutation.secondFactorConfirm': AUTHENTICATED,
  'Mutation.secondFactorDisable': AUTHENTICATED,
  'Mutation.recoveryCodesRenew': AUTHENTICATED,
  'Mutation.userSecondFactorRequire': 'USER:UPDATE',
  'Mutation.userSecondFactorReset': 'USER:UPDATE',
  'Query.myApiTokens': AUTHENTICATED,
  'Mutation.apiTokenCreate': AUTHENTICATED,
  'Mutation.apiTokenRevoke': AUTHENTICATED,
  'Mutation.logout': AUTHENTICATED,
  'Mutation.serviceRestart': 'admin',
  'Mutation.sessionEnd': MINE_OR_ALL,
  'Mutation.userSessionsEnd': END_ALL,
  'Mutation.userCreate': 'USER:CREATE',
  'Mutation.userUpdate': 'USER:UPDATE',
  'Mutation.userGroupChange': 'USER:UPDATE',
  'Mutation.userDelete': 'USER:DELETE',
  'Mutation.userDisable': 'USER:UPDATE',
  'Mutation.userInvite': 'USER:CREATE',
  'Mutation.userInviteAgain': 'USER:UPDATE',
  'Mutation.userEnable': 'USER:UPDATE',
  'Mutation.usersDelete': 'USER:DELETE',
  'Mutation.userPasswordChange': own('UPDATE'),
  'Mutation.userPasswordRemove': 'USER:UPDATE',
  'Query.ldapConfig': 'admin',
  'Mutation.ldapTest': 'admin',
  'Query.applicationConfig': 'admin',
  'Query.applicationConfigBackups': 'admin',
  'Query.applicationConfigBackup': 'admin',
  'Mutation.applicationConfigUpdate': 'admin',
  'Mutation.applicationConfigRestore': 'admin',
  'Mutation.userDetailChange': own('UPDATE'),
  'Mutation.userPictureUpload': own('UPDATE'),
  'Mutation.userPictureRemove': own('UPDATE'),
  'Mutation.groupCreate': 'USERGROUP:CREATE',
  'Mutation.groupUpdate': 'USERGROUP:UPDATE',
  'Mutation.groupComponentsSet': 'USERGROUP:UPDATE',
  'Mutation.groupIconUpload': 'USERGROUP:UPDATE',
  'Mutation.groupIconRemove': 'USERGROUP:UPDATE',
  'Mutation.groupDelete': 'USERGROUP:DELETE',
  'Mutation.groupsDelete': 'USERGROUP:DELETE',
  'Mutation.permissionCreate': 'USERGROUP:CREATE',
  'Mutation.permissionUpdate': 'USERGROUP:UPDATE',
  'Mutation.permissionDelete': 'USERGROUP:DELETE',
  'Mutation.workflowCreate': 'CONNECTION:CREATE',
  'Mutation.exampleWorkflowCreate': 'CONNECTION:CREATE',
  'Mutation.workflowUpdate': 'CONNECTION:UPDATE',
  'Mutation.workflowDelete': 'CONNECTION:DELETE',
  'Mutation.workflowsDelete': 'CONNECTION:DELETE',
  'Mutation.runsCancel': 'CONNECTION:UPDATE',
  'Mutation.workflowRun': 'CONNECTION:UPDATE',
  ...Object.fromEntries(
    [
      'stepAdd',
      'stepUpdate',
      'stepMove',
      'stepPaste',
      'stepRemove',
      'fieldBindingSet',
      'fieldBindingRemove',
      'workflowRedo',
      'workflowUndo',
    ].map((name) => [`Mutation.${name}`, 'CONNECTION:UPDATE']),
  ),
  'Mutation.maskingRuleCreate': 'CONNECTION:UPDATE',
  'Mutation.maskingRuleUpdate': 'CONNECTION:UPDATE',
  'Mutation.maskingRuleDelete': 'CONNECTION:UPDATE',
  'Mutation.workflowVersionSwitch': 'CONNECTION:UPDATE',
  'Mutation.workflowVersionUpdate': 'CONNECTION:UPDATE',
  'Mutation.workflowVersionDelete': 'CONNECTION:DELETE',
  'Mutation.workflowDuplicate': 'CONNECTION:CREATE and CONNECTION:READ',
  'Query.schedules': 'SCHEDULE:READ',
  'Query.schedule': 'SCHEDULE:READ',
  'Query.scheduleNextRuns': 'SCHEDULE:READ',
  'Mutation.scheduleCreate': 'SCHEDULE:CREATE',
  'Mutation.scheduleDelete': 'SCHEDULE:DELETE',
  'Mutation.schedulesDelete': 'SCHEDULE:DELETE',
  ...Object.fromEntries(
    [
      'webhookCreate',
      'webhookDelete',
      'scheduleUpdate',
      'scheduleEnable',
      'schedulesEnable',
      'scheduleStart',
      'schedulesStart',
      'scheduleTerminate',
    ].map((name) => [`Mutation.${name}`, 'SCHEDULE:UPDATE']),
  ),
  'Query.aggregators': 'CONNECTION:READ',
  'Query.aggregator': 'CONNECTION:READ',
  'Mutation.aggregatorCreate': 'CONNECTION:CREATE',
  'Mutation.aggregatorUpdate': 'CONNECTION:UPDATE',
  'Mutation.aggregatorDelete': 'CONNECTION:DELETE',
  'Mutation.aggregatorsDelete': 'CONNECTION:DELETE',
  'Query.widgets': 'DASHBOARD:READ',
  'Query.widgetSettings': 'DASHBOARD:READ',
  'Mutation.widgetSettingsReplace': 'DASHBOARD:READ',
  'Mutation.widgetCreate': 'DASHBOARD:CREATE',
  'Mutation.widgetDelete': 'DASHBOARD:DELETE',
  'Mutation.passwordForgotten': 'public',
  'Mutation.passwordReset': 'public',
  'Mutation.ownPasswordChange': 'MYPROFILE:UPDATE',
  'Query.onlineServices': 'admin',
  'Query.synchronisations': 'admin',
  'Mutation.synchronisationStart': 'admin',
  'Mutation.onlineItemTake': 'admin',
  'Mutation.onlineItemKeep': 'admin',
  'Query.deliveries': 'admin',
  'Mutation.deliveryRetry': 'admin',
  'Mutation.mailTest': 'admin',
  'Query.messageTemplates': 'SCHEDULE:READ',
  'Query.missingMailSettings': 'SCHEDULE:READ',
  'Query.messageTemplate': 'SCHEDULE:READ',
  'Mutation.messageTemplateCreate': 'SCHEDULE:CREATE',
  'Mutation.messageTemplateUpdate': 'SCHEDULE:UPDATE',
  'Mutation.messageTemplateDelete': 'SCHEDULE:DELETE',
  'Mutation.notificationCreate': 'SCHEDULE:UPDATE',
  'Mutation.notificationUpdate': 'SCHEDULE:UPDATE',
  'Mutation.notificationDelete': 'SCHEDULE:UPDATE',
  'Query.search': AUTHENTICATED,
  'Query.categories': 'CONNECTION:READ',
  'Query.category': 'CONNECTION:READ',
  'Mutation.categoryCreate': 'CONNECTION:CREATE',
  'Mutation.categoryUpdate': 'CONNECTION:UPDATE',
  'Mutation.categoryDelete': 'CONNECTION:DELETE',
  'Mutation.categoriesDelete': 'CONNECTION:DELETE',
  'Query.supportLogs': 'APP:READ and CONNECTION:READ',
  'Query.supportLog': 'APP:READ and CONNECTION:READ',
  'Subscription.supportLogs': 'APP:READ and CONNECTION:READ',
  'Mutation.supportLogCreate': 'APP:CREATE and CONNECTION:READ',
  'Mutation.supportLogDelete': 'APP:DELETE',
  'Mutation.testRunStart': 'CONNECTION:UPDATE',
  'Mutation.runCancel': 'CONNECTION:UPDATE',
  'Mutation.runRetry': 'CONNECTION:UPDATE',
  'Mutation.runsRetry': 'CONNECTION:UPDATE',
  'Mutation.errorWorkflowSet': 'CONNECTION:UPDATE',
  'Mutation.workflowResumeSet': 'CONNECTION:UPDATE',
  'Query.valuePreview': 'CONNECTION:READ',
  'Query.scriptPreview': 'CONNECTION:UPDATE',
  'Mutation.workflowPresenceSet': 'CONNECTION:READ',
  'Mutation.workflowDraftSet': 'CONNECTION:UPDATE',
  'Mutation.workflowDraftRemove': 'CONNECTION:UPDATE',
  'Mutation.sampleSet': 'CONNECTION:UPDATE',
  'Mutation.sampleRemove': 'CONNECTION:UPDATE',
  'Subscription.auditEvents': 'admin',
  'Query.processes': 'admin',
  'Query.systemCheck': 'APP:READ',
  'Subscription.systemCheck': 'APP:READ',
  'Subscription.runsChanged': READ_OR_START,
  'Subscription.workflowsChanged': 'CONNECTION:READ',
  'Subscription.schedulesChanged': 'SCHEDULE:READ',
  'Subscription.dashboard': 'DASHBOARD:READ',
  'Subscription.runEvents': READ_OR_START,
  'Subscription.testRunEvents': READ_OR_START,
  'Subscription.testChannelEvents': READ_OR_START,
  'Subscription.sessionEvents': AUTHENTICATED,
};

const GRANTS = [
  'USER',
  'USERGROUP',
  'CONNECTION',
  'CONNECTOR',
  'SECRET',
  'INVOKER',
  'SCHEDULE',
  'DASHBOARD',
]
  .flatMap((component) =>
    ['READ', 'CREATE', 'UPDATE', 'DELETE'].map((action) => `${component}:${action}`),
  )
  .concat('MYPROFILE:READ', 'MYPROFILE:UPDATE', 'APP:READ', 'APP:CREATE', 'APP:DELETE');

/** An unused id, so that allowed calls change nothing. */
const NOBODY = 999_999;

function expected(need: string, grant: string, isOwn: boolean): boolean {
  if (need === AUTHENTICATED || need === 'public') return true;
  if (need === 'admin') return false;
  const match = /^(\S+) for one's own, (\S+) for others$/.exec(need);
  if (match)
    return grant === match[2] || (isOwn && (grant === match[1] || match[1] === AUTHENTICATED));
  return need.split(' or ').includes(grant);
}

/** Operations that create or end sessions; they are not called with every token. */
const HAS_EFFECTS = new Set([
  'POST /auth/logout',
  'POST /api/auth/logout',
  'Mutation.logout',
  'POST /login',
  'POST /api/login',
  'Mutation.login',
  'POST /totp-validate',
  'POST /api/totp-validate',
  'Mutation.loginConfirm',
]);

let service: TestService;
let holders: { grant: string; id: number; token: string }[];
let nobody: { id: number; token: string };
let schema: ReturnType<typeof buildSchema>;
let declaredRest: Record<string, string>;

beforeAll(async () => {
  const { sdl, openapi } = await describeApis();
  schema = buildSchema(sdl);
  declaredRest = Object.fromEntries(
    Object.entries(
      (openapi as unknown as { paths: Record<string, Record<string, { 'x-needs': string }>> })
        .paths,
    ).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        operation['x-needs'],
      ]),
    ),
  );
  service = await startService();
  holders = [];
  for (const grant of GRANTS) holders.push({ grant, ...(await service.userWith([grant])) });
  nobody = await service.userWith([]);
});
afterAll(() => service.close());

const rootFields = (): [string, GraphQLField<unknown, unknown>][] =>
  [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].flatMap((type) =>
    Object.values(type?.getFields() ?? {}).map(
      (field): [string, GraphQLField<unknown, unknown>] => [`${type?.name}.${field.name}`, field],
    ),
  );

const declaredNeed = (field: GraphQLField<unknown, unknown>): string => {
  const argument = field.astNode?.directives?.find((directive) => directive.name.value === 'needs')
    ?.arguments?.[0]?.value;
  return argument?.kind === Kind.STRING ? argument.value : 'nothing';
};

it('the permissions declared by REST operations match the specified table', () =>
  expect(declaredRest).toEqual(REST));

it('the permissions declared by GraphQL root fields match the specified table', () =>
  expect(
    Object.fromEntries(rootFields().map(([name, field]) => [name, declaredNeed(field)])),
  ).toEqual(GRAPHQL));

function literal(type: GraphQLInputType, id: number): string {
  if (isNonNullType(type)) return literal(type.ofType, id);
  if (isListType(type)) return '[]';
  if (isEnumType(type)) return type.getValues()[0]?.name ?? '';
  if (isInputObjectType(type)) {
    const required = Object.values(type.getFields()).filter(isRequiredInputField);
    return `{ ${required.map((field) => `${field.name}: ${literal(field.type, id)}`).join(', ')} }`;
  }
  if (type.name === 'ID') return `"${id}"`;
  if (type.name === 'Int') return '1';
  if (type.name === 'Boolean') return 'true';
  if (type.name === 'JSON') return '{}';
  return '"x"';
}

function operation(name: string, field: GraphQLField<unknown, unknown>, id: number): string {
  const requiredArgs = field.args
    .filter(isRequiredArgument)
    .map((argument) => `${argument.name}: ${literal(argument.type, id)}`);
  const selection = isCompositeType(getNamedType(field.type)) ? ' { __typename }' : '';
  return `${name.startsWith('Query') ? 'query' : 'mutation'} { ${field.name}${requiredArgs.length > 0 ? `(${requiredArgs.join(', ')})` : ''}${selection} }`;
}

async function restAllows(
  operationName: string,
  token: string | null,
  id: number,
): Promise<boolean> {
  const [method, path] = operationName.split(' ') as [string, string];
  const answer = await service.api(
    method,
    path.replace(/\{(?:id|userId)\}/, String(id)).replace(/\{\w+\}/, 'x'),
    { token, body: method === 'GET' || method === 'DELETE' ? undefined : {} },
  );
  return answer.body?.message !== 'ACCESS_DENIED';
}

async function graphqlAllows(
  name: string,
  field: GraphQLField<unknown, unknown>,
  token: string | null,
  id: number,
): Promise<boolean> {
  const { errors, status } = await service.gql(operation(name, field, id), {}, token);
  const code = errors?.[0]?.extensions.code;
  expect([
    name,
    code === 'GRAPHQL_VALIDATION_FAILED' || code === 'GRAPHQL_PARSE_FAILED' || status === 404,
  ]).toEqual([name, false]);
  // The master password is checked only after the permission.
  if (errors?.[0]?.extensions.reason === 'MASTER_PASSWORD_NOT_SET') return true;
  return code !== 'FORBIDDEN' && code !== 'UNAUTHENTICATED';
}

/** The permission checked by the service where the declaration allows either of two. */
const ASKED_OF_CALLS: Record<string, string> = {
  'POST /api/aggregator': 'CONNECTION:CREATE',
  'POST /api/message': 'SCHEDULE:CREATE',
  'GET /api/execution/{id}': 'CONNECTION:READ',
  'GET /api/execution/{id}/raw/log': 'CONNECTION:READ',
  'Query.run': 'CONNECTION:READ',
  'Query.runs': 'CONNECTION:READ',
  'Query.logElement': 'CONNECTION:READ',
  'Query.logElements': 'CONNECTION:READ',
  'Query.logTurn': 'CONNECTION:READ',
};

/** Operations with required files are covered by the upload tests. */
const takesFile = ({ args }: GraphQLField<unknown, unknown>): boolean =>
  args.some(({ type }) => {
    const input = getNamedType(type);
    return (
      isInputObjectType(input) &&
      Object.values(input.getFields()).some(
        (field) => isRequiredInputField(field) && getNamedType(field.type).name === 'Upload',
      )
    );
  });
const callable = (): [string, GraphQLField<unknown, unknown>][] =>
  rootFields().filter(
    ([name, field]) =>
      !name.startsWith('Subscription') &&
      !HAS_EFFECTS.has(name) &&
      !takesFile(field) &&
      name !== 'Query.node',
  );

/** Holders of a permission that the operation requires, and a sample of the others. */
const askersFor = (need: string, nth: number): typeof holders => [
  ...new Set([
    ...holders.filter(({ grant }) => need.includes(grant)),
    ...shareOf(holders, nth, 16),
  ]),
];

it('each REST operation admits only callers with the required permission', async () => {
  const wrong: string[] = [];
  for (const [nth, [name, declared]] of Object.entries(REST)
    .filter(([each]) => !HAS_EFFECTS.has(each))
    .entries()) {
    const need = ASKED_OF_CALLS[name] ?? declared;
    for (const { grant, token } of askersFor(need, nth)) {
      if ((await restAllows(name, token, NOBODY)) !== expected(need, grant, false))
        wrong.push(`${name} with ${grant}`);
    }
    if ((await restAllows(name, nobody.token, NOBODY)) !== expected(need, 'none', false))
      wrong.push(`${name} with no right`);
    if ((await restAllows(name, null, NOBODY)) !== (need === 'public'))
      wrong.push(`${name} without a token`);
  }
  expect(wrong).toEqual([]);
});

longIt('each GraphQL operation admits only callers with the required permission', async () => {
  const wrong: string[] = [];
  for (const [nth, [name, field]] of callable().entries()) {
    const need = ASKED_OF_CALLS[name] ?? GRAPHQL[name] ?? 'nothing';
    for (const { grant, token } of askersFor(need, nth)) {
      if ((await graphqlAllows(name, field, token, NOBODY)) !== expected(need, grant, false))
        wrong.push(`${name} with ${grant}`);
    }
    if ((await graphqlAllows(name, field, nobody.token, NOBODY)) !== expected(need, 'none', false))
      wrong.push(`${name} with no right`);
    if ((await graphqlAllows(name, field, null, NOBODY)) !== (need === 'public'))
      wrong.push(`${name} without a token`);
  }
  expect(wrong).toEqual([]);
});

longIt('REST and GraphQL apply the permissions for own records', async () => {
  const wrong: string[] = [];
  const isOwnNeed = (need: string): boolean => need.includes('own');
  for (const { grant, token, id } of holders) {
    for (const [name, need] of Object.entries(REST).filter(
      ([each, what]) => isOwnNeed(what) && !each.endsWith('/logout'),
    )) {
      if ((await restAllows(name, token, id)) !== expected(need, grant, true))
        wrong.push(`${name} with ${grant}`);
    }
    for (const [name, field] of callable().filter(
      ([each]) =>
        isOwnNeed(GRAPHQL[each] ?? '') &&
        each !== 'Mutation.userPasswordChange' &&
        each !== 'Mutation.userSessionsEnd',
    )) {
      if (
        (await graphqlAllows(name, field, token, id)) !== expected(GRAPHQL[name] ?? '', grant, true)
      )
        wrong.push(`${name} with ${grant}`);
    }
  }
  expect(wrong).toEqual([]);
});

longIt('administrators may call every REST and GraphQL operation', async () => {
  const closed: string[] = [];
  for (const name of Object.keys(REST).filter((each) => !HAS_EFFECTS.has(each)))
    if (!(await restAllows(name, service.adminToken, NOBODY))) closed.push(name);
  for (const [name, field] of callable())
    if (!(await graphqlAllows(name, field, service.adminToken, NOBODY))) closed.push(name);
  expect(closed).toEqual([]);
});

describe('`me.can`', () => {
  const canOf = async (token: string): Promise<string[]> =>
    (await service.field('{ me { can { component action } } }', {}, token)).can.map(
      ({ component, action }: any) => `${component}:${action}`,
    );

  it('lists exactly the granted permissions and knows every required permission', async () => {
    for (const { grant, token } of holders) expect(await canOf(token)).toEqual([grant]);
    expect(await canOf(nobody.token)).toEqual([]);
    const everything = await canOf(service.adminToken);
    const requiredGrants = Object.values(GRAPHQL)
      .concat(Object.values(REST))
      .flatMap((need) => need.match(/[A-Z]+:[A-Z]+/g) ?? []);
    expect([...new Set(requiredGrants)].filter((grant) => !everything.includes(grant))).toEqual([]);
  });

  it('reflects a group change from the next request on', async () => {
    const { id, token } = await service.userWith(['USER:READ']);
    await service.mutate('userGroupChange', { id, groupId: '1' }, 'userErrors { code }');
    expect(await canOf(token)).toEqual(await canOf(service.adminToken));
  });
});
