/** Internal type. DO NOT USE DIRECTLY. */
type Exact<T extends { [key: string]: unknown }> = { [K in keyof T]: T[K] };
/** Internal type. DO NOT USE DIRECTLY. */
export type Incremental<T> = T | { [P in keyof T]?: P extends ' $fragmentName' | '__typename' ? T[P] : never };
import type { TypedDocumentNode as DocumentNode } from '@graphql-typed-document-node/core';
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

/** What went wrong. REST answers carry the same codes in `message`. */
export type ErrorCode =
  /** No valid token, wrong credentials, or not allowed. */
  | 'ACCESS_DENIED'
  /** Another aggregator has this name. */
  | 'AGGREGATOR_ALREADY_EXIST'
  /** Methods of workflows use the aggregator. */
  | 'AGGREGATOR_IN_USE'
  /** The aggregator does not exist. */
  | 'AGGREGATOR_NOT_FOUND'
  /** The user has the maximum number of API tokens. */
  | 'API_TOKEN_LIMIT'
  /** The API token does not exist. */
  | 'API_TOKEN_NOT_FOUND'
  /** API tokens cannot be used for this operation; it needs a session. */
  | 'API_TOKEN_REFUSED'
  /** A scope is missing, unknown, or not granted to the user. */
  | 'API_TOKEN_SCOPE_INVALID'
  /** The name of the argument is not a valid variable name. */
  | 'ARGUMENT_NAME_INVALID'
  /** The aggregator does not have this argument. */
  | 'ARGUMENT_NOT_FOUND'
  /** The input does not have the documented shape. */
  | 'BAD_REQUEST'
  /** The body is null instead of a category. */
  | 'CATEGORY_IS_NULL'
  /** The category does not exist. */
  | 'CATEGORY_NOT_FOUND'
  /** The permission is unknown, its id differs from the address, or its name is taken. */
  | 'CHANGE_DENIED'
  /** Another method of the workflow has this colour. */
  | 'COLOR_TAKEN'
  /** The remote system did not respond, or responded with an error. */
  | 'COMMUNICATION_FAILED'
  /** A test of the workflow is already running. */
  | 'CONCURRENT_TEST_IS_FORBIDDEN'
  /** The backup does not exist. */
  | 'CONFIG_BACKUP_NOT_FOUND'
  /** The configuration file was changed in the meantime. */
  | 'CONFIG_FILE_CHANGED'
  /** The service may have several processes, and not all may read the configuration file. */
  | 'CONFIG_FILE_NOT_SHARED'
  /** The configuration file or its backup cannot be read or written. */
  | 'CONFIG_FILE_NOT_WRITABLE'
  /** The change cannot be made, or the service could not start with the configuration file. */
  | 'CONFIG_INVALID'
  /** The record was changed in the meantime. */
  | 'CONFLICT'
  /** The workflow does not exist. */
  | 'CONNECTION_NOT_FOUND'
  /** Another connector has this title. */
  | 'CONNECTOR_ALREADY_EXISTS'
  /** Workflows use the connector. */
  | 'CONNECTOR_IN_USE'
  /** The connector does not exist. */
  | 'CONNECTOR_NOT_FOUND'
  /** The content of a message template does not exist. */
  | 'CONTENT_NOT_FOUND'
  /** The user was not created. */
  | 'CREATION_ERROR'
  /** A stored value would be sent to an origin it was not entered for: enter it again, or confirm it with the master password. */
  | 'CREDENTIALS_NEED_CONFIRMATION'
  /** The e-mail or the password is wrong, or the user cannot sign in. */
  | 'CREDENTIALS_WRONG'
  /** This is not a cron expression of six or seven fields. */
  | 'CRON_INVALID'
  /** The cron expression has no time in the future. */
  | 'CRON_NEVER_DUE'
  /** The text is no cURL command that a step can send. */
  | 'CURL_INVALID'
  /** A category would be its own ancestor. */
  | 'CYCLE_HAS_FOUND'
  /** Only a message that was given up and is still stored can be sent again. */
  | 'DELIVERY_NOT_FAILED'
  /** The message does not exist. */
  | 'DELIVERY_NOT_FOUND'
  /** The user has no settings of the editor. */
  | 'EDITOR_SETTINGS_NOT_FOUND'
  /** Another user has this e-mail address. */
  | 'EMAIL_ALREADY_EXIST'
  /** The e-mail address is missing, too long, or not valid. */
  | 'EMAIL_INVALID'
  /** The workflow does not have this field binding. */
  | 'ENHANCEMENT_NOT_FOUND'
  /** A workflow would be started by its own failure, or the chain of error workflows is too long. */
  | 'ERROR_WORKFLOW_CIRCLE'
  /** The example cannot be called at the address of the service. */
  | 'EXAMPLE_NOT_AVAILABLE'
  /** The run has already ended. */
  | 'EXECUTION_ALREADY_FINISHED'
  /** The run has not ended yet. */
  | 'EXECUTION_NOT_FINISHED'
  /** The run does not exist. */
  | 'EXECUTION_NOT_FOUND'
  /** The instance cannot be exported to this file, or not now. */
  | 'EXPORT_REFUSED'
  /** The form describes no expression. */
  | 'EXPRESSION_FORM_INVALID'
  /** The file was not received completely. */
  | 'FILE_INCOMPLETE'
  /** The file does not exist. */
  | 'FILE_NOT_FOUND'
  /** The group does not exist. */
  | 'GROUP_NOT_FOUND'
  /** This is not an id, or the id of an object of another type. */
  | 'ID_INVALID'
  /** Too many large inputs are waiting to be read; try again. */
  | 'INPUT_QUEUE_FULL'
  /** Reading the input takes more memory or time than allowed. */
  | 'INPUT_TOO_COMPLEX'
  /** An internal error; find it in the log by the request id. */
  | 'INTERNAL_SERVER_ERROR'
  /** The name of the category is blank, too long, or contains characters that are not allowed. */
  | 'INVALID_CATEGORY_NAME'
  /** The link to set a password was used, has expired, or is not valid. */
  | 'INVALID_TOKEN'
  /** The user has signed in, so an invitation is not needed any more. */
  | 'INVITATION_ACCEPTED'
  /** Another invoker has this name. */
  | 'INVOKER_ALREADY_EXISTS'
  /** The XML of the invoker cannot be read, or is not a valid invoker. */
  | 'INVOKER_INVALID'
  /** A connector or a workflow uses the invoker. */
  | 'INVOKER_IN_USE'
  /** The invoker does not exist. */
  | 'INVOKER_NOT_FOUND'
  /** An outer loop uses the same loop variable. */
  | 'ITERATOR_TAKEN'
  /** The job has already ended. */
  | 'JOB_ALREADY_FINISHED'
  /** The service stopped while the job was waiting or running. */
  | 'JOB_INTERRUPTED'
  /** The job does not exist, or belongs to another user. */
  | 'JOB_NOT_FOUND'
  /** The last administrator cannot be deleted, disabled or moved to another group. */
  | 'LAST_ADMINISTRATOR'
  /** No LDAP directory is configured. */
  | 'LDAP_NOT_CONFIGURED'
  /** Users cannot remove their own local password. */
  | 'LDAP_OWN_ACCOUNT'
  /** The LDAP directory does not answer; try again. */
  | 'LDAP_UNAVAILABLE'
  /** A directory checks the password of the user; change it there. */
  | 'LDAP_USER'
  /** The product works without a licence, so there is none to activate or delete. */
  | 'LICENCE_NOT_NEEDED'
  /** The list has more entries than allowed. */
  | 'LIST_TOO_LONG'
  /** This login was completed, or has ended; sign in with the password again. */
  | 'LOGIN_ENDED'
  /** The log of the run does not have this element. */
  | 'LOG_ELEMENT_NOT_FOUND'
  /** The log file does not exist. */
  | 'LOG_FILE_NOT_FOUND'
  /** Mail is not configured: the server, the sender or the public URL is missing. */
  | 'MAIL_NOT_CONFIGURED'
  /** This cannot be a master password. */
  | 'MASTER_PASSWORD_INVALID'
  /** No master password is configured. */
  | 'MASTER_PASSWORD_NOT_SET'
  /** The master password is wrong, or missing. */
  | 'MASTER_PASSWORD_WRONG'
  /** The message template does not exist. */
  | 'MESSAGE_TEMPLATE_NOT_FOUND'
  /** The address does not accept this method. */
  | 'METHOD_NOT_ALLOWED'
  /** The workflow does not have this method. */
  | 'METHOD_NOT_FOUND'
  /** The invoker does not have this operation. */
  | 'METHOD_NOT_FOUND_IN_INVOKER'
  /** The list contains the same thing twice. */
  | 'NAMED_TWICE'
  /** The name is missing, too long, or contains characters that are not allowed. */
  | 'NAME_INVALID'
  /** The notification does not exist. */
  | 'NOTIFICATION_NOT_FOUND'
  /** The address does not exist. */
  | 'NOT_FOUND'
  /** Exactly one of several fields is required. */
  | 'ONE_OF_REQUIRED'
  /** The portal offers no such item. */
  | 'ONLINE_ITEM_NOT_FOUND'
  /** The online services are off, or the address of the portal is not set. */
  | 'ONLINE_SERVICES_OFF'
  /** The invoker has no GraphQL operation. */
  | 'OPERATION_NOT_GRAPHQL'
  /** An operator of the workflow has no expression. */
  | 'OPERATOR_EXPRESSION_IS_EMPTY'
  /** The workflow does not have this operator. */
  | 'OPERATOR_NOT_FOUND'
  /** Users change their own password with the current one: `ownPasswordChange`. */
  | 'OWN_PASSWORD'
  /** The parent category does not exist. */
  | 'PARENT_CATEGORY_NOT_FOUND'
  /** The new password and its repetition differ. */
  | 'PASSWORDS_DIFFER'
  /** The password is missing, not 8 to 128 characters long, or consists of blanks only. */
  | 'PASSWORD_INVALID'
  /** This is not a JSON patch (RFC 6902). */
  | 'PATCH_INVALID'
  /** A value that the patch tests is different. */
  | 'PATCH_TEST_FAILED'
  /** A path of a patch is not a JSON pointer, does not exist, or goes through a prototype. */
  | 'PATH_IS_INVALID'
  /** The body or the file is larger than allowed. */
  | 'PAYLOAD_TOO_LARGE'
  /** Another permission has this name. */
  | 'PERMISSION_ALREADY_EXIST'
  /** The permission does not exist. */
  | 'PERMISSION_NOT_FOUND'
  /** The four built-in permissions cannot be renamed or deleted. */
  | 'PERMISSION_PROTECTED'
  /** The portal of the online services does not answer as documented. */
  | 'PORTAL_FAILED'
  /** A recipient is not an e-mail address, or not an http or https URL. */
  | 'RECIPIENT_INVALID'
  /** The invoker requires the field. */
  | 'REQUIRED_DATA_MISSING'
  /** The invoker does not have this field. */
  | 'REQUIRED_DATA_UNKNOWN'
  /** No supervisor is declared that would start the service again, or it may have several processes. */
  | 'RESTART_NOT_SUPPORTED'
  /** Another group has this name. */
  | 'ROLE_ALREADY_EXIST'
  /** The group has members. */
  | 'ROLE_IN_USE'
  /** The groups Admin and User cannot be renamed or deleted, and Admin keeps its permissions. */
  | 'ROLE_PROTECTED'
  /** The masking rule does not compile or could take unlimited time, or there are too many rules. */
  | 'RULE_INVALID'
  /** The workflow does not have this masking rule. */
  | 'RULE_NOT_FOUND'
  /** The events of the run were removed. */
  | 'RUN_LOG_GONE'
  /** The version of the workflow, or the input that the run was started with, was deleted. */
  | 'RUN_NOT_REPEATABLE'
  /** There is no answer of a step: test the workflow, or give a sample. */
  | 'SAMPLE_MISSING'
  /** The status of the sample is not one from 100 to 599. */
  | 'SAMPLE_STATUS_INVALID'
  /** The sample of a step is larger than allowed. */
  | 'SAMPLE_TOO_LARGE'
  /** The schedule already has a webhook. */
  | 'SCHEDULER_HAS_WEBHOOK'
  /** The schedule does not exist. */
  | 'SCHEDULER_NOT_FOUND'
  /** The code of the second factor is wrong or was used before. */
  | 'SECOND_FACTOR_INVALID'
  /** The user has no second factor. */
  | 'SECOND_FACTOR_OFF'
  /** The user has a second factor. */
  | 'SECOND_FACTOR_ON'
  /** Users change their own second factor with its code. */
  | 'SECOND_FACTOR_OWN'
  /** Members of the group need a second factor. */
  | 'SECOND_FACTOR_REQUIRED'
  /** Another secret has this name. */
  | 'SECRET_ALREADY_EXIST'
  /** Workflows use the secret. */
  | 'SECRET_IN_USE'
  /** The secret does not exist. */
  | 'SECRET_NOT_FOUND'
  /** The input contains `***` where no hidden value is stored. */
  | 'SECRET_NOT_STORED'
  /** An origin that the secret may be sent to is missing, invalid, or a wildcard over a public suffix. */
  | 'SECRET_ORIGIN_INVALID'
  /** The value of the secret is empty. */
  | 'SECRET_VALUE_INVALID'
  /** Users cannot delete themselves. */
  | 'SELF_DELETION'
  /** Users cannot disable themselves. */
  | 'SELF_DISABLING'
  /** The service is temporarily unavailable; try again. */
  | 'SERVICE_UNAVAILABLE'
  /** The session does not exist. */
  | 'SESSION_NOT_EXIST'
  /** These are not copied steps. */
  | 'STEPS_INVALID'
  /** The step has the other type: a method, or an operator. */
  | 'STEP_KIND_DIFFERS'
  /** The workflow does not have this step. */
  | 'STEP_NOT_FOUND'
  /** The step cannot be placed there. */
  | 'STEP_PLACE_INVALID'
  /** The disk is full: only deletes, sign-in, sign-out and reads are served until there is room. */
  | 'STORAGE_FULL'
  /** The subcategory does not exist. */
  | 'SUB_CATEGORY_NOT_FOUND'
  /** The support file does not exist or was removed. */
  | 'SUPPORT_FILE_NOT_FOUND'
  /** A synchronisation is running. */
  | 'SYNCHRONISATION_RUNNING'
  /** The system check has no component of this name. */
  | 'SYSTEM_COMPONENT_NOT_FOUND'
  /** The system setting is not set, or there is none of this name. */
  | 'SYSTEM_SETTING_NOT_FOUND'
  /** The connector has another invoker than the template requires. */
  | 'TEMPLATE_CONNECTOR_MISFIT'
  /** A connector that the template needs was not chosen. */
  | 'TEMPLATE_CONNECTOR_MISSING'
  /** The template does not need this connector, or it was chosen twice. */
  | 'TEMPLATE_CONNECTOR_UNKNOWN'
  /** The template cannot be read. */
  | 'TEMPLATE_INVALID'
  /** The template does not exist. */
  | 'TEMPLATE_NOT_FOUND'
  /** The text is not well-formed Unicode. */
  | 'TEXT_INVALID'
  /** The text has more characters than are allowed. */
  | 'TEXT_TOO_LONG'
  /** The timeout is not a whole number of milliseconds up to one hour. */
  | 'TIMEOUT_INVALID'
  /** The year of the time does not have four digits. */
  | 'TIME_INVALID'
  /** This is not a time zone of the IANA database. */
  | 'TIME_ZONE_INVALID'
  /** Another schedule has this title. */
  | 'TITLE_ALREADY_EXISTS'
  /** Another workflow has this title, or another category this name. */
  | 'TITLE_HAS_ALREADY_TAKEN'
  /** The title is blank or too long. */
  | 'TITLE_INVALID'
  /** The session or the API token has expired; sign in again, or use another token. */
  | 'TOKEN_EXPIRED'
  /** Too many failed attempts; wait before the next one. */
  | 'TOO_MANY_ATTEMPTS'
  /** Too many calls; wait before the next one. */
  | 'TOO_MANY_CALLS'
  /** The media type of the body is not supported here. */
  | 'UNSUPPORTED_MEDIA_TYPE'
  /** The operator of the service installs updates; it does not update itself. */
  | 'UPDATE_NOT_SUPPORTED'
  /** A group still grants the permission. */
  | 'USERGROUP_NOT_DELETED'
  /** The user is disabled. */
  | 'USER_DISABLED'
  /** The user does not exist. */
  | 'USER_NOT_EXIST'
  /** The version is the current one of the workflow, or a run executes it. */
  | 'VERSION_IN_USE'
  /** The workflow does not have this version. */
  | 'VERSION_NOT_FOUND'
  /** The webhook does not exist or was revoked. */
  | 'WEBHOOK_NOT_FOUND'
  /** A parameter of the webhook does not have the type that the workflow declares. */
  | 'WEBHOOK_PARAMETER_INVALID'
  /** Another widget has this key. */
  | 'WIDGET_ALREADY_EXISTS'
  /** The widget does not exist. */
  | 'WIDGET_NOT_FOUND'
  /** The position or size of a widget is not a whole number from 0 to 10,000. */
  | 'WIDGET_PLACE_INVALID'
  /** The file is not an exported workflow. */
  | 'WORKFLOW_FILE_INVALID'
  /** The workflow cannot be read. */
  | 'WORKFLOW_INVALID'
  /** The workflow has parts that a 4.x client cannot show and would lose. */
  | 'WORKFLOW_NEEDS_5X_CLIENT'
  /** The component does not exist. */
  | 'WRONG_COMPONENT'
  /** The file is not an image of a supported type. */
  | 'WRONG_FORMAT'
  /** The current password is wrong or missing. */
  | 'WRONG_PASSWORD'
  /** The name of the permission is blank or taken. */
  | 'WRONG_PERMISSION'
  /** The file is not a zip archive. */
  | 'ZIP_FILE_REQUIRED'
  /** The zip archive is damaged, or contains entries that are not supported. */
  | 'ZIP_INVALID';

/** Conditions on an id: global ids or the integers of the REST API. */
export type IdFilter = {
  /** Equal to this. */
  eq?: string | number | null | undefined;
  /** One of these, 100 at most. */
  in?: Array<string | number> | null | undefined;
  /** True: has no value. False: has one. */
  isNull?: boolean | null | undefined;
};

/** A language of the user interface. */
export type Language =
  /** German. */
  | 'DE'
  /** English. */
  | 'EN';

/** E-mail and password. */
export type LoginInput = {
  /** E-mail, without regard to case. */
  email: string;
  /** Password, in any Unicode normalization form. */
  password: string;
};

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

/** Which end of a list comes first. */
export type OrderDirection =
  /** The least first. */
  | 'ASC'
  /** The greatest first. */
  | 'DESC';

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

/** What the list is ordered by; equal entries by their id. */
export type UserOrder = {
  /** Which end comes first. */
  direction?: OrderDirection;
  /** What is compared. */
  field: UserOrderField;
};

/** What the list is ordered by. */
export type UserOrderField =
  /** When the user was created. */
  | 'CREATED_AT'
  /** E-mail, without regard to case. */
  | 'EMAIL'
  /** Id. */
  | 'ID'
  /** When the user last signed in. Users who never signed in sort lowest. */
  | 'LAST_LOGIN'
  /** Given name, without regard to case. */
  | 'NAME'
  /** Family name, without regard to case. */
  | 'SURNAME'
  /** When the user was last changed. */
  | 'UPDATED_AT';

export type LoginMutationVariables = Exact<{
  input: LoginInput;
}>;


export type LoginMutation = { login: { token: string | null, session: { sessionId: string, expiresAt: string } | null, user: { databaseId: number, email: string } | null, userErrors: Array<{ code: ErrorCode, message: string, path: Array<string> }> } };

export type MeQueryVariables = Exact<{ [key: string]: never; }>;


export type MeQuery = { me: { id: string, databaseId: number, email: string, permissions: Array<string>, group: { name: string }, viewerCan: { update: boolean, delete: boolean } } };

export type LogoutMutationVariables = Exact<{ [key: string]: never; }>;


export type LogoutMutation = { logout: { userErrors: Array<{ code: ErrorCode }> } };

export type UsersQueryVariables = Exact<{
  first?: number | null | undefined;
  after?: string | null | undefined;
  filter?: UserFilter | null | undefined;
  orderBy?: UserOrder | null | undefined;
}>;


export type UsersQuery = { users: { totalCount: number, nodes: Array<{ databaseId: number, email: string, detail: { name: string | null, surname: string | null }, group: { name: string, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }> } }>, pageInfo: { hasNextPage: boolean, endCursor: string | null } } };

export type UserWithRightsFragment = { databaseId: number, email: string, detail: { name: string | null, surname: string | null }, group: { name: string, components: Array<{ component: { name: string }, permissions: Array<{ name: string }> }> } };

export type UserCreateMutationVariables = Exact<{
  input: UserCreateInput;
}>;


export type UserCreateMutation = { userCreate: { user: { id: string, databaseId: number, email: string } | null, userErrors: Array<{ code: ErrorCode, path: Array<string> }> } };

export const UserWithRightsFragmentDoc = {"kind":"Document","definitions":[{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserWithRights"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"databaseId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"detail"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"surname"}}]}},{"kind":"Field","name":{"kind":"Name","value":"group"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"component"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"permissions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<UserWithRightsFragment, unknown>;
export const LoginDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Login"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"LoginInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"login"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"token"}},{"kind":"Field","name":{"kind":"Name","value":"session"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"sessionId"}},{"kind":"Field","name":{"kind":"Name","value":"expiresAt"}}]}},{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"databaseId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"message"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<LoginMutation, LoginMutationVariables>;
export const MeDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"me"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"databaseId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"permissions"}},{"kind":"Field","name":{"kind":"Name","value":"group"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"viewerCan"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"update"}},{"kind":"Field","name":{"kind":"Name","value":"delete"}}]}}]}}]}}]} as unknown as DocumentNode<MeQuery, MeQueryVariables>;
export const LogoutDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"Logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"logout"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}}]}}]}}]}}]} as unknown as DocumentNode<LogoutMutation, LogoutMutationVariables>;
export const UsersDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"query","name":{"kind":"Name","value":"Users"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"first"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"Int"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"after"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"String"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"filter"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserFilter"}}},{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}},"type":{"kind":"NamedType","name":{"kind":"Name","value":"UserOrder"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"users"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"first"},"value":{"kind":"Variable","name":{"kind":"Name","value":"first"}}},{"kind":"Argument","name":{"kind":"Name","value":"after"},"value":{"kind":"Variable","name":{"kind":"Name","value":"after"}}},{"kind":"Argument","name":{"kind":"Name","value":"filter"},"value":{"kind":"Variable","name":{"kind":"Name","value":"filter"}}},{"kind":"Argument","name":{"kind":"Name","value":"orderBy"},"value":{"kind":"Variable","name":{"kind":"Name","value":"orderBy"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"totalCount"}},{"kind":"Field","name":{"kind":"Name","value":"nodes"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"FragmentSpread","name":{"kind":"Name","value":"UserWithRights"}}]}},{"kind":"Field","name":{"kind":"Name","value":"pageInfo"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"hasNextPage"}},{"kind":"Field","name":{"kind":"Name","value":"endCursor"}}]}}]}}]}},{"kind":"FragmentDefinition","name":{"kind":"Name","value":"UserWithRights"},"typeCondition":{"kind":"NamedType","name":{"kind":"Name","value":"User"}},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"databaseId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}},{"kind":"Field","name":{"kind":"Name","value":"detail"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"surname"}}]}},{"kind":"Field","name":{"kind":"Name","value":"group"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}},{"kind":"Field","name":{"kind":"Name","value":"components"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"component"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}},{"kind":"Field","name":{"kind":"Name","value":"permissions"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"name"}}]}}]}}]}}]}}]} as unknown as DocumentNode<UsersQuery, UsersQueryVariables>;
export const UserCreateDocument = {"kind":"Document","definitions":[{"kind":"OperationDefinition","operation":"mutation","name":{"kind":"Name","value":"UserCreate"},"variableDefinitions":[{"kind":"VariableDefinition","variable":{"kind":"Variable","name":{"kind":"Name","value":"input"}},"type":{"kind":"NonNullType","type":{"kind":"NamedType","name":{"kind":"Name","value":"UserCreateInput"}}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"userCreate"},"arguments":[{"kind":"Argument","name":{"kind":"Name","value":"input"},"value":{"kind":"Variable","name":{"kind":"Name","value":"input"}}}],"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"user"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"id"}},{"kind":"Field","name":{"kind":"Name","value":"databaseId"}},{"kind":"Field","name":{"kind":"Name","value":"email"}}]}},{"kind":"Field","name":{"kind":"Name","value":"userErrors"},"selectionSet":{"kind":"SelectionSet","selections":[{"kind":"Field","name":{"kind":"Name","value":"code"}},{"kind":"Field","name":{"kind":"Name","value":"path"}}]}}]}}]}}]} as unknown as DocumentNode<UserCreateMutation, UserCreateMutationVariables>;