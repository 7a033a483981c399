/**
 * Every code a caller can meet: the `message` of a REST error body and the `code` of a GraphQL `userErrors` entry.
 * Names documented by the released API are kept; the others follow their style. The meaning is printed in the GraphQL schema.
 */
export const ERROR_CODE_MEANINGS = {
  // Access
  ACCESS_DENIED: 'No valid token, wrong credentials, or not allowed.',
  TOKEN_EXPIRED: 'The token was valid once; sign in again.',
  TOO_MANY_ATTEMPTS: 'Too many failed attempts; wait before the next one.',
  // The shape of a request
  BAD_REQUEST: 'The input does not have the documented shape.',
  NOT_FOUND: 'There is nothing at this address.',
  METHOD_NOT_ALLOWED: 'The address does not take this method.',
  PAYLOAD_TOO_LARGE: 'The body or the file is larger than allowed.',
  ID_INVALID: 'This is no id, or the id of another kind of object.',
  TEXT_INVALID: 'The text is not well-formed Unicode.',
  TEXT_TOO_LONG: 'The text has more characters than are allowed.',
  TIME_INVALID: 'The year of the time has not four digits.',
  NAME_INVALID: 'The name is missing, too long, or has characters that no name has.',
  LIST_TOO_LONG: 'The list has more entries than are allowed.',
  ONE_OF_REQUIRED: 'Of several fields exactly one is wanted.',
  UNSUPPORTED_MEDIA_TYPE: 'The body is of a kind that is not read here.',
  CONFLICT: 'Someone else changed the same thing first.',
  INTERNAL_SERVER_ERROR: 'A fault of the service; the log has it under the request id.',
  SERVICE_UNAVAILABLE: 'The service cannot answer now; try again.',
  // Users and sessions
  CREATION_ERROR: 'The user was not created.',
  FILE_INCOMPLETE: 'The file did not arrive whole.',
  WRONG_FORMAT: 'The file is not an image of an accepted kind.',
  USER_NOT_EXIST: 'There is no such user.',
  EMAIL_INVALID: 'The e-mail address is missing, too long, or none.',
  EMAIL_ALREADY_EXIST: 'The e-mail address is taken.',
  PASSWORD_INVALID: 'The password is missing or outside 8 to 128 characters.',
  LAST_ADMINISTRATOR: 'The last administrator can be neither removed nor demoted.',
  SELF_DELETION: 'Nobody deletes himself while signed in.',
  SESSION_NOT_EXIST: 'There is no such session.',
  FILE_NOT_FOUND: 'There is no such file.',
  ZIP_FILE_REQUIRED: 'The file is no zip archive.',
  ZIP_INVALID: 'The zip archive is broken, or has entries that are not taken.',
  // Groups, components and permissions
  GROUP_NOT_FOUND: 'There is no such group.',
  ROLE_ALREADY_EXIST: 'The name of the group is taken.',
  ROLE_IN_USE: 'The group still has members.',
  ROLE_PROTECTED: 'The groups Admin and User keep their names and stay; Admin keeps its rights.',
  WRONG_COMPONENT: 'There is no such component.',
  PERMISSION_ALREADY_EXIST: 'The name of the permission is taken.',
  PERMISSION_PROTECTED: 'The four permissions of the service itself keep their names and stay.',
  WRONG_PERMISSION: 'The name of the permission is blank or taken.',
  CHANGE_DENIED: 'The permission is unknown, its id differs from the address, or its name is taken.',
  USERGROUP_NOT_DELETED: 'A group still grants the permission.',
  PERMISSION_NOT_FOUND: 'There is no such permission.',
  // Workflows and runs
  CONNECTION_NOT_FOUND: 'There is no such workflow.',
  TITLE_HAS_ALREADY_TAKEN: 'The title of the workflow, or the name of the category, is taken.',
  TITLE_INVALID: 'The title of the workflow is blank or too long.',
  OPERATOR_EXPRESSION_IS_EMPTY: 'An operator of the workflow has no expression.',
  CONNECTOR_NOT_FOUND: 'There is no such connector.',
  CATEGORY_NOT_FOUND: 'There is no such category.',
  PARENT_CATEGORY_NOT_FOUND: 'There is no such category to stand below.',
  SUB_CATEGORY_NOT_FOUND: 'There is no such category to stand below another one.',
  CYCLE_HAS_FOUND: 'A category would stand below itself.',
  INVALID_CATEGORY_NAME: 'The name of the category is blank, too long, or has characters that no name has.',
  CATEGORY_IS_NULL: 'The body is null where a category is wanted.',
  WORKFLOW_INVALID: 'The workflow cannot be read.',
  SECRET_NOT_STORED: 'A `***` stands where nothing hidden is stored.',
  VERSION_IN_USE: 'The version is the current one of the workflow, or a run executes it.',
  VERSION_NOT_FOUND: 'There is no such version of the workflow.',
  EXECUTION_NOT_FOUND: 'There is no such run.',
  EXECUTION_ALREADY_FINISHED: 'The run has already ended.',
  RUN_LOG_GONE: 'The events of the run are no longer kept.',
  // Jobs
  JOB_NOT_FOUND: 'There is no such job, or it is somebody else\'s.',
  JOB_ALREADY_FINISHED: 'The job has already ended.',
  JOB_INTERRUPTED: 'The service stopped while the job waited or went on.',
} as const satisfies Record<string, string>;

export type ErrorCode = keyof typeof ERROR_CODE_MEANINGS;

export const ERROR_CODES = Object.keys(ERROR_CODE_MEANINGS) as readonly ErrorCode[];
