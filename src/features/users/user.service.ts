import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import { createWorkQueue } from '../../platform/crypto/work-queue';
import { BadInput, Conflict, NotFound, Refused } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import type { EventBus } from '../../platform/events/bus';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { Uploads } from '../../platform/files/uploads';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import { requireMayHandle } from '../groups/group.policy';
import { USER_ACCESS_CHANGED } from '../sessions/session.events';
import type { UserAccessChanged } from '../sessions/session.events';
import type { SessionService } from '../sessions/session.service';
import { presentRecord, userNotFound } from './user';
import type { NewUser, User, UserChange } from './user';
import { createUserReads } from './user-reads';
import { createUserRights } from './user-rights';
import { userSchema } from './user.model';
import type { UserRecord } from './user.model';
import { changedDetail, detailProblems, emailProblems, EMPTY_DETAIL, passwordProblems } from './user.rules';
import type { DetailChange } from './user.rules';

export type { NewUser, StoredCredentials, User, UserChange, UserIdentity } from './user';
export type { UserDetail, UserRecord } from './user.model';
export type { DetailChange } from './user.rules';

declare module '../../platform/context' {
  interface Services {
    users: UserService;
  }
}

export interface UserDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly bus: EventBus;
  readonly clock: Clock;
  readonly directory: DirectoryService;
  readonly sessions: SessionService;
  readonly passwords: Passwords;
  readonly uploads: Uploads;
}

/** Changes of users that wait for their turn. */
const WAITING_CHANGES = 1_000;
/** Most users one request deletes. */
export const MOST_DELETED = 1_000;

const creationRefused = (problems: readonly Problem[]): Refused => new Refused('CREATION_ERROR', 'The user was not created.', { problems });

export type UserService = ReturnType<typeof createUserService>;

/** Users: who they are, what they may be changed to, and by whom. */
export function createUserService({ store, audit, bus, clock, directory, sessions, passwords, uploads }: UserDependencies) {
  const users = store.model<UserRecord>('User', userSchema, 'users');
  const { passDoorOf, requireMayTakeOver, requireAdministratorLeft } = createUserRights({ users, directory });
  // One at a time in this process: they meet in the groups they count, and would only make each other start again.
  const turns = createWorkQueue({ concurrency: 1, capacity: WAITING_CHANGES });

  const change = <R>(work: (tx: Tx) => Promise<R>): Promise<R> => turns.run(() => store.transaction(work));

  const required = async (id: number, tx: Tx): Promise<UserRecord> => {
    const record = await users.findById(id, null, { session: tx.session }).lean<UserRecord>();
    if (!record) throw userNotFound(id);
    return record;
  };

  const requireVersion = (record: UserRecord, expected: number | undefined): void => {
    if (expected !== undefined && expected !== record.version) throw new Conflict('CONFLICT', 'Somebody else changed this user since you read it.', { path: ['expectedVersion'] });
  };

  const write = async (actor: Actor, action: string, before: UserRecord, set: Partial<UserRecord>, tx: Tx): Promise<User> => {
    const fields = { ...set, updatedAt: clock.now(), version: before.version + 1 };
    await users.updateOne({ _id: before._id }, { $set: fields }, { session: tx.session });
    const after: UserRecord = { ...before, ...fields };
    await audit.record(actor, action, { type: 'User', id: before._id }, before, after, tx);
    if (after.groupId !== before.groupId || after.emailKey !== before.emailKey || after.credentialVersion !== before.credentialVersion) {
      tx.afterCommit(() => bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId: before._id }));
    }
    return presentRecord(after);
  };

  const moved = async (actor: Actor, record: UserRecord, groupId: number, tx: Tx): Promise<Partial<UserRecord>> => {
    if (groupId === record.groupId) return {};
    await passDoorOf(actor, record.groupId, tx);
    if (!(await passDoorOf(actor, groupId, tx))) throw new NotFound('GROUP_NOT_FOUND', `There is no group ${groupId}.`, { path: ['groupId'] });
    await requireAdministratorLeft([record], tx);
    return { groupId };
  };

  /** A new password ends every other session of the user; all of them when somebody else set it. */
  const withPassword = async (actor: Actor, record: UserRecord, passwordHash: string, tx: Tx): Promise<Partial<UserRecord>> => {
    requireMayTakeOver(actor, record);
    const credentialVersion = record.credentialVersion + 1;
    const keep = record._id === actor.userId ? actor.sessionId : null;
    await sessions.endWithin({ userId: record._id, credentialVersion }, 'PASSWORD_CHANGED', keep, tx);
    return { passwordHash, credentialVersion };
  };

  const withEmail = (actor: Actor, record: UserRecord, email: string): Partial<UserRecord> => {
    if (email.trim() === record.email) return {};
    requireMayTakeOver(actor, record);
    return { email: email.trim(), emailKey: fold(email) };
  };

  const emailTaken = (): Conflict => new Conflict('EMAIL_ALREADY_EXIST', 'Another user has this e-mail.', { path: ['email'] });

  return {
    ...createUserReads(users),

    /** The collection, for the first start. */
    users,

    async countIn(groupId: number, tx: Tx): Promise<number> {
      return (await users.find({ groupId }, { _id: 1 }, { session: tx.session }).lean()).length;
    },

    /**
     * @throws Refused   CREATION_ERROR whatever is wrong with what was asked, each cause as a problem
     * @throws Forbidden the group holds more than the actor
     */
    async create(actor: Actor, { email, password, groupId, detail = {} }: NewUser): Promise<User> {
      const problems = [...emailProblems(email), ...passwordProblems(password), ...detailProblems(detail)];
      if (groupId === undefined) problems.push({ path: ['groupId'], message: 'The group is missing.' });
      if (email === undefined || password === undefined || groupId === undefined || problems.length > 0) throw creationRefused(problems);
      const unknownGroup = (): Refused => creationRefused([{ path: ['groupId'], message: `There is no group ${groupId}.` }]);
      const group = directory.group(groupId);
      if (!group) throw unknownGroup();
      requireMayHandle(actor, group);
      const now = clock.now();
      const record: UserRecord = {
        _id: await store.nextId('users'),
        email: email.trim(),
        emailKey: fold(email),
        passwordHash: await passwords.hash(password),
        credentialVersion: 1,
        groupId,
        authSource: 'local',
        detail: { ...changedDetail(EMPTY_DETAIL, detail), requestTime: null },
        picture: null,
        createdAt: now,
        updatedAt: now,
        version: 1,
      };
      try {
        return await change(async (tx) => {
          if (!(await passDoorOf(actor, groupId, tx))) throw unknownGroup();
          await users.create([record], { session: tx.session });
          await audit.record(actor, 'user.create', { type: 'User', id: record._id }, null, record, tx);
          return presentRecord(record);
        });
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw creationRefused([{ path: ['email'], message: 'Another user has this e-mail.' }]);
      }
    },

    /**
     * Changes e-mail, password, group and details at once.
     * @throws NotFound  USER_NOT_EXIST, GROUP_NOT_FOUND
     * @throws Conflict  EMAIL_ALREADY_EXIST, or a newer version than expected
     * @throws Refused   LAST_ADMINISTRATOR
     * @throws Forbidden the user's group, or the new one, holds more than the actor
     */
    async update(actor: Actor, id: number, { email, password, groupId, detail = {} }: UserChange, expectedVersion?: number): Promise<User> {
      const hasPassword = password !== undefined && password !== '';
      const problems = [...(email === undefined ? [] : emailProblems(email)), ...(hasPassword ? passwordProblems(password) : []), ...detailProblems(detail)];
      if (!(await users.exists({ _id: id }))) throw userNotFound(id);
      if (problems.length > 0) throw new BadInput('BAD_REQUEST', 'The user was not changed.', { problems });
      const passwordHash = hasPassword ? await passwords.hash(password) : undefined;
      try {
        return await change(async (tx) => {
          const before = await required(id, tx);
          requireVersion(before, expectedVersion);
          return write(actor, 'user.update', before, {
            detail: changedDetail(before.detail, detail),
            ...(groupId === undefined ? {} : await moved(actor, before, groupId, tx)),
            ...(passwordHash === undefined ? {} : await withPassword(actor, before, passwordHash, tx)),
            ...(email === undefined ? {} : withEmail(actor, before, email)),
          }, tx);
        });
      } catch (error) {
        throw isDuplicateKey(error) ? emailTaken() : error;
      }
    },

    /**
     * @throws NotFound  USER_NOT_EXIST
     * @throws BadInput  PASSWORD_INVALID
     * @throws Forbidden the user's group holds more than the actor
     */
    async changePassword(actor: Actor, id: number, password: string): Promise<User> {
      if (!(await users.exists({ _id: id }))) throw userNotFound(id);
      const [problem] = passwordProblems(password);
      if (problem) throw new BadInput('PASSWORD_INVALID', problem.message, { path: problem.path });
      const passwordHash = await passwords.hash(password);
      return change(async (tx) => {
        const before = await required(id, tx);
        return write(actor, 'user.password', before, await withPassword(actor, before, passwordHash, tx), tx);
      });
    },

    /** @throws NotFound USER_NOT_EXIST */
    async changeDetail(actor: Actor, id: number, detail: DetailChange, expectedVersion?: number): Promise<User> {
      const problems = detailProblems(detail);
      return change(async (tx) => {
        const before = await required(id, tx);
        requireVersion(before, expectedVersion);
        if (problems.length > 0) throw new BadInput('BAD_REQUEST', 'The details were not changed.', { problems });
        return write(actor, 'user.detail', before, { detail: changedDetail(before.detail, detail) }, tx);
      });
    },

    /**
     * @throws NotFound  USER_NOT_EXIST, GROUP_NOT_FOUND
     * @throws Refused   LAST_ADMINISTRATOR
     * @throws Forbidden one of the two groups holds more than the actor
     */
    async changeGroup(actor: Actor, id: number, groupId: number, expectedVersion?: number): Promise<User> {
      return change(async (tx) => {
        const before = await required(id, tx);
        requireVersion(before, expectedVersion);
        return write(actor, 'user.group', before, await moved(actor, before, groupId, tx), tx);
      });
    },

    /** Sets or removes (null) the picture: the name of a file among the uploads. The old file goes after the commit. */
    async setPicture(actor: Actor, id: number, picture: string | null): Promise<User> {
      return change(async (tx) => {
        const before = await required(id, tx);
        if (before.picture !== null) tx.afterCommit(() => removeQuietly(uploads, before.picture));
        return write(actor, 'user.picture', before, { picture }, tx);
      });
    },

    /**
     * Deletes users, all or none, and ends their sessions.
     * @throws NotFound  USER_NOT_EXIST one of them is unknown
     * @throws Refused   SELF_DELETION, LAST_ADMINISTRATOR
     * @throws Forbidden the group of one of them holds more than the actor
     */
    async remove(actor: Actor, ids: readonly number[]): Promise<User[]> {
      const unique = [...new Set(ids)];
      if (unique.length > MOST_DELETED) throw new BadInput('BAD_REQUEST', `At most ${MOST_DELETED} users at once.`);
      return change(async (tx) => {
        const found = await users.find({ _id: { $in: unique } }, null, { session: tx.session }).lean<UserRecord[]>();
        const missing = unique.find((id) => !found.some(({ _id }) => _id === id));
        if (missing !== undefined) throw userNotFound(missing);
        if (unique.includes(actor.userId)) throw new Refused('SELF_DELETION', 'You cannot delete yourself while you are signed in.');
        for (const groupId of new Set(found.map((record) => record.groupId))) await passDoorOf(actor, groupId, tx);
        await requireAdministratorLeft(found, tx);
        await users.deleteMany({ _id: { $in: unique } }, { session: tx.session });
        for (const record of found) {
          const { _id: userId, credentialVersion, picture } = record;
          await sessions.endWithin({ userId, credentialVersion }, 'USER_DELETED', null, tx);
          await audit.record(actor, 'user.delete', { type: 'User', id: userId }, record, null, tx);
          tx.afterCommit(() => {
            bus.publish<UserAccessChanged>(USER_ACCESS_CHANGED, { userId });
            return removeQuietly(uploads, picture);
          });
        }
        return found.map(presentRecord);
      });
    },
  };
}

/** The record no longer names the file; one that stays behind takes room and does no harm. */
async function removeQuietly(uploads: Uploads, name: string | null): Promise<void> {
  if (name !== null) await uploads.remove(name).catch(() => undefined);
}
