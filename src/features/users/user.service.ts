import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { allows } from '../../platform/access/need';
import type { Core } from '../../platform/core';
import { BadInput, Conflict, NotFound, Refused } from '../../platform/errors/errors';
import type { Problem } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import type { Uploads } from '../../platform/files/uploads';
import type { Adoption } from '../../platform/store/startup/adoption';
import type { ExpectedVersion } from '../../platform/store/records';
import { KeyedLock } from '../../platform/queues';
import { isDuplicateKey, uniquely } from '../../platform/store/store';
import type { Tx } from '../../platform/store/store';
import { isVisible } from '../../platform/text/characters';
import { emailKeyOf } from '../../platform/text/email';
import type { DirectoryService } from '../groups/directory.service';
import { requireRightsOf } from '../groups/group.policy';
import type { PasswordConfirmation, UserCredentials } from './user-credentials';
import { UserEdits } from './user-edits';
import type { Changes } from './user-edits';
import type { UserRecords } from './user-records';
import { detailKeysOf, EMPTY_DETAIL, newUserRecord, toUser } from './user.model';
import type { User, UserRecord } from './user.model';
import { userPolicy } from './user.policy';
import type { UserPermissions } from './user.policy';
import {
  applyDetailChange,
  detailOnly,
  detailProblems,
  emailProblems,
  passwordProblems,
  requireLocal,
} from './user.rules';
import type { DetailChange, NewUser, UserChange } from './user.rules';

export type { User, UserDetail } from './user.model';
export { DETAIL_LENGTHS, emailProblems, requireEnabled, requireLocal } from './user.rules';
export { toUser } from './user.model';
export type { DetailChange, NewUser } from './user.rules';

declare module '../../platform/context' {
  interface Services {
    users: UserService;
  }
}

const EMAIL_TAKEN: Problem = {
  code: 'EMAIL_ALREADY_EXIST',
  path: ['email'],
  message: 'Another user has this e-mail.',
};

const emailTaken = ({ code, message, path } = EMAIL_TAKEN): Conflict =>
  new Conflict(code, message, { path });

const missingGroup = (groupId: number | undefined): Problem => ({
  code: 'GROUP_NOT_FOUND',
  path: ['groupId'],
  message: groupId === undefined ? 'The group is missing.' : `There is no group ${groupId}.`,
});

const creationRefused = (problems: readonly Problem[]): Refused =>
  new Refused('CREATION_ERROR', 'The user was not created.', { problems });

const inputErrors = (message: string, problems: readonly Problem[]): BadInput[] =>
  problems.length > 0 ? [new BadInput('BAD_REQUEST', message, { problems })] : [];

function withDetail(before: UserRecord, change: DetailChange): Changes {
  const detail = applyDetailChange(before.detail, change);
  return { detail, detailKeys: detailKeysOf(detail) };
}

/** An account of another installation. */
interface AdoptedUser extends Pick<
  UserRecord,
  'email' | 'passwordHash' | 'groupId' | 'authSource'
> {
  readonly detail: DetailChange;
}

/** Creates and changes users. Changes also throw the errors of `UserEdits.run`. */
export class UserService {
  // Joining a group may write its record: concurrent creations would conflict and retry.
  private readonly groupQueues = new KeyedLock();
  private readonly edits: UserEdits;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
      readonly credentials: UserCredentials;
      readonly directory: DirectoryService;
      readonly uploads: Uploads;
    },
  ) {
    this.edits = new UserEdits(deps);
  }

  /**
   * @param alongside writes more in the same transaction
   * @throws Refused CREATION_ERROR if the input is invalid, with a problem for each cause
   * @throws Forbidden if the group has rights that the actor lacks; API_TOKEN_REFUSED for an API
   * token, since the new account with its password would outlive the token
   */
  async create(
    actor: Actor,
    { email, password, groupId, detail = {} }: NewUser,
    alongside?: (record: UserRecord, tx: Tx) => Promise<void>,
  ): Promise<User> {
    requireSession(actor);
    const { core, records, permissions, credentials, directory } = this.deps;
    const group = groupId === undefined ? null : directory.group(groupId);
    const problems = [
      ...(await this.newEmailProblems(email)),
      ...passwordProblems(password),
      ...detailProblems(detail),
      ...(group ? [] : [missingGroup(groupId)]),
    ];
    if (email === undefined || password === undefined || !group || problems.length > 0)
      throw creationRefused(problems);
    requireRightsOf(actor, group);
    const fields = {
      _id: await core.store.nextId('users'),
      email,
      passwordHash: await credentials.hash(password),
      groupId: group.id,
      detail: { ...applyDetailChange(EMPTY_DETAIL, detail), requestTime: null },
    };
    try {
      return await this.groupQueues.run(`group ${group.id}`, () =>
        core.store.transaction(async (tx) => {
          if (!(await permissions.checkJoin(actor, group.id, tx)))
            throw creationRefused([missingGroup(group.id)]);
          const record = newUserRecord(fields, core.clock.now());
          const inserted = await records.insert(actor, record, tx);
          await alongside?.(inserted, tx);
          return toUser(inserted);
        }),
      );
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
      throw creationRefused([EMAIL_TAKEN]);
    }
  }

  /**
   * Creates an account as it was in another installation, with the hash of its password.
   * @throws Refused CREATION_ERROR if the input is invalid; only accounts of a directory may have
   * another name than an e-mail
   */
  async adopt(
    actor: Actor,
    { email, groupId, detail, ...account }: AdoptedUser,
    { id, tx, picture = null }: Adoption,
  ): Promise<void> {
    const { core, records, permissions } = this.deps;
    const problems = [
      ...(account.authSource === 'ldap' && isVisible(email) ? [] : emailProblems(email)),
      ...detailProblems(detail),
      ...((await records.emailExists(email, undefined, tx)) ? [EMAIL_TAKEN] : []),
      ...((await permissions.checkJoin(actor, groupId, tx)) ? [] : [missingGroup(groupId)]),
    ];
    if (problems.length > 0) throw creationRefused(problems);
    const fields = { _id: id, email, groupId, passwordHash: account.passwordHash };
    const record = newUserRecord(
      { ...fields, detail: { ...applyDetailChange(EMPTY_DETAIL, detail), requestTime: null } },
      core.clock.now(),
    );
    await records.insert(actor, { ...record, authSource: account.authSource, picture }, tx);
  }

  /**
   * Changes e-mail, password, group and details at once.
   * @throws BadInput if the input is invalid
   * @throws NotFound GROUP_NOT_FOUND
   * @throws Conflict EMAIL_ALREADY_EXIST
   * @throws Refused LAST_ADMINISTRATOR; LDAP_USER for a password that a directory checks
   * @throws Forbidden if the new group has rights that the actor lacks
   * @throws the errors of `UserCredentials.checkChange`
   */
  async update(
    actor: Actor,
    id: number,
    { groupId, detail = {}, ...sent }: UserChange,
    expectedVersion: ExpectedVersion | undefined,
    confirmation: PasswordConfirmation,
  ): Promise<User> {
    const { credentials } = this.deps;
    const email = sent.email?.trim();
    const login = { email, password: sent.password || undefined };
    const isChange = await credentials.checkChange(actor, id, login, confirmation);
    const password = isChange.password ? login.password : undefined;
    const problems = [
      ...(email === undefined ? [] : emailProblems(email)),
      ...(password === undefined ? [] : passwordProblems(password)),
      ...detailProblems(detail),
    ];
    const hasValidEmail = !problems.some(({ code }) => code === 'EMAIL_INVALID');
    const mayHash = (await this.edits.isChangeable(actor, id)) && problems.length === 0;
    const hash = mayHash && password !== undefined ? await credentials.hash(password) : null;
    const set = async (before: UserRecord, tx: Tx, findings: Findings): Promise<Changes> => {
      const moved =
        groupId !== undefined &&
        (await findings.of(() => this.withGroup(actor, before, groupId, tx)));
      // What was the same address when it was checked is no change of one that is new since.
      const isNew = isChange.email || (email && emailKeyOf(email) === before.emailKey);
      const newEmail = isNew && email !== before.email ? email : undefined;
      // With the e-mail, the owner of the new address could reset the password.
      if (newEmail !== undefined) findings.ofSync(() => requireSession(actor));
      if (password !== undefined) findings.ofSync(() => requireLocal(before));
      if (newEmail !== undefined && hasValidEmail)
        if (await this.deps.records.emailExists(newEmail, id, tx)) findings.add(emailTaken());
      findings.refuse();
      return {
        ...withDetail(before, detail),
        ...moved,
        ...(hash === null ? {} : await credentials.replace(actor, before, hash, tx)),
        ...(newEmail === undefined ? {} : await credentials.replaceEmail(before, newEmail, tx)),
      };
    };
    const errors = inputErrors('The user was not changed.', problems);
    return uniquely(
      () => this.edits.run({ actor, id, action: 'user.update', expectedVersion, errors, set }),
      () => emailTaken(),
    );
  }

  /**
   * `update` for a client that sends the whole user: without USER:UPDATE, only details may differ.
   * @throws Forbidden if something else differs
   */
  async save(
    actor: Actor,
    before: User,
    change: UserChange,
    expectedVersion: ExpectedVersion | undefined,
    confirmation: PasswordConfirmation,
  ): Promise<User> {
    const { id } = before;
    if (allows(userPolicy.update, actor))
      return this.update(actor, id, change, expectedVersion, confirmation);
    const { password = '' } = change;
    const login = { password: password || undefined };
    const isChange = await this.deps.credentials.checkChange(actor, id, login, confirmation);
    const detail = detailOnly(isChange.password ? change : { ...change, password: '' }, before);
    return this.changeDetail(actor, id, detail, expectedVersion);
  }

  /** @throws BadInput if a detail is invalid */
  async changeDetail(
    actor: Actor,
    id: number,
    detail: DetailChange,
    expectedVersion?: ExpectedVersion,
  ): Promise<User> {
    const errors = inputErrors('The details were not changed.', detailProblems(detail));
    const set = (before: UserRecord): Changes => withDetail(before, detail);
    return this.edits.run({ actor, id, action: 'user.detail', expectedVersion, errors, set });
  }

  /**
   * @throws NotFound GROUP_NOT_FOUND
   * @throws Refused LAST_ADMINISTRATOR
   * @throws Forbidden if the new group has rights that the actor lacks
   */
  async changeGroup(
    actor: Actor,
    id: number,
    groupId: number,
    expectedVersion?: ExpectedVersion,
  ): Promise<User> {
    const set = async (before: UserRecord, tx: Tx, findings: Findings): Promise<Changes> =>
      (await findings.of(() => this.withGroup(actor, before, groupId, tx))) ?? {};
    return this.edits.run({ actor, id, action: 'user.group', expectedVersion, set });
  }

  /**
   * Sets or removes (null) the picture: a file name among the uploads. The old file is deleted
   * after the commit.
   */
  async setPicture(
    actor: Actor,
    id: number,
    picture: string | null,
    expectedVersion?: ExpectedVersion,
  ): Promise<User> {
    const set = (before: UserRecord, tx: Tx): Changes => {
      tx.afterCommit(() => this.deps.uploads.discard(before.picture));
      return { picture };
    };
    return this.edits.run({ actor, id, action: 'user.picture', expectedVersion, set });
  }

  private async withGroup(
    actor: Actor,
    before: UserRecord,
    groupId: number,
    tx: Tx,
  ): Promise<Changes> {
    if (groupId === before.groupId) return {};
    if (!(await this.deps.permissions.checkJoin(actor, groupId, tx)))
      throw new NotFound('GROUP_NOT_FOUND', `There is no group ${groupId}.`, { path: ['groupId'] });
    await this.deps.permissions.checkLeave(actor, [before], () => ['groupId'], tx);
    return { groupId };
  }

  /** The unique index decides; this check allows all problems to be reported together. */
  private async newEmailProblems(email: string | undefined): Promise<Problem[]> {
    const problems = emailProblems(email);
    if (email === undefined || problems.length > 0) return problems;
    return (await this.deps.records.emailExists(email)) ? [EMAIL_TAKEN] : [];
  }
}
