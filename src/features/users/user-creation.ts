import type { Model } from 'mongoose';
import type { Actor } from '../../platform/access/actor';
import type { Clock } from '../../platform/clock/clock';
import type { Passwords } from '../../platform/crypto/passwords';
import { Refused } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import { changeRecord, insertRecord } from '../../platform/store/records';
import { isDuplicateKey } from '../../platform/store/store';
import type { Store, Tx } from '../../platform/store/store';
import { fold } from '../../platform/text/fold';
import type { AuditService } from '../audit/audit.service';
import type { DirectoryService } from '../groups/directory.service';
import { requireMayHandle } from '../groups/group.policy';
import { presentRecord, userNotFound } from './user';
import type { NewUser, User } from './user';
import type { UserRights } from './user-rights';
import type { UserWriting } from './user-writing';
import type { UserDetail, UserRecord } from './user.model';
import {
  changedDetail,
  detailProblems,
  emailProblems,
  EMPTY_DETAIL,
  keysOf,
  passwordProblems,
} from './user.rules';

export interface UserCreationDependencies {
  readonly store: Store;
  readonly audit: AuditService;
  readonly clock: Clock;
  readonly directory: DirectoryService;
  readonly passwords: Passwords;
  readonly users: Model<UserRecord>;
  readonly rights: UserRights;
  readonly writing: UserWriting;
}

/** The fields of a new record that its creator chooses. */
export type FirstFacts = Pick<UserRecord, '_id' | 'passwordHash' | 'groupId'> & {
  readonly email: string;
  readonly detail: UserDetail;
};

const emailTaken = (): Problem => ({
  code: 'EMAIL_ALREADY_EXIST',
  path: ['email'],
  message: 'Another user has this e-mail.',
});

const noGroup = (message: string): Problem => ({
  code: 'GROUP_NOT_FOUND',
  path: ['groupId'],
  message,
});

const creationRefused = (problems: readonly Problem[]): Refused =>
  new Refused('CREATION_ERROR', 'The user was not created.', { problems });

export function createUserCreation({
  store,
  audit,
  clock,
  directory,
  passwords,
  users,
  rights,
  writing,
}: UserCreationDependencies) {
  const insert = async (
    actor: Actor,
    { email, ...facts }: FirstFacts,
    tx: Tx,
  ): Promise<UserRecord> => {
    const now = clock.now();
    const record = await insertRecord<UserRecord>(
      users,
      {
        ...facts,
        detailKeys: keysOf(facts.detail),
        email: email.trim(),
        emailKey: fold(email),
        credentialVersion: 1,
        authSource: 'local',
        picture: null,
        lastLogin: null,
        createdAt: now,
        updatedAt: now,
        version: 1,
      },
      tx,
    );
    await audit.record(actor, 'user.create', { type: 'User', id: record._id }, null, record, tx);
    return record;
  };

  /** The unique index decides; this check allows all problems to be reported together. */
  const addressProblems = async (email: string | undefined): Promise<Problem[]> => {
    const problems = emailProblems(email);
    if (email === undefined || problems.length > 0) return problems;
    return (await users.exists({ emailKey: fold(email) })) ? [emailTaken()] : [];
  };

  return {
    /**
     * @throws Refused CREATION_ERROR if the input is invalid, with a problem for each cause
     * @throws Forbidden if the group has rights that the actor lacks
     */
    async create(actor: Actor, { email, password, groupId, detail = {} }: NewUser): Promise<User> {
      const group = groupId === undefined ? null : directory.group(groupId);
      const problems = [
        ...(await addressProblems(email)),
        ...passwordProblems(password),
        ...detailProblems(detail),
        ...(group
          ? []
          : [
              noGroup(
                groupId === undefined ? 'The group is missing.' : `There is no group ${groupId}.`,
              ),
            ]),
      ];
      if (
        email === undefined ||
        password === undefined ||
        groupId === undefined ||
        !group ||
        problems.length > 0
      )
        throw creationRefused(problems);
      requireMayHandle(actor, group);
      const facts = {
        _id: await store.nextId('users'),
        email,
        passwordHash: await passwords.hash(password),
        groupId,
        detail: { ...changedDetail(EMPTY_DETAIL, detail), requestTime: null },
      };
      try {
        return await writing.turns.of(`group ${groupId}`, () =>
          store.transaction(async (tx) => {
            if (!(await rights.join(actor, groupId, tx)))
              throw creationRefused([noGroup(`There is no group ${groupId}.`)]);
            return presentRecord(await insert(actor, facts, tx));
          }),
        );
      } catch (error) {
        if (!isDuplicateKey(error)) throw error;
        throw creationRefused([emailTaken()]);
      }
    },

    /**
     * Creates the first user of an installation inside `tx`. Returns the version of their password.
     */
    async createFirst(actor: Actor, facts: FirstFacts, tx: Tx): Promise<number> {
      const { credentialVersion } = await insert(actor, facts, tx);
      await store.startSequence('users', facts._id, tx);
      return credentialVersion;
    },

    /**
     * Replaces the password of the first user, who has no sessions to end because they never signed
     * in. Returns the version of the new password.
     */
    async renewFirst(actor: Actor, id: number, passwordHash: string, tx: Tx): Promise<number> {
      const before = await users.findById(id, null, { session: tx.session }).lean<UserRecord>();
      if (!before) throw userNotFound(id);
      const credentialVersion = before.credentialVersion + 1;
      const after = await changeRecord(
        users,
        id,
        { passwordHash, credentialVersion, updatedAt: clock.now(), version: before.version + 1 },
        tx,
      );
      await audit.record(actor, 'user.password', { type: 'User', id }, before, after, tx);
      return credentialVersion;
    },
  };
}
