/** Why a mail was not sent. */
export const MAIL_FAILURES = {
  MAIL_NOT_CONFIGURED: 'No mail server is configured.',
  MAIL_CONNECTION_FAILED: 'The mail server could not be reached, or the connection broke.',
  MAIL_TLS_FAILED: 'The connection to the mail server could not be encrypted.',
  MAIL_LOGIN_FAILED: 'The mail server refused user name or password.',
  MAIL_REJECTED: 'The mail server refused the mail.',
  MAIL_SMTPUTF8_MISSING:
    'The address has characters outside ASCII before the @, and the mail server does not offer SMTPUTF8.',
} as const;
type MailFailureCode = keyof typeof MAIL_FAILURES;

export class MailFailure extends Error {
  constructor(
    readonly code: MailFailureCode,
    message: string,
    options?: {
      readonly cause?: unknown;
      readonly isPermanent?: boolean;
      readonly withoutReply?: string;
    },
  ) {
    super(message, options);
    this.name = 'MailFailure';
    this.isPermanent = options?.isPermanent ?? false;
    this.withoutReply = options?.withoutReply ?? message;
  }

  /** Whether the same mail would be refused again. */
  readonly isPermanent: boolean;

  /** The message without the words of the server, which may quote the mail. */
  readonly withoutReply: string;

  /** Whether other mails would fail as well. */
  get isOfServer(): boolean {
    return this.code !== 'MAIL_REJECTED' && this.code !== 'MAIL_SMTPUTF8_MISSING';
  }
}

/** The fields of errors of the SMTP client. */
interface SmtpError extends Error {
  readonly code?: string;
  readonly responseCode?: number;
  readonly response?: string;
}

const TLS = /^(?:ETLS|ERR_TLS|ERR_SSL|CERT_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|EPROTO)/;
const MAX_ANSWER = 300;

/** Replies of a server may repeat what was sent, over several lines. */
const shown = (text: string): string =>
  text
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim()
    .slice(0, MAX_ANSWER)
    .toWellFormed();

/** Converts any error of the SMTP client. */
export function mailFailureOf(error: unknown, server: string): MailFailure {
  if (error instanceof MailFailure) return error;
  const { code = '', responseCode = 0, response, message } = error as SmtpError;
  if (code === 'EAUTH')
    return new MailFailure('MAIL_LOGIN_FAILED', `${server} refused the login.`, { cause: error });
  if (TLS.test(code) || /certificate/i.test(message))
    return new MailFailure(
      'MAIL_TLS_FAILED',
      `No encrypted connection to ${server}: ${shown(message)}`,
      { cause: error },
    );
  if (responseCode >= 400 || code === 'EENVELOPE' || code === 'EMESSAGE')
    return new MailFailure(
      // 421: the server closes the connection, whatever the mail is.
      responseCode === 421 ? 'MAIL_CONNECTION_FAILED' : 'MAIL_REJECTED',
      `${server} answered: ${shown(response ?? message)}`,
      {
        cause: error,
        isPermanent: responseCode >= 500 || responseCode === 0,
        ...(response !== undefined && { withoutReply: `${server} answered ${responseCode}.` }),
      },
    );
  return new MailFailure(
    'MAIL_CONNECTION_FAILED',
    `Could not send through ${server}: ${shown(message)}`,
    {
      cause: error,
      ...(response !== undefined && { withoutReply: `Could not send through ${server}.` }),
    },
  );
}
