import { systemActor } from '../../platform/access/actor';
import type { Actor } from '../../platform/access/actor';
import { LONGEST_ACCOUNT } from '../../platform/attempts/lockout';
import type { Lockout } from '../../platform/attempts/lockout';
import type { Origin } from '../../platform/context';
import type { Core } from '../../platform/core';
import { BadInput, NotFound } from '../../platform/errors/errors';
import type { Tx } from '../../platform/store/store';
import { emailKeyOf } from '../../platform/text/email';
import type { AuditService } from '../audit/audit.service';
import type { User, UserRecord } from '../users/user.model';
import type { UserRecords } from '../users/user-records';
import { requireSamePassword } from '../users/user-password.service';
import type { NewPassword, UserPasswordService } from '../users/user-password.service';
import { requireMail } from './mail-settings';
import type { MailSettings } from './mail-settings';
import { LINK_LIFETIME_MS } from './password-links';
import type { PasswordLinkRecord, PasswordLinks } from './password-links';
import { passwordMail } from './password-mail';

declare module '../../platform/context' {
  interface Services {
    passwordReset: PasswordReset;
  }
}

/** Valid links of one user: more mails in an hour would be a nuisance. */
const MAX_LINKS = 3;
/** Requests whose mail is not queued yet. */
const MAX_PENDING = 1_000;

const invalidToken = (): BadInput =>
  new BadInput('INVALID_TOKEN', 'This link was used or has expired. Ask for a new one.', {
    path: ['token'],
  });

/** New passwords with a link that is mailed to the user. */
export class PasswordReset {
  private readonly pending = new Set<Promise<void>>();

  constructor(
    private readonly deps: {
      readonly core: Core;
      readonly audit: AuditService;
      readonly users: UserRecords;
      readonly passwords: Pick<UserPasswordService, 'change'>;
      readonly links: PasswordLinks;
      readonly mail: MailSettings;
    },
    /** Counts requests, for each account and each network. */
    private readonly requests: Lockout,
  ) {}

  /**
   * Mails a link to the user with this e-mail address. Resolves before it looks for the user, so
   * that neither the answer nor its time shows whether there is one.
   * @throws Refused MAIL_NOT_CONFIGURED
   * @throws RateLimited after too many requests for this address or from this network
   */
  async request(
    email: string,
    { network, requestId }: Pick<Origin, 'network' | 'requestId'>,
  ): Promise<void> {
    const { core, mail } = this.deps;
    const publicUrl = requireMail(mail, 'Passwords cannot be reset by mail');
    const account = emailKeyOf(email.slice(0, LONGEST_ACCOUNT));
    await this.requests.count(account, network, 'failure');
    if (this.pending.size >= MAX_PENDING) return;
    const queued = this.queueMail(email.trim(), publicUrl, requestId)
      .catch((error: unknown) => core.log.error({ err: error, requestId }, 'No link was mailed.'))
      .finally(() => this.pending.delete(queued));
    this.pending.add(queued);
  }

  /**
   * Sets a password with a link. Ends all sessions of the user.
   * @throws BadInput INVALID_TOKEN, PASSWORDS_DIFFER, PASSWORD_INVALID
   */
  async reset(
    token: string,
    password: NewPassword,
    { requestId }: Pick<Origin, 'requestId'>,
  ): Promise<void> {
    const { users, passwords, links } = this.deps;
    const link = await links.find(token);
    const user = link && (await users.byId(link.userId));
    if (!link || !user) throw invalidToken();
    requireSamePassword(password);
    await passwords
      .change(ownerOf(user, requestId), user.id, password.newPassword, null, {
        alongside: (before, tx) => this.useLink(link, before, tx),
      })
      .catch((error: unknown) => {
        throw error instanceof NotFound ? invalidToken() : error;
      });
  }

  /** Resolves when the mails of all requests are queued. */
  async stop(): Promise<void> {
    await Promise.all(this.pending);
  }

  private async queueMail(email: string, publicUrl: string, requestId: string): Promise<void> {
    const { audit, users, links, mail } = this.deps;
    const user = await users.byEmail(email);
    if (user?.authSource !== 'local' || user.disabledAt) return;
    await users.inTransaction(user.id, async (tx) => {
      // Concurrent requests must count each other's links.
      await users.claim(user.id, tx);
      const owner = await users.require(user.id, tx);
      const token = await links.create(owner, MAX_LINKS, tx);
      if (token === null) return;
      await mail.outbox.enqueue(
        {
          channel: 'email',
          purpose: 'PASSWORD_RESET',
          to: owner.email,
          ...passwordMail(user.detail.lang, publicUrl, token),
          lifetimeMs: LINK_LIFETIME_MS,
        },
        tx,
      );
      const anonymous = { ...systemActor(requestId), email: 'anonymous' };
      const target = { type: 'User', id: user.id } as const;
      await audit.record(anonymous, 'user.password-link', target, null, null, tx);
    });
  }

  private async useLink(link: PasswordLinkRecord, before: UserRecord, tx: Tx): Promise<void> {
    const isCurrent =
      before.credentialVersion === link.credentialVersion &&
      before.emailKey === link.emailKey &&
      before.authSource === 'local' &&
      before.disabledAt == null;
    if (!(await this.deps.links.use(link, tx)) || !isCurrent) throw invalidToken();
  }
}

/** The user of a link: without a session, so that a new password ends all of them. */
const ownerOf = ({ id, email, groupId }: User, requestId: string): Actor => ({
  ...systemActor(requestId),
  userId: id,
  email,
  groupId,
});
