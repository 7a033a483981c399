import { outcome, testService, unique } from '../support/service/harness';
import type { Answer } from '../support/service/harness';
import { png } from '../support/documents/images';
import { imported, TICKETS } from '../support/documents/connector-invokers';
import { longIt } from '../support/long';

let tickets: string;
const service = testService();
beforeAll(async () => {
  tickets = await imported(service);
});

const values = { url: 'https://tickets.example', token: 'a-token' };
const body = (more: Record<string, unknown> = {}) => ({
  title: unique('Tickets '),
  description: 'ours',
  invoker: { name: tickets },
  requestData: values,
  ...more,
});
const create = (more?: Record<string, unknown>): Promise<Answer> =>
  service.api('POST', '/api/connector', { body: body(more) });
const newId = async (more?: Record<string, unknown>): Promise<number> =>
  (await create(more)).body.connectorId as number;
const read = async (id: number) => (await service.api('GET', `/api/connector/${id}`)).body;
const change = (id: number, more: object): Promise<Answer> =>
  service.api('PUT', `/api/connector/${id}`, { body: more });
const CREATE = `mutation($input: ConnectorCreateInput!) { connectorCreate(input: $input) { connector { id databaseId title invokerName sslCert timeout version requestData { name type visibility stored value } } userErrors { code path message } } }`;
const UPDATE = `mutation($input: ConnectorUpdateInput!) { connectorUpdate(input: $input) { connector { title version requestData { name stored value } } userErrors { code path } } }`;

describe('a connector over REST', () => {
  it('can be created, listed, read, changed and deleted', async () => {
    const title = unique('Tickets ');
    const made = await create({ title: ` ${title} `, sslCert: true, timeout: 5_000 });
    expect(made.status).toBe(201);
    const id = made.body.connectorId as number;
    const shown = {
      connectorId: id,
      title,
      description: 'ours',
      icon: null,
      sslCert: true,
      timeout: 5_000,
      requestData: { url: values.url },
      lastCheck: null,
    };
    expect(made.body).toMatchObject({ ...shown, invoker: { name: tickets } });
    expect(made.body.requestData).toEqual({ url: values.url });
    expect(made.headers.get('location')).toBe(`${service.url}/api/connector/${id}`);
    expect(await read(id)).toEqual(made.body);
    expect((await service.api('GET', '/api/connector/all')).body).toContainEqual(made.body);

    const changed = await change(id, {
      connectorId: id,
      title: `${title} 2`,
      description: null,
      timeout: 0,
    });
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { ...shown, title: `${title} 2`, description: '', timeout: 0 },
    ]);

    const deletion = await service.api('DELETE', `/api/connector/${id}`);
    expect([deletion.status, deletion.text]).toEqual([204, '']);
    expect(outcome(await service.api('GET', `/api/connector/${id}`))).toEqual([
      404,
      'CONNECTOR_NOT_FOUND',
    ]);
  });

  it.each<[string, unknown, RegExp]>([
    ['an invoker that is a string', { invoker: 'Tickets' }, / invoker: /],
    ['a name that is not a string', { invoker: { name: 5 } }, / invoker\.name: /],
    ['a credential that is not a string', { requestData: { url: 5 } }, / requestData\.url: /],
    ['a timeout that is not a number', { timeout: 'x' }, / timeout: /],
  ])('is rejected with the place of the error in the body: %s', async (_what, more, place) => {
    const sent = body(more as Record<string, unknown>);
    for (const answer of [
      await create(sent),
      await service.api('POST', '/api/connector/check', { body: sent }),
    ]) {
      expect([answer.status, answer.body.error]).toEqual([400, expect.stringMatching(place)]);
      expect(answer.body.error).not.toMatch(/name\.name|invoker\.name: .*expected object/);
    }
  });

  it.each([
    [{ invoker: null }],
    [{ invoker: undefined }],
    [{ invoker: { name: '' } }],
    [{ invoker: { name: '  ' } }],
  ])('is rejected when its invoker is missing: %j', async (more) => {
    const answer = await create(more);
    expect([...outcome(answer), answer.body.error]).toEqual([
      404,
      'INVOKER_NOT_FOUND',
      'The invoker is missing.',
    ]);
  });

  it('gets default values for a minimal request', async () => {
    const made = await create({ description: undefined, requestData: { ...values, token: '' } });
    expect([made.status, made.body]).toMatchObject([
      201,
      { description: '', sslCert: false, timeout: 0 },
    ]);
  });

  it('has a title that is unique regardless of case and blanks', async () => {
    const title = unique('Straße ');
    await create({ title });
    expect(outcome(await create({ title: `  ${title.toUpperCase()} ` }))).toEqual([
      409,
      'CONNECTOR_ALREADY_EXISTS',
    ]);
    const other = await newId();
    expect(outcome(await change(other, { title }))).toEqual([409, 'CONNECTOR_ALREADY_EXISTS']);
    for (const [name, result] of [
      [title.toLowerCase(), true],
      ['nobody / nothing', false],
    ] as const) {
      expect(
        (await service.api('GET', `/api/connector/exists/${encodeURIComponent(name)}`)).body,
      ).toEqual({ result });
    }
  });

  longIt('is created once when 50 clients use the same title concurrently', async () => {
    const title = unique('Fought over ');
    const answers = await Promise.all(Array.from({ length: 50 }, () => create({ title })));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status !== 201).map(outcome)).toEqual(
      Array.from({ length: 49 }, () => [409, 'CONNECTOR_ALREADY_EXISTS']),
    );
  });

  it.each<[string, Record<string, unknown>, [number, string]]>([
    ['a blank title', { title: ' ' }, [400, 'TITLE_INVALID']],
    ['a title of 256 characters', { title: 'x'.repeat(256) }, [400, 'TITLE_INVALID']],
    ['a title with a control character', { title: 'a\u0007b' }, [400, 'TITLE_INVALID']],
    [
      'a description of 2,049 characters',
      { description: '😀'.repeat(2_049) },
      [400, 'TEXT_TOO_LONG'],
    ],
    ['a timeout above one hour', { timeout: 3_600_001 }, [400, 'TIMEOUT_INVALID']],
    ['a negative timeout', { timeout: -1 }, [400, 'TIMEOUT_INVALID']],
    ['an unknown invoker', { invoker: { name: 'Nobody' } }, [404, 'INVOKER_NOT_FOUND']],
    [
      'a field unknown to the invoker',
      { requestData: { ...values, pin: '1' } },
      [400, 'REQUIRED_DATA_UNKNOWN'],
    ],
    [
      'a field named like an inherited property',
      { requestData: { ...values, constructor: '1' } },
      [400, 'REQUIRED_DATA_UNKNOWN'],
    ],
    ['a missing field', { requestData: { url: values.url } }, [400, 'REQUIRED_DATA_MISSING']],
    [
      'a value that is too long',
      { requestData: { ...values, token: 'x'.repeat(65_537) } },
      [400, 'TEXT_TOO_LONG'],
    ],
    [
      'a value that is not a string',
      { requestData: { ...values, token: 5 } },
      [400, 'BAD_REQUEST'],
    ],
  ])('is rejected with %s', async (_what, more, refusal) => {
    expect(outcome(await create(more))).toEqual(refusal);
  });

  it('may have the longest title, description, value and timeout', async () => {
    const title = unique('x').padEnd(255, '😀'.slice(0, 1) && 'y');
    const made = await create({
      title,
      description: 'd'.repeat(2_048),
      timeout: 3_600_000,
      requestData: { ...values, url: 'u'.repeat(65_536) },
    });
    expect(made.status).toBe(201);
    expect((await read(made.body.connectorId)).requestData.url).toHaveLength(65_536);
  });

  it('keeps the stored value of an omitted field', async () => {
    const id = await newId();
    const changed = await service.api('PUT', `/api/connector/${id}`, {
      body: { requestData: { url: `${values.url}/other` } },
    });
    expect([changed.status, changed.body.requestData]).toEqual([
      200,
      { url: `${values.url}/other` },
    ]);
    // The missing field would be reported now.
    expect(
      (
        await service.api('PUT', `/api/connector/${id}`, {
          body: { requestData: { url: `${values.url}/third`, token: null } },
        })
      ).status,
    ).toBe(200);
    expect(outcome(await change(id, { requestData: { urls: 'x' } }))).toEqual([
      400,
      'REQUIRED_DATA_UNKNOWN',
    ]);
  });

  it('needs all fields again when its invoker changes', async () => {
    const other = await imported(service, {
      ...TICKETS,
      fields: [...TICKETS.fields, { name: 'mandant' }],
    });
    const id = await newId();
    const changeTo = (requestData: object) => change(id, { invoker: { name: other }, requestData });
    expect(outcome(await changeTo({ mandant: '1' }))).toEqual([400, 'REQUIRED_DATA_MISSING']);
    const changed = await changeTo({ ...values, mandant: '1' });
    expect([changed.status, changed.body.invoker.name, changed.body.requestData]).toEqual([
      200,
      other,
      { url: values.url, mandant: '1' },
    ]);
  });

  it('changes only at the expected version, which ETag returns', async () => {
    const id = await newId();
    const { headers } = await service.api('GET', `/api/connector/${id}`);
    expect(headers.get('etag')).toBe('"1"');
    const changeAt = (version: string) =>
      service.api('PUT', `/api/connector/${id}`, {
        body: { description: version },
        headers: { 'if-match': version },
      });
    expect((await changeAt('"1"')).headers.get('etag')).toBe('"2"');
    expect(outcome(await changeAt('"1"'))).toEqual([412, 'CONFLICT']);
    expect(
      outcome(
        await service.api('DELETE', `/api/connector/${id}`, { headers: { 'if-match': '"1"' } }),
      ),
    ).toEqual([412, 'CONFLICT']);
    expect((await read(id)).description).toBe('"1"');
  });

  it('is rejected when body and path name different connectors', async () => {
    const [id, other] = [await newId(), await newId()];
    expect(outcome(await change(id, { connectorId: other, title: 'x' }))).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    expect((await change(id, { connectorId: 0, description: 'x' })).status).toBe(200);
  });

  it('is deleted with its list completely or not at all', async () => {
    const ids = [await newId(), await newId()];
    expect(
      outcome(
        await service.api('PUT', '/api/connector/list/delete', {
          body: { identifiers: [...ids, 2_147_483_647] },
        }),
      ),
    ).toEqual([404, 'CONNECTOR_NOT_FOUND']);
    expect((await read(ids[0])).connectorId).toBe(ids[0]);
    expect(
      (await service.api('PUT', '/api/connector/list/delete', { body: { identifiers: ids } }))
        .status,
    ).toBe(204);
    for (const id of ids)
      expect((await service.api('GET', `/api/connector/${id}`)).status).toBe(404);
  });

  describe('icons', () => {
    const form = (bytes: Buffer, fields: Record<string, string> = {}): FormData => {
      const data = new FormData();
      for (const [name, value] of Object.entries(fields)) data.set(name, value);
      data.set('file', new Blob([new Uint8Array(bytes)]), 'icon.png');
      return data;
    };

    it('can be set, replaced and removed', async () => {
      const id = await newId();
      const set = await service.api('POST', `/api/connector/${id}/icon`, { body: form(png()) });
      expect([set.status, set.headers.get('etag')]).toEqual([200, '"2"']);
      expect((await fetch(set.body.icon as string)).status).toBe(200);
      const replaced = await service.api('POST', '/api/storage/connector', {
        body: form(png(3, 3), { connectorId: String(id) }),
      });
      expect(replaced.status).toBe(200);
      expect(replaced.body.icon).not.toBe(set.body.icon);
      expect((await fetch(set.body.icon as string)).status).toBe(404);
      expect((await service.api('DELETE', `/api/connector/${id}/icon`)).status).toBe(204);
      expect((await read(id)).icon).toBeNull();
      expect((await fetch(replaced.body.icon as string)).status).toBe(404);
    });

    it('must be images of an existing connector', async () => {
      const id = await newId();
      expect(
        outcome(
          await service.api('POST', `/api/connector/${id}/icon`, {
            body: form(Buffer.from('<svg/>')),
          }),
        ),
      ).toEqual([500, 'WRONG_FORMAT']);
      expect(
        outcome(await service.api('POST', '/api/connector/2147483647/icon', { body: form(png()) })),
      ).toEqual([404, 'CONNECTOR_NOT_FOUND']);
      expect(
        outcome(
          await service.api('POST', '/api/storage/connector', {
            body: form(png(), { connectorId: '2147483647' }),
          }),
        ),
      ).toEqual([404, 'CONNECTOR_NOT_FOUND']);
    });

    it('are deleted with their connector', async () => {
      const id = await newId();
      const {
        body: { icon },
      } = await service.api('POST', `/api/connector/${id}/icon`, { body: form(png()) });
      await service.api('DELETE', `/api/connector/${id}`);
      expect((await fetch(icon as string)).status).toBe(404);
    });
  });
});

describe('a connector over GraphQL', () => {
  const fields = Object.entries(values).map(([name, value]) => ({ name, value }));

  it('can be created, read, changed and deleted', async () => {
    const title = unique('Tickets ');
    const {
      connectorCreate: { connector, userErrors },
    } = await service.data(CREATE, { input: { title, invokerName: tickets, requestData: fields } });
    expect(userErrors).toEqual([]);
    expect(connector).toMatchObject({
      title,
      invokerName: tickets,
      sslCert: false,
      timeout: 0,
      version: 1,
      requestData: [
        { name: 'url', type: 'string', visibility: 'PUBLIC', stored: true, value: values.url },
        { name: 'token', type: 'string', visibility: 'PROTECTED', stored: true, value: null },
      ],
    });
    const change = {
      id: connector.id,
      expectedVersion: 1,
      requestData: [{ name: 'url', value: `${values.url}/b` }],
    };
    expect((await service.data(UPDATE, { input: change })).connectorUpdate).toMatchObject({
      connector: {
        version: 2,
        requestData: [{ value: `${values.url}/b` }, { stored: true, value: null }],
      },
      userErrors: [],
    });
    expect((await service.data(UPDATE, { input: change })).connectorUpdate.userErrors).toEqual([
      { code: 'CONFLICT', path: ['expectedVersion'] },
    ]);
    const { node } = await service.data(
      'query($id: ID!) { node(id: $id) { ... on Connector { title invokerName viewerCan { read update delete } } } }',
      { id: connector.id },
    );
    expect(node).toEqual({
      title,
      invokerName: tickets,
      viewerCan: { read: true, update: true, delete: true },
    });
    const { connectorDelete } = await service.data(
      'mutation($id: ID!) { connectorDelete(input: { id: $id }) { connector { title } userErrors { code } } }',
      { id: connector.id },
    );
    expect(connectorDelete).toEqual({ connector: { title }, userErrors: [] });
    expect(
      (await service.data('query($id: ID!) { connector(id: $id) { title } }', { id: connector.id }))
        .connector,
    ).toBeNull();
  });

  it('is rejected with all errors, each with its path', async () => {
    const title = unique('Taken ');
    await create({ title });
    const input = {
      title,
      invokerName: tickets,
      timeout: -1,
      requestData: [
        { name: 'pin', value: '1' },
        { name: 'url', value: 'x'.repeat(65_537) },
      ],
    };
    const refused = (await service.data(CREATE, { input })).connectorCreate;
    expect(refused.connector).toBeNull();
    expect(
      refused.userErrors.map(({ code, path }: { code: string; path: string[] }) => [
        code,
        path.join('.'),
      ]),
    ).toEqual([
      ['TIMEOUT_INVALID', 'timeout'],
      ['REQUIRED_DATA_UNKNOWN', 'requestData.0.name'],
      ['TEXT_TOO_LONG', 'requestData.1.value'],
      ['REQUIRED_DATA_MISSING', 'requestData'],
    ]);
    const { userErrors } = (await service.data(CREATE, { input: { title, invokerName: 'Nobody' } }))
      .connectorCreate;
    expect(
      userErrors.map(({ code, path }: { code: string; path: string[] }) => [code, path.join('.')]),
    ).toEqual([
      ['INVOKER_NOT_FOUND', 'invokerName'],
      ['CONNECTOR_ALREADY_EXISTS', 'title'],
    ]);
  });

  describe('is rejected when a field occurs twice', () => {
    const CHECK =
      'mutation($input: ConnectorCheckInput!) { connectorCheck(input: $input) { check { status } userErrors { code path } } }';
    const field = (name: string, value = 'v') => ({ name, value });
    const cases: [unknown[], string[][]][] = [
      [[...fields, field('url')], [['NAMED_TWICE', 'requestData.2.name']]],
      [[field('token'), ...fields], [['NAMED_TWICE', 'requestData.2.name']]],
      [
        [...fields, ...fields],
        [
          ['NAMED_TWICE', 'requestData.2.name'],
          ['NAMED_TWICE', 'requestData.3.name'],
        ],
      ],
      [[...fields, field('url', values.url)], [['NAMED_TWICE', 'requestData.2.name']]],
      [
        [...fields, field('pin'), field('pin')],
        [
          ['NAMED_TWICE', 'requestData.3.name'],
          ['REQUIRED_DATA_UNKNOWN', 'requestData.2.name'],
        ],
      ],
      [
        [...fields, field('__proto__'), field('__proto__')],
        [
          ['NAMED_TWICE', 'requestData.3.name'],
          ['REQUIRED_DATA_UNKNOWN', 'requestData.2.name'],
        ],
      ],
      [
        [field('url', 'x'.repeat(65_537)), field('url'), field('token')],
        [
          ['NAMED_TWICE', 'requestData.1.name'],
          ['TEXT_TOO_LONG', 'requestData.0.value'],
        ],
      ],
    ];
    const describeErrors = (userErrors: { code: string; path: string[] }[]): string[][] =>
      userErrors.map(({ code, path }) => [code, path.join('.')]);

    it.each(cases)('%j', async (requestData, problems) => {
      const made = (
        await service.data(CREATE, {
          input: { title: unique('Twice '), invokerName: tickets, requestData },
        })
      ).connectorCreate;
      expect([made.connector, describeErrors(made.userErrors)]).toEqual([null, problems]);
      const id = await newId();
      const changed = (await service.data(UPDATE, { input: { id, requestData } })).connectorUpdate;
      expect([changed.connector, describeErrors(changed.userErrors)]).toEqual([null, problems]);
      expect((await read(id)).requestData).toEqual({ url: values.url });
      for (const input of [
        { id, requestData },
        { invokerName: tickets, requestData },
      ]) {
        const checked = (await service.data(CHECK, { input })).connectorCheck;
        expect([checked.check, describeErrors(checked.userErrors)]).toEqual([null, problems]);
      }
    });

    it('and is reported together with other errors', async () => {
      const { userErrors } = (
        await service.data(CREATE, {
          input: { title: ' ', invokerName: 'Nobody', requestData: [field('a'), field('a')] },
        })
      ).connectorCreate;
      expect(describeErrors(userErrors)).toEqual([
        ['TITLE_INVALID', 'title'],
        ['NAMED_TWICE', 'requestData.1.name'],
        ['INVOKER_NOT_FOUND', 'invokerName'],
      ]);
    });
  });

  it('can be listed by title, invoker and time, in any order', async () => {
    const other = await imported(service);
    const stem = unique('Listed ');
    for (const letter of ['c', 'A', 'b'])
      await create({ title: `${stem}${letter}`, invoker: { name: other } });
    const list = async (args: string): Promise<string[]> =>
      (
        await service.data(`{ connectors(${args}) { totalCount nodes { title } } }`)
      ).connectors.nodes.map(({ title }: { title: string }) => title.slice(stem.length));
    expect(await list(`filter: { invokerName: { eq: "${other}" } }`)).toEqual(['c', 'A', 'b']);
    expect(
      await list(
        `filter: { title: { startsWith: "${stem.toUpperCase()}" } }, orderBy: { field: TITLE, direction: DESC }`,
      ),
    ).toEqual(['c', 'b', 'A']);
    expect(
      await list(
        `filter: { invokerName: { eq: "${other}" } }, orderBy: { field: CREATED_AT }, first: 2`,
      ),
    ).toEqual(['c', 'A']);
    expect(
      await list(
        `filter: { invokerName: { eq: "${other}" }, createdAt: { gte: "2020-01-01T00:00:00Z" } }, orderBy: { field: UPDATED_AT, direction: DESC }, last: 1`,
      ),
    ).toEqual(['c']);
  });
});

describe('a connector with a missing invoker', () => {
  it('shows none of its values', async () => {
    const name = await imported(service);
    const id = await newId({ invoker: { name } });
    expect(
      outcome(await service.api('DELETE', `/api/invoker/${encodeURIComponent(name)}`)),
    ).toEqual([409, 'INVOKER_IN_USE']);
    expect(
      (await service.api('DELETE', `/api/invoker/${encodeURIComponent(name)}/force`)).status,
    ).toBe(204);
    expect((await read(id)).requestData).toEqual({});
    expect(
      outcome(await service.api('POST', '/api/connector/check', { body: { connectorId: id } })),
    ).toEqual([404, 'INVOKER_NOT_FOUND']);
  });
});
