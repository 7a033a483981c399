import { dropIndexes } from '../../platform/store/drop-indexes';
import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';
import type { UserRecord } from './user.model';
import { keysOf } from './user.rules';

export const foldedEmails = refold({ collection: 'users', text: 'email', key: 'emailKey' });

const BATCH = 500;

/** Users were ordered and found by their details as they were typed, through all records. */
export const foldedDetails: Migration = {
  name: 'keys of users by their details',
  async run({ store, requireLease }) {
    const users = store.connection.collection<UserRecord>('users');
    for (let last = 0; ;) {
      const batch = await users.find({ _id: { $gt: last } }, { projection: { detail: 1 } }).sort({ _id: 1 }).limit(BATCH).toArray();
      if (batch.length > 0) await users.bulkWrite(batch.map(({ _id, detail }) => ({ updateOne: { filter: { _id }, update: { $set: { detailKeys: keysOf(detail) } } } })));
      requireLease();
      if (batch.length < BATCH) return;
      last = batch[batch.length - 1]?._id ?? last;
    }
  },
};

/** Of the list of a group by id alone. */
export const userIndexesById = dropIndexes('users', ['groupId_1__id_1']);
