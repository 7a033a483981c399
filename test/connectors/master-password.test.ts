import type { ServerResponse } from 'node:http';
import { buildSchema, graphqlSync } from 'graphql';
import { answerJson, startRemote } from '../engine/support/remote';
import type { Received } from '../engine/support/remote';
import { outcome, testService, unique } from '../support/service/harness';
import type { Answer, CallOptions, TestService } from '../support/service/harness';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import { movingClock } from '../support/service/moving-clock';
import { openForTests } from '../support/open-for-tests';

const MASTER = 'open, sesame!';
const SECRET = 'the-hidden-token';
const clock = movingClock();

const service = testService({ clock, env: { HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER } });
const closed = testService();

const withPassword = (password = MASTER, more: CallOptions = {}): CallOptions => ({
  ...more,
  headers: { 'X-Master-Password': password },
});
const WRONG = [403, 'MASTER_PASSWORD_WRONG'];
const NOT_SET = [403, 'MASTER_PASSWORD_NOT_SET'];

async function stored(
  of: TestService,
  url = 'https://tickets.example',
  invoker?: string,
): Promise<number> {
  const made = await of.api('POST', '/api/connector', {
    body: {
      title: unique('Tickets '),
      invoker: { name: invoker ?? (await imported(of)) },
      requestData: { url, token: SECRET },
    },
  });
  return made.body.connectorId as number;
}
const revealed = async (): Promise<{ target: { targetId: string }; after: object }[]> =>
  (
    await service.data(
      '{ auditEvents(filter: { action: { eq: CONNECTOR_REVEAL } }) { nodes { target { targetId } after } } }',
    )
  ).auditEvents.nodes;

describe('the status of the master password', () => {
  it('reports whether one is configured and whether the given one is correct', async () => {
    expect((await service.api('GET', '/api/connector/master-password/status/exist')).body).toBe(
      true,
    );
    expect((await closed.api('GET', '/api/connector/master-password/status/exist')).body).toBe(
      false,
    );
    const status = (of: TestService, options?: CallOptions): Promise<Answer> =>
      of.api('GET', '/api/connector/master-password/status', options);
    expect([
      (await status(service, withPassword())).status,
      (await status(service, withPassword())).body,
    ]).toEqual([200, { result: true }]);
    expect(outcome(await status(service, withPassword(`${MASTER} `.trim().slice(1))))).toEqual(
      WRONG,
    );
    expect(outcome(await status(service))).toEqual(WRONG);
    for (const options of [undefined, withPassword()])
      expect(outcome(await status(closed, options))).toEqual(NOT_SET);
    expect((await status(service, { token: null, ...withPassword() })).status).toBe(401);
  });
});

describe('hidden credentials', () => {
  it('are shown in one answer to a request with the password, which is audited', async () => {
    const id = await stored(service);
    const shown = { url: 'https://tickets.example', token: SECRET };
    const before = (await revealed()).length;
    const path = `/api/connector/${id}`;
    expect((await service.api('GET', path, withPassword())).body.requestData).toEqual(shown);
    expect((await service.api('GET', path)).body.requestData).toEqual({ url: shown.url });
    const list = (await service.api('GET', '/api/connector/all', withPassword())).body as {
      connectorId: number;
      requestData: object;
    }[];
    expect(list.find(({ connectorId }) => connectorId === id)?.requestData).toEqual(shown);
    expect(
      (await service.api('PUT', path, withPassword(MASTER, { body: { description: 'x' } }))).body
        .requestData,
    ).toEqual(shown);
    const events = (await revealed()).slice(0, -before || undefined);
    expect(events).toHaveLength(3);
    expect(events.map(({ target }) => target.targetId)).toContain(String(id));
    expect(JSON.stringify(events)).not.toContain(SECRET);
  });

  it('are shown over GraphQL, with one check and one audit record per list', async () => {
    const ids = [await stored(service), await stored(service)];
    const before = (await revealed()).length;
    const ask = async (headers: Record<string, string>) =>
      service.api('POST', '/graphql', {
        headers,
        body: {
          query: `{ ${ids.map((id, at) => `c${at}: connector(id: ${id}) { requestData { name value } }`).join(' ')} }`,
        },
      });
    const values = (answer: Answer): unknown[] =>
      Object.values(
        answer.body.data as Record<string, { requestData: { value: string | null }[] }>,
      ).map(({ requestData }) => requestData[1]?.value);
    expect(values(await ask({ 'X-Master-Password': MASTER }))).toEqual([SECRET, SECRET]);
    expect((await revealed()).length).toBe(before + 1);
    expect(values(await ask({}))).toEqual([null, null]);
    const refused = await ask({ 'X-Master-Password': 'wrong' });
    expect(refused.body.errors[0].extensions).toMatchObject({
      code: 'FORBIDDEN',
      reason: 'MASTER_PASSWORD_WRONG',
    });
    expect(refused.text).not.toContain(SECRET);
  });

  it('are never shown when no password is configured', async () => {
    const id = await stored(closed);
    for (const password of ['', 'anything', 'null']) {
      expect(
        (await closed.api('GET', `/api/connector/${id}`, withPassword(password))).body.requestData,
      ).toEqual({ url: 'https://tickets.example' });
    }
    expect(
      outcome(
        await closed.api(
          'PUT',
          `/api/connector/${id}/required-data`,
          withPassword('anything', { body: { token: 'new' } }),
        ),
      ),
    ).toEqual(NOT_SET);
    expect(
      outcome(
        await closed.api('POST', `/api/connector/${id}/graphql-schema`, withPassword('anything')),
      ),
    ).toEqual(NOT_SET);
  });

  it('are not shown without read permission for connectors', async () => {
    const { token } = await service.userWith(['CONNECTION:READ']);
    expect(
      (
        await service.api('GET', `/api/connector/${await stored(service)}`, {
          ...withPassword(),
          token,
        })
      ).status,
    ).toBe(403);
  });

  it('can be changed by their fields without the password', async () => {
    const id = await stored(service);
    const change = (body: object, options: CallOptions = withPassword()): Promise<Answer> =>
      service.api('PUT', `/api/connector/${id}/required-data`, { ...options, body });
    const changed = await change({ token: 'another' });
    expect([changed.status, changed.body.requestData, changed.headers.get('etag')]).toEqual([
      200,
      { url: 'https://tickets.example', token: 'another' },
      '"2"',
    ]);
    expect(outcome(await change({ pin: '1' }))).toEqual([400, 'REQUIRED_DATA_UNKNOWN']);
    expect(outcome(await change({ token: 'x' }, {}))).toEqual(WRONG);
    expect(outcome(await change({ token: 'x' }, withPassword('wrong')))).toEqual(WRONG);
    expect(
      (await service.api('GET', `/api/connector/${id}`, withPassword())).body.requestData.token,
    ).toBe('another');
  });
});

describe('a wrong master password', () => {
  it('changes nothing, is audited, and delays the user like a wrong login', async () => {
    const id = await stored(service);
    const { token, id: userId } = await service.userWith([
      'CONNECTOR:READ',
      'CONNECTOR:CREATE',
      'CONNECTOR:UPDATE',
    ]);
    const title = unique('Not made ');
    const invoker = await imported(service);
    const attempts = [
      () => service.api('GET', `/api/connector/${id}`, { ...withPassword('wrong'), token }),
      () => service.api('GET', '/api/connector/all', { ...withPassword('Wrong-Master-1'), token }),
      () =>
        service.api('POST', '/api/connector', {
          ...withPassword('wrong', {
            body: { title, invoker: { name: invoker }, requestData: { url: 'x', token: 'y' } },
          }),
          token,
        }),
      () =>
        service.api('PUT', `/api/connector/${id}`, {
          ...withPassword('wrong', { body: { title } }),
          token,
        }),
      () =>
        service.api('GET', '/api/connector/master-password/status', {
          ...withPassword('wrong'),
          token,
        }),
    ];
    for (const attempt of attempts) expect(outcome(await attempt())).toEqual(WRONG);
    expect(
      (await service.api('GET', `/api/connector/exists/${encodeURIComponent(title)}`)).body,
    ).toEqual({ result: false });

    const locked = await service.api('GET', `/api/connector/${id}`, { ...withPassword(), token });
    expect([...outcome(locked), locked.headers.get('retry-after')]).toEqual([
      429,
      'TOO_MANY_ATTEMPTS',
      '30',
    ]);
    expect((await service.api('GET', `/api/connector/${id}`, { token })).status).toBe(200);
    expect((await service.api('GET', `/api/connector/${id}`, withPassword())).status).toBe(200);
    clock.forward(30_000);
    expect(
      (await service.api('GET', `/api/connector/${id}`, { ...withPassword(), token })).body
        .requestData.token,
    ).toBe(SECRET);

    const { auditEvents } = await service.data(
      '{ auditEvents(filter: { action: { eq: MASTER_PASSWORD_REFUSE } }) { nodes { actor { userId } target { type targetId } before after } } }',
    );
    const ownEvents = auditEvents.nodes.filter(
      ({ actor }: { actor: { userId: number } }) => actor.userId === userId,
    );
    expect(ownEvents).toHaveLength(5);
    expect(ownEvents[0]).toMatchObject({
      target: { type: 'USER', targetId: String(userId) },
      before: null,
    });
    expect(JSON.stringify(auditEvents)).not.toContain('Wrong-Master-1');
    expect(JSON.stringify(service.logs)).not.toMatch(/Wrong-Master-1|open, sesame/);
  });
});

describe('browsing the GraphQL schema of a connector', () => {
  const SDL =
    'type Query { "What there is." ticket(id: ID!): Ticket } type Ticket { id: ID! title: String }';
  let answer: (request: Received, response: ServerResponse) => void;
  const remote = openForTests(() => startRemote((request, response) => answer(request, response)));
  beforeEach(() => {
    remote.received.length = 0;
    answer = (request, response) =>
      answerJson(
        response,
        graphqlSync({
          schema: buildSchema(SDL),
          source: (JSON.parse(request.body) as { query: string }).query,
        }),
      );
  });

  const speaking = (): Promise<string> =>
    imported(service, {
      ...TICKETS,
      operations: [
        ...TICKETS.operations,
        {
          name: 'Query',
          method: 'POST',
          endpoint: '{url}/graphql',
          header: { Authorization: 'Bearer {token}' },
          body: '<body type="object" format="json" data="graphql"><field name="query" type="string">{ x }</field></body>',
        },
      ],
    });
  const browse = (id: number, options: CallOptions = withPassword()): Promise<Answer> =>
    service.api('POST', `/api/connector/${id}/graphql-schema`, options);

  it('returns the introspection result of the endpoint', async () => {
    const id = await stored(service, remote.url, await speaking());
    const browsed = await browse(id);
    expect(browsed.status).toBe(200);
    const types = browsed.body.__schema.types as {
      name: string;
      fields: { name: string; description: string }[];
    }[];
    expect(types.find(({ name }) => name === 'Query')?.fields).toMatchObject([
      { name: 'ticket', description: 'What there is.' },
    ]);
    expect(remote.received).toMatchObject([
      {
        method: 'POST',
        url: '/graphql',
        headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
      },
    ]);
    const { auditEvents } = await service.data(
      '{ auditEvents(filter: { action: { eq: CONNECTOR_BROWSE } }) { nodes { target { targetId } } } }',
    );
    expect(auditEvents.nodes[0].target.targetId).toBe(String(id));
  });

  it('requires the master password', async () => {
    const id = await stored(service, remote.url, await speaking());
    for (const options of [{}, withPassword('wrong')])
      expect(outcome(await browse(id, options))).toEqual(WRONG);
    expect(remote.received).toEqual([]);
  });

  it('reports the reason of a failure', async () => {
    expect(outcome(await browse(await stored(service, remote.url)))).toEqual([
      400,
      'OPERATION_NOT_GRAPHQL',
    ]);
    expect(outcome(await browse(2_147_483_647))).toEqual([404, 'CONNECTOR_NOT_FOUND']);
    const id = await stored(service, remote.url, await speaking());
    const replies: ((response: ServerResponse) => void)[] = [
      (response) => answerJson(response, {}, 401),
      (response) =>
        answerJson(response, { data: null, errors: [{ message: 'introspection is off' }] }),
      (response) => answerJson(response, { data: { __schema: 5 } }),
      (response) => response.end('<html>'),
      (response) =>
        answerJson(response, { data: { __schema: { types: ['x'.repeat(8 * 1024 * 1024)] } } }),
      (response) => {
        response.writeHead(302, { location: 'http://169.254.169.254/' });
        response.end();
      },
    ];
    for (const reply of replies) {
      answer = (_request, response) => reply(response);
      expect(outcome(await browse(id))).toEqual([500, 'COMMUNICATION_FAILED']);
    }
  });
});
