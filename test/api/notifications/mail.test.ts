import { startTcpServer } from '../../support/peers/tcp-server';
import { until } from '../../support/until';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ADMIN_EMAIL, startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { MAIL_PASSWORD, MAIL_USER, startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { movingClock } from '../../support/service/moving-clock';

const SMTP = 'SPRING_MAIL_PROPERTIES_MAIL_SMTP';
const clock = movingClock();
/** Everything that was opened by a test, to close after it. */
const opened: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0).reverse()) await each.close();
});

async function mailServer(...given: Parameters<typeof startMailServer>): Promise<MailServer> {
  const server = await startMailServer(...given);
  opened.push(server);
  return server;
}

async function serviceWith(env: Record<string, string>, dataDir?: string): Promise<TestService> {
  const service = await startService({ clock, env, dataDir });
  opened.push(service);
  return service;
}

/** Queues a mail, and returns its address. */
async function queueMail(service: TestService): Promise<string> {
  const { email } = await service.userWith([], unique('reader'));
  const { status } = await service.api('POST', '/api/auth/forgot-password', {
    token: null,
    body: { email },
  });
  expect(status).toBe(204);
  return email;
}

const listed = (service: TestService, query = ''): Promise<any[]> =>
  service.body('GET', `/api/delivery/all${query}`);

/** Waits until the delivery is in this state, and had an attempt. */
const deliveryIn = (service: TestService, email: string, state: string): Promise<any> =>
  until(async () =>
    (await listed(service)).find(
      (each) =>
        each.recipient === email &&
        each.state === state &&
        (state !== 'PENDING' || each.error !== null),
    ),
  );
const systemEmail = async (service: TestService): Promise<any> =>
  (await service.api('GET', '/actuator/health')).body.components.email;

describe('a mail', () => {
  it('is sent as a test, by default to the administrator who requests it', async () => {
    const server = await mailServer();
    const service = await serviceWith(server.env);
    const test = (body: object): Promise<any> =>
      service.body('POST', '/api/delivery/test', { body });
    expect(await test({})).toMatchObject({ purpose: 'TEST', recipient: ADMIN_EMAIL });
    await deliveryIn(service, ADMIN_EMAIL, 'SENT');
    expect((await test({ recipient: 'x' })).message).toBe('RECIPIENT_INVALID');
    const mailTest = await service.mutate(
      'mailTest',
      { recipient: 'other@hypha.test' },
      'delivery { recipient }',
    );
    expect(mailTest).toEqual({ delivery: { recipient: 'other@hypha.test' } });
    await until(() => server.mails.find(({ to }) => to[0] === 'other@hypha.test'));
  });

  it('is sent over STARTTLS with a login, as plain text of the configured sender', async () => {
    const server = await mailServer();
    const service = await serviceWith(server.env);
    const email = await queueMail(service);
    const delivery = await deliveryIn(service, email, 'SENT');
    expect(delivery).toMatchObject({
      channel: 'email',
      purpose: 'PASSWORD_RESET',
      attempts: 1,
      error: null,
      nextAttemptAt: null,
    });
    const [mail] = server.mails;
    expect(mail).toMatchObject({ to: [email], isEncrypted: true });
    expect(mail.raw).toMatch(/^From: Hypha <noreply@hypha.test>\r$/m);
    expect(mail.raw).toMatch(/^Auto-Submitted: auto-generated\r$/m);
    expect(mail.messageId).toMatch(/^<[\w-]+@hypha\.example\.com>$/);
    expect(await systemEmail(service)).toEqual({
      status: 'UP',
      details: { location: `127.0.0.1:${server.port}` },
    });
  });

  it.each([
    ['the certificate is not trusted', {}, { [`${SMTP}_SSL_TRUST`]: 'other' }, 'MAIL_TLS_FAILED'],
    ['the server has no STARTTLS', { disabledCommands: ['STARTTLS'] }, {}, 'MAIL_TLS_FAILED'],
    ['the password is wrong', {}, { SPRING_MAIL_PASSWORD: 'wrong' }, 'MAIL_LOGIN_FAILED'],
  ])('waits if %s', async (_title, options, env, code) => {
    const server = await mailServer(options);
    const service = await serviceWith({ ...server.env, ...env });
    const email = await queueMail(service);
    const delivery = await deliveryIn(service, email, 'PENDING');
    expect(delivery.error.code).toBe(code);
    expect(delivery.error.message).not.toContain('password of the mailer');
    expect(server.arrived).toEqual([]);
    expect((await systemEmail(service)).status).toBe('DOWN');
  });

  it('is sent in clear only if the configuration says so', async () => {
    const server = await mailServer({ hideSTARTTLS: true, authOptional: true });
    const service = await serviceWith({
      ...server.env,
      [`${SMTP}_STARTTLS_ENABLE`]: 'false',
      [`${SMTP}_AUTH`]: 'false',
    });
    await deliveryIn(service, await queueMail(service), 'SENT');
    expect(server.mails[0]).toMatchObject({ isEncrypted: false });
  });

  it('is given up visibly if the server refuses it after DATA', async () => {
    const server = await mailServer();
    server.afterData = 'refuse';
    const service = await serviceWith(server.env);
    const email = await queueMail(service);
    const failed = await deliveryIn(service, email, 'FAILED');
    expect(failed.error).toEqual({
      code: 'MAIL_REJECTED',
      message: expect.stringMatching(/^127\.0\.0\.1:\d+ answered 554\.$/),
    });
    expect(server.arrived).toHaveLength(1);
    expect(service.logs.filter(({ deliveryId }) => deliveryId === failed.deliveryId)).toHaveLength(
      1,
    );
    // The link in it is not kept.

    await service.refuses(
      400,
      'DELIVERY_NOT_FAILED',
      'POST',
      `/api/delivery/${failed.deliveryId}/retry`,
    );
  });

  it.each([
    [554, 'FAILED'],
    [451, 'PENDING'],
    [421, 'PENDING'],
  ])('with a link is not shown when a server quotes it in a reply %d', async (code, state) => {
    let sent = '';
    const server = await mailServer({
      onData(stream, _session, done) {
        stream.on('data', (chunk: Buffer) => (sent += chunk.toString('utf8')));
        stream.on('end', () => done(Object.assign(new Error(sent), { responseCode: code })));
      },
    });
    const service = await serviceWith(server.env);
    const { error } = await deliveryIn(service, await queueMail(service), state);
    expect(sent).toContain('token=');
    expect(error.message).toMatch(/answered \d{3}\.$|closed the connection\.$/);
    expect(JSON.stringify(service.logs)).not.toContain('set-password');
  });

  it.each(['defer', 'drop', 'silence'] as const)(
    'is sent again with the same Message-ID after a %s',
    async (afterData) => {
      const server = await mailServer();
      server.afterData = afterData;
      const service = await serviceWith(server.env);
      const email = await queueMail(service);
      await deliveryIn(service, email, 'PENDING');
      server.afterData = 'accept';
      clock.forward(10_000);
      const sent = await deliveryIn(service, email, 'SENT');
      expect(sent.attempts).toBe(2);
      expect(server.mails).toHaveLength(1);
      expect(new Set(server.arrived.map(({ messageId }) => messageId)).size).toBe(1);
    },
  );

  it('delays nothing while the server is silent', async () => {
    const silent = await startTcpServer();
    opened.push(silent);
    const service = await serviceWith({
      SPRING_MAIL_HOST: '127.0.0.1',
      SPRING_MAIL_PORT: String(silent.port),
      SPRING_MAIL_HYPHA_FROM: 'noreply@hypha.test',
      HYPHA_PUBLIC_URL: 'https://hypha.example.com',
      [`${SMTP}_CONNECTIONTIMEOUT`]: '300',
      [`${SMTP}_TIMEOUT`]: '300',
      [`${SMTP}_WRITETIMEOUT`]: '300',
    });
    const delivery = await deliveryIn(service, await queueMail(service), 'PENDING');
    expect(delivery.error.code).toBe('MAIL_CONNECTION_FAILED');
  });

  it('survives a restart while the server is down, and arrives once', async () => {
    const dataDir = mkdtempSync(join(tmpdir(), 'hypha-mail-'));
    opened.push({
      close: () => Promise.resolve(rmSync(dataDir, { recursive: true, force: true })),
    });
    const down = await startMailServer();
    await down.close();
    const before = await startService({ clock, env: down.env, dataDir });
    const email = await queueMail(before);
    await deliveryIn(before, email, 'PENDING');
    await before.close();

    const server = await mailServer({}, down.port);
    clock.forward(60_000);
    const after = await serviceWith(down.env, dataDir);
    await deliveryIn(after, email, 'SENT');
    expect(server.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  it('to reset a password is given up after an hour', async () => {
    const down = await startMailServer();
    await down.close();
    const service = await serviceWith(down.env);
    const email = await queueMail(service);
    await deliveryIn(service, email, 'PENDING');
    clock.forward(60 * 60_000);
    expect((await deliveryIn(service, email, 'FAILED')).error.code).toBe('MAIL_CONNECTION_FAILED');
  });
});

describe('the list of messages', () => {
  it('is for administrators, and shows no content', async () => {
    const server = await mailServer();
    const service = await serviceWith(server.env);
    const email = await queueMail(service);
    await deliveryIn(service, email, 'SENT');
    const deliveries =
      await service.field(`{ deliveries(first: 5, filter: { state: { eq: SENT } }) {
        totalCount nodes { id recipient subject state channel purpose error { code } } } }`);
    expect(deliveries.nodes).toEqual([
      {
        id: expect.any(String),
        recipient: email,
        subject: 'Set a new password',
        state: 'SENT',
        channel: 'EMAIL',
        purpose: 'PASSWORD_RESET',
        error: null,
      },
    ]);
    expect(await listed(service, '?state=FAILED')).toEqual([]);
    const user = await service.userWith(['USER:READ', 'SCHEDULE:READ']);
    const denied = await service.api('GET', '/api/delivery/all', { token: user.token });
    expect(denied.status).toBe(403);
    const { data } = await service.gql('{ deliveries { totalCount } }', {}, user.token);
    expect(data?.deliveries ?? null).toBeNull();
  });
});

describe('the example of the documentation', () => {
  it('is a configuration that sends', async () => {
    const page = readFileSync(join(__dirname, '../../../docs/mail.md'), 'utf8');
    const example = /```yaml\n([^`]+)```/.exec(page)?.[1] ?? '';
    expect(example).toContain('smtp.example.com');
    const server = await mailServer();
    const dir = mkdtempSync(join(tmpdir(), 'hypha-example-'));
    opened.push({ close: () => Promise.resolve(rmSync(dir, { recursive: true, force: true })) });
    const file = join(dir, 'application.yml');
    writeFileSync(
      file,
      example
        .replace('smtp.example.com', '127.0.0.1')
        .replace('587', String(server.port))
        .replace('mailer@example.com', MAIL_USER)
        .replace('secret', MAIL_PASSWORD),
    );
    const service = await serviceWith({
      CONFIG_FILE: file,
      [`${SMTP}_SSL_TRUST`]: '127.0.0.1',
    });
    await deliveryIn(service, await queueMail(service), 'SENT');
    expect(server.mails[0].raw).toMatch(/^From: Hypha <noreply@example.com>\r$/m);
  });
});

describe('the system check', () => {
  it('shows mail that is not configured as down, but not the service', async () => {
    const service = await serviceWith({});
    const { body } = await service.api('GET', '/actuator/health');
    expect([body.status, body.components.email.status]).toEqual(['UP', 'DOWN']);
  });
});
