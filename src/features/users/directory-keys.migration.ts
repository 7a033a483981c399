import type { Migration } from '../../platform/store/startup/migrations';
import type { UserRecord } from './user.model';

/** A user as earlier versions stored them, with one key of their entry. */
type FormerUser = UserRecord & { readonly directoryKey?: string };

/** Accounts have a key of each kind that a server of the directory has shown. */
export const directoryKeysMigration: Migration = {
  name: 'keep several keys of the directory entry of an account',
  async run({ store, requireLease }) {
    const users = store.connection.collection<FormerUser>('users');
    const projection = { directoryKey: 1 };
    for await (const { _id, directoryKey } of users.find({}, { projection, sort: { _id: 1 } })) {
      if (directoryKey === undefined) continue;
      requireLease();
      const change = {
        $set: { directoryKeys: [directoryKey] },
        $unset: { directoryKey: 1 as const },
      };
      await users.updateOne({ _id }, change);
    }
  },
};
