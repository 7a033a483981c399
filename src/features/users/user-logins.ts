import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import { presentRecord } from './user';
import type { User } from './user';
import type { UserRecord } from './user.model';
import type { UserWriting } from './user-writing';

/** Writes that a login makes to a user record. */
export function createUserLogins({
  users,
  writing,
}: {
  users: Model<UserRecord>;
  writing: UserWriting;
}) {
  return {
    /** Serialise logins and changes of one user in this process: they write the same record. */
    inTurn: <R>(id: number, work: () => Promise<R>): Promise<R> =>
      writing.turns.of(`user ${id}`, work),

    /**
     * Stores the time of the login in the transaction that opens the session. Returns the updated
     * user, or null if there is none.
     */
    async noteLogin(id: number, at: Date, tx: Tx): Promise<User | null> {
      const record = await users
        .findOneAndUpdate(
          { _id: id },
          { $max: { lastLogin: at } },
          { session: tx.session, returnDocument: 'after' },
        )
        .lean<UserRecord>();
      return record && presentRecord(record);
    },
  };
}
