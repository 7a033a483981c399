import { ERROR_CODE_MEANINGS } from './codes';
import type { ErrorCode } from './codes';

/**
 * What the service says with a code over REST, in an answer somebody could really get: by code, and by `code.status` where a code has
 * several statuses with words of their own. The examples of OpenAPI show these, and a test compares them with the answers of the service.
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
  INTERNAL_SERVER_ERROR: 'Something went wrong on our side. Request 7f3c1a52-0c3b-4c0e-9d53-6a1f0e6b2d18.',
  SERVICE_UNAVAILABLE: 'The database does not answer. Try again.',
  CREATION_ERROR: 'The user was not created. email: The e-mail is missing; password: The password is missing; userGroup: The group is missing.',
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
  CONNECTION_NOT_FOUND: 'There is no workflow 4711.',
  TITLE_HAS_ALREADY_TAKEN: 'There is already a workflow with the title "Tickets".',
  CATEGORY_NOT_FOUND: 'There is no category 4711.',
  PARENT_CATEGORY_NOT_FOUND: 'There is no category 4711.',
  SUB_CATEGORY_NOT_FOUND: 'There is no category 4711.',
  CYCLE_HAS_FOUND: 'A category cannot stand below itself: Tickets > Support > Tickets.',
  INVALID_CATEGORY_NAME: 'A category needs a name.',
  CATEGORY_IS_NULL: 'The body is null: this operation reads a category.',
  VERSION_IN_USE: 'This is the current version of the workflow. Switch to another one first.',
  VERSION_NOT_FOUND: 'Workflow 12 has no version "none".',
  TITLE_INVALID: 'A workflow needs a title.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'Operator (index=0, type=if) has null or empty expression',
  JOB_NOT_FOUND: 'There is no job 4711.',
  PATCH_INVALID: 'An operation is a JSON object.',
  PATH_IS_INVALID: 'There is nothing at "/fromConnector/methods/7".',
  PATCH_TEST_FAILED: 'The value at "/title" is another one.',
  METHOD_NOT_FOUND: 'The workflow has no method "m7".',
  OPERATOR_NOT_FOUND: 'The workflow has no operator "o7".',
  ENHANCEMENT_NOT_FOUND: 'The workflow has no field binding "b7".',
  WORKFLOW_INVALID: 'This workflow cannot be saved. fieldBinding: Expected a list.',
};

/** The text of an example; where the table has none, what the code means. */
export const exampleText = (code: ErrorCode, status: number): string => TEXTS[`${code}.${status}`] ?? TEXTS[code] ?? ERROR_CODE_MEANINGS[code];
