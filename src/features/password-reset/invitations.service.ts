import { requireSession } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import type { Core } from '../../platform/core';
import { randomPassword } from '../../platform/text/password-text';
import { Refused } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import type { AuditService } from '../audit/audit.service';
import type { UserPermissions } from '../users/user.policy';
import type { UserRecords } from '../users/user-records';
import type { User, UserRecord } from '../users/user.model';
import type { NewUser } from '../users/user.rules';
import { requireEnabled, requireLocal, toUser } from '../users/user.service';
import type { UserService } from '../users/user.service';
import type { PasswordLinks } from './password-links';
import { INVITATION_DAYS, invitationMail } from './password-mail';
import { requireMail } from './mail-settings';
import type { MailSettings } from './mail-settings';

declare module '../../platform/context' {
  interface Services {
    invitations: Invitations;
  }
}

export type InvitedUser = Omit<NewUser, 'password'>;

const LINK_LIFETIME_MS = INVITATION_DAYS * 24 * 60 * 60_000;

/** Creates users who choose their own password with a mailed link. */
export class Invitations {
  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly accounts: {
        readonly users: UserService;
        readonly records: UserRecords;
        readonly permissions: UserPermissions;
      };
      readonly links: PasswordLinks;
      readonly mail: MailSettings;
    },
  ) {}

  /**
   * Creates a user and mails them a link to set their password.
   * @throws Refused MAIL_NOT_CONFIGURED, and as `UserService.create`
   * @throws Forbidden as `UserService.create`
   */
  async invite(actor: Actor, user: InvitedUser): Promise<User> {
    requireSession(actor);
    const publicUrl = requireMail(this.deps.mail, 'Users cannot be invited by mail');
    // The random password is not shown: the user cannot sign in until they set one.
    const newUser = { ...user, password: randomPassword() };
    return this.deps.accounts.users.create(actor, newUser, (record, tx) =>
      this.send(actor, record, publicUrl, tx),
    );
  }

  /**
   * Mails a new link to a user who has not signed in yet. Earlier links stop working.
   * @throws NotFound USER_NOT_EXIST
   * @throws Refused MAIL_NOT_CONFIGURED, INVITATION_ACCEPTED, USER_DISABLED, LDAP_USER
   * @throws Forbidden API_TOKEN_REFUSED; if the user's group has rights that the actor lacks
   */
  async inviteAgain(actor: Actor, id: number): Promise<User> {
    requireSession(actor);
    const { accounts, mail } = this.deps;
    return accounts.records.inTransaction(id, async (tx) => {
      const record = await accounts.records.require(id, tx);
      accounts.permissions.requireCanManage(actor, { id, groupId: record.groupId });
      requireLocal(record);
      if (record.lastLogin !== null)
        throw new Refused('INVITATION_ACCEPTED', 'This user has signed in already.', {
          path: ['id'],
        });
      requireEnabled(record, ['id']);
      const publicUrl = requireMail(mail, 'Users cannot be invited by mail');
      await this.send(actor, record, publicUrl, tx);
      return toUser(record);
    });
  }

  private async send(actor: Actor, user: UserRecord, publicUrl: string, tx: Tx): Promise<void> {
    const { audit, links, mail } = this.deps;
    await links.removeOf([user._id], tx);
    const token = await links.create(user, 1, tx, LINK_LIFETIME_MS);
    if (token === null) return;
    const { lang } = user.detail;
    const content = invitationMail(lang, { publicUrl, token, invitedBy: actor.email });
    await mail.outbox.enqueue(
      { channel: 'email', purpose: 'INVITATION', to: user.email, ...content },
      tx,
    );
    await audit.record(actor, 'user.invite', { type: 'User', id: user._id }, null, null, tx);
  }
}
