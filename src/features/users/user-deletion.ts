import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { BadInput, Refused } from '../../platform/errors/errors';
import type { Uploads } from '../../platform/files/uploads';
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

/** Most users one request deletes. */
const MOST_DELETED = 1_000;

/** Deleting users. */
export function createUserDeletion({ store, audit, sessions, uploads, users, rights, writing }: UserDeletionDependencies) {
  const everyOne = async (ids: readonly number[], tx: Tx): Promise<UserRecord[]> => {
    const found = await users.find({ _id: { $in: ids } }, null, { session: tx.session }).lean<UserRecord[]>();
    const known = new Set(found.map(({ _id }) => _id));
    const missing = ids.find((id) => !known.has(id));
    if (missing !== undefined) throw userNotFound(missing);
    return found;
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

  return {
    /**
     * Deletes users, all or none, and ends their sessions.
     * @throws NotFound  USER_NOT_EXIST one of them is unknown
     * @throws Refused   SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden the group of one of them holds more than the actor
     */
    async remove(actor: Actor, ids: readonly number[]): Promise<User[]> {
      const unique = [...new Set(ids)];
      if (unique.length > MOST_DELETED) throw new BadInput('BAD_REQUEST', `At most ${MOST_DELETED} users at once.`);
      return store.transaction(async (tx) => {
        const found = await everyOne(unique, tx);
        if (unique.includes(actor.userId)) throw new Refused('SELF_DELETION', 'You cannot delete yourself while you are signed in.');
        await rights.leave(actor, found, tx);
        await users.deleteMany({ _id: { $in: unique } }, { session: tx.session });
        for (const record of found) await leaveNothing(actor, record, tx);
        return found.map(presentRecord);
      });
    },
  };
}
