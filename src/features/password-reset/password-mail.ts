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

/** @param publicUrl the configured one: the address of a request could lead elsewhere */
export function passwordMail(
  language: keyof typeof TEXTS,
  publicUrl: string,
  token: string,
): { readonly subject: string; readonly body: string } {
  const { subject, lines } = TEXTS[language];
  const link = `${publicUrl}/set-password?token=${token}`;
  return { subject, body: lines(link).join('\n') };
}
