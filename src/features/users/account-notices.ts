import type { Core } from '../../platform/core';
import type { Tx } from '../../platform/store/store';
import type { UserRecord } from './user.model';
import type { NoticeMails } from './user.ports';
import { emailProblems } from './user.rules';

type Purpose = Parameters<NoticeMails['enqueue']>[0]['purpose'];

/** How a password was changed. */
type PasswordChangeKind = 'own' | 'set' | 'removed';

/** Texts of the mails, by the language of the user. */
const TEXTS = {
  en: {
    passwordSubject: 'Your password was changed',
    emailSubject: 'Your e-mail address was changed',
    email: (address: string) => `The e-mail address of your account was changed to ${address}.`,
    own: 'The password of your account was changed.',
    set: 'An administrator has set a new password for your account.',
    removed: 'The local password of your account was removed: the directory checks your password.',
    account: 'Account',
    time: 'Time',
    service: 'Service',
    advice: 'If you did not expect this, tell an administrator at once.',
  },
  de: {
    passwordSubject: 'Ihr Passwort wurde geändert',
    emailSubject: 'Ihre E-Mail-Adresse wurde geändert',
    email: (address: string) => `Die E-Mail-Adresse Ihres Kontos wurde in ${address} geändert.`,
    own: 'Das Passwort Ihres Kontos wurde geändert.',
    set: 'Ein Administrator hat ein neues Passwort für Ihr Konto gesetzt.',
    removed:
      'Das lokale Passwort Ihres Kontos wurde entfernt: Das Verzeichnis prüft nun Ihr Passwort.',
    account: 'Konto',
    time: 'Zeit',
    service: 'Dienst',
    advice: 'Wenn Sie das nicht erwartet haben, wenden Sie sich sofort an einen Administrator.',
  },
} as const;

/**
 * Mails users that their password or e-mail was changed, so that a change by someone else is noticed.
 */
export class AccountNotices {
  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'clock'>;
      readonly outbox: NoticeMails;
      /** False without a mail server, and for commands that run while the service is stopped. */
      readonly isPossible: () => boolean;
      readonly publicUrl: string | null;
    },
  ) {}

  /** Queues the mail in the transaction that changes the password. */
  async passwordChanged(user: UserRecord, kind: PasswordChangeKind, tx: Tx): Promise<void> {
    const texts = TEXTS[user.detail.lang];
    const mail = { subject: texts.passwordSubject, text: texts[kind] };
    await this.enqueue(user, { purpose: 'PASSWORD_CHANGED', ...mail }, tx);
  }

  /** Queues the mail to the former address in the transaction that changes it. */
  async emailChanged(before: UserRecord, email: string, tx: Tx): Promise<void> {
    const texts = TEXTS[before.detail.lang];
    const mail = { subject: texts.emailSubject, text: texts.email(email) };
    await this.enqueue(before, { purpose: 'EMAIL_CHANGED', ...mail }, tx);
  }

  private async enqueue(
    { email, detail }: UserRecord,
    { purpose, subject, text }: { purpose: Purpose; subject: string; text: string },
    tx: Tx,
  ): Promise<void> {
    const { core, outbox, isPossible, publicUrl } = this.deps;
    // Accounts of a directory may have a name in place of an address.
    if (!isPossible() || emailProblems(email).length > 0) return;
    const texts = TEXTS[detail.lang];
    const lines = [
      text,
      '',
      `${texts.account}: ${email}`,
      `${texts.time}: ${core.clock.now().toISOString()}`,
      ...(publicUrl === null ? [] : [`${texts.service}: ${publicUrl}`]),
      '',
      texts.advice,
    ];
    await outbox.enqueue(
      {
        channel: 'email',
        purpose,
        to: email,
        subject,
        body: lines.join('\n'),
      },
      tx,
    );
  }
}
