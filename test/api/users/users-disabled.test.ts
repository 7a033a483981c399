import { askService } from '../../../src/platform/control/client';
import { nativeHashes } from '../../../src/platform/crypto/passwords';
import { accounts } from '../../support/calls/account-calls';
import { ADMIN_EMAIL, outcome, startService, unique } from '../../support/service/harness';
import type { Answer, TestService } from '../../support/service/harness';
import { heldRequest } from '../../support/service/held-request';
import { startMailServer } from '../../support/peers/mail-server';
import type { MailServer } from '../../support/peers/mail-server';
import { BRANCHES, environment, person, READER } from '../../support/peers/ldap-directory';
import { startDirectory } from '../../support/peers/ldap-server';
import { quickHashes } from '../../support/service/quick-hashes';
import { connectedStomp } from '../../support/calls/stomp';
import { until } from '../../support/until';
import { socketOf } from '../../support/service/watch';
import { saved, workflow } from '../../support/documents/workflows';

/** Passwords that were compared, and what a comparison waits for. */
const checked: string[] = [];
let beforeCheck: () => Promise<unknown> = () => Promise.resolve();
let mail: MailServer;
let service: TestService;
beforeAll(async () => {
  mail = await startMailServer();
  service = await startService({
    env: mail.env,
    hashes: {
      ...quickHashes,
      async verify(stored, password) {
        checked.push(password);
        await beforeCheck();
        return nativeHashes.verify(stored, password);
      },
    },
  });
});
afterAll(async () => {
  await service.close();
  await mail.close();
});

const GRANTS = ['SCHEDULE:CREATE', 'SCHEDULE:READ', 'SCHEDULE:UPDATE', 'CONNECTION:READ'];
const WRONG = 'not the password';
const change = (action: 'disable' | 'enable', id: number, token?: string): Promise<Answer> =>
  service.api('PUT', `/api/user/${id}/${action}`, { token });
const disable = (id: number, token?: string): Promise<Answer> => change('disable', id, token);
const login = (email: string, password: string): Promise<Answer> =>
  service.api('POST', '/login', { token: null, body: { email, password } });
const operate = (command: string, email: string): Promise<unknown> =>
  askService(service.dataDir, { command, input: { email }, systemUser: 'operator' });

/** A user with a session, an API token, and a schedule with a webhook. */
async function busyUser() {
  const user = await service.userWith(GRANTS);
  const { token } = user;
  const post = (path: string, body: object): Promise<any> =>
    service.body('POST', `/api${path}`, { token, body });
  const connectionId = await saved(service, workflow([]));
  const title = unique('Nightly ');
  const { schedulerId } = await post('/scheduler', {
    title,
    connectionId,
    status: 1,
    cronExp: '0 0 3 * * ?',
  });
  const webhook = await service.api('GET', `/api/webhook/url/${user.id}/${schedulerId}`, { token });
  const apiToken = await post('/api-token', { name: 'busy', scopes: ['SCHEDULE:READ'] });
  return {
    ...user,
    schedulerId: schedulerId as number,
    webhook: new URL(webhook.body.url).pathname,
    bearer: `Bearer ${apiToken.token}`,
  };
}
const schedulesWith = (token: string): Promise<Answer> =>
  service.api('GET', '/api/scheduler/all', { token });
const called = (path: string): Promise<Answer> => service.api('GET', path, { token: null });

/** Opens a socket of each kind. Returns the reason and the codes with which they are closed. */
async function openSockets(token: string): Promise<() => Promise<unknown[]>> {
  const client = socketOf(service, token);
  const closed = new Promise<number>((resolve) =>
    client.on('closed', (event) => resolve((event as { code: number }).code)),
  );
  const events = client.iterate<any>({ query: 'subscription { sessionEvents { reason } }' });
  const first = events.next();
  await client.iterate({ query: '{ me { email } }' }).next();
  const stomp = await connectedStomp(service, { token });
  return async () => [
    (await first).value?.data?.sessionEvents.reason,
    await closed,
    (await stomp.closed()).code,
  ];
}

describe('a disabled user', () => {
  it('loses sessions, sockets, API tokens and webhooks for good, and the schedules go on', async () => {
    const user = await busyUser();
    const { token, bearer, webhook } = user;
    expect((await schedulesWith(bearer)).status).toBe(200);
    expect((await called(webhook)).status).toBe(200);
    const sockets = [await openSockets(token), await openSockets(bearer)];

    const { status, body } = await disable(user.id);
    expect([status, body.disabledAt]).toEqual([200, expect.stringMatching(/^\d{4}-.*Z$/)]);
    expect(await Promise.all(sockets.map((closed) => closed()))).toEqual([
      ['USER_DISABLED', 4403, 4403],
      ['USER_DISABLED', 4403, 4403],
    ]);
    const ended = async (): Promise<void> => {
      expect(outcome(await schedulesWith(token))).toEqual([401, 'ACCESS_DENIED']);
      expect(outcome(await schedulesWith(bearer))).toEqual([401, 'ACCESS_DENIED']);
      expect(outcome(await called(webhook))).toEqual([404, 'WEBHOOK_NOT_FOUND']);
    };
    await ended();
    const schedule = await service.field(
      `query ($id: ID!) { schedule(id: $id) {
        enabled nextFireTimes webhook { url } createdBy { email user { email disabledAt } } } }`,
      { id: String(user.schedulerId) },
    );
    expect(schedule).toEqual({
      enabled: true,
      nextFireTimes: expect.arrayContaining([expect.any(String)]),
      webhook: null,
      createdBy: {
        email: user.email,
        user: { email: user.email, disabledAt: body.disabledAt },
      },
    });

    expect((await change('enable', user.id)).body).not.toHaveProperty('disabledAt');
    expect((await login(user.email, user.password)).status).toBe(200);
    await ended();
  });

  it('is answered, counted and recorded at the login as for a wrong password', async () => {
    const [disabled, enabled] = [await service.userWith([]), await service.userWith([])];
    await disable(disabled.id);
    const attempts = async (email: string, password: string) => {
      checked.length = 0;
      const answers = [];
      for (let attempt = 1; attempt <= 6; attempt += 1) answers.push(await login(email, password));
      const auditEvents = await service.field(
        '{ auditEvents(first: 1) { nodes { action target { targetId } after } } }',
      );
      const [{ target, ...event }] = auditEvents.nodes;
      return {
        user: target.targetId,
        seen: [
          answers.map(({ status, headers, body: { timestamp: _timestamp, ...body } }) => [
            status,
            [...headers.keys()],
            headers.get('retry-after'),
            body,
          ]),
          event,
          checked.length,
        ],
      };
    };
    const right = await attempts(disabled.email, disabled.password);
    const wrong = await attempts(enabled.email, WRONG);
    expect(right.seen).toEqual(wrong.seen);
    expect([right.user, wrong.user]).toEqual([String(disabled.id), String(enabled.id)]);
    expect(wrong.seen[0]).toHaveLength(6);
  });

  it('does not get in with a login that began before', async () => {
    const user = await service.userWith([]);
    let release = (): void => undefined;
    const reached = new Promise<void>((resolve) => {
      beforeCheck = () => {
        resolve();
        return new Promise<void>((go) => {
          release = go;
        });
      };
    });
    const pending = login(user.email, user.password);
    await reached;
    beforeCheck = () => Promise.resolve();
    await disable(user.id);
    release();
    expect(outcome(await pending)).toEqual([401, 'ACCESS_DENIED']);
  });

  it('does not get in with a second factor whose login began before', async () => {
    const user = await accounts(service).protectedUser();
    const { body } = await login(user.email, user.password);
    await disable(user.id);
    await change('enable', user.id);
    const answer = await service.api('POST', '/totp-validate', {
      token: null,
      body: { sessionId: body.sessionId, code: user.recoveryCodes[0] },
    });
    expect(outcome(answer)).toEqual([401, 'ACCESS_DENIED']);
  });

  it('gets no mail with a link, and an earlier link has ended', async () => {
    const [disabled, other] = [await service.userWith([]), await service.userWith([])];
    const forgot = (email: string): Promise<Answer> =>
      service.api('POST', '/api/auth/forgot-password', { token: null, body: { email } });
    const mailsTo = (email: string) => mail.mails.filter(({ to }) => to[0] === email);
    await forgot(disabled.email);
    const [link] = await until(() => mailsTo(disabled.email));
    await disable(disabled.id);

    const answer = await forgot(disabled.email);
    expect(outcome(answer)).toEqual(outcome(await forgot(other.email)));
    await until(() => mailsTo(other.email)[0]);
    expect(mailsTo(disabled.email)).toHaveLength(1);
    await change('enable', disabled.id);
    const newPassword = 'a new and long password';
    const reset = await service.api('POST', '/api/auth/reset-password', {
      token: null,
      body: {
        token: /token=([\w-]+)/.exec(link?.text ?? '')?.[1],
        newPassword,
        confirmPassword: newPassword,
      },
    });
    expect(outcome(reset)).toEqual([400, 'INVALID_TOKEN']);
  });

  it('gets no API token from an operator', async () => {
    const user = await service.userWith([]);
    await disable(user.id);
    const answer = await askService(service.dataDir, {
      command: 'token create',
      input: { email: user.email, name: 'late', scopes: ['USER:READ'] },
      systemUser: 'operator',
    });
    expect(answer).toMatchObject({ done: false, message: expect.stringContaining('disabled') });
  });

  it('gets no API token from a request that began before', async () => {
    const user = await service.userWith(['SCHEDULE:READ']);
    const finish = await heldRequest(service, '/api/api-token', {
      token: user.token,
      body: { name: 'late', scopes: ['SCHEDULE:READ'] },
    });
    await disable(user.id);
    expect(await finish()).toEqual([401, 'ACCESS_DENIED']);
    await change('enable', user.id);
    const tokens = await service.api('GET', `/api/user/${user.id}/api-token/all`);
    expect(tokens.body).toEqual([]);
  });

  it('is listed as such, and audited once', async () => {
    const user = await service.userWith([]);
    const { body: enabled } = await service.api('GET', `/api/user/${user.id}`);
    expect(enabled).not.toHaveProperty('disabledAt');
    const { body: disabled } = await disable(user.id);
    expect((await disable(user.id)).body).toEqual(disabled);
    const ids = async (isNull: boolean): Promise<string[]> =>
      (
        await service.field(
          `query ($email: String!, $isNull: Boolean!) {
            users(filter: { email: { eq: $email }, disabledAt: { isNull: $isNull } }) {
              nodes { email } } }`,
          { email: user.email, isNull },
        )
      ).nodes;
    expect([await ids(true), await ids(false)]).toEqual([[], [{ email: user.email }]]);
    const { body: again } = await change('enable', user.id);
    expect((await change('enable', user.id)).body).toEqual(again);
    expect([await ids(true), await ids(false)]).toEqual([[{ email: user.email }], []]);
    const auditEvents = await service.field(
      '{ auditEvents(first: 3) { nodes { action actor { email } target { targetId } } } }',
    );
    expect(auditEvents.nodes.map(({ action }: any) => action)).toEqual([
      'USER_ENABLE',
      'USER_DISABLE',
      'SESSION_OPEN',
    ]);
    expect(auditEvents.nodes[0]).toMatchObject({
      actor: { email: ADMIN_EMAIL },
      target: { targetId: String(user.id) },
    });
  });
});

describe('a user', () => {
  it('cannot disable themselves, or the last administrator who is not disabled', async () => {
    expect(outcome(await disable(1))).toEqual([409, 'SELF_DISABLING']);
    const second = await service.userWith([]);
    await service.api('PUT', `/api/user/${second.id}/userGroup`, { body: { userGroup: 1 } });
    expect((await disable(second.id)).status).toBe(200);
    expect(await operate('user disable', ADMIN_EMAIL)).toMatchObject({
      done: false,
      message: expect.stringContaining('last administrator'),
    });
    const moved = await service.api('PUT', '/api/user/1/userGroup', { body: { userGroup: 2 } });
    expect(outcome(moved)).toEqual([409, 'LAST_ADMINISTRATOR']);
    expect(await operate('user enable', second.email.toUpperCase())).toMatchObject({
      result: { email: second.email, wasDisabled: true },
    });
    expect(await operate('user disable', second.email)).toMatchObject({
      result: { email: second.email, wasDisabled: false },
    });
  });
});

it('a directory user is refused while the account is disabled, and a login does not enable it', async () => {
  const directoryUser = person('fay');
  const directory = await startDirectory([READER, ...BRANCHES, directoryUser]);
  const joined = await startService({ env: environment(directory.url) });
  const signIn = (password: string): Promise<Answer> =>
    joined.api('POST', '/login', { token: null, body: { email: 'fay@example.com', password } });
  const { enhanceId } = (await signIn('secret of fay')).body;
  await joined.api('PUT', `/api/user/${enhanceId}/disable`);
  const [right, wrong] = [await signIn('secret of fay'), await signIn(WRONG)];
  expect(outcome(right)).toEqual([401, 'ACCESS_DENIED']);
  expect({ ...right.body, timestamp: null }).toEqual({ ...wrong.body, timestamp: null });
  const { body } = await joined.api('GET', `/api/user/${enhanceId}`);
  expect(body.disabledAt).toEqual(expect.any(String));
  await joined.api('PUT', `/api/user/${enhanceId}/enable`);
  expect((await signIn('secret of fay')).body.enhanceId).toBe(enhanceId);
  await joined.close();
  await directory.close();
});
