import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import type { EventBus } from '../../platform/events/bus';
import type { Uploads } from '../../platform/files/uploads';
import type { Store } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import type { Lockout } from '../../platform/access/lockout';
import type { SessionService } from '../sessions/session.service';
import { createUserChanges } from './user-changes';
import { createUserCreation } from './user-creation';
import { createUserDeletion } from './user-deletion';
import type { UserLeavings } from './user-deletion';
import { createUserLogins } from './user-logins';
import { createUserReads } from './user-reads';
import { createUserRights } from './user-rights';
import { createUserWriting } from './user-writing';
import { userSchema } from './user.model';
import type { UserRecord } from './user.model';

export type { NewUser, StoredCredentials, User, UserChange, UserIdentity } from './user';
export type { UserDetail, UserRecord } from './user.model';
export type { DetailChange } from './user.rules';

declare module '../../platform/context' {
  interface Services {
    users: UserService;
  }
}

export interface UserDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly directory: DirectoryService;
  readonly sessions: SessionService;
  readonly lockout: Pick<Lockout, 'forgive'>;
  readonly passwords: Passwords;
  readonly uploads: Uploads;
  readonly leavings: readonly UserLeavings[];
}

export type UserService = ReturnType<typeof createUserService>;

/** Users and their changes; each use case has its own file. */
export function createUserService({
  store,
  audit,
  bus,
  clock,
  directory,
  sessions,
  lockout,
  passwords,
  uploads,
  leavings,
}: UserDependencies) {
  const users = store.model<UserRecord>('User', userSchema, 'users');
  const rights = createUserRights({ users, directory });
  const writing = createUserWriting({ store, audit, bus, clock, users, rights });
  const { mayManage, requireMayManage } = rights;
  return {
    mayManage,
    requireMayManage,
    ...createUserReads(users),
    ...createUserLogins({ users, writing }),
    ...createUserCreation({ store, audit, clock, directory, passwords, users, rights, writing }),
    ...createUserChanges({ passwords, sessions, lockout, uploads, users, rights, writing }),
    ...createUserDeletion({ store, audit, sessions, uploads, users, rights, writing, leavings }),
  };
}
