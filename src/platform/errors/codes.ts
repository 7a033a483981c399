/**
 * Every code a caller can meet: the `message` of a REST error body and the `code` of a GraphQL `userErrors` entry.
 * Names documented by the released API are kept; the others follow their style.
 */
export const ERROR_CODES = [
  // Access
  'ACCESS_DENIED',
  'TOKEN_EXPIRED',
  'TOO_MANY_ATTEMPTS',
  // The shape of a request
  'BAD_REQUEST',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'CONFLICT',
  'INTERNAL_SERVER_ERROR',
  'SERVICE_UNAVAILABLE',
  // Users and sessions
  'CREATION_ERROR',
  'WRONG_FORMAT',
  'USER_NOT_EXIST',
  'EMAIL_ALREADY_EXIST',
  'PASSWORD_INVALID',
  'LAST_ADMINISTRATOR',
  'SELF_DELETION',
  'SESSION_NOT_EXIST',
  'FILE_NOT_FOUND',
  // Groups, components and permissions
  'GROUP_NOT_FOUND',
  'ROLE_ALREADY_EXIST',
  'ROLE_IN_USE',
  'WRONG_COMPONENT',
  'WRONG_PERMISSION',
  'CHANGE_DENIED',
  'USERGROUP_NOT_DELETED',
  'PERMISSION_NOT_FOUND',
  // Workflows and runs
  'CONNECTION_NOT_FOUND',
  'TITLE_HAS_ALREADY_TAKEN',
  'TITLE_INVALID',
  'OPERATOR_EXPRESSION_IS_EMPTY',
  'WORKFLOW_INVALID',
  'VERSION_NOT_FOUND',
  'EXECUTION_NOT_FOUND',
  'EXECUTION_ALREADY_FINISHED',
  'RUN_LOG_GONE',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];
