import { NotFound } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import type { UserRecord } from './user.model';
import type { DetailChange } from './user.rules';

/** A user without secrets. */
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

/** The fields of a user that a session needs. */
export interface UserIdentity {
  readonly id: number;
  readonly email: string;
  readonly groupId: number;
  readonly credentialVersion: number;
}

/** The fields that a login compares. */
export interface StoredCredentials {
  readonly userId: number;
  readonly passwordHash: string | null;
  readonly credentialVersion: number;
}

/** Input for a new user. All fields are optional because the rules report missing ones. */
export interface NewUser {
  readonly email?: string;
  readonly password?: string;
  readonly groupId?: number;
  readonly detail?: DetailChange;
}

/** A change of a user. Missing fields and an empty password stay unchanged. */
export type UserChange = NewUser;

/** Converts a record to a user, without internal fields. */
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
