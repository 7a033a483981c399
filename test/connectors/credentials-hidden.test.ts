import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, rmSync, statSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { answerJson, startRemote } from '../engine/support/remote';
import { startService, unique } from '../support/service/harness';
import type { Answer, TestService } from '../support/service/harness';
import { imported } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';

const MASTER = 'the-master-password';

/** Values that must not appear in any output. */
const planted: string[] = [];
const plant = (): string => {
  const value = `pl${randomBytes(12).toString('hex')}`;
  planted.push(value);
  return value;
};
/** The same values as sent: encoded, or in parts of basic credentials. */
const forms = (value: string): string[] => [
  value,
  Buffer.from(value).toString('base64'),
  Buffer.from(value).toString('hex'),
  encodeURIComponent(value),
];
const plantedIn = (text: string): string[] =>
  planted.filter((value) => forms(value).some((form) => text.includes(form)));

const FIELDS = [
  { name: 'url' },
  { name: 'user' },
  { name: 'password', visibility: 'protected' },
  { name: 'token', visibility: 'protected' },
  { name: 'computed', visibility: 'private', value: '%{login.body.session}' },
  { name: 'auth', visibility: 'private', value: 'Basic {user:password}' },
] as const;
const OPERATIONS: readonly OperationXml[] = [
  {
    name: 'login',
    method: 'POST',
    endpoint: '{url}/login?key={token}',
    header: { Authorization: '{auth}' },
    body: '<body type="object" format="json" data="raw"><field name="password" type="string">{password}</field></body>',
  },
  {
    name: 'GetMe',
    type: 'test',
    endpoint: '{url}/me?key={token}',
    header: { Authorization: 'Bearer {token}', 'X-Session': '{computed}' },
  },
  {
    name: 'Query',
    method: 'POST',
    endpoint: '{url}/graphql/{token}',
    header: { Authorization: 'Bearer {token}' },
    body: '<body type="object" format="json" data="graphql"><field name="query" type="string">{ x }</field></body>',
  },
];

it('credentials appear in no answer, audit record, log line or file after any error', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'hypha-hidden-'));
  const service: TestService = await startService({
    dataDir,
    env: {
      HYPHA_CONNECTOR_MASTER_PASSWORD: MASTER,
      HYPHA_LOG_LEVEL: 'trace',
      HYPHA_OUTBOUND_TIMEOUT: '300',
    },
  });
  const answers: Answer[] = [];
  const api = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<Answer> => {
    const answer = await service.api(method, path, { body, headers });
    answers.push(answer);
    return answer;
  };
  const gql = (query: string, variables: object) => api('POST', '/graphql', { query, variables });
  // Remote systems often echo requests.
  let mode = 'echo';
  const session = plant();
  const remote = await startRemote((request, response) => {
    const echo = { path: request.url, headers: request.headers, body: request.body, session };
    switch (mode) {
      case 'silent':
        return;
      case 'redirect':
        response.writeHead(302, { location: `http://169.254.169.254${request.url}` });
        response.end();
        return;
      case 'garbage':
        response.destroy();
        return;
      default:
        answerJson(response, echo, mode === 'echo' ? 200 : Number(mode));
    }
  });
  try {
    const name = await imported(service, { fields: FIELDS, operations: OPERATIONS });
    const secrets = (more: Record<string, string> = {}) => ({
      url: remote.url,
      user: 'somebody',
      password: plant(),
      token: plant(),
      ...more,
    });
    const title = unique('A title to be found ');
    const made = await api('POST', '/api/connector', {
      title,
      invoker: { name },
      requestData: secrets(),
    });
    expect(made.status).toBe(201);
    const id = made.body.connectorId as number;

    await api('POST', '/api/connector', { title, invoker: { name }, requestData: secrets() });
    await api('POST', '/api/connector', {
      title: '',
      invoker: { name: 'nobody' },
      requestData: secrets(),
    });
    await api('POST', '/api/connector', {
      title: unique('x'),
      invoker: { name },
      requestData: { ...secrets(), unknown: plant(), token: plant().padEnd(70_000, 'x') },
    });
    await api('PUT', `/api/connector/${id}`, { requestData: { token: plant() } });
    await api(
      'PUT',
      `/api/connector/${id}`,
      { requestData: { token: plant() } },
      { 'if-match': '"1"' },
    );
    await api(
      'PUT',
      `/api/connector/${id}/required-data`,
      { password: plant() },
      { 'x-master-password': plant() },
    );
    await gql(
      'mutation($i: ConnectorUpdateInput!) { connectorUpdate(input: $i) { connector { requestData { name value } } userErrors { code message path } } }',
      { i: { id, requestData: [{ name: 'token', value: plant() }] } },
    );
    await gql(
      'mutation($i: ConnectorCreateInput!) { connectorCreate(input: $i) { connector { id } userErrors { code message path } } }',
      { i: { title, invokerName: name, requestData: [{ name: 'token', value: plant() }] } },
    );

    for (const outcome of ['echo', '401', '500', 'redirect', 'garbage', 'silent']) {
      mode = outcome;
      await api('POST', '/api/connector/check', { connectorId: id });
      await api('POST', '/api/connector/check', { invoker: { name }, requestData: secrets() });
      await gql(
        'mutation($i: ConnectorCheckInput!) { connectorCheck(input: $i) { check { status error } userErrors { code message } } }',
        { i: { id, requestData: [{ name: 'token', value: plant() }] } },
      );
      await api('POST', `/api/connector/${id}/graphql-schema`, undefined, {
        'x-master-password': MASTER,
      });
    }
    await api('POST', '/api/connector/check', {
      invoker: { name },
      requestData: secrets({ url: `http://${plant()}:${plant()}@127.0.0.1:1` }),
    });
    await api('POST', '/api/connector/check', {
      invoker: { name },
      requestData: secrets({ token: `${plant()}\r\nX-Injected: 1` }),
    });
    for (const path of [`/api/connector/${id}`, '/api/connector/all']) await api('GET', path);
    await gql(
      '{ connectors { nodes { id title lastCheck { status error } requestData { name value } } } auditEvents(first: 100) { nodes { action before after } } }',
      {},
    );
    await api('DELETE', `/api/connector/${id}`);
    await gql('{ auditEvents(first: 100) { nodes { action before after } } }', {});

    expect(planted.length).toBeGreaterThan(30);
    for (const { text, headers } of answers)
      expect(plantedIn(text + JSON.stringify([...headers]))).toEqual([]);
    expect(plantedIn(JSON.stringify(service.logs))).toEqual([]);
    expect(JSON.stringify(service.logs)).not.toContain(MASTER);
    expect(answers.some(({ text }) => text.includes('CONNECTOR_DELETE'))).toBe(true);

    // The remote system did receive them.
    expect(plantedIn(JSON.stringify(remote.received)).length).toBeGreaterThan(10);
    await service.close();
    const files = readdirSync(dataDir, { recursive: true, encoding: 'utf8' })
      .map((file) => join(dataDir, file))
      .filter((path) => statSync(path).isFile());
    const contents = files.map((file) => readFileSync(file, 'latin1'));
    if (!process.env.MONGODB_URI)
      expect(contents.some((content) => content.includes(title))).toBe(true);
    for (const [at, content] of contents.entries())
      expect([files[at], plantedIn(content)]).toEqual([files[at], []]);
  } finally {
    await service.close();
    await remote.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
});
