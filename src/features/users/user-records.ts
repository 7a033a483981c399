import type { Actor } from '../../platform/access/actor';
import { NotFound, Unauthenticated } from '../../platform/errors/errors';
import type { InputPath } from '../../platform/errors/errors';
import { everyRecord } from '../../platform/store/records';
import type { PlaceOf } from '../../platform/store/records';
import { pageOf } from '../../platform/store/lists/keyset';
import type { Page, PageQuery } from '../../platform/store/lists/keyset';
import { pagesOf } from '../../platform/store/lists/pages-of';
import { KeyedLock } from '../../platform/queues';
import type { Store, Tx } from '../../platform/store/store';
import { emailKeyOf } from '../../platform/text/email';
import type { AuditAction } from '../audit/audit.actions';
import type { AuditService } from '../audit/audit.service';
import { toUser, userCollection } from './user.model';
import type { User, UserRecord } from './user.model';

declare module '../../platform/context' {
  interface Services {
    userRecords: UserRecords;
  }
}

/** The fields of a user that a session needs. */
export type UserIdentity = Pick<User, 'id' | 'email' | 'groupId' | 'disabledAt'> &
  Pick<UserRecord, 'credentialVersion'>;

const WITHOUT_SECRETS = {
  passwordHash: 0,
  emailKey: 0,
  detailKeys: 0,
  directoryKeys: 0,
  credentialVersion: 0,
  claims: 0,
} as const;

export const userNotFound = (id: number, path: InputPath = ['id']): NotFound =>
  new NotFound('USER_NOT_EXIST', `There is no user ${id}.`, { path });

const target = (id: number) => ({ type: 'User', id }) as const;

/** Reads users, and writes them with an audit record but without checks. */
export class UserRecords {
  readonly collection;
  private readonly queues = new KeyedLock();

  constructor(
    private readonly store: Store,
    private readonly audit: AuditService,
  ) {
    this.collection = userCollection(store);
  }

  async byId(id: number): Promise<User | null> {
    const record = await this.collection.findOne({ _id: id }, { fields: WITHOUT_SECRETS });
    return record && toUser(record);
  }

  /** @throws NotFound USER_NOT_EXIST */
  async get(id: number): Promise<User> {
    const user = await this.byId(id);
    if (!user) throw userNotFound(id);
    return user;
  }

  /** Returns the users in the order of `ids`, null for unknown ones. One query. */
  async byIds(ids: readonly number[]): Promise<(User | null)[]> {
    return (await this.collection.byIds(ids, { fields: WITHOUT_SECRETS })).map(
      (record) => record && toUser(record),
    );
  }

  /** @throws NotFound USER_NOT_EXIST */
  async getAll(ids: readonly number[], pathOf: PlaceOf): Promise<User[]> {
    return (await this.byIds(ids)).map((user, at) => {
      if (!user) throw userNotFound(ids[at], pathOf(ids[at]));
      return user;
    });
  }

  async byEmail(email: string): Promise<User | null> {
    const record = await this.collection.findOne(
      { emailKey: emailKeyOf(email) },
      { fields: WITHOUT_SECRETS },
    );
    return record && toUser(record);
  }

  /** @throws NotFound USER_NOT_EXIST */
  async getByEmail(email: string): Promise<User> {
    const user = await this.byEmail(email);
    if (!user)
      throw new NotFound('USER_NOT_EXIST', 'There is no user with this e-mail.', {
        path: ['email'],
      });
    return user;
  }

  /** Returns whether a user other than `exceptId` has this e-mail, without regard to case. */
  async emailExists(email: string, exceptId?: number, tx?: Tx): Promise<boolean> {
    const others = exceptId === undefined ? {} : { _id: { $ne: exceptId } };
    return this.collection.exists({ emailKey: emailKeyOf(email), ...others }, tx);
  }

  async *list(): AsyncGenerator<User, void, void> {
    for await (const records of everyRecord(this.collection, {}, WITHOUT_SECRETS))
      yield* records.map(toUser);
  }

  async page(query: PageQuery): Promise<Page<User>> {
    return (await pageOf<UserRecord>(this.collection, query)).map(toUser);
  }

  /** Returns the same page of the users of each group. */
  async pagesOfGroups(groupIds: readonly number[], query: PageQuery): Promise<Page<User>[]> {
    const pages = await pagesOf(this.collection, 'groupId', groupIds, query);
    return pages.map((page) => page.map(toUser));
  }

  async identity(id: number): Promise<UserIdentity | null> {
    const record = await this.collection.findOne(
      { _id: id },
      { fields: { email: 1, groupId: 1, credentialVersion: 1, disabledAt: 1 } },
    );
    if (!record) return null;
    const { email, groupId, credentialVersion, disabledAt = null } = record;
    return { id, email, groupId, credentialVersion, disabledAt };
  }

  /** As `identity`, for what a user does now: null also for a disabled user. */
  async activeIdentity(id: number): Promise<UserIdentity | null> {
    const identity = await this.identity(id);
    return identity?.disabledAt ? null : identity;
  }

  /** Writes the user, so that concurrent transactions that claim or change them conflict. */
  async claim(id: number, tx: Tx): Promise<void> {
    await this.collection.updateOne({ _id: id }, { $inc: { claims: 1 } }, tx);
  }

  /** As `claim`. Returns null, without a claim, for a missing or disabled user. */
  async claimActive(id: number, tx: Tx): Promise<UserRecord | null> {
    return this.collection.findOneAndUpdate(
      { _id: id, disabledAt: null },
      { $inc: { claims: 1 } },
      { tx },
    );
  }

  /**
   * As `claimActive`, for what a user gets in with: a request that began before they were disabled
   * must not create it for the time after.
   * @throws Unauthenticated for a missing or disabled user
   */
  async requireActive(id: number, tx: Tx): Promise<void> {
    if (!(await this.claimActive(id, tx)))
      throw new Unauthenticated('The user was disabled or deleted.');
  }

  async countInGroup(groupId: number, tx: Tx): Promise<number> {
    return this.collection.count({ groupId }, { tx });
  }

  /**
   * Runs a transaction that writes a user. Serialised in this process: concurrent ones would
   * conflict and retry.
   */
  async inTransaction<R>(id: number, work: (tx: Tx) => Promise<R>): Promise<R> {
    return this.queues.run(`user ${id}`, () => this.store.transaction(work));
  }

  /** @throws NotFound USER_NOT_EXIST */
  async require(id: number, tx: Tx): Promise<UserRecord> {
    const record = await this.collection.byId(id, tx);
    if (!record) throw userNotFound(id);
    return record;
  }

  newId(tx: Tx): Promise<number> {
    return this.store.nextId('users', tx);
  }

  async insert(actor: Actor, record: UserRecord, tx: Tx): Promise<UserRecord> {
    const after = await this.collection.insert(record, tx);
    await this.audit.record(actor, 'user.create', target(after._id), null, after, tx);
    return after;
  }

  async update(
    actor: Actor,
    action: AuditAction,
    before: UserRecord,
    set: Partial<Omit<UserRecord, '_id'>>,
    tx: Tx,
  ): Promise<UserRecord> {
    const version = before.version + 1;
    const after = await this.collection.change(before._id, { ...set, version }, tx);
    await this.audit.record(actor, action, target(before._id), before, after, tx);
    return after;
  }

  async deleteAll(actor: Actor, records: readonly UserRecord[], tx: Tx): Promise<void> {
    const ids = records.map(({ _id }) => _id);
    await this.collection.deleteMany({ _id: { $in: ids } }, tx);
    for (const record of records)
      await this.audit.record(actor, 'user.delete', target(record._id), record, null, tx);
  }

  /** The account belongs to the entry that signs in next with its e-mail. */
  async releaseEntry(id: number, tx: Tx): Promise<void> {
    await this.collection.updateOne({ _id: id }, { $unset: { directoryKeys: 1 } }, tx);
  }

  /** Removes an account whose data belongs to an older account of the same person now. */
  async removeJoined(actor: Actor, from: UserRecord, to: UserRecord, tx: Tx): Promise<void> {
    await this.collection.deleteOne({ _id: from._id }, tx);
    const after = { joinedTo: to._id };
    await this.audit.record(actor, 'user.join', target(from._id), from, after, tx);
  }

  /**
   * Stores the time of a login; not a change, so without a new version or audit record. Returns the
   * updated user, or null if there is none or they are disabled.
   */
  async setLastLogin(id: number, at: Date, tx: Tx): Promise<User | null> {
    const record = await this.collection.findOneAndUpdate(
      { _id: id, disabledAt: null },
      { $max: { lastLogin: at } },
      { tx },
    );
    return record && toUser(record);
  }
}
