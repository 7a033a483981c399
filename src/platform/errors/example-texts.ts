import { ERROR_CODE_MEANINGS } from './codes';
import type { ErrorCode } from './codes';

/**
 * Realistic messages for the OpenAPI examples, by code, and by `code.status` where the message
 * depends on the status. A test compares them with the responses of the service.
 */
const TEXTS: Readonly<Record<string, string>> = {
  ACCESS_DENIED: 'Sign in to use this operation.',
  'ACCESS_DENIED.403': 'This needs USERGROUP:READ.',
  TOKEN_EXPIRED: 'The session has expired. Sign in again.',
  TOO_MANY_ATTEMPTS: 'Too many failed logins. Try again in 30 seconds.',
  BAD_REQUEST: 'The Host header is missing, malformed or there twice.',
  CONFLICT: 'The workflow has version 8 by now, not 7.',
  NOT_FOUND: 'There is nothing at /api/nothing.',
  PAYLOAD_TOO_LARGE: 'The body may have 1048576 bytes at most.',
  UNSUPPORTED_MEDIA_TYPE: 'This operation reads application/json, not text/plain.',
  INTERNAL_SERVER_ERROR:
    'Something went wrong on our side. Request 7f3c1a52-0c3b-4c0e-9d53-6a1f0e6b2d18.',
  SERVICE_UNAVAILABLE: 'The database does not answer. Try again.',
  CREATION_ERROR:
    'The user was not created. email: The e-mail is missing; password: The password is missing; userGroup: The group is missing.',
  WRONG_FORMAT: 'The file is not a complete PNG, JPEG, GIF or WebP image.',
  USER_NOT_EXIST: 'There is no user 4711.',
  EMAIL_ALREADY_EXIST: 'Another user has this e-mail.',
  PASSWORD_INVALID: 'The password must have 8 to 128 characters; this one has 5.',
  LAST_ADMINISTRATOR: 'The last administrator can be neither removed nor moved to another group.',
  SELF_DELETION: 'You cannot delete yourself while you are signed in.',
  SESSION_NOT_EXIST: 'There is no such session.',
  FILE_NOT_FOUND: 'There is no such file.',
  GROUP_NOT_FOUND: 'There is no group 4711.',
  ROLE_ALREADY_EXIST: 'There is a group called admin already.',
  ROLE_IN_USE: 'The group Editors has 2 members.',
  ROLE_PROTECTED: 'The group User cannot be deleted.',
  WRONG_COMPONENT: 'There is no component 99.',
  WRONG_PERMISSION: 'There is a permission called read already.',
  CHANGE_DENIED: 'The permission CREATE keeps its name: access control is built on it.',
  USERGROUP_NOT_DELETED: 'The permission CREATE is linked to the group Admin.',
  PERMISSION_NOT_FOUND: 'There is no permission 4711.',
  INVOKER_NOT_FOUND: 'There is no invoker called Demo.',
  INVOKER_INVALID:
    'The invoker cannot be read. file: demo.xml: Line 1, column 1: <invoker> has no <name>; file: demo.xml: Line 1, column 1: An invoker needs at least one operation.',
  INVOKER_ALREADY_EXISTS: 'There is an invoker called Demo already.',
  INVOKER_IN_USE: 'The invoker Demo is in use: workflows "Tickets".',
  METHOD_NOT_FOUND_IN_INVOKER: 'The invoker Demo has no operation called GetTicket.',
  ZIP_FILE_REQUIRED: 'The file is no zip archive.',
  ZIP_INVALID: 'The archive cannot be read. It has two entries called demo.xml.',
  CONNECTOR_NOT_FOUND: 'There is no connector 4711.',
  'CONNECTOR_NOT_FOUND.400':
    'The workflow calls a connector that does not exist. fromConnector.methods.0.connector.connectorId: There is no connector 4711.',
  CONNECTOR_ALREADY_EXISTS: 'There is a connector with the title "Tickets" already.',
  CONNECTOR_IN_USE: 'The connector "Tickets" is used by "Tickets to CRM".',
  REQUIRED_DATA_UNKNOWN:
    'The credentials do not fit the invoker. requestData.pin: The invoker Tickets has no field "pin".',
  REQUIRED_DATA_MISSING:
    'The credentials do not fit the invoker. requestData: The invoker Tickets asks for the field "token".',
  TIMEOUT_INVALID:
    'The time-out is a whole number of milliseconds, 3600000 at most; 0 is the configured one.',
  OPERATION_NOT_GRAPHQL: 'The invoker Tickets has no operation that speaks GraphQL.',
  CREDENTIALS_NEED_CONFIRMATION:
    'The credentials were entered for another address. requestData.token: The change would send the field "token" to another origin: enter its value again, or send the master password.',
  MASTER_PASSWORD_WRONG: 'The master password is wrong.',
  MASTER_PASSWORD_NOT_SET: 'No master password is configured, so nobody can prove that he has it.',
  CONNECTION_NOT_FOUND: 'There is no workflow 4711.',
  TITLE_HAS_ALREADY_TAKEN: 'There is already a workflow with the title "Tickets".',
  CATEGORY_NOT_FOUND: 'There is no category 4711.',
  PARENT_CATEGORY_NOT_FOUND: 'There is no category 4711.',
  SUB_CATEGORY_NOT_FOUND: 'SUB_CATEGORY_NOT_FOUND(4711): there is no category 4711.',
  CYCLE_HAS_FOUND: 'A category cannot stand below itself: Tickets > Support > Tickets.',
  INVALID_CATEGORY_NAME: 'A category needs a name.',
  CATEGORY_IS_NULL: 'The body is null: this operation reads a category.',
  RULE_INVALID: 'A rule needs an expression.',
  RULE_NOT_FOUND: 'There is no masking rule 4711.',
  VERSION_IN_USE: 'This is the current version of the workflow. Switch to another one first.',
  VERSION_NOT_FOUND: 'Workflow 12 has no version "none".',
  TITLE_INVALID: 'A workflow needs a title.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'Operator (index=0, type=if) has null or empty expression',
  COMMUNICATION_FAILED: 'No connection, or one that broke, to 127.0.0.1:9 (ECONNREFUSED).',
  JOB_NOT_FOUND: 'There is no job 4711.',
  PATCH_INVALID: 'An operation is a JSON object.',
  PATH_IS_INVALID: 'There is nothing at "/fromConnector/methods/7".',
  PATCH_TEST_FAILED: 'The value at "/title" is another one.',
  METHOD_NOT_FOUND: 'The workflow has no method "m7".',
  OPERATOR_NOT_FOUND: 'The workflow has no operator "o7".',
  ENHANCEMENT_NOT_FOUND: 'The workflow has no field binding "b7".',
  EXECUTION_ALREADY_FINISHED: 'Run 4711 has ended: CANCELLED.',
  ERROR_WORKFLOW_CIRCLE: 'Workflow 7 would be started by its own failure.',
  EXECUTION_NOT_FINISHED: 'Run 4711 has not ended: RUNNING.',
  RUN_NOT_REPEATABLE: 'What run 4711 executed, or was started with, is gone.',
  CONCURRENT_TEST_IS_FORBIDDEN: 'This workflow is being tested; one test of it at a time.',
  WIDGET_ALREADY_EXISTS: 'There is already a widget called "connection_overview".',
  WIDGET_PLACE_INVALID:
    'The widgets do not fit. widgetSettings.0.x: A whole number from 0 to 10000 is wanted.',
  WIDGET_NOT_FOUND: 'There is no widget 17.',
  SCHEDULER_HAS_WEBHOOK: 'The schedule 17 has a webhook already. Revoke it first.',
  TOO_MANY_CALLS: 'The webhook is called too often. Try again in 2 seconds.',
  WEBHOOK_NOT_FOUND: 'There is no such webhook.',
  WEBHOOK_PARAMETER_INVALID:
    'The parameters do not fit. count: The webhook parameter "count" is a value of kind text that is no integer.',
  TITLE_ALREADY_EXISTS: 'There is already a schedule called "Every morning".',
  CRON_INVALID:
    'The schedule does not fit. cronExp: A cron expression has six fields, or seven: second, minute, hour, day of month, month, day of week, year. This has 5.',
  CRON_NEVER_DUE:
    'The schedule does not fit. cronExp: No date matches this cron expression, so the schedule would never be due.',
  TIME_ZONE_INVALID:
    'The schedule does not fit. timeZone: This is no time zone of the IANA database, such as Europe/Berlin.',
  NOTIFICATIONS_UNAVAILABLE: 'Notifications are not sent by this version: the list must be empty.',
  SCHEDULER_NOT_FOUND: 'There is no schedule 4711.',
  LOG_ELEMENT_NOT_FOUND: 'There is no element x in the log of a run.',
  RUN_LOG_GONE: 'Run 4711 has no log: none was asked for.',
  LOG_FILE_NOT_FOUND: 'There is no file of a log that is called so.',
  SUPPORT_FILE_NOT_FOUND: 'There is no such support file, or no longer.',
  EXECUTION_NOT_FOUND: 'There is no run 4711.',
  LIST_TOO_LONG: 'The secret does not fit. origins: At most 50 origins.',
  NAME_INVALID:
    'The secret does not fit. name: A name begins with a letter and has letters, digits, - and _, 64 characters at most; letters are A to Z and a to z.',
  AGGREGATOR_ALREADY_EXIST: 'There is already an aggregator called "Tickets".',
  AGGREGATOR_IN_USE: 'The aggregator "Tickets" is used by "Sync".',
  AGGREGATOR_NOT_FOUND: 'There is no aggregator 4711.',
  'AGGREGATOR_NOT_FOUND.400':
    'The workflow refers to an aggregator that does not exist. fromConnector.methods.0.dataAggregator: There is no aggregator 4711.',
  ARGUMENT_NAME_INVALID:
    'The aggregator does not fit. args.0.name: An argument is called as a variable of JavaScript can be: letters, digits, _ and $, 64 at most.',
  ARGUMENT_NOT_FOUND: 'There is no argument 4711.',
  NAMED_TWICE: 'The aggregator does not fit. args.1.name: There are two arguments called tickets.',
  SECRET_ALREADY_EXIST: 'There is a secret called GitHub already; case does not count.',
  SECRET_IN_USE: 'The secret GitHub is used by "Tickets".',
  SECRET_NOT_FOUND: 'There is no secret 4711.',
  SECRET_ORIGIN_INVALID:
    'The secret does not fit. origins: A secret needs at least one origin that it may be sent to.',
  SECRET_VALUE_INVALID: 'The secret does not fit. value: The value is empty.',
  TEXT_INVALID: 'The secret does not fit. value: This is not well-formed Unicode.',
  TEXT_TOO_LONG: 'The secret does not fit. note: At most 1000 characters.',
  TEMPLATE_INVALID:
    'This is no template that can be read. name: The name is missing; connection: Expected the workflow as a JSON object.',
  TEMPLATE_NOT_FOUND: 'There is no template 7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f.',
  WORKFLOW_INVALID: 'This workflow cannot be saved. fieldBinding: Expected a list.',
};

/** Message of an example. Default: the meaning of the code. */
export const exampleText = (code: ErrorCode, status: number): string =>
  TEXTS[`${code}.${status}`] ?? TEXTS[code] ?? ERROR_CODE_MEANINGS[code];
