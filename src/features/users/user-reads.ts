import type { Model } from 'mongoose';
import { NotFound } from '../../platform/errors/errors';
import { everyRecord, recordsByIds } from '../../platform/store/records';
import { pageOf } from '../../platform/store/keyset';
import type { Page, PageQuery } from '../../platform/store/keyset';
import { pagesOf } from '../../platform/store/pages-of';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import { presentRecord, userNotFound } from './user';
import type { StoredCredentials, User, UserIdentity } from './user';
import type { UserRecord } from './user.model';

const SECRETLESS = { passwordHash: 0, emailKey: 0, detailKeys: 0, credentialVersion: 0 } as const;

/** Reads users, and the credentials that a login compares. */
export function createUserReads(users: Model<UserRecord>) {
  const findByEmail = (
    email: string,
    projection: Readonly<Record<string, 0 | 1>>,
  ): Promise<UserRecord | null> =>
    users.findOne({ emailKey: fold(email) }, projection).lean<UserRecord>();

  const byId = async (id: number): Promise<User | null> => {
    const record = await users.findById(id, SECRETLESS).lean<UserRecord>();
    return record && presentRecord(record);
  };

  return {
    /** Normalises an e-mail for comparison: ignores case and surrounding blanks. */
    accountName: fold,

    byId,

    /** @throws NotFound USER_NOT_EXIST */
    async get(id: number): Promise<User> {
      const user = await byId(id);
      if (!user) throw userNotFound(id);
      return user;
    },

    /** Returns the users in the order of `ids`, null for unknown ones. One query. */
    async byIds(ids: readonly number[]): Promise<(User | null)[]> {
      return (await recordsByIds(users, ids, { projection: SECRETLESS })).map(
        (record) => record && presentRecord(record),
      );
    },

    countIn: (groupId: number, tx: Tx): Promise<number> =>
      users.countDocuments({ groupId }, { session: tx.session }),

    /** @throws NotFound USER_NOT_EXIST */
    async getByEmail(email: string): Promise<User> {
      const record = await findByEmail(email, SECRETLESS);
      if (!record)
        throw new NotFound('USER_NOT_EXIST', 'There is no user with this e-mail.', {
          path: ['email'],
        });
      return presentRecord(record);
    },

    async emailExists(email: string): Promise<boolean> {
      return (await users.exists({ emailKey: fold(email) })) !== null;
    },

    async *list(): AsyncGenerator<User, void, void> {
      for await (const records of everyRecord(users, {}, SECRETLESS))
        yield* records.map(presentRecord);
    },

    async page(query: PageQuery): Promise<Page<User>> {
      return (await pageOf<UserRecord>(users, query)).map(presentRecord);
    },

    /** Returns the same page of the users of each group. */
    async pagesOfGroups(groupIds: readonly number[], query: PageQuery): Promise<Page<User>[]> {
      return (await pagesOf(users, 'groupId', groupIds, query)).map((page) =>
        page.map(presentRecord),
      );
    },

    async identity(id: number): Promise<UserIdentity | null> {
      const record = await users
        .findById(id, { email: 1, groupId: 1, credentialVersion: 1 })
        .lean<UserRecord>();
      return (
        record && {
          id: record._id,
          email: record.email,
          groupId: record.groupId,
          credentialVersion: record.credentialVersion,
        }
      );
    },

    async credentials(email: string): Promise<StoredCredentials | null> {
      const record = await findByEmail(email, { email: 1, passwordHash: 1, credentialVersion: 1 });
      return (
        record && {
          userId: record._id,
          passwordHash: record.passwordHash,
          credentialVersion: record.credentialVersion,
        }
      );
    },

    /** Replaces an outdated hash, unless the password was changed in the meantime. */
    async upgradeHash({ userId, passwordHash }: StoredCredentials, better: string): Promise<void> {
      await users.updateOne({ _id: userId, passwordHash }, { $set: { passwordHash: better } });
    },
  };
}
