import { dropIndexes } from '../../platform/store/drop-indexes';
import type { Migration } from '../../platform/store/migrations';
import { refold } from '../../platform/store/refold';
import { FIRST_ADMINISTRATOR, FIRST_ADMINISTRATORS } from './first-administrator';
import type { FirstAdministratorRecord } from './first-administrator';
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

/** Versions before this one lost the generated password of a first start that failed after making it. */
export const firstAdministratorsWhoNeverSignedIn: Migration = {
  name: 'first administrators who never signed in',
  async run({ store }) {
    const { connection } = store;
    const [first, second] = await connection.collection<UserRecord>('users').find({}, { projection: { credentialVersion: 1, version: 1 } }).limit(2).toArray();
    // Whether he was told is not known. Alone, and as he was made, he is all there is to be lost; and whoever starts the service now is told.
    if (first === undefined || second !== undefined || first.version !== 1) return;
    if ((await connection.collection('audit_events').findOne({ 'actor.userId': first._id, action: 'session.open' })) !== null) return;
    const mark = { userId: first._id, credentialVersion: first.credentialVersion, toldAt: null };
    await connection.collection<FirstAdministratorRecord>(FIRST_ADMINISTRATORS).updateOne({ _id: FIRST_ADMINISTRATOR }, { $setOnInsert: mark }, { upsert: true });
  },
};

/** When users signed in was told by the audit alone. */
export const lastLogins: Migration = {
  name: 'last logins of users',
  async run({ store, requireLease }) {
    const users = store.connection.collection<UserRecord>('users');
    await users.updateMany({ lastLogin: { $exists: false } }, { $set: { lastLogin: null } });
    const logins = await store.connection.collection('audit_events')
      .aggregate<{ _id: number; at: Date }>([{ $match: { action: 'session.open' } }, { $group: { _id: '$actor.userId', at: { $max: '$at' } } }]).toArray();
    for (let start = 0; start < logins.length; start += BATCH) {
      requireLease();
      await users.bulkWrite(logins.slice(start, start + BATCH).map(({ _id, at }) => ({ updateOne: { filter: { _id }, update: { $max: { lastLogin: at } } } })));
    }
  },
};
