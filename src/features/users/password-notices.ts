import type { Core } from '../../platform/core';
import type { Tx } from '../../platform/store/store';
import type { Outbox } from '../outbox/outbox';
import type { UserRecord } from './user.model';
import { emailProblems } from './user.rules';

/** How a password was changed. */
type PasswordChangeKind = 'own' | 'set' | 'removed';

/** Texts of the mail about a changed password, by the language of the user. */
const TEXTS = {
  en: {
    subject: 'Your password was changed',
    own: 'The password of your account was changed.',
    set: 'An administrator has set a new password for your account.',
    removed: 'The local password of your account was removed: the directory checks your password.',
    account: 'Account',
    time: 'Time',
    service: 'Service',
    advice: 'If you did not expect this, tell an administrator at once.',
  },
  de: {
    subject: 'Ihr Passwort wurde geändert',
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

/** Mails users that their password was changed, so that a change by someone else is noticed. */
export class PasswordNotices {
  constructor(
    private readonly deps: {
      readonly core: Pick<Core, 'clock'>;
      readonly outbox: Outbox;
      /** False without a mail server, and for commands that run while the service is stopped. */
      readonly isPossible: () => boolean;
      readonly publicUrl: string | null;
    },
  ) {}

  /** Queues the mail in the transaction that changes the password. */
  async enqueue(user: UserRecord, kind: PasswordChangeKind, tx: Tx): Promise<void> {
    const { core, outbox, isPossible, publicUrl } = this.deps;
    const { email, detail } = user;
    // Accounts of a directory may have a name in place of an address.
    if (!isPossible() || emailProblems(email).length > 0) return;
    const texts = TEXTS[detail.lang];
    const lines = [
      texts[kind],
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
        purpose: 'PASSWORD_CHANGED',
        to: email,
        subject: texts.subject,
        body: lines.join('\n'),
      },
      tx,
    );
  }
}
