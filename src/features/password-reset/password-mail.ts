/** Texts of the mail with the link, by the language of the user. */
const TEXTS = {
  en: {
    subject: 'Set a new password',
    lines: (link: string): string[] => [
      'Someone asked for a new password for this e-mail address.',
      '',
      'Open this link within an hour to set it. It works once:',
      link,
      '',
      'If it was not you, ignore this mail: your password is unchanged.',
    ],
  },
  de: {
    subject: 'Neues Passwort setzen',
    lines: (link: string): string[] => [
      'Für diese E-Mail-Adresse wurde ein neues Passwort angefordert.',
      '',
      'Öffnen Sie innerhalb einer Stunde diesen Link, um es zu setzen. Er gilt einmal:',
      link,
      '',
      'Wenn Sie das nicht waren, ignorieren Sie diese Mail: Ihr Passwort ist unverändert.',
    ],
  },
} as const;

export const INVITATION_DAYS = 7;

/** Texts of the mail to a user who was created without a password. */
const INVITATIONS = {
  en: {
    subject: 'Your account',
    lines: (link: string, invitedBy: string): string[] => [
      `${invitedBy} has created an account for this e-mail address.`,
      '',
      `Open this link within ${INVITATION_DAYS} days to set your password. It works once:`,
      link,
      '',
      'Then sign in with this e-mail address and your password.',
    ],
  },
  de: {
    subject: 'Ihr Konto',
    lines: (link: string, invitedBy: string): string[] => [
      `${invitedBy} hat ein Konto für diese E-Mail-Adresse angelegt.`,
      '',
      `Öffnen Sie innerhalb von ${INVITATION_DAYS} Tagen diesen Link, um Ihr Passwort zu setzen. Er gilt einmal:`,
      link,
      '',
      'Melden Sie sich dann mit dieser E-Mail-Adresse und Ihrem Passwort an.',
    ],
  },
} as const;

interface MailText {
  readonly subject: string;
  readonly body: string;
}

const linkTo = (publicUrl: string, token: string): string =>
  `${publicUrl}/set-password?token=${token}`;

/** @param language of the invited user */
export function invitationMail(
  language: keyof typeof INVITATIONS,
  { publicUrl, token, invitedBy }: Readonly<Record<'publicUrl' | 'token' | 'invitedBy', string>>,
): MailText {
  const { subject, lines } = INVITATIONS[language];
  return { subject, body: lines(linkTo(publicUrl, token), invitedBy).join('\n') };
}

/** @param publicUrl the configured one: the address of a request could lead elsewhere */
export function passwordMail(
  language: keyof typeof TEXTS,
  publicUrl: string,
  token: string,
): MailText {
  const { subject, lines } = TEXTS[language];
  return { subject, body: lines(linkTo(publicUrl, token)).join('\n') };
}
