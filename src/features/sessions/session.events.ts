/** Bus topic: a `UserAccessChanged` after a user's e-mail or group was changed. What is remembered of his rights is then old. */
export const USER_ACCESS_CHANGED = 'user.access-changed';

export interface UserAccessChanged {
  readonly userId: number;
}
