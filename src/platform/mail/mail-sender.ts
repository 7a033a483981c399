import type MailComposer from 'nodemailer/lib/mail-composer';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { MailConfig } from '../../config/mail';
import { asciiEmail, needsSmtpUtf8 } from '../text/email';
import { MailFailure, mailFailureOf } from './mail-failure';

export interface Mail {
  /** One address. */
  readonly to: string;
  readonly subject: string;
  /** Plain text. */
  readonly text: string;
  /** The same for each attempt, so that a server or a reader recognises a repeated mail. */
  readonly messageId: string;
  readonly date: Date;
}

type ConnectionWithExtensions = SMTPConnection & {
  readonly _supportedExtensions?: readonly string[];
};

/** Loaded on first use: most services send nothing. */
const loadConnection = () =>
  (require('nodemailer/lib/smtp-connection') as { readonly default: typeof SMTPConnection })
    .default;
const loadComposer = () =>
  (require('nodemailer/lib/mail-composer') as { readonly default: typeof MailComposer }).default;

/** A server that answers slowly, but in time, must not hold a mail for ever. */
const MAX_SEND_MS = 60_000;

/** Sends mails to the configured SMTP server. Each one has its own connection. */
export class MailSender {
  /** `host:port`, for messages. */
  readonly location: string;

  constructor(private readonly config: MailConfig) {
    this.location = `${config.host}:${config.port}`;
  }

  /**
   * Resolves when the server has accepted the mail.
   * @throws MailFailure
   */
  async send(mail: Mail, signal: AbortSignal): Promise<void> {
    const content = await this.compose(mail);
    await this.withConnection(signal, async (connection) => {
      const [from, to] = [addressOf(this.config.from), mail.to].map(
        (address) => asciiEmail(address) ?? address,
      );
      this.requireSmtpUtf8(connection, [from, to]);
      const envelope = { from, to: [to], size: content.length };
      await new Promise<void>((resolve, reject) =>
        connection.send(envelope, content, (error) => (error ? reject(error) : resolve())),
      );
    });
  }

  /**
   * Connects and logs in.
   * @throws MailFailure
   */
  check(signal: AbortSignal): Promise<void> {
    return this.withConnection(signal, () => Promise.resolve());
  }

  private compose({ to, subject, text, messageId, date }: Mail): Promise<Buffer> {
    const { from } = this.config;
    const composer = new (loadComposer())({
      from,
      to: { name: '', address: to },
      subject,
      text,
      messageId,
      date,
      headers: { 'Auto-Submitted': 'auto-generated' },
      disableFileAccess: true,
      disableUrlAccess: true,
    });
    return composer.compile().build();
  }

  /** @throws MailFailure if the server does not offer what an address needs */
  private requireSmtpUtf8(connection: SMTPConnection, addresses: readonly string[]): void {
    const address = addresses.find(needsSmtpUtf8);
    // The library has no public name for the extensions that a server offers.
    const { _supportedExtensions: offered = [] } = connection as ConnectionWithExtensions;
    if (address === undefined || offered.includes('SMTPUTF8')) return;
    throw new MailFailure(
      'MAIL_SMTPUTF8_MISSING',
      `${this.location} does not offer SMTPUTF8, which the address "${address}" needs.`,
      { isPermanent: true },
    );
  }

  /** Breaks off if the signal is aborted, or after a minute. */
  private async withConnection(
    signal: AbortSignal,
    work: (connection: SMTPConnection) => Promise<void>,
  ): Promise<void> {
    const connection = new (loadConnection())(this.options());
    const limit = AbortSignal.any([signal, AbortSignal.timeout(MAX_SEND_MS)]);
    // Closing alone would not call back: the rejection here ends the wait.
    let stop = (): void => undefined;
    const broken = new Promise<never>((_resolve, reject) => {
      connection.on('error', reject);
      connection.on('end', () => reject(new Error('The server closed the connection.')));
      stop = () => reject(new Error('The server did not finish in time.'));
      limit.addEventListener('abort', stop, { once: true });
    });
    broken.catch(() => undefined);
    try {
      if (limit.aborted) stop();
      await Promise.race([broken, this.open(connection)]);
      await Promise.race([broken, work(connection)]);
      connection.quit();
    } catch (error) {
      connection.close();
      throw mailFailureOf(error, this.location);
    } finally {
      limit.removeEventListener('abort', stop);
    }
  }

  private async open(connection: SMTPConnection): Promise<void> {
    await new Promise<void>((resolve, reject) =>
      connection.connect((error) => (error ? reject(error) : resolve())),
    );
    const { login } = this.config;
    if (login === null) return;
    if (!connection.allowsAuth)
      throw new MailFailure('MAIL_LOGIN_FAILED', `${this.location} offers no login.`);
    const credentials = { user: login.username, pass: login.password };
    await new Promise<void>((resolve, reject) =>
      connection.login({ credentials }, (error) => (error ? reject(error) : resolve())),
    );
  }

  private options(): ConstructorParameters<typeof SMTPConnection>[0] {
    const { host, port, encryption, trusted, connectMs, readMs, writeMs } = this.config;
    return {
      host,
      port,
      secure: encryption === 'implicit',
      requireTLS: encryption === 'required',
      ignoreTLS: encryption === 'none',
      tls: { rejectUnauthorized: !trusted.includes('*') && !trusted.includes(host) },
      connectionTimeout: connectMs,
      greetingTimeout: readMs,
      dnsTimeout: connectMs,
      // The client has one time-out for reading and writing.
      socketTimeout: Math.max(readMs, writeMs),
      // Otherwise a server that does not close its side holds the socket for seconds.
      socketCloseTimeout: 0,
    };
  }
}

const addressOf = (sender: string): string => /<([^<>]+)>$/.exec(sender)?.[1] ?? sender;
