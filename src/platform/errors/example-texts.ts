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
  CONFLICT: 'The workflow has version 8, not 7.',
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
  LAST_ADMINISTRATOR:
    'The last administrator cannot be deleted, disabled or moved to another group.',
  SELF_DELETION: 'You cannot delete yourself while you are signed in.',
  SELF_DISABLING: 'You cannot disable yourself.',
  USER_DISABLED: 'The user is disabled. Enable them first.',
  INVITATION_ACCEPTED: 'This user has signed in already.',
  SESSION_NOT_EXIST: 'The session does not exist.',
  API_TOKEN_LIMIT: 'A user has at most 100 API tokens. Revoke one that is not used any more.',
  API_TOKEN_NOT_FOUND: 'There is no API token 4711.',
  API_TOKEN_REFUSED: 'An API token cannot do this. Sign in to do it.',
  API_TOKEN_SCOPE_INVALID: 'A token needs at least one scope.',
  SECOND_FACTOR_INVALID: 'The code is wrong, or it was used before.',
  SECOND_FACTOR_OFF: 'You have no second factor.',
  SECOND_FACTOR_ON: 'You have a second factor. Remove it before you set up another app.',
  SECOND_FACTOR_OWN: 'Change your own second factor on the page of your account.',
  SECOND_FACTOR_REQUIRED:
    'Members of your group need a second factor. For another app, ask an administrator to reset it.',
  WRONG_PASSWORD: 'The password is wrong.',
  MESSAGE_TEMPLATE_NOT_FOUND: 'There is no template of messages 4711.',
  CONTENT_NOT_FOUND: 'There is no content 4711.',
  NOTIFICATION_NOT_FOUND: 'There is no notification 4711.',
  SYSTEM_COMPONENT_NOT_FOUND: 'The system check has no component "elasticsearch".',
  SECRET_NOT_STORED:
    'hypha.new: the value contains *** where no hidden value is stored. Enter the complete value.',
  ONLINE_ITEM_NOT_FOUND: 'The portal offers no such item.',
  ONLINE_SERVICES_OFF:
    'The online services are off. Set hypha.online-services.active, hypha.online-services.url in the configuration.',
  PORTAL_FAILED: 'The file has another SHA-256 than the portal lists.',
  SYNCHRONISATION_RUNNING: 'A synchronisation is running.',
  DELIVERY_NOT_FAILED: 'Only a message that failed can be sent again.',
  DELIVERY_NOT_FOUND: 'There is no message 4711.',
  INVALID_TOKEN: 'This link was used or has expired. Ask for a new one.',
  MAIL_NOT_CONFIGURED:
    'Passwords cannot be reset by mail. Set spring.mail.host, spring.mail.hypha.from, hypha.public-url in the configuration.',
  RECIPIENT_INVALID: 'The notification is invalid. recipients.0: This is not an e-mail address.',
  PASSWORDS_DIFFER: 'The two passwords differ.',
  LDAP_USER: 'A directory checks the password of this user. Change the password there.',
  LDAP_OWN_ACCOUNT: 'You cannot remove your own local password.',
  LICENCE_NOT_NEEDED: 'This product needs no licence: it has no limits to unlock.',
  UPDATE_NOT_SUPPORTED: 'There is no update here: the operator of the service installs updates.',
  SYSTEM_SETTING_NOT_FOUND: 'The system setting "app_logo" is not set.',
  EDITOR_SETTINGS_NOT_FOUND: 'User 4711 has no settings of the editor.',
  LDAP_NOT_CONFIGURED:
    'No LDAP directory is configured. Set spring.security.ldap.urls in the configuration.',
  LDAP_UNAVAILABLE: 'The LDAP directory does not answer. Try again later.',
  CONFIG_INVALID:
    'The service could not start with this configuration, so nothing was changed. hypha.time-zone = "Mars": must be an IANA time zone such as Europe/Berlin.',
  RESTART_NOT_SUPPORTED:
    'No supervisor is declared that would start the service again. Restart it by hand, or set hypha.supervised.',
  CONFIG_FILE_CHANGED: 'The configuration file has changed since it was loaded. Load it again.',
  CONFIG_FILE_NOT_WRITABLE:
    'The configuration file or its backup cannot be written (EACCES). Nothing was changed. Check /etc/hypha/application.yml and runtime/backup/application.',
  CONFIG_FILE_NOT_SHARED:
    'Other processes may use this MongoDB, and each may read a file of its own. Change the file of each process, or set hypha.config.shared if all read this one.',
  CONFIG_BACKUP_NOT_FOUND: 'There is no backup "none".',
  FILE_NOT_FOUND: 'The file does not exist.',
  GROUP_NOT_FOUND: 'There is no group 4711.',
  ROLE_ALREADY_EXIST: 'There is already a group called admin.',
  ROLE_IN_USE: 'The group Editors has 2 members.',
  ROLE_PROTECTED: 'The group User cannot be deleted.',
  WRONG_COMPONENT: 'There is no component 99.',
  WRONG_PERMISSION: 'There is already a permission called read.',
  CHANGE_DENIED: 'The built-in permission CREATE cannot be renamed.',
  USERGROUP_NOT_DELETED: 'The group Admin grants the permission CREATE.',
  PERMISSION_NOT_FOUND: 'There is no permission 4711.',
  INVOKER_NOT_FOUND: 'There is no invoker called Demo.',
  INVOKER_INVALID:
    'The invoker is invalid. xml: Line 1, column 1: <invoker> has no <name>; xml: Line 1, column 1: An invoker needs at least one operation.',
  INVOKER_ALREADY_EXISTS: 'There is already an invoker Demo.',
  INVOKER_IN_USE: 'The invoker Demo is in use: workflows "Tickets".',
  METHOD_NOT_FOUND_IN_INVOKER: 'The invoker Demo has no operation called GetTicket.',
  ZIP_FILE_REQUIRED: 'The file is no zip archive.',
  ZIP_INVALID: 'The archive cannot be read. It has two entries called demo.xml.',
  CONNECTOR_NOT_FOUND: 'There is no connector 4711.',
  'CONNECTOR_NOT_FOUND.400':
    'The workflow calls a connector that does not exist. fromConnector.methods.0.connector.connectorId: There is no connector 4711.',
  CONNECTOR_ALREADY_EXISTS: 'A connector with the title "Demo" already exists.',
  CONNECTOR_IN_USE: 'The connector "Tickets" is used by "Tickets to CRM".',
  REQUIRED_DATA_UNKNOWN:
    'The credentials do not match the invoker. requestData.pin: The invoker Demo has no field "pin".',
  REQUIRED_DATA_MISSING:
    'The credentials do not match the invoker. requestData: The invoker Demo requires the field "token".',
  TIMEOUT_INVALID:
    'The timeout must be a whole number of milliseconds from 0 to 3600000; 0 means the configured timeout.',
  OPERATION_NOT_GRAPHQL: 'The invoker Demo has no operation with a GraphQL body.',
  CREDENTIALS_NEED_CONFIRMATION:
    'The credentials were entered for another address. requestData.token: The change would send the field "token" to another origin. Enter its value again, or send the master password.',
  MASTER_PASSWORD_WRONG: 'The master password is wrong.',
  MASTER_PASSWORD_NOT_SET:
    'No master password is configured. Set HYPHA_CONNECTOR_MASTER_PASSWORD, and restart the service.',
  CONNECTION_NOT_FOUND: 'There is no workflow 4711.',
  TITLE_HAS_ALREADY_TAKEN: 'There is already a workflow with the title "Tickets".',
  CATEGORY_NOT_FOUND: 'There is no category 4711.',
  PARENT_CATEGORY_NOT_FOUND: 'There is no category 4711.',
  SUB_CATEGORY_NOT_FOUND: 'SUB_CATEGORY_NOT_FOUND(4711): there is no category 4711.',
  CYCLE_HAS_FOUND: 'A category cannot be below itself: Orders, Returns.',
  INVALID_CATEGORY_NAME: 'A category needs a name.',
  CATEGORY_IS_NULL: 'The body is null; send a category.',
  RULE_INVALID: 'A rule needs an expression.',
  RULE_NOT_FOUND: 'There is no masking rule 4711.',
  VERSION_IN_USE: 'This is the current version of the workflow. Switch to another one first.',
  VERSION_NOT_FOUND: 'Workflow 12 has no version "none".',
  TITLE_INVALID: 'A workflow needs a title.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'Operator (index=0, type=if) has null or empty expression',
  COMMUNICATION_FAILED: 'No connection, or one that broke, to 127.0.0.1:9 (ECONNREFUSED).',
  JOB_NOT_FOUND: 'There is no job 4711.',
  PATCH_INVALID: 'An operation is a JSON object.',
  STEPS_INVALID: 'These are not copied steps. `methods` is not a list of objects.',
  PATH_IS_INVALID: 'There is no value at "/fromConnector/methods/9".',
  PATCH_TEST_FAILED: 'The value at "/title" differs.',
  METHOD_NOT_FOUND: 'The workflow has no method "m7".',
  OPERATOR_NOT_FOUND: 'The workflow has no operator "o7".',
  ENHANCEMENT_NOT_FOUND: 'The workflow has no field binding "b7".',
  EXECUTION_ALREADY_FINISHED: 'Run 4711 has ended: CANCELLED.',
  ERROR_WORKFLOW_CIRCLE: 'Workflow 7 would be started by its own failure.',
  EXECUTION_NOT_FINISHED: 'Run 4711 has not ended: RUNNING.',
  RUN_NOT_REPEATABLE:
    'Run 4711 cannot be retried: its workflow, version or parameters no longer exist.',
  CONCURRENT_TEST_IS_FORBIDDEN:
    'This workflow is already being tested. Wait until that test has ended.',
  WIDGET_ALREADY_EXISTS: 'There is already a widget called "connection_overview".',
  WIDGET_PLACE_INVALID:
    'Positions of widgets are not valid. widgetSettings.0.x: Expected a whole number from 0 to 11.',
  WIDGET_NOT_FOUND: 'There is no widget 17.',
  SCHEDULER_HAS_WEBHOOK: 'The schedule 12 already has a webhook. Revoke it first.',
  TOO_MANY_CALLS: 'The webhook is called too often. Try again in 2 seconds.',
  WEBHOOK_NOT_FOUND: 'There is no such webhook.',
  WEBHOOK_PARAMETER_INVALID:
    'The parameters are not valid. count: The webhook parameter "count" is a value of kind text that is no integer.',
  TITLE_ALREADY_EXISTS: 'There is already a schedule called "Every morning".',
  CRON_INVALID:
    'The schedule is not valid. cronExp: A cron expression has six or seven fields: second, minute, hour, day of month, month, day of week, year. This has 5.',
  CRON_NEVER_DUE:
    'The schedule is not valid. cronExp: No date matches this cron expression, so the schedule would never be due.',
  TIME_ZONE_INVALID:
    'The schedule is not valid. timeZone: This is not a time zone of the IANA database, such as Europe/Berlin.',
  SCHEDULER_NOT_FOUND: 'There is no schedule 4711.',
  LOG_ELEMENT_NOT_FOUND: 'There is no element x in the log of a run.',
  RUN_LOG_GONE: 'Run 4711 has no log: it was started without logging.',
  LOG_FILE_NOT_FOUND: 'There is no log file with this name.',
  SUPPORT_FILE_NOT_FOUND: 'The support file does not exist or was deleted.',
  EXECUTION_NOT_FOUND: 'There is no run 4711.',
  LIST_TOO_LONG: 'A dashboard has at most 100 widgets.',
  NAME_INVALID: 'The widget is not valid. i: A widget needs a key.',
  AGGREGATOR_ALREADY_EXIST: 'There is already an aggregator called "Tickets".',
  AGGREGATOR_IN_USE: 'The aggregator "Tickets" is used by "Sync".',
  AGGREGATOR_NOT_FOUND: 'There is no aggregator 4711.',
  'AGGREGATOR_NOT_FOUND.400':
    'The workflow refers to an aggregator that does not exist. fromConnector.methods.0.dataAggregator: There is no aggregator 4711.',
  ARGUMENT_NAME_INVALID:
    'The aggregator is invalid. args.0.name: The name of an argument must be a JavaScript variable name: letters, digits, _ and $, at most 64 characters, and no reserved word.',
  ARGUMENT_NOT_FOUND: 'There is no argument 4711.',
  NAMED_TWICE: 'The aggregator is invalid. args.0.name: There are two arguments called tickets.',
  SECRET_ALREADY_EXIST:
    'There is already a secret called crm-token; names are compared without regard to case.',
  SECRET_IN_USE: 'The secret GitHub is used by "Tickets".',
  SECRET_NOT_FOUND: 'There is no secret 4711.',
  SECRET_ORIGIN_INVALID:
    'The secret is invalid. origins: A secret needs at least one origin that it may be sent to.',
  SECRET_VALUE_INVALID: 'The secret is invalid. value: The value is empty.',
  TEXT_INVALID: 'The widget is not valid. icon: This is not well-formed Unicode.',
  TEXT_TOO_LONG: 'The widget is not valid. icon: At most 255 characters.',
  TEMPLATE_INVALID:
    'The template is invalid. name: The name is missing; connection: Expected the workflow as a JSON object.',
  TEMPLATE_NOT_FOUND: 'There is no template 7b0f8a6e-4f0b-4a57-9d5e-0c6f3c1d2e3f.',
  WORKFLOW_INVALID: 'This workflow cannot be saved. fieldBinding: Expected a list.',
};

/** Message of an example. Default: the meaning of the code. */
export const exampleText = (code: ErrorCode, status: number): string =>
  TEXTS[`${code}.${status}`] ?? TEXTS[code] ?? ERROR_CODE_MEANINGS[code];
