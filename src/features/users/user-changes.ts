import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Passwords } from '../../platform/crypto/passwords';
import { BadInput, Conflict, NotFound } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import type { Uploads } from '../../platform/files/uploads';
import type { ExpectedVersion } from '../../platform/store/records';
import { uniquely } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { Lockout } from '../../platform/access/lockout';
import type { SessionService } from '../sessions/session.service';
import type { User, UserChange } from './user';
import type { UserRights } from './user-rights';
import type { UserWriting } from './user-writing';
import type { UserRecord } from './user.model';
import {
  changedDetail,
  detailProblems,
  emailProblems,
  keysOf,
  passwordProblems,
} from './user.rules';
import type { DetailChange } from './user.rules';

export interface UserChangesDependencies {
  readonly passwords: Passwords;
  readonly sessions: SessionService;
  readonly lockout: Pick<Lockout, 'forgive'>;
  readonly uploads: Uploads;
  readonly users: Model<UserRecord>;
  readonly rights: UserRights;
  readonly writing: UserWriting;
}

type Changed = Partial<Omit<UserRecord, '_id'>>;

const withEmail = (record: UserRecord, email: string): Changed =>
  email.trim() === record.email ? {} : { email: email.trim(), emailKey: fold(email) };

const notChanged = (message: string, problems: readonly Problem[]): BadInput[] =>
  problems.length > 0 ? [new BadInput('BAD_REQUEST', message, { problems })] : [];

const emailTaken = (): Conflict =>
  new Conflict('EMAIL_ALREADY_EXIST', 'Another user has this e-mail.', { path: ['email'] });

const withDetail = (record: UserRecord, change: DetailChange): Changed => {
  const detail = changedDetail(record.detail, change);
  return { detail, detailKeys: keysOf(detail) };
};

/** Changes to users. Every method also throws what `UserWriting.edit` throws. */
export function createUserChanges({
  passwords,
  sessions,
  lockout,
  uploads,
  users,
  rights,
  writing,
}: UserChangesDependencies) {
  /**
   * A new password resets the lockout and ends the other sessions of the user, or all of them if
   * another user set it.
   */
  const withPassword = async (
    actor: Actor,
    record: UserRecord,
    passwordHash: string,
    tx: Tx,
  ): Promise<Changed> => {
    const credentialVersion = record.credentialVersion + 1;
    const keep = record._id === actor.userId ? actor.sessionId : null;
    await sessions.endWithin(
      { userId: record._id, credentialVersion },
      'PASSWORD_CHANGED',
      keep,
      tx,
    );
    tx.afterCommit(() => lockout.forgive(fold(record.email)));
    return { passwordHash, credentialVersion };
  };

  const withGroup = async (
    actor: Actor,
    record: UserRecord,
    groupId: number,
    tx: Tx,
  ): Promise<Changed> => {
    if (groupId === record.groupId) return {};
    if (!(await rights.join(actor, groupId, tx)))
      throw new NotFound('GROUP_NOT_FOUND', `There is no group ${groupId}.`, { path: ['groupId'] });
    await rights.leave(actor, [record], () => ['groupId'], tx);
    return { groupId };
  };

  /** The unique index decides; this check allows all problems to be reported together. */
  const isTaken = async (email: string, id: number, { session }: Tx): Promise<boolean> =>
    (await users.exists({ emailKey: fold(email), _id: { $ne: id } }).session(session)) !== null;

  return {
    /**
     * Changes e-mail, password, group and details at once.
     * @throws BadInput if the input is invalid
     * @throws NotFound GROUP_NOT_FOUND
     * @throws Conflict EMAIL_ALREADY_EXIST
     * @throws Refused LAST_ADMINISTRATOR
     * @throws Forbidden if the new group has rights that the actor lacks
     */
    async update(
      actor: Actor,
      id: number,
      { email, password, groupId, detail = {} }: UserChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> {
      const hasPassword = password !== undefined && password !== '';
      const problems = [
        ...(email === undefined ? [] : emailProblems(email)),
        ...(hasPassword ? passwordProblems(password) : []),
        ...detailProblems(detail),
      ];
      const isHashed =
        (await writing.isChangeable(actor, id)) && hasPassword && problems.length === 0;
      const passwordHash = isHashed ? await passwords.hash(password) : undefined;
      return uniquely(
        () =>
          writing.edit({
            actor,
            id,
            expectedVersion,
            action: 'user.update',
            wrong: notChanged('The user was not changed.', problems),
            set: async (before, tx, found) => {
              const moved =
                groupId === undefined
                  ? {}
                  : await found.of(() => withGroup(actor, before, groupId, tx));
              const isJudged =
                email !== undefined &&
                email.trim() !== before.email &&
                !problems.some(({ code }) => code === 'EMAIL_INVALID');
              if (isJudged && (await isTaken(email, id, tx))) found.add(emailTaken());
              found.refuse();
              return {
                ...withDetail(before, detail),
                ...moved,
                ...(passwordHash === undefined
                  ? {}
                  : await withPassword(actor, before, passwordHash, tx)),
                ...(email === undefined ? {} : withEmail(before, email)),
              };
            },
          }),
        () => emailTaken(),
      );
    },

    /** @throws BadInput PASSWORD_INVALID */
    async changePassword(
      actor: Actor,
      id: number,
      password: string,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> {
      const wrong = passwordProblems(password).map(
        ({ code, message, path }) => new BadInput(code, message, { path }),
      );
      const isHashed = (await writing.isChangeable(actor, id)) && wrong.length === 0;
      const passwordHash = isHashed ? await passwords.hash(password) : '';
      return writing.edit({
        actor,
        id,
        expectedVersion,
        action: 'user.password',
        wrong,
        set: async (before, tx, found) => {
          found.refuse();
          return withPassword(actor, before, passwordHash, tx);
        },
      });
    },

    /** @throws BadInput if a detail is invalid */
    changeDetail: (
      actor: Actor,
      id: number,
      detail: DetailChange,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> =>
      writing.edit({
        actor,
        id,
        expectedVersion,
        action: 'user.detail',
        wrong: notChanged('The details were not changed.', detailProblems(detail)),
        set: (before) => Promise.resolve(withDetail(before, detail)),
      }),

    /**
     * @throws NotFound GROUP_NOT_FOUND
     * @throws Refused LAST_ADMINISTRATOR
     * @throws Forbidden if the new group has rights that the actor lacks
     */
    changeGroup: (
      actor: Actor,
      id: number,
      groupId: number,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> =>
      writing.edit({
        actor,
        id,
        expectedVersion,
        action: 'user.group',
        set: async (before, tx, found) =>
          (await found.of(() => withGroup(actor, before, groupId, tx))) ?? {},
      }),

    /**
     * Sets or removes (null) the picture: a file name among the uploads. The old file is deleted
     * after the commit.
     */
    setPicture: (
      actor: Actor,
      id: number,
      picture: string | null,
      expectedVersion?: ExpectedVersion,
    ): Promise<User> =>
      writing.edit({
        actor,
        id,
        expectedVersion,
        action: 'user.picture',
        set: (before, tx) => {
          tx.afterCommit(() => uploads.discard(before.picture));
          return Promise.resolve({ picture });
        },
      }),
  };
}
