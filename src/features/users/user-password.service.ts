import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { BadInput, Refused } from '../../platform/errors/errors';
import type { Findings } from '../../platform/errors/findings';
import { requireVersion } from '../../platform/store/records';
import type { ExpectedVersion } from '../../platform/store/records';
import type { Tx } from '../../platform/store/store';
import type { PasswordConfirmation, UserCredentials } from './user-credentials';
import { UserEdits } from './user-edits';
import type { Changes } from './user-edits';
import type { UserRecords } from './user-records';
import type { User, UserRecord } from './user.model';
import type { UserPermissions } from './user.policy';
import { passwordProblems, requireLocal } from './user.rules';

declare module '../../platform/context' {
  interface Services {
    userPasswords: UserPasswordService;
  }
}

const ownPassword = (): Refused =>
  new Refused('LDAP_OWN_ACCOUNT', 'You cannot remove your own local password.');

export interface NewPassword {
  readonly newPassword: string;
  readonly confirmPassword: string;
}

interface PasswordChange {
  /** A directory user gets a local password. */
  readonly makesLocal?: boolean;
  readonly alongside?: (before: UserRecord, tx: Tx) => Promise<void>;
}

/** @throws BadInput PASSWORDS_DIFFER */
export function requireSamePassword({ newPassword, confirmPassword }: NewPassword): void {
  if (newPassword !== confirmPassword)
    throw new BadInput('PASSWORDS_DIFFER', 'The two passwords differ.', {
      path: ['confirmPassword'],
    });
}

/** Sets and removes local passwords. Changes also throw the errors of `UserEdits.run`. */
export class UserPasswordService {
  private readonly edits: UserEdits;

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly records: UserRecords;
      readonly permissions: UserPermissions;
      readonly credentials: UserCredentials;
    },
  ) {
    this.edits = new UserEdits(deps);
  }

  /**
   * Sets the password of another user or, with a confirmation, of the actor. The present password of
   * the actor is no change.
   * @throws the errors of `UserCredentials.checkChange` and `change`
   */
  async set(
    actor: Actor,
    id: number,
    password: string,
    expectedVersion?: ExpectedVersion,
    confirmation?: PasswordConfirmation,
  ): Promise<User> {
    const { credentials } = this.deps;
    if ((await credentials.checkChange(actor, id, { password }, confirmation)).password)
      return this.change(actor, id, password, expectedVersion);
    const user = await this.deps.records.get(id);
    requireVersion('user', user, expectedVersion);
    return user;
  }

  /**
   * Changes the password of the signed-in user. Ends their other sessions.
   * @throws BadInput WRONG_PASSWORD, PASSWORDS_DIFFER, PASSWORD_INVALID
   * @throws Refused LDAP_USER
   * @throws Forbidden API_TOKEN_REFUSED
   * @throws RateLimited after too many wrong passwords
   */
  async changeOwn(
    actor: Actor,
    currentPassword: string,
    password: NewPassword,
    network: string,
  ): Promise<User> {
    requireSession(actor);
    const { credentials, records } = this.deps;
    requireLocal(await records.get(actor.userId));
    if (!(await credentials.verifyOwn(actor, currentPassword, network)))
      throw new BadInput('WRONG_PASSWORD', 'The password is wrong.', { path: ['currentPassword'] });
    requireSamePassword(password);
    return this.change(actor, actor.userId, password.newPassword);
  }

  /**
   * Sets a password. The caller has checked that the actor may.
   * @param options `alongside` checks or writes more in the same transaction
   * @throws BadInput PASSWORD_INVALID
   * @throws Refused LDAP_USER if a directory checks the password, unless `makesLocal`
   */
  async change(
    actor: Actor,
    id: number,
    password: string,
    expectedVersion?: ExpectedVersion,
    { makesLocal = false, alongside }: PasswordChange = {},
  ): Promise<User> {
    requireSession(actor);
    const errors = passwordProblems(password).map(
      ({ code, message, path }) => new BadInput(code, message, { path }),
    );
    const mayHash = (await this.edits.isChangeable(actor, id)) && errors.length === 0;
    const hash = mayHash ? await this.deps.credentials.hash(password) : '';
    const set = async (before: UserRecord, tx: Tx, findings: Findings): Promise<Changes> => {
      if (!makesLocal) findings.ofSync(() => requireLocal(before));
      findings.refuse();
      await alongside?.(before, tx);
      const changed = await this.deps.credentials.replace(actor, before, hash, tx);
      return { ...changed, authSource: 'local' };
    };
    return this.edits.run({ actor, id, action: 'user.password', expectedVersion, errors, set });
  }

  /**
   * Removes the local password, so that the LDAP directory checks the password of the user. The
   * account belongs to the entry that signs in next with its e-mail. Ends their sessions.
   * @throws Refused LDAP_NOT_CONFIGURED, LDAP_OWN_ACCOUNT; LDAP_USER if there is no local password
   */
  async remove(actor: Actor, id: number, expectedVersion?: ExpectedVersion): Promise<User> {
    requireSession(actor);
    const { credentials } = this.deps;
    const set = async (before: UserRecord, tx: Tx, findings: Findings): Promise<Changes> => {
      findings.ofSync(() => credentials.requireDirectory());
      if (id === actor.userId) findings.add(ownPassword());
      findings.ofSync(() => requireLocal(before));
      findings.refuse();
      await this.deps.records.releaseEntry(id, tx);
      return { ...(await credentials.replace(actor, before, null, tx)), authSource: 'ldap' };
    };
    return this.edits.run({ actor, id, action: 'user.password-remove', expectedVersion, set });
  }
}
