import { answerJson, startRemote } from '../engine/support/remote';
import { imported, newConnector } from '../support/documents/connector-invokers';
import type { OperationXml } from '../support/documents/connector-invokers';
import { testService } from '../support/service/harness';
import { ended, runEvents } from '../support/service/watch';
import { saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const FIELDS = [
  { name: 'url' },
  { name: 'user' },
  { name: 'token', visibility: 'private' as const, value: '%{Login.body.token}' },
  { name: 'key', visibility: 'protected' as const },
];
const OPERATIONS: OperationXml[] = [
  { name: 'Login', type: 'auth', method: 'POST', endpoint: '{url}/login' },
  { name: 'Computed', endpoint: '{url}/computed', header: { Authorization: 'Bearer {token}' } },
  { name: 'Entered', endpoint: '{url}/entered', header: { 'X-Key': '{key}' } },
  {
    name: 'Paged',
    type: 'page',
    endpoint: '{url}/paged?at=@{at}',
    header: { Authorization: 'Bearer {token}' },
    pagination: '<pagination><item name="at" ref="url.@{at}">0</item></pagination>',
  },
];
let invoker: string;
/** Issued tokens, with the number of calls that each is valid for. */
let tokens: number;
let validFor: number;
let calls: number;

const service = testService();
const remote = openForTests(() =>
  startRemote(({ url, headers }, response) => {
    if (url === '/login') {
      tokens += 1;
      calls = 0;
      response.setHeader('set-cookie', `sid=s${tokens}; Path=/`);
      return answerJson(response, { token: `token-number-${tokens}` });
    }
    calls += 1;
    const isValid = headers.authorization === `Bearer token-number-${tokens}` && calls <= validFor;
    return answerJson(
      response,
      { cookie: headers.cookie ?? null },
      url === '/entered' || !isValid ? 401 : 200,
    );
  }),
);
beforeAll(async () => {
  invoker = await imported(service, { fields: FIELDS, operations: OPERATIONS });
});
beforeEach(() => {
  [tokens, validFor, calls] = [0, 1, 0];
  remote.received.length = 0;
});

const connector = (): Promise<number> =>
  newConnector(service, invoker, { url: remote.url, user: 'ann', key: 'entered-by-a-person' });
const step = (connectorId: number, index: string, name: string): object => ({
  id: `m${index}`,
  index,
  name,
  color: `#0000A${index}`,
  methodType: 'CONNECTOR',
  connector: { connectorId },
  request: null,
});
async function run(connectorId: number, ...names: string[]): Promise<any> {
  const id = await started(
    service,
    await saved(service, workflow(names.map((name, at) => step(connectorId, String(at), name)))),
    true,
  );
  return { ...(await ended(service, id)), events: await runEvents(service, id) };
}
const paths = (): string[] => remote.received.map(({ url }) => url);

it('an expired token is computed once more during a run, and the call is repeated', async () => {
  const { state, events } = await run(await connector(), 'Computed', 'Computed');
  expect(state).toBe('SUCCEEDED');
  expect(paths()).toEqual(['/login', '/computed', '/computed', '/login', '/computed']);
  expect(
    events
      .filter(({ __typename }: any) => __typename === 'RunLog')
      .map(({ message }: any) => message),
  ).toEqual([expect.stringMatching(/answered 401.*computed again/)]);
  expect(JSON.stringify(events)).not.toContain('token-number-2');
});

it('a 401 for a new token or an entered value is a failure', async () => {
  validFor = 0;
  expect(await run(await connector(), 'Computed')).toMatchObject({
    state: 'FAILED',
    error: { code: 'HTTP_STATUS_ERROR' },
  });
  expect(paths()).toEqual(['/login', '/computed']);
  remote.received.length = 0;
  expect(await run(await connector(), 'Entered')).toMatchObject({
    state: 'FAILED',
    error: { code: 'HTTP_STATUS_ERROR' },
  });
  expect(paths()).toEqual(['/entered']);
});

it('a connector keeps cookies within a run when configured, over REST and GraphQL', async () => {
  validFor = 10;
  const id = await connector();
  await run(id, 'Computed', 'Computed');
  expect(remote.received.map(({ headers }) => headers.cookie)).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
  const { body } = await service.api('PUT', `/api/connector/${id}`, {
    body: { keepCookies: true },
  });
  expect(body.keepCookies).toBe(true);
  const read = await service.data('query ($id: ID!) { connector(id: $id) { keepCookies } }', {
    id,
  });
  expect(read.connector.keepCookies).toBe(true);
  remote.received.length = 0;
  await run(id, 'Computed', 'Computed');
  expect(remote.received.map(({ headers }) => headers.cookie)).toEqual([
    undefined,
    'sid=s2',
    'sid=s2',
  ]);
  // Each run starts without cookies.
  remote.received.length = 0;
  await run(id, 'Computed');
  expect(remote.received[0]?.headers.cookie).toBeUndefined();
  const { connectorUpdate } = await service.data(
    'mutation ($id: ID!) { connectorUpdate(input: { id: $id, keepCookies: false }) { connector { keepCookies } userErrors { code } } }',
    { id },
  );
  expect(connectorUpdate).toEqual({ connector: { keepCookies: false }, userErrors: [] });
});
