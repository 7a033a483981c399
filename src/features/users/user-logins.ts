import type { Model } from 'mongoose';
import type { Tx } from '../../platform/store/store';
import { presentRecord } from './user';
import type { User } from './user';
import type { UserRecord } from './user.model';
import type { UserWriting } from './user-writing';

/** What a login writes of a user. */
export function createUserLogins({
  users,
  writing,
}: {
  users: Model<UserRecord>;
  writing: UserWriting;
}) {
  return {
    /** Logins of one user and changes of him take turns in this process: they write the same record. */
    inTurn: <R>(id: number, work: () => Promise<R>): Promise<R> =>
      writing.turns.of(`user ${id}`, work),

    /** Notes when he signed in, in the transaction that opens his session. Answers him as he is then; null: there is no such user. */
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
