import { imported, newConnector } from '../../support/documents/connector-invokers';
import { testService, unique } from '../../support/service/harness';
import { remoteSystem } from '../../support/peers/remote-system';
import type { RemoteAnswer, RemoteSystem } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, started, workflow } from '../../support/documents/workflows';

const VALUE = 's3cret & "value"/of+tickets';
const TOKEN = 'token-of-the-connector';
const USER = 'service.account@example.com';

const service = testService();
let allowedRemote: RemoteSystem;
let otherRemote: RemoteSystem;
let encode: (text: string) => string;

beforeAll(async () => {
  allowedRemote = await remoteSystem(({ path, headers }): RemoteAnswer => {
    const key = decodeURIComponent(String(headers['x-key'] ?? headers.authorization ?? ''));
    if (path.startsWith('/redirect'))
      return {
        status: 302,
        headers: { location: `${otherRemote.url}/landed?from=${encodeURIComponent(key)}` },
      };
    return {
      body: { said: encode(key), user: USER },
      headers: { 'x-said': encodeURIComponent(key) },
    };
  });
  otherRemote = await remoteSystem(() => ({}));
});
afterAll(async () => {
  await Promise.all([allowedRemote.close(), otherRemote.close()]);
});
beforeEach(() => {
  encode = (text) => text;
  allowedRemote.forget();
  otherRemote.forget();
});

const addSecret = async (value: string, origins: readonly string[]): Promise<string> => {
  const name = unique('echoed');
  const answer = await service.api('POST', '/api/secret', { body: { name, value, origins } });
  if (answer.status !== 201) throw new Error(answer.text);
  return name;
};
const call = (
  index: string,
  request: { endpoint: string; method?: string; header?: object; body?: object | null },
  more: object = {},
): object =>
  method(index, request.endpoint, {
    color: ['#FFCFB5', '#C77E7E', '#6477AB'][Number(index)],
    request: { method: 'GET', header: {}, body: null, ...request },
    ...more,
  });
const keyed = (name: string, path = '/'): object =>
  call('0', { endpoint: `${allowedRemote.url}${path}`, header: { 'X-Key': `{%secret.${name}%}` } });
const run = async (...methods: object[]): Promise<any> =>
  ended(service, await started(service, await saved(service, workflow(methods)), true));
const jsonBody = (fields: object): object => ({
  type: 'object',
  format: 'json',
  data: 'raw',
  fields,
});
const ECHO_REFERENCE = '{%#FFCFB5.(response).body.said%}';

describe('the value of a secret that an allowed system echoes', () => {
  const places: [string, () => Parameters<typeof call>[1]][] = [
    [
      'a body',
      () => ({
        endpoint: `${otherRemote.url}/`,
        method: 'POST',
        body: jsonBody({ a: [{ b: `x ${ECHO_REFERENCE} y` }] }),
      }),
    ],
    [
      'a header',
      () => ({
        endpoint: `${otherRemote.url}/`,
        header: { 'X-Copy': '{%#FFCFB5.(response).header.x-said%}' },
      }),
    ],
    ['the query', () => ({ endpoint: `${otherRemote.url}/?copy=${ECHO_REFERENCE}` })],
    ['the path', () => ({ endpoint: `${otherRemote.url}/tickets/${ECHO_REFERENCE}/1` })],
  ];
  it.each(places)('is not sent to another origin in %s', async (_place, request) => {
    const { state, error } = await run(
      keyed(await addSecret(VALUE, [allowedRemote.url])),
      call('1', request()),
    );
    expect([
      state,
      error?.code,
      error?.index,
      allowedRemote.received.length,
      otherRemote.received,
    ]).toEqual(['FAILED', 'SECRET_ORIGIN_REFUSED', '1', 1, []]);
    expect(JSON.stringify(error)).not.toContain('s3cret');
  });

  const encodings: [string, (text: string) => string][] = [
    ['base64', (text) => Buffer.from(`user:${text}`).toString('base64')],
    ['hex', (text) => Buffer.from(text).toString('hex')],
    ['percent signs', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['JSON within JSON', (text) => JSON.stringify({ a: JSON.stringify(text) })],
    [
      'entities of XML',
      (text) => text.replace(/[&"]/g, (character) => `&#${character.charCodeAt(0)};`),
    ],
    [
      'the middle of a large text',
      (text) => `${'large '.repeat(40_000)}${text}${' text'.repeat(40_000)}`,
    ],
  ];
  it.each(encodings)('is recognised in %s', async (_name, encoding) => {
    encode = encoding;
    const { error } = await run(
      keyed(await addSecret(VALUE, [allowedRemote.url])),
      call('1', {
        endpoint: `${otherRemote.url}/`,
        method: 'POST',
        body: jsonBody({ copy: ECHO_REFERENCE }),
      }),
    );
    expect([error?.code, otherRemote.received]).toEqual(['SECRET_ORIGIN_REFUSED', []]);
  });

  it('is not leaked by a redirect, neither in its URL nor in the request', async () => {
    const name = await addSecret(VALUE, [allowedRemote.url]);
    const copied = call('1', {
      endpoint: `${allowedRemote.url}/redirect`,
      header: { 'X-Key': ECHO_REFERENCE },
    });
    for (const steps of [[keyed(name, '/redirect')], [keyed(name), copied]])
      expect((await run(...steps)).error?.code).toBe('SECRET_ORIGIN_REFUSED');
    expect(otherRemote.received).toEqual([]);
  });

  it('is sent to its origins, including those of another secret with the same value', async () => {
    const copy = (url: string): object =>
      call('1', { endpoint: `${url}/`, method: 'POST', body: jsonBody({ copy: ECHO_REFERENCE }) });
    const first = await addSecret(VALUE, [allowedRemote.url]);
    expect((await run(keyed(first), copy(allowedRemote.url))).state).toBe('SUCCEEDED');
    const second = await addSecret(VALUE, [otherRemote.url]);
    const named = call('2', {
      endpoint: `${otherRemote.url}/`,
      header: { 'X-Key': `{%secret.${second}%}` },
    });
    expect((await run(keyed(first), copy(otherRemote.url), named)).error).toBeNull();
    expect(otherRemote.received.map(({ body, headers }) => [body, headers['x-key']])).toEqual([
      [JSON.stringify({ copy: VALUE }), undefined],
      ['', VALUE],
    ]);
  });

  it('is plain data if it has less than 12 bytes', async () => {
    const name = await addSecret('short-value', [allowedRemote.url]);
    expect(
      (
        await run(
          keyed(name),
          call('1', { endpoint: `${otherRemote.url}/?copy=${ECHO_REFERENCE}` }),
        )
      ).state,
    ).toBe('SUCCEEDED');
    expect(otherRemote.received.map(({ path }) => path)).toEqual(['/?copy=short-value']);
  });

  it('is blocked like the token of a connector and unlike its user name', async () => {
    const fields = [
      { name: 'url' },
      { name: 'user', visibility: 'protected' as const },
      { name: 'token', visibility: 'protected' as const },
    ];
    const invoker = await imported(service, {
      fields,
      operations: [
        { name: 'Test', type: 'test', endpoint: '{url}/me' },
        {
          name: 'List',
          endpoint: '{url}/list',
          header: { Authorization: '{token}', 'X-User': '{user}' },
        },
      ],
    });
    const connectorId = await newConnector(service, invoker, {
      url: allowedRemote.url,
      token: TOKEN,
      user: USER,
    });
    const list = call(
      '0',
      { endpoint: '' },
      { name: 'List', methodType: 'CONNECTOR', connector: { connectorId }, request: null },
    );
    const token = await run(
      list,
      call('1', { endpoint: `${otherRemote.url}/?copy=${ECHO_REFERENCE}` }),
    );
    expect([token.error?.code, token.error?.index, otherRemote.received]).toEqual([
      'SECRET_ORIGIN_REFUSED',
      '1',
      [],
    ]);
    expect(
      (
        await run(
          list,
          call('1', { endpoint: `${otherRemote.url}/?copy={%#FFCFB5.(response).body.user%}` }),
        )
      ).state,
    ).toBe('SUCCEEDED');
  });
});

describe('a wildcard over a public suffix', () => {
  const REFUSED = [
    'https://*.com',
    'https://*.Co.UK',
    'http://*.github.io:8080',
    'https://*.xn--fiqs8s',
    'https://*.kobe.jp',
  ];
  const ACCEPTED = [
    'https://*.example.com',
    'https://*.example.co.uk',
    'https://*.me.github.io',
    'https://com',
    'https://*.internal',
    'https://github.io',
  ];

  it('is rejected at its position when a secret is added or changed, in both APIs', async () => {
    const body = { name: unique('wide'), value: VALUE, origins: [...ACCEPTED, ...REFUSED] };
    const refused = await service.api('POST', '/api/secret', { body });
    expect(refused.body).toMatchObject({ status: 400, message: 'SECRET_ORIGIN_INVALID' });
    for (const [nth, origin] of REFUSED.entries())
      expect(refused.body.error).toContain(
        `origins.${ACCEPTED.length + nth}: "${origin}" covers every host below the public suffix`,
      );
    expect(refused.body.error).not.toMatch(/origins\.[0-5]:/);
    const { body: added } = await service.api('POST', '/api/secret', {
      body: { ...body, origins: ACCEPTED },
    });
    expect(added.origins).toHaveLength(ACCEPTED.length);
    const secretUpdate = await service.mutate(
      'secretUpdate',
      { id: String(added.secretId), origins: ['https://*.github.io'] },
      'secret { name } userErrors { code path message }',
    );
    expect(secretUpdate).toMatchObject({
      secret: null,
      userErrors: [
        {
          code: 'SECRET_ORIGIN_INVALID',
          path: ['origins', '0'],
          message: expect.stringContaining('public suffix github.io'),
        },
      ],
    });
  });

  it('that is already stored stays visible and receives no secret', async () => {
    const name = await addSecret(VALUE, [allowedRemote.url]);
    // The origin needs a suffix, so its host name does not resolve.
    await storeConnection()
      .collection('secrets')
      .updateOne({ name }, { $set: { origins: ['http://*.github.io', allowedRemote.url] } });
    const toName = await run(
      call('0', {
        endpoint: 'http://someone.github.io/',
        header: { 'X-Key': `{%secret.${name}%}` },
      }),
    );
    expect([toName.error?.code, (await run(keyed(name))).state]).toEqual([
      'SECRET_ORIGIN_REFUSED',
      'SUCCEEDED',
    ]);
    const secrets = await service.field(
      'query($name: String!) { secrets(filter: { name: { eq: $name } }) { nodes { origins } } }',
      { name },
    );
    expect(secrets.nodes).toEqual([{ origins: ['http://*.github.io', allowedRemote.url] }]);
  });
});
