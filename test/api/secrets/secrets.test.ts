import { testService, unique } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const service = testService();
let remote: RemoteSystem;
let other: RemoteSystem;
beforeAll(async () => {
  remote = await remoteSystem(({ path, headers, body }) =>
    path.startsWith('/away')
      ? { status: 302, headers: { location: `${other.url}/landed` } }
      : { body: { said: { path, headers, body } } },
  );
  other = await remoteSystem(() => ({}));
});
afterAll(async () => {
  await Promise.all([remote.close(), other.close()]);
});
beforeEach(() => {
  remote.forget();
  other.forget();
});

const ORIGINS = ['https://api.example.com'];
const create = async (more: object = {}): Promise<{ secretId: number; name: string }> => {
  const answer = await service.api('POST', '/api/secret', {
    body: { name: unique('key'), value: 'a-value', origins: ORIGINS, ...more },
  });
  if (answer.status !== 201) throw new Error(answer.text);
  return answer.body;
};
const using = (name: string, more: object = {}): Promise<number> =>
  saved(
    service,
    workflow(
      [
        method('0', `${remote.url}/`, {
          request: {
            endpoint: `${remote.url}/`,
            method: 'GET',
            header: { Authorization: `Bearer {%secret.${name}%}` },
          },
        }),
      ],
      [],
      more,
    ),
  );

describe('secrets over REST', () => {
  it('are added, read, changed and deleted without a value in any response', async () => {
    const value = 'never-answered-1';
    const added = await service.api('POST', '/api/secret', {
      body: {
        name: 'GitHub',
        note: 'Reads issues.',
        value,
        origins: ['HTTPS://API.GitHub.com:443', 'https://*.github.com', 'https://api.github.com'],
      },
    });
    const { secretId } = added.body;
    const shown = {
      secretId,
      name: 'GitHub',
      note: 'Reads issues.',
      origins: ['https://api.github.com', 'https://*.github.com'],
      usedBy: [],
    };
    expect([
      added.status,
      added.body,
      added.headers.get('location'),
      added.headers.get('etag'),
    ]).toEqual([201, shown, `${service.url}/api/secret/${secretId}`, '"1"']);
    expect(await service.body('GET', `/api/secret/${secretId}`)).toEqual(shown);
    expect(await service.body('GET', '/api/secret/all')).toContainEqual(shown);

    const changed = await service.api('PUT', `/api/secret/${secretId}`, {
      body: { note: null, value: 'never-answered-2', origins: ['http://127.0.0.1:8080'] },
    });
    expect([changed.status, changed.body, changed.headers.get('etag')]).toEqual([
      200,
      { ...shown, note: null, origins: ['http://127.0.0.1:8080'] },
      '"2"',
    ]);
    expect(
      await service.body('PUT', `/api/secret/${secretId}`, { body: { name: 'Renamed' } }),
    ).toEqual({ ...shown, name: 'Renamed', note: null, origins: ['http://127.0.0.1:8080'] });
    expect(await service.status('DELETE', `/api/secret/${secretId}`)).toBe(204);
    expect(await service.body('GET', `/api/secret/${secretId}`)).toMatchObject({
      status: 404,
      message: 'SECRET_NOT_FOUND',
    });
  });

  it('are encrypted, each for its own record', async () => {
    const [first, second] = [
      await create({ value: 'the same value' }),
      await create({ value: 'the same value' }),
    ];
    const records = await storeConnection()
      .collection<any>('secrets')
      .find({ _id: { $in: [first.secretId, second.secretId] } })
      .toArray();
    expect(records.map(({ sealed }) => Object.keys(sealed).sort())).toEqual(
      Array(2).fill(['iv', 'keyId', 'tag', 'text']),
    );
    expect(records[0].sealed.text).not.toBe(records[1].sealed.text);
    expect(JSON.stringify(records)).not.toContain('the same value');
  });

  it('have unique names without regard to case', async () => {
    const { name, secretId } = await create();
    const duplicate = await service.api('POST', '/api/secret', {
      body: { name: name.toUpperCase(), value: 'x', origins: ORIGINS },
    });
    expect(duplicate.body).toMatchObject({ status: 409, message: 'SECRET_ALREADY_EXIST' });
    const another = await create();
    expect(
      await service.body('PUT', `/api/secret/${another.secretId}`, {
        body: { name: name.toUpperCase() },
      }),
    ).toMatchObject({ status: 409, message: 'SECRET_ALREADY_EXIST' });
    expect(
      (await service.api('PUT', `/api/secret/${secretId}`, { body: { name: name.toUpperCase() } }))
        .body.name,
    ).toBe(name.toUpperCase());
    const many = await Promise.all(
      Array.from({ length: 20 }, (_, nth) =>
        service.api('POST', '/api/secret', {
          body: {
            name: nth % 2 ? 'One-Of-Many' : 'one-of-many',
            value: `v${nth}`,
            origins: ORIGINS,
          },
        }),
      ),
    );
    expect(many.map(({ status }) => status).sort()).toEqual([201, ...Array(19).fill(409)]);
  });

  it('report all errors at once and never the value', async () => {
    const { body } = await service.api('POST', '/api/secret', {
      body: {
        name: '1 bad',
        note: 'n'.repeat(1_001),
        value: 'v'.repeat(8_193),
        origins: ['https://a/path', 'https://ok', '*'],
      },
    });
    expect(body).toMatchObject({ status: 400, message: 'NAME_INVALID' });
    for (const part of ['name', 'note', 'value', 'origins.0', 'origins.2', 'https://a/path'])
      expect(body.error).toContain(part);
    expect(body.error).not.toContain('origins.1');
    expect(JSON.stringify(body)).not.toContain('vvvv');
    expect(await service.body('POST', '/api/secret', { body: {} })).toMatchObject({
      status: 400,
    });
  });

  it('report the workflows that use one, which keeps its name and cannot be deleted without force', async () => {
    const { name, secretId } = await create();
    const [first, second] = [
      await using(name, { title: unique('First ') }),
      await using(name.toUpperCase(), { title: unique('Second ') }),
    ];
    const { body } = await service.api('GET', `/api/secret/${secretId}`);
    expect(body.usedBy).toEqual([
      { connectionId: first, title: expect.stringMatching(/^First/) },
      { connectionId: second, title: expect.stringMatching(/^Second/) },
    ]);
    expect(
      (await service.api('GET', '/api/secret/all')).body.find(
        (one: any) => one.secretId === secretId,
      ).usedBy,
    ).toEqual(body.usedBy);

    const renamed = await service.api('PUT', `/api/secret/${secretId}`, {
      body: { name: unique('other') },
    });
    expect(renamed.body).toMatchObject({ status: 409, message: 'SECRET_IN_USE' });
    expect(
      await service.status('PUT', `/api/secret/${secretId}`, {
        body: { name: name.toUpperCase(), note: 'new' },
      }),
    ).toBe(200);
    const response = await service.api('DELETE', `/api/secret/${secretId}`);
    expect(response.body).toMatchObject({ status: 409, message: 'SECRET_IN_USE' });
    expect(response.body.error).toContain(`"${body.usedBy[0].title}" and 1 more`);

    expect(await service.status('DELETE', `/api/secret/${secretId}?force=true`)).toBe(204);
    expect(await service.status('GET', `/api/connection/${first}`)).toBe(200);
    const run = await ended(service, await started(service, first));
    expect([run.state, run.error.code, remote.received]).toEqual([
      'FAILED',
      'SECRET_NOT_FOUND',
      [],
    ]);
    expect(
      await service.status('DELETE', `/api/secret/${(await create()).secretId}?force=maybe`),
    ).toBe(400);
  });

  it('are released by a workflow that no longer names them', async () => {
    const { name, secretId } = await create();
    const id = await using(name);
    const { body } = await service.api('GET', `/api/connection/${id}`);
    body.fromConnector.methods[0].request.header = {};
    expect(await service.status('PUT', `/api/connection/${id}`, { body })).toBe(200);
    expect(await service.status('DELETE', `/api/secret/${secretId}`)).toBe(204);
  });
});

describe('secrets over GraphQL', () => {
  const FIELDS =
    'secret { id databaseId name note origins version viewerCan { read create update delete } usedBy { databaseId title } } userErrors { code path message }';
  const mutate = (name: string, input: object, fields = FIELDS): Promise<any> =>
    service.mutate(name, input, fields);

  it('are added, listed, changed and deleted', async () => {
    const name = unique('Graph');
    const { secret, userErrors } = await mutate('secretCreate', {
      name,
      value: 'a-value',
      origins: ['https://*.Example.com'],
    });
    expect([secret, userErrors]).toEqual([
      {
        id: expect.any(String),
        databaseId: expect.any(Number),
        name,
        note: null,
        origins: ['https://*.example.com'],
        version: 1,
        viewerCan: { read: true, create: true, update: true, delete: true },
        usedBy: [],
      },
      [],
    ]);
    const id = await using(name);
    const { secrets, node, byId } = await service.data(
      'query($id: ID!, $name: String!) { secrets(filter: { name: { eq: $name } }, orderBy: { field: NAME, direction: DESC }) { totalCount nodes { name usedBy { databaseId } } } node(id: $id) { ... on Secret { name } } byId: secret(id: $id) { name } }',
      { id: secret.id, name: name.toUpperCase() },
    );
    expect([secrets, node, byId]).toEqual([
      { totalCount: 1, nodes: [{ name, usedBy: [{ databaseId: id }] }] },
      { name },
      { name },
    ]);

    expect(
      (
        await mutate('secretUpdate', {
          id: secret.id,
          note: 'x',
          value: 'another',
          expectedVersion: 1,
        })
      ).secret,
    ).toMatchObject({ note: 'x', version: 2, origins: ['https://*.example.com'] });
    expect(
      (
        await mutate('secretUpdate', {
          id: secret.id,
          name: 'Other',
          note: 'y',
          expectedVersion: 1,
        })
      ).userErrors,
    ).toMatchObject([
      { code: 'CONFLICT', path: ['expectedVersion'] },
      { code: 'SECRET_IN_USE', path: ['name'] },
    ]);
    expect((await mutate('secretDelete', { id: secret.id })).userErrors).toMatchObject([
      { code: 'SECRET_IN_USE', path: ['id'] },
    ]);
    expect((await mutate('secretDelete', { id: secret.id, force: true })).secret).toMatchObject({
      name,
    });
    expect(
      await service.field('query($id: ID!) { secret(id: $id) { name } }', { id: secret.id }),
    ).toBeNull();
  });

  it('are deleted in bulk, all or none', async () => {
    const [free, usedSecret] = [await create(), await create()];
    await using(usedSecret.name);
    const fields = 'ids secrets { name } userErrors { code path message }';
    const refused = await mutate(
      'secretsDelete',
      { ids: [String(free.secretId), String(usedSecret.secretId), '987654'] },
      fields,
    );
    expect(refused).toMatchObject({
      ids: null,
      secrets: null,
      userErrors: [
        { code: 'SECRET_IN_USE', path: ['ids', '1'] },
        { code: 'SECRET_NOT_FOUND', path: ['ids', '2'] },
      ],
    });
    expect(
      (
        await mutate(
          'secretsDelete',
          { ids: [String(free.secretId), String(usedSecret.secretId)], force: true },
          fields,
        )
      ).secrets,
    ).toEqual([{ name: free.name }, { name: usedSecret.name }]);
  });

  it('show their workflows to users who may read workflows, and never a value', async () => {
    const { name, secretId } = await create();
    await using(name);
    const reader = await service.userWith(['SECRET:READ']);
    const { data, errors } = await service.gql(
      'query($id: ID!) { secret(id: $id) { name viewerCan { read update } usedBy { title } } }',
      { id: String(secretId) },
      reader.token,
    );
    expect([data.secret, errors?.map(({ extensions }) => extensions.code)]).toEqual([
      { name, viewerCan: { read: true, update: false }, usedBy: null },
      ['FORBIDDEN'],
    ]);
    const response = await service.gql('{ secrets { nodes { value } } }');
    expect(response.errors?.[0]?.extensions.code).toBe('GRAPHQL_VALIDATION_FAILED');
  });
});

describe('the audit of secrets', () => {
  it('contains every change without a value', async () => {
    const { secretId, name } = await create({ value: 'audited-value-1' });
    await service.api('PUT', `/api/secret/${secretId}`, {
      body: { value: 'audited-value-2', note: 'n' },
    });
    await service.api('PUT', `/api/secret/${secretId}`, { body: { note: 'm' } });
    await service.api('DELETE', `/api/secret/${secretId}`);
    const events = await storeConnection()
      .collection<any>('audit_events')
      .find({ 'target.type': 'Secret', 'target.id': String(secretId) })
      .sort({ _id: 1 })
      .toArray();
    const facts = { name, note: null, origins: ORIGINS, version: 1 };
    expect(events.map(({ action, before, after }) => [action, before, after])).toEqual([
      ['secret.create', null, facts],
      ['secret.update', facts, { ...facts, note: 'n', version: 2, valueChanged: true }],
      ['secret.update', { ...facts, note: 'n', version: 2 }, { ...facts, note: 'm', version: 3 }],
      ['secret.delete', { ...facts, note: 'm', version: 3 }, null],
    ]);
    expect(JSON.stringify(events)).not.toContain('audited-value');
    const auditEvents = await service.field(
      '{ auditEvents(first: 4) { nodes { action target { type } } } }',
    );
    expect(auditEvents.nodes.map(({ action, target }: any) => [action, target.type])).toEqual([
      ['SECRET_DELETE', 'SECRET'],
      ['SECRET_UPDATE', 'SECRET'],
      ['SECRET_UPDATE', 'SECRET'],
      ['SECRET_CREATE', 'SECRET'],
    ]);
  });
});

describe('secrets in a run', () => {
  const calling = (url: string, request: object): object =>
    workflow([method('0', url, { request: { endpoint: url, method: 'POST', ...request } })]);

  it('are sent to their origins with the value of the start of the run', async () => {
    const { name, secretId } = await create({ value: 'first-value', origins: [remote.url] });
    const id = await saved(
      service,
      calling(`${remote.url}/?a={%secret.${name}%}`, {
        header: { 'X-Key': `{%secret.${name.toUpperCase()}%}` },
        body: {
          type: 'object',
          format: 'json',
          data: 'raw',
          fields: { a: [`{%secret.${name}%}`] },
        },
      }),
    );
    expect((await ended(service, await started(service, id))).error).toBeNull();
    expect(remote.received).toMatchObject([
      {
        path: '/?a=first-value',
        headers: { 'x-key': 'first-value' },
        body: '{"a":["first-value"]}',
      },
    ]);
    await service.api('PUT', `/api/secret/${secretId}`, { body: { value: 'second-value' } });
    await ended(service, await started(service, id));
    expect(remote.received[1].body).toBe('{"a":["second-value"]}');
  });

  it('are sent to no other origin, not even by a redirect', async () => {
    const { name } = await create({ origins: [remote.url] });
    for (const [url, sent] of [
      [`${other.url}/`, 0],
      [`${remote.url}/away`, 1],
    ] as const) {
      remote.forget();
      const run = await ended(
        service,
        await started(
          service,
          await saved(service, calling(url, { header: { 'X-Key': `{%secret.${name}%}` } })),
        ),
      );
      expect([
        run.state,
        run.error.code,
        run.error.index,
        remote.received.length,
        other.received.length,
      ]).toEqual(['FAILED', 'SECRET_ORIGIN_REFUSED', '0', sent, 0]);
    }
    const wrong = await ended(
      service,
      await started(service, await saved(service, calling(`http://{%secret.${name}%}/`, {}))),
    );
    expect([wrong.error.code, wrong.error.index]).toEqual(['SECRET_NOT_ALLOWED_HERE', '0']);
  });

  it('require the permission to update workflows and no permission for secrets', async () => {
    const { name } = await create();
    const document = (): object => calling(`${remote.url}/{%secret.${name}%}`, {});
    const [creator, updater] = [
      await service.userWith(['CONNECTION:CREATE', 'SECRET:READ', 'SECRET:UPDATE']),
      await service.userWith(['CONNECTION:CREATE', 'CONNECTION:UPDATE']),
    ];
    expect(
      await service.body('POST', '/api/connection', { body: document(), token: creator.token }),
    ).toMatchObject({ status: 403, message: 'ACCESS_DENIED' });
    expect(
      await service.status('POST', '/api/connection', {
        body: calling(`${remote.url}/`, {}),
        token: creator.token,
      }),
    ).toBe(201);
    const made = await service.api('POST', '/api/connection', {
      body: document(),
      token: updater.token,
    });
    expect(made.status).toBe(201);
    expect(
      await service.status('PUT', `/api/connection/${made.body.connectionId}`, {
        body: document(),
        token: creator.token,
      }),
    ).toBe(403);
  });

  it('are available to a test without a saved workflow', async () => {
    const { name } = await create({ value: 'tested-value', origins: [remote.url] });
    const tester = await service.userWith(['CONNECTION:UPDATE']);
    const { status } = await service.api('POST', '/api/connection/execution/test', {
      body: calling(`${remote.url}/?a={%secret.${name}%}`, {}),
      token: tester.token,
    });
    expect(status).toBe(200);
    expect((await remote.next()).path).toBe('/?a=tested-value');
  });

  it('stay readable as names for users who may not change the workflow', async () => {
    const { name } = await create();
    const id = await saved(
      service,
      calling(`https://a.test/?api_key={%secret.${name}%}&token=spelled-out`, {
        header: { Authorization: `Bearer {%secret.${name}%}`, 'X-Key': 'spelled-out' },
        body: {
          type: 'object',
          format: 'json',
          data: 'raw',
          fields: { password: `{%secret.${name}%}`, pin: 'spelled-out' },
        },
      }),
    );
    const reader = await service.userWith(['CONNECTION:READ']);
    const { body } = await service.api('GET', `/api/connection/${id}`, { token: reader.token });
    expect(body.fromConnector.methods[0].request).toMatchObject({
      endpoint: `https://a.test/?api_key={%secret.${name}%}&token=***`,
      header: { Authorization: `Bearer {%secret.${name}%}`, 'X-Key': '***' },
      body: { fields: { password: `{%secret.${name}%}`, pin: '***' } },
    });
  });
});
