import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import { Refused } from '../../platform/errors/errors';
import { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import { eachOnce, placesIn, THE_ID } from '../../platform/store/all-or-none';
import type { PlaceOf } from '../../platform/store/all-or-none';
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
  readonly leavings: readonly UserLeavings[];
}

/** What users leave behind that goes with them. */
export interface UserLeavings {
  removeOf(userIds: readonly number[], tx: Tx): Promise<void>;
}

/** Deleting users. */
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
  /** Those that are there, in the order asked; the others are noted. */
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
     * Deletes a user and ends his sessions. Answers him as he was.
     * @throws NotFound  USER_NOT_EXIST
     * @throws Refused   SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden his group holds more than the actor
     * @throws Conflict  CONFLICT another version than expected
     */
    remove: (actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> =>
      store.transaction(async (tx) => {
        const [user] = await removeWithin(actor, [id], THE_ID, expectedVersion, tx);
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
      return store.transaction((tx) => removeWithin(actor, unique, placesIn(ids), undefined, tx));
    },
  };
}
