import { askService } from '../../../src/platform/control/client';
import { startService, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { until } from '../../support/until';

const PASSWORD = 'a good password';
const UNICODE = 'Bücher.example';
const ASCII = 'xn--bcher-kva.example';

/** The test server shows domains in their Unicode form, so what was sent has to be read. */
const SMTP = 'SPRING_MAIL_PROPERTIES_MAIL_SMTP';
const IN_CLEAR = { [`${SMTP}_STARTTLS_ENABLE`]: 'false', [`${SMTP}_AUTH`]: 'false' };

let mail: MailServer;
let service: TestService;
beforeAll(async () => {
  mail = await startMailServer({ hideSTARTTLS: true, authOptional: true });
  service = await startService({ env: { ...mail.env, ...IN_CLEAR } });
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const create = (email: string, at = service) =>
  at.api('POST', '/api/user', { body: { email, password: PASSWORD, userGroup: 2 } });
const newUser = async (email: string, at = service): Promise<number> => {
  const { status, body, text } = await create(email, at);
  if (status !== 201) throw new Error(text);
  return body.enhanceId;
};
const forget = (email: string, at = service) =>
  at.api('POST', '/api/auth/forgot-password', { token: null, body: { email } });
const deliveries = (at = service): Promise<any[]> => at.body('GET', '/api/delivery/all');

describe('an address with an international domain', () => {
  it.each([
    [UNICODE, ASCII],
    [ASCII, UNICODE],
  ])('at %s is the same as at %s', async (domain, other) => {
    const name = unique('ada');
    const email = `${name}@${domain}`;
    const same = `${name.toUpperCase()}@${other}`;
    const id = await newUser(email);
    expect((await service.api('GET', `/api/user/${id}`)).body.email).toBe(email);

    expect((await create(same)).body.error).toContain('Another user has this e-mail.');
    const second = await newUser(`${unique('bob')}@${domain}`);
    await service.refuses(409, 'EMAIL_ALREADY_EXIST', 'PUT', `/api/user/${second}`, {
      body: { email: same },
    });
    const edited = await service.api('PUT', `/api/user/${id}`, { body: { email: same } });
    expect([edited.status, edited.body.email]).toEqual([200, same]);

    const login = await service.api('POST', '/login', {
      token: null,
      body: { email, password: PASSWORD },
    });
    expect([login.status, login.body.enhanceId]).toEqual([200, id]);
    const users = await service.field(
      `query ($eq: String!, $part: String!) {
        users(filter: { and: [{ email: { eq: $eq } }, { email: { contains: $part } }] }) {
          nodes { databaseId } } }`,
      { eq: email, part: `${name}@bücher` },
    );
    expect(users.nodes).toEqual([{ databaseId: id }]);
    const reset = await askService(service.dataDir, {
      command: 'user reset-password',
      input: { email, password: 'another password' },
      systemUser: 'tester',
    });
    expect(reset).toMatchObject({ done: true, result: { id } });
  });

  it('gets its mails at the ASCII form', async () => {
    const name = unique('carl');
    await newUser(`${name}@${UNICODE}`);
    expect((await forget(`${name}@${ASCII}`)).status).toBe(204);
    await until(() => mail.mails.some(({ to }) => to[0].startsWith(name)));
    const sent = mail.received.join('');
    expect(sent).toContain(`RCPT TO:<${name}@${ASCII}>`);
    expect(sent).toMatch(new RegExp(`^To: <?${name}@${ASCII}>?\\r$`, 'm'));
    expect(sent).not.toContain('SMTPUTF8');
  });

  it('differs from one at another domain that only looks alike', async () => {
    const name = unique('dora');
    const ids = [await newUser(`${name}@faß.example`), await newUser(`${name}@fass.example`)];
    expect(new Set(ids).size).toBe(2);
  });

  it.each(['a@bü/cher.example', 'a@ü%41.example', 'a@xn--a.bücher.example', 'a@bü*.example'])(
    'is refused if it is %s, which has no ASCII form',
    async (email) => {
      const { body } = await create(email);
      expect([body.message, body.error]).toEqual([
        'CREATION_ERROR',
        expect.stringContaining('This is not an e-mail address.'),
      ]);
    },
  );
});

describe('an address with other characters before the @', () => {
  it('gets mails from a server with SMTPUTF8', async () => {
    const name = unique('jörg');
    await newUser(`${name}@${UNICODE}`);
    await forget(`${name}@${UNICODE}`);
    await until(() => mail.mails.some(({ to }) => to[0].startsWith(name)));
    const sent = mail.received.join('');
    expect(sent).toMatch(/^MAIL FROM:.* SMTPUTF8/m);
    expect(sent).toContain(`RCPT TO:<${name}@${ASCII}>`);
  });

  it('gets none from a server without, which is named, and holds up no other mail', async () => {
    const plain = await startMailServer({ hideSMTPUTF8: true });
    const other = await startService({ env: plain.env });
    try {
      await newUser('jörg@hypha.test', other);
      await newUser('ada@hypha.test', other);
      await forget('jörg@hypha.test', other);
      await forget('ada@hypha.test', other);
      await until(() => plain.mails.some(({ to }) => to[0] === 'ada@hypha.test'));
      const failed = await until(async () =>
        (await deliveries(other)).find(({ state }) => state === 'FAILED'),
      );
      expect(failed).toMatchObject({
        recipient: 'jörg@hypha.test',
        attempts: 1,
        error: {
          code: 'MAIL_SMTPUTF8_MISSING',
          message: expect.stringContaining('does not offer SMTPUTF8'),
        },
      });
      expect(plain.arrived).toHaveLength(1);
    } finally {
      await other.close();
      await plain.close();
    }
  });
});
