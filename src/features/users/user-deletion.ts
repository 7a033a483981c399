import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce } from '../../platform/store/all-or-none';
import { requireVersion } from '../../platform/store/expected-version';
import type { ExpectedVersion } from '../../platform/store/expected-version';
import type { Store, Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { SessionService } from '../sessions/session.service';
import { presentRecord, userNotFound } from './user';
import type { User } from './user';
import type { UserRights } from './user-rights';
import type { UserWriting } from './user-writing';
import type { UserRecord } from './user.model';

export interface UserDeletionDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly sessions: SessionService;
  readonly uploads: Uploads;
  readonly users: Model<UserRecord>;
  readonly rights: UserRights;
  readonly writing: UserWriting;
}

/** Deleting users. */
export function createUserDeletion({ store, audit, sessions, uploads, users, rights, writing }: UserDeletionDependencies) {
  const everyOne = async (ids: readonly number[], tx: Tx): Promise<UserRecord[]> => {
    const found = await users.find({ _id: { $in: ids } }, null, { session: tx.session }).lean<UserRecord[]>();
    const known = new Map(found.map((record) => [record._id, record]));
    return ids.map((id) => {
      const record = known.get(id);
      if (!record) throw userNotFound(id);
      return record;
    });
  };

  const leaveNothing = async (actor: Actor, record: UserRecord, tx: Tx): Promise<void> => {
    const { _id: userId, credentialVersion, picture } = record;
    await sessions.endWithin({ userId, credentialVersion }, 'USER_DELETED', null, tx);
    await audit.record(actor, 'user.delete', { type: 'User', id: userId }, record, null, tx);
    tx.afterCommit(() => {
      writing.accessChanged(userId);
      return uploads.discard(picture);
    });
  };

  const removeWithin = async (actor: Actor, found: readonly UserRecord[], expected: ExpectedVersion, tx: Tx): Promise<User[]> => {
    const ids = found.map(({ _id }) => _id);
    if (ids.includes(actor.userId)) throw new Refused('SELF_DELETION', 'You cannot delete yourself while you are signed in.');
    await rights.leave(actor, found, tx);
    for (const record of found) requireVersion('user', record, expected);
    await users.deleteMany({ _id: { $in: ids } }, { session: tx.session });
    for (const record of found) await leaveNothing(actor, record, tx);
    return found.map(presentRecord);
  };

  return {
    /**
     * Deletes a user and ends his sessions. Answers him as he was.
     * @throws NotFound  USER_NOT_EXIST
     * @throws Refused   SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden his group holds more than the actor
     * @throws Conflict  CONFLICT another version than expected
     */
    remove: (actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> => store.transaction(async (tx) => {
      const [user] = await removeWithin(actor, await everyOne([id], tx), expectedVersion, tx);
      if (!user) throw userNotFound(id);
      return user;
    }),

    /**
     * Deletes users, all or none, and ends their sessions. Answers them as they were.
     * @throws BadInput  too many
     * @throws NotFound  USER_NOT_EXIST one of them is unknown
     * @throws Refused   SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden the group of one of them holds more than the actor
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<User[]> {
      const unique = eachOnce(ids, 'users');
      return store.transaction(async (tx) => removeWithin(actor, await everyOne(unique, tx), undefined, tx));
    },
  };
}
