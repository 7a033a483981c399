import type { AddressInfo, Socket } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { SMTPServerOptions } from 'smtp-server';
import { CERTIFICATE, KEY } from './untrusted-server';
import type { TestService } from '../service/harness';
import { until } from '../until';

export interface ReceivedMail {
  readonly from: string;
  readonly to: string[];
  readonly messageId: string;
  readonly subject: string;
  readonly raw: string;
  /** The decoded text. */
  readonly text: string;
  readonly isEncrypted: boolean;
  readonly user: string | undefined;
}

/** What the server does after the message was sent. */
type AfterData = 'accept' | 'refuse' | 'defer' | 'drop' | 'silence';

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** Messages that arrived, accepted or not. */
  readonly arrived: ReceivedMail[];
  /** Everything that clients sent without TLS. */
  readonly received: string[];
  afterData: AfterData;
  /** Settings of a service that sends through this server. */
  readonly env: Record<string, string>;
  close(): Promise<void>;
}

export const MAIL_USER = 'mailer@hypha.test';
export const MAIL_PASSWORD = 'password of the mailer';

const headerOf = (raw: string, name: string): string =>
  new RegExp(`^${name}: (.*(?:\r\n[ \t].*)*)`, 'im').exec(raw)?.[1].replaceAll('\r\n', '') ?? '';

function textOf(raw: string): string {
  const body = raw.slice(raw.indexOf('\r\n\r\n') + 4);
  const encoding = headerOf(raw, 'Content-Transfer-Encoding');
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString('utf8');
  if (encoding !== 'quoted-printable') return body;
  const bytes = body
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString('utf8');
}

/** A real SMTP server with STARTTLS and AUTH on a loopback port. */
export async function startMailServer(
  options: SMTPServerOptions = {},
  port = 0,
): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const arrived: ReceivedMail[] = [];
  const received: string[] = [];
  const sockets = new Set<Socket>();
  const server = new SMTPServer({
    key: KEY,
    cert: CERTIFICATE,
    logger: false,
    disableReverseLookup: true,
    closeTimeout: 200,
    onAuth: ({ username, password }, _session, done) =>
      username === MAIL_USER && password === MAIL_PASSWORD
        ? done(null, { user: username })
        : done(new Error('Invalid user name or password')),
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const raw = Buffer.concat(chunks).toString('utf8');
        const { mailFrom, rcptTo } = session.envelope;
        const mail: ReceivedMail = {
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          messageId: headerOf(raw, 'Message-ID'),
          subject: headerOf(raw, 'Subject'),
          raw,
          text: textOf(raw),
          isEncrypted: session.secure,
          user: session.user,
        };
        arrived.push(mail);
        const refusal = (code: number, text: string): Error =>
          Object.assign(new Error(text), { responseCode: code });
        if (control.afterData === 'refuse') done(refusal(554, 'This looks like spam'));
        else if (control.afterData === 'defer') done(refusal(451, 'Try again later'));
        else if (control.afterData === 'drop') for (const socket of sockets) socket.destroy();
        else if (control.afterData === 'accept') {
          mails.push(mail);
          done();
        }
      });
    },
    ...options,
  });
  server.on('error', () => undefined);
  server.server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => received.push(chunk.toString('utf8')));
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(port, '127.0.0.1', resolve));
  const listening = (server.server.address() as AddressInfo).port;
  const control: MailServer = {
    port: listening,
    mails,
    arrived,
    received,
    afterData: 'accept',
    env: {
      SPRING_MAIL_HOST: '127.0.0.1',
      SPRING_MAIL_PORT: String(listening),
      SPRING_MAIL_USERNAME: MAIL_USER,
      SPRING_MAIL_PASSWORD: MAIL_PASSWORD,
      SPRING_MAIL_HYPHA_FROM: 'Hypha <noreply@hypha.test>',
      SPRING_MAIL_PROPERTIES_MAIL_SMTP_SSL_TRUST: '127.0.0.1',
      HYPHA_PUBLIC_URL: 'https://hypha.example.com/app',
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return control;
}

/** The settings of a mail server at which nothing listens: messages wait in the outbox. */
export const UNREACHABLE_MAIL = {
  SPRING_MAIL_HOST: '127.0.0.1',
  SPRING_MAIL_PORT: '1',
  SPRING_MAIL_HYPHA_FROM: 'Hypha <noreply@hypha.test>',
  HYPHA_PUBLIC_URL: 'https://hypha.example.com',
};

/** Makes messages that wait in the outbox. */
export async function waitingMessages(service: TestService, count: number): Promise<void> {
  for (let nth = 0; nth < count; nth += 1) {
    const { email } = await service.userWith([]);
    await service.api('POST', '/api/auth/forgot-password', { body: { email }, token: null });
  }
  await until(
    async () =>
      (await service.data('{ deliveries { totalCount } }')).deliveries.totalCount >= count,
  );
}
