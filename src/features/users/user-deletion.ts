import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce, placesIn, requireVersion, THE_ID } from '../../platform/store/records';
import type { ExpectedVersion, PlaceOf } from '../../platform/store/records';
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
  readonly leavings: readonly UserLeavings[];
}

/** Removes data that is deleted together with its user. */
export interface UserLeavings {
  removeOf(userIds: readonly number[], tx: Tx): Promise<void>;
}

export function createUserDeletion({
  store,
  audit,
  sessions,
  uploads,
  users,
  rights,
  writing,
  leavings,
}: UserDeletionDependencies) {
  /** Returns the existing users in the order of `ids` and adds the missing ones to `found`. */
  const known = async (
    ids: readonly number[],
    place: PlaceOf,
    found: Findings,
    tx: Tx,
  ): Promise<UserRecord[]> => {
    const records = await users
      .find({ _id: { $in: ids } }, null, { session: tx.session })
      .lean<UserRecord[]>();
    const byId = new Map(records.map((record) => [record._id, record]));
    return ids.flatMap((id) => {
      const record = byId.get(id);
      if (!record) found.add(userNotFound(id, place(id)));
      return record ?? [];
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

  const removeWithin = async (
    actor: Actor,
    ids: readonly number[],
    place: PlaceOf,
    expected: ExpectedVersion,
    tx: Tx,
  ): Promise<User[]> => {
    const found = new Findings();
    const records = await known(ids, place, found, tx);
    if (ids.includes(actor.userId))
      found.add(
        new Refused('SELF_DELETION', 'You cannot delete yourself while you are signed in.', {
          path: place(actor.userId),
        }),
      );
    await found.of(() =>
      rights.leave(
        actor,
        records.filter(({ _id }) => _id !== actor.userId),
        place,
        tx,
      ),
    );
    for (const record of records) found.ofSync(() => requireVersion('user', record, expected));
    found.refuse();
    await users.deleteMany({ _id: { $in: ids } }, { session: tx.session });
    for (const one of leavings) await one.removeOf(ids, tx);
    for (const record of records) await leaveNothing(actor, record, tx);
    return records.map(presentRecord);
  };

  return {
    /**
     * Deletes a user and ends their sessions. Returns the user as they were.
     * @throws NotFound USER_NOT_EXIST
     * @throws Refused SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden if the user's group has rights that the actor lacks
     * @throws Conflict CONFLICT if the version is not the expected one
     */
    remove: (actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> =>
      store.transaction(async (tx) => {
        const [user] = await removeWithin(actor, [id], THE_ID, expectedVersion, tx);
        if (!user) throw userNotFound(id);
        return user;
      }),

    /**
     * Deletes all given users or none, and ends their sessions. Returns the users as they were.
     * @throws BadInput if there are too many
     * @throws NotFound USER_NOT_EXIST if one is unknown
     * @throws Refused SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden if the group of one has rights that the actor lacks
     */
    async removeAll(actor: Actor, ids: readonly number[]): Promise<User[]> {
      const unique = eachOnce(ids, 'users');
      return store.transaction((tx) => removeWithin(actor, unique, placesIn(ids), undefined, tx));
    },
  };
}
