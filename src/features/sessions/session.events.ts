/**
 * Bus topic: a `UserAccessChanged` after a user's e-mail or group changed. Cached rights of the
 * user are then outdated.
 */
export const USER_ACCESS_CHANGED = 'user.access-changed';

export interface UserAccessChanged {
  readonly userId: number;
}
