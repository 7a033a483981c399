import type { Actor } from '../../platform/access/actor';
import { LONGEST_ACCOUNT } from '../../platform/access/lockout';
import type { Lockout } from '../../platform/access/lockout';
import type { Passwords } from '../../platform/crypto/passwords';
import { Refused } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import { emailKeyOf } from '../../platform/text/email';
import type { DirectoryAccounts } from './directory-accounts';
import type { SessionService } from '../sessions/session.service';
import type { UserRecords } from './user-records';
import type { UserRecord } from './user.model';

/** The fields that a login compares. */
interface StoredCredentials {
  readonly userId: number;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly credentialVersion: number;
  readonly isDisabled: boolean;
}

/** The user of valid credentials, or of a wrong password; undefined for an unknown e-mail. */
type CredentialCheck =
  | {
      readonly isValid: true;
      readonly credentials: Pick<StoredCredentials, 'userId' | 'credentialVersion'>;
    }
  | { readonly isValid: false; readonly userId: number | undefined };

/** Passwords of users: checks them, limits failed attempts, and ends sessions after a change. */
export class UserCredentials {
  constructor(
    private readonly deps: {
      readonly users: UserRecords;
      readonly sessions: SessionService;
      readonly passwords: Passwords;
      readonly lockout: Lockout;
      readonly directory: DirectoryAccounts;
    },
  ) {}

  /**
   * Checks e-mail and password. The LDAP directory, if there is one, checks accounts without a local
   * password, and unknown ones. Otherwise the work is the same for unknown users, disabled users
   * and wrong passwords.
   * @throws RateLimited after too many failures of this account or network
   * @throws Unavailable if too many checks are queued; LDAP_UNAVAILABLE if no directory answers
   */
  async verify(email: string, password: string, network: string): Promise<CredentialCheck> {
    const { lockout, passwords, users, directory } = this.deps;
    const account = emailKeyOf(email.slice(0, LONGEST_ACCOUNT));
    lockout.requireOpen(account, network);
    const credentials = await this.find(account);
    if (directory.isConfigured && (credentials?.passwordHash ?? null) === null) {
      const owner = await directory.signIn(email, credentials, password);
      lockout.requireOpen(account, network);
      if (owner) lockout.succeeded(account, network);
      else lockout.failed(account, network);
      return owner
        ? { isValid: true, credentials: owner }
        : { isValid: false, userId: credentials?.userId };
    }
    const check = await passwords.check(credentials?.passwordHash ?? null, password);
    // Check again: concurrent attempts must not learn the result once one of them has caused a
    // lockout.
    lockout.requireOpen(account, network);
    if (!credentials || check === 'wrong' || credentials.isDisabled) {
      lockout.failed(account, network);
      return { isValid: false, userId: credentials?.userId };
    }
    lockout.succeeded(account, network);
    if (check === 'right-upgrade') {
      // Only if the password was not changed in the meantime.
      const { userId, passwordHash } = credentials;
      const upgraded = { passwordHash: await passwords.hash(password) };
      await users.model.updateOne({ _id: userId, passwordHash }, { $set: upgraded });
    }
    return { isValid: true, credentials };
  }

  /** @throws Refused LDAP_NOT_CONFIGURED */
  requireDirectory(): void {
    if (!this.deps.directory.isConfigured)
      throw new Refused(
        'LDAP_NOT_CONFIGURED',
        'No LDAP directory is configured (spring.security.ldap.urls).',
      );
  }

  hash(password: string): Promise<string> {
    return this.deps.passwords.hash(password);
  }

  /**
   * Returns the fields of a new password. Resets the lockout and ends the other sessions of the
   * user, or all of them if another user set the password. Null removes the password.
   */
  async replace(
    actor: Actor,
    { _id: userId, email, ...before }: UserRecord,
    passwordHash: string | null,
    tx: Tx,
  ): Promise<Pick<UserRecord, 'passwordHash' | 'credentialVersion'>> {
    const credentialVersion = before.credentialVersion + 1;
    const kept = userId === actor.userId ? actor.sessionId : null;
    await this.deps.sessions.endAfterPasswordChange({ userId, credentialVersion }, kept, tx);
    tx.afterCommit(() => this.deps.lockout.forgive(emailKeyOf(email)));
    return { passwordHash, credentialVersion };
  }

  private async find(emailKey: string): Promise<StoredCredentials | null> {
    const record = await this.deps.users.model
      .findOne({ emailKey }, { email: 1, passwordHash: 1, credentialVersion: 1, disabledAt: 1 })
      .lean<UserRecord>();
    if (!record) return null;
    const { _id: userId, email, passwordHash, credentialVersion, disabledAt } = record;
    return { userId, email, passwordHash, credentialVersion, isDisabled: disabledAt != null };
  }
}
