import { flag, isEmail, list, oneOf, secretText, text, wholeNumber } from './forms';
import { optional, setting } from './setting';
import type { ValuesOf } from './setting';

/** How mails are sent: one SMTP server, and a sender. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** Null: the server needs no login. */
  readonly login: { readonly username: string; readonly password: string } | null;
  /**
   * `required`: the connection is encrypted with STARTTLS, or nothing is sent. `implicit`: TLS from
   * the start, on port 465.
   */
  readonly encryption: 'required' | 'implicit' | 'none';
  /** Servers whose certificate is not verified; `*`: any. */
  readonly trusted: readonly string[];
  /** `a@example.com` or `Name <a@example.com>`. */
  readonly from: string;
  readonly connectMs: number;
  readonly readMs: number;
  readonly writeMs: number;
}

export interface NotificationConfig {
  /** Default recipients of incoming webhooks. */
  readonly webhookUrls: readonly string[];
  /** Gets a mail for failed runs of every enabled schedule; null: no such mails are sent. */
  readonly failuresEmail: string | null;
  /** Language of that mail. */
  readonly language: 'en' | 'de';
  /** Keys without which no mail can be sent; empty if a mail server is configured. */
  readonly missingMailKeys: readonly string[];
}

const IMPLICIT_TLS_PORT = 465;

/** `a@example.com`, or a name before it in angle brackets. A line break would add headers. */
const isSender = (value: string): boolean => {
  const [, address] = /^[^<>\p{Cc}]*<([^<>]+)>$/u.exec(value) ?? [];
  return isEmail(address ?? value);
};

export const isWebhookUrl = (value: string): boolean =>
  !/[\s\p{Cc}]/u.test(value) &&
  URL.canParse(value) &&
  /^https?:$/.test(new URL(value).protocol) &&
  value.length <= 2_048;

const SMTP = 'spring.mail.properties.mail.smtp';
const timeout = (name: string) => setting(`${SMTP}.${name}`, wholeNumber(100, 600_000), 5_000);

/** Settings of mail and notifications. The keys of mail are those of the released line. */
export const MAIL_SETTINGS = {
  mailHost: optional(
    'spring.mail.host',
    text('a host name or an address', (value) => /^[\w.:-]{1,255}$/.test(value)),
  ),
  mailPort: setting('spring.mail.port', wholeNumber(1, 65_535), 587),
  mailUsername: optional('spring.mail.username', text()),
  mailPassword: optional(
    'spring.mail.password',
    secretText('a text that is not empty', (value) => value !== ''),
    { secret: true },
  ),
  mailFrom: optional(
    'spring.mail.<product>.from',
    text('an e-mail address, or a name and the address in angle brackets', isSender),
    { defaultText: '`spring.mail.username` if it is an e-mail address' },
  ),
  mailAuth: setting(`${SMTP}.auth`, flag(), true),
  mailStartTls: setting(`${SMTP}.starttls.enable`, flag(), true),
  mailTrust: setting(
    `${SMTP}.ssl.trust`,
    list('* or the names of servers whose certificate is not verified, separated by commas'),
    [],
  ),
  mailConnectTimeout: timeout('connectiontimeout'),
  mailReadTimeout: timeout('timeout'),
  mailWriteTimeout: timeout('writetimeout'),
  webhookUrls: setting(
    '<product>.notification.tools.incoming_webhook.url',
    list('http or https URLs separated by commas', isWebhookUrl),
    [],
    { secret: true, isLenient: true },
  ),
  failuresEmail: optional(
    '<product>.notification.failures.email',
    text('an e-mail address', isEmail),
  ),
  failuresLanguage: setting('<product>.notification.failures.language', oneOf('en', 'de'), 'en'),
};

/** Null without a server or a sender. */
export function mailOf(values: ValuesOf<typeof MAIL_SETTINGS>): MailConfig | null {
  const { mailHost: host, mailPort: port, mailUsername: username } = values;
  const from = values.mailFrom ?? (username !== null && isSender(username) ? username : null);
  if (host === null || from === null) return null;
  const encryption = values.mailStartTls ? 'required' : 'none';
  return {
    host,
    port,
    login:
      values.mailAuth && username !== null
        ? { username, password: values.mailPassword ?? '' }
        : null,
    encryption: port === IMPLICIT_TLS_PORT ? 'implicit' : encryption,
    trusted: values.mailTrust,
    from,
    connectMs: values.mailConnectTimeout,
    readMs: values.mailReadTimeout,
    writeMs: values.mailWriteTimeout,
  };
}

export const notificationsOf = (
  values: ValuesOf<typeof MAIL_SETTINGS>,
  product: string,
): NotificationConfig => ({
  missingMailKeys:
    mailOf(values) !== null
      ? []
      : [
          ...(values.mailHost === null ? [MAIL_SETTINGS.mailHost.key] : []),
          ...(values.mailFrom === null ? [MAIL_SETTINGS.mailFrom.key] : []),
        ].map((key) => key.replace('<product>', product)),
  webhookUrls: values.webhookUrls,
  failuresEmail: values.failuresEmail,
  language: values.failuresLanguage,
});
