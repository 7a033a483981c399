import type { Migration } from '../../platform/store/startup/migrations';
import { emailKeyOf } from '../../platform/text/email';
import type { UserRecord } from './user.model';

/** International domains have one key, however they are written. */
export const emailKeyMigration: Migration = {
  name: 'compare e-mail addresses by the ASCII form of their domain',
  async run({ store, report, requireLease }) {
    const users = store.connection.collection<UserRecord>('users');
    const projection = { email: 1, emailKey: 1 };
    for await (const { _id, email, emailKey } of users.find({}, { projection, sort: { _id: 1 } })) {
      const key = emailKeyOf(email);
      if (key === emailKey) continue;
      requireLease();
      const other = await users.findOne({ emailKey: key }, { projection: { _id: 1 } });
      if (other === null) await users.updateOne({ _id }, { $set: { emailKey: key } });
      else
        report(
          'This user has the same e-mail address as another one, and cannot sign in: change the address or delete the user.',
          { userId: _id, otherUserId: other._id },
        );
    }
  },
};
