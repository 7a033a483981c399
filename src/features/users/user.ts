import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { UserRecord } from './user.model';
import type { DetailChange } from './user.rules';

/** A user, without anything secret. */
export interface User extends Pick<
  UserRecord,
  | 'email'
  | 'groupId'
  | 'authSource'
  | 'detail'
  | 'picture'
  | 'lastLogin'
  | 'createdAt'
  | 'updatedAt'
  | 'version'
> {
  readonly id: number;
}

/** What a session needs to know of its user. */
export interface UserIdentity {
  readonly id: number;
  readonly email: string;
  readonly groupId: number;
  readonly credentialVersion: number;
}

/** What a login compares with. */
export interface StoredCredentials {
  readonly userId: number;
  readonly passwordHash: string | null;
  readonly credentialVersion: number;
}

/** What is wanted of a new user. Everything may be missing: saying so is part of the rules. */
export interface NewUser {
  readonly email?: string;
  readonly password?: string;
  readonly groupId?: number;
  readonly detail?: DetailChange;
}

/** A change of a user: what is missing stays as it is, an empty password too. */
export type UserChange = NewUser;

/** A record without what only the service needs. */
export function presentRecord({
  _id,
  email,
  groupId,
  authSource,
  detail,
  picture,
  lastLogin,
  createdAt,
  updatedAt,
  version,
}: UserRecord): User {
  return {
    id: _id,
    email,
    groupId,
    authSource,
    detail,
    picture,
    lastLogin,
    createdAt,
    updatedAt,
    version,
  };
}

export const userNotFound = (id: number | string, path: InputPath = ['id']): NotFound =>
  new NotFound('USER_NOT_EXIST', `There is no user ${id}.`, { path });
