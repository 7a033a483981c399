/** What is recorded, noun first, with what each means: the one list. An action that is recorded nowhere else is added here. */
export const AUDIT_ACTIONS = {
  'category.create': 'A category was added.',
  'category.delete': 'A category was deleted.',
  'category.update': 'A category was renamed or moved.',
  'group.components': 'What a group may do was changed.',
  'group.create': 'A group was added.',
  'group.delete': 'A group was deleted.',
  'group.icon': 'The icon of a group was set or removed.',
  'group.update': 'Name or description of a group were changed.',
  'job.cancel': 'Somebody wanted a job to end.',
  'permission.create': 'A permission was added.',
  'permission.delete': 'A permission was deleted.',
  'permission.update': 'Name or description of a permission were changed.',
  'run.cancel': 'Somebody cancelled a run.',
  'run.start': 'A run was queued.',
  'session.end': 'A session was ended before its time.',
  'session.end-all': 'All sessions of a user were ended.',
  'session.open': 'Somebody signed in.',
  'session.refuse': 'Logins failed; counted for each account, address and minute.',
  'user.create': 'A user was added.',
  'user.delete': 'A user was deleted.',
  'user.detail': 'The details of a user were changed.',
  'user.group': 'A user was moved to another group.',
  'user.password': 'The password of a user was set.',
  'user.picture': 'The profile picture of a user was set or removed.',
  'user.update': 'E-mail, password, group or details of a user were changed at once.',
  'workflow.create': 'A workflow was saved for the first time.',
  'workflow.delete': 'A workflow was deleted.',
  'workflow.duplicate': 'A workflow was copied.',
  'workflow.switch': 'An earlier version of a workflow was made the current one.',
  'workflow.update': 'A workflow was saved again.',
  'workflow.version-comment': 'What is said about a version of a workflow was changed.',
  'workflow.version-delete': 'A version of a workflow was deleted.',
} as const;
export type AuditAction = keyof typeof AUDIT_ACTIONS;

/** The kinds of things that changes are recorded of: names of GraphQL types. */
export const AUDIT_TARGET_TYPES = {
  Job: 'Work in the background.',
  Category: 'A folder of workflows.',
  Permission: 'A permission that groups grant.',
  Run: 'An execution of a workflow.',
  Session: 'A login; its id is the `jti` of the token.',
  User: 'A user; of refused logins that name nobody, its id is `unknown`.',
  UserGroup: 'A group of users.',
  Workflow: 'A workflow.',
} as const;
export type AuditTargetType = keyof typeof AUDIT_TARGET_TYPES;
