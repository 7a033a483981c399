import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { LONGEST_ACCOUNT } from '../../platform/attempts/lockout';
import type { Lockout } from '../../platform/attempts/lockout';
import type { Passwords } from '../../platform/crypto/passwords';
import { BadInput, Refused } from '../../platform/errors/errors';
import { ldapNotConfigured } from '../../platform/errors/missing-settings';
import type { Tx } from '../../platform/store/store';
import { emailKeyOf } from '../../platform/text/email';
import type { DirectoryAccounts } from './directory-accounts';
import type { EntryLimit } from './password-directory';
import type { AccountNotices } from './account-notices';
import type { SessionsOfUsers } from './user.ports';
import type { UserOwnedRecords } from './user-deletion.service';
import type { UserRecords } from './user-records';
import type { UserRecord } from './user.model';
import { emailProblems, passwordProblems } from './user.rules';
import type { UserChange } from './user.rules';

/** The fields that a login compares. */
interface StoredCredentials {
  readonly userId: number;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly credentialVersion: number;
  readonly isDisabled: boolean;
}

/** Credentials to check, and the network that sent them. */
interface Attempt {
  readonly email: string;
  readonly password: string;
  readonly network: string;
}

/** What a user sends with a change of their own account, and the network they send it from. */
export interface PasswordConfirmation {
  readonly currentPassword: string | undefined;
  readonly network: string;
  /** Required for a new e-mail whatever the configuration says. A new password is refused. */
  readonly isForEmail?: boolean;
}

/** Which fields of a change differ from what the user has. */
interface CredentialChange {
  readonly email: boolean;
  readonly password: boolean;
}

/** The user of valid credentials, or of a wrong password; undefined for an unknown e-mail. */
type CredentialCheck =
  | {
      readonly isValid: true;
      readonly credentials: Pick<StoredCredentials, 'userId' | 'credentialVersion'>;
    }
  | { readonly isValid: false; readonly userId: number | undefined };

const nameKeyOf = (email: string): string => emailKeyOf(email.slice(0, LONGEST_ACCOUNT));

/**
 * What wrong passwords count for: a user, whatever their e-mail becomes. Entered names are folded, so
 * none begins with a capital letter.
 */
const accountOf = (userId: number): string => `User ${userId}`;
const entryAccountOf = (entry: string): string => `Entry ${entry}`;

const ownPassword = (): Refused =>
  new Refused(
    'OWN_PASSWORD',
    'Change your own password with ownPasswordChange or POST /user/change-password, which ask for the current one.',
    { path: ['password'] },
  );

const wrongPassword = (isMissing: boolean): BadInput =>
  new BadInput(
    'WRONG_PASSWORD',
    isMissing
      ? 'Send your current password as well (currentPassword).'
      : 'The current password is wrong.',
    { path: ['currentPassword'] },
  );

/** Passwords of users: checks them, limits failed attempts, and ends sessions after a change. */
export class UserCredentials {
  constructor(
    private readonly deps: {
      readonly users: UserRecords;
      /** What a changed password or e-mail ends. */
      readonly access: {
        readonly sessions: Pick<SessionsOfUsers, 'endAfterPasswordChange'>;
        readonly links: Required<Pick<UserOwnedRecords, 'removeOf'>>;
      };
      readonly passwords: Passwords;
      readonly lockout: Lockout;
      readonly directory: DirectoryAccounts;
      readonly notices: AccountNotices;
    },
    /** Whether users change their own e-mail and password only with the current password. */
    private readonly requiresCurrent: boolean,
  ) {}

  /**
   * Checks e-mail and password. The LDAP directory, if there is one, checks accounts without a local
   * password, and unknown ones. Otherwise the work is the same for unknown users, disabled users
   * and wrong passwords.
   * @throws RateLimited after too many failures of this account or network
   * @throws Unavailable if too many checks are queued; LDAP_UNAVAILABLE if no directory answers
   */
  async verify(email: string, password: string, network: string): Promise<CredentialCheck> {
    const credentials = await this.find({ emailKey: nameKeyOf(email) });
    return this.check({ email, password, network }, credentials);
  }

  /**
   * Returns whether this is the password of the actor, whose e-mail may have become that of another
   * account.
   * @throws RateLimited, Unavailable as `verify`
   */
  async verifyOwn({ userId }: Actor, password: string, network: string): Promise<boolean> {
    const credentials = await this.find({ _id: userId });
    if (!credentials) return false;
    const { email } = credentials;
    const check = await this.check({ email, password, network }, credentials);
    // The directory can join the account to another one.
    return check.isValid && check.credentials.userId === userId;
  }

  /** @throws Refused LDAP_NOT_CONFIGURED */
  requireDirectory(): void {
    if (!this.deps.directory.isConfigured) throw ldapNotConfigured();
  }

  /**
   * Checks whether the actor may change e-mail and password of a user. Their own local account needs
   * the current password: with a stolen session, a new e-mail would get the links for a new password.
   * Returns what is a change: the 4.x client sends e-mail and present password with each edit of the
   * own account.
   * @param confirmation undefined where only the passwords of other users can be set
   * @throws Refused OWN_PASSWORD
   * @throws BadInput WRONG_PASSWORD if the current password is wrong, or is required and missing
   * @throws Forbidden API_TOKEN_REFUSED
   * @throws RateLimited after too many wrong passwords
   */
  async checkChange(
    actor: Actor,
    userId: number,
    { email, password }: Pick<UserChange, 'email' | 'password'>,
    confirmation?: PasswordConfirmation,
  ): Promise<CredentialChange> {
    if (password !== undefined) requireSession(actor);
    const sent = { email: email !== undefined, password: password !== undefined };
    if (userId !== actor.userId || (!sent.email && !sent.password)) return sent;
    if (!confirmation || (sent.password && confirmation.isForEmail)) throw ownPassword();
    const stored = await this.find({ _id: userId });
    // The rules for directory users, and for new e-mails and passwords, refuse these.
    const isInvalid =
      (email !== undefined && emailProblems(email).length > 0) ||
      (password !== undefined && passwordProblems(password).length > 0);
    if (stored?.passwordHash == null || isInvalid) return sent;
    const isNewEmail = email !== undefined && emailKeyOf(email) !== emailKeyOf(stored.email);
    if (!isNewEmail && password === undefined) return { email: false, password: false };
    requireSession(actor);
    const { currentPassword, network, isForEmail = false } = confirmation;
    if (currentPassword === undefined && !isForEmail && !this.requiresCurrent) {
      const isPresent = password !== undefined && (await this.isPresent(stored, password, network));
      return { email: isNewEmail, password: sent.password && !isPresent };
    }
    const proof = currentPassword ?? password;
    if (proof === undefined || !(await this.verifyOwn(actor, proof, network)))
      throw wrongPassword(currentPassword === undefined);
    return { email: isNewEmail, password: password !== undefined && password !== proof };
  }

  hash(password: string): Promise<string> {
    return this.deps.passwords.hash(password);
  }

  /**
   * Returns the fields of a new password. Resets the lockout, mails the user, and ends their other
   * sessions, or all of them if another user set the password. Null removes the password.
   */
  async replace(
    actor: Actor,
    before: UserRecord,
    passwordHash: string | null,
    tx: Tx,
  ): Promise<Pick<UserRecord, 'passwordHash' | 'credentialVersion'>> {
    const { _id: userId } = before;
    const credentialVersion = before.credentialVersion + 1;
    const isOwn = userId === actor.userId;
    const exceptId = isOwn ? actor.sessionId : null;
    await this.deps.access.sessions.endAfterPasswordChange(
      { userId, credentialVersion },
      exceptId,
      tx,
    );
    const kind = isOwn ? 'own' : passwordHash === null ? 'removed' : 'set';
    await this.deps.notices.passwordChanged(before, kind, tx);
    await this.deps.lockout.forgive([accountOf(userId)], tx);
    return { passwordHash, credentialVersion };
  }

  /**
   * Returns the fields of a new e-mail. Mails the former address, and ends the links for a new
   * password that it got. A spelling of the same address is no new one.
   */
  async replaceEmail(
    before: UserRecord,
    email: string,
    tx: Tx,
  ): Promise<Pick<UserRecord, 'email' | 'emailKey'>> {
    const emailKey = emailKeyOf(email);
    if (emailKey !== before.emailKey) {
      await this.deps.access.links.removeOf([before._id], tx);
      await this.deps.notices.emailChanged(before, email, tx);
    }
    return { email, emailKey };
  }

  /**
   * A new password is no failed login of the network. It counts for the account until the change has
   * succeeded, since a refused change may show whether a password is the present one.
   */
  private async isPresent(
    { userId, passwordHash }: StoredCredentials,
    password: string,
    network: string,
  ): Promise<boolean> {
    const { lockout, passwords } = this.deps;
    const account = accountOf(userId);
    await lockout.requireOpen(account, network);
    const isPresent = (await passwords.check(passwordHash, password)) !== 'wrong';
    if (isPresent) await lockout.requireOpen(account, network);
    else await lockout.count(account, network, 'account-failure');
    return isPresent;
  }

  private async check(
    { email, password, network }: Attempt,
    credentials: StoredCredentials | null,
  ): Promise<CredentialCheck> {
    const { lockout, passwords, users, directory } = this.deps;
    const account = credentials ? accountOf(credentials.userId) : nameKeyOf(email);
    await lockout.requireOpen(account, network);
    if (directory.isConfigured && (credentials?.passwordHash ?? null) === null) {
      const owner = await directory.signIn(email, credentials, password, this.entryLimit(network));
      await lockout.count(account, network, owner ? 'success' : 'failure');
      return owner
        ? { isValid: true, credentials: owner }
        : { isValid: false, userId: credentials?.userId };
    }
    const check = await passwords.check(credentials?.passwordHash ?? null, password);
    if (!credentials || check === 'wrong' || credentials.isDisabled) {
      await lockout.count(account, network, 'failure');
      return { isValid: false, userId: credentials?.userId };
    }
    await lockout.count(account, network, 'success');
    if (check === 'right-upgrade') {
      // Only if the password was not changed in the meantime.
      const { userId, passwordHash } = credentials;
      const upgraded = { passwordHash: await passwords.hash(password) };
      await users.collection.updateOne({ _id: userId, passwordHash }, { $set: upgraded });
    }
    return { isValid: true, credentials };
  }

  /**
   * Counts wrong passwords of an entry of the directory, next to those of the entered name. The answer
   * is that of a wrong password: another one would show which names are of one entry.
   */
  private entryLimit(network: string): EntryLimit {
    const { lockout } = this.deps;
    return {
      isOpen: (entry) => lockout.isOpen(entryAccountOf(entry), network),
      tryCount: (entry, isRight) =>
        lockout.tryCount(entryAccountOf(entry), network, isRight ? 'success' : 'account-failure'),
    };
  }

  private async find(
    filter: Pick<UserRecord, 'emailKey'> | Pick<UserRecord, '_id'>,
  ): Promise<StoredCredentials | null> {
    const record = await this.deps.users.collection.findOne(filter, {
      fields: { email: 1, passwordHash: 1, credentialVersion: 1, disabledAt: 1 },
    });
    if (!record) return null;
    const { _id: userId, email, passwordHash, credentialVersion, disabledAt } = record;
    return { userId, email, passwordHash, credentialVersion, isDisabled: disabledAt != null };
  }
}
