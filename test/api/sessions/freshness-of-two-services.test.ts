/** @jest-environment node */
import { WebSocket } from 'ws';
import { workflow, method, saved } from '../../support/documents/workflows';
import { Client } from '../../support/graphql/open-library';
import { testRemote } from '../../support/peers/remote-system';
import { loginAt, unique } from '../../support/service/harness';
import type { TestService } from '../../support/service/harness';
import { servicesAtOneStore } from '../../support/service/services-at-one-store';
import type { ServicesAtOneStore } from '../../support/service/services-at-one-store';

/* What one service has acknowledged holds for the next request to another. */

const remote = testRemote(() => ({}));
let cluster: ServicesAtOneStore;
let left: TestService;
let right: TestService;

beforeAll(async () => {
  cluster = await servicesAtOneStore();
  [left, right] = [await cluster.start(), await cluster.start()];
});
afterAll(() => cluster.close());

/** `ok`, or why the users are not shown. */
const usersAt = async (service: TestService, token: string): Promise<string> => {
  const { errors } = await service.gql('{ users(first: 1) { totalCount } }', {}, token);
  return errors?.[0]?.extensions?.code ?? 'ok';
};
/** Fills the memory of both services. */
const usedAtBoth = async (token: string): Promise<void> => {
  for (const service of [left, right, left, right])
    expect(await usersAt(service, token)).toBe('ok');
};
async function socketAt(service: TestService, token: string): Promise<Client> {
  const client = new Client(
    new WebSocket(`${service.url.replace('http', 'ws')}/ws`, 'graphql-transport-ws'),
  );
  await client.opened();
  client.send({ type: 'connection_init', payload: { Authorization: token } });
  await client.until(({ type }) => type === 'connection_ack');
  return client;
}
const member = () => left.userWith(['USER:READ', 'DASHBOARD:READ']);
const times = (work: (nth: number) => Promise<void>): Promise<void> =>
  Array.from({ length: 10 }).reduce<Promise<void>>(
    (before, _, nth) => before.then(() => work(nth)),
    Promise.resolve(),
  );

it('a session that ends at one service is refused by the other', () =>
  times(async (nth) => {
    const { token } = await member();
    await usedAtBoth(token);
    await (nth % 2 ? left : right).data('mutation { logout { userErrors { code } } }', {}, token);
    expect(await usersAt(nth % 2 ? right : left, token)).toBe('UNAUTHENTICATED');
  }));

it('a right that one service takes away is refused by the other', () =>
  times(async () => {
    const { token, groupId } = await member();
    await usedAtBoth(token);
    const { groupComponentsSet } = await left.data(
      'mutation ($input: GroupComponentsSetInput!) { groupComponentsSet(input: $input) { userErrors { code } } }',
      { input: { id: String(groupId), components: [] } },
    );
    expect(groupComponentsSet.userErrors).toEqual([]);
    expect(await usersAt(right, token)).toBe('FORBIDDEN');
  }));

it('a user that one service creates or deletes exists or is missing at the other', () =>
  times(async () => {
    const { id, email, password } = await member();
    const token = await loginAt(right.url, email, password);
    expect(await usersAt(left, token)).toBe('ok');
    expect(await usersAt(right, token)).toBe('ok');
    expect(await left.status('DELETE', `/api/user/${id}`)).toBeLessThan(300);
    expect(await usersAt(right, token)).toBe('UNAUTHENTICATED');
  }));

it('an API token that one service creates or revokes counts at the other', () =>
  times(async () => {
    const owner = await member();
    const { apiTokenCreate } = await left.data(
      'mutation ($input: ApiTokenCreateInput!) { apiTokenCreate(input: $input) { apiToken { apiTokenId } token userErrors { code } } }',
      { input: { name: unique('token'), scopes: ['USER:READ'] } },
      owner.token,
    );
    const token = `Bearer ${apiTokenCreate.token}`;
    await usedAtBoth(token);
    await right.data(
      'mutation ($id: ID!) { apiTokenRevoke(input: { id: $id }) { userErrors { code } } }',
      { id: apiTokenCreate.apiToken.apiTokenId },
      owner.token,
    );
    expect(await usersAt(left, token)).toBe('UNAUTHENTICATED');
  }));

it('a client that changes the service reads its own writes', () =>
  times(async (nth) => {
    const id = await saved(left, workflow([method('0', remote.url)]));
    const title = `renamed ${nth}`;
    const read = async (service: TestService): Promise<string> =>
      (await service.data('query ($id: ID!) { workflow(id: $id) { title } }', { id })).workflow
        .title;
    await read(right);
    await left.data(
      'mutation ($id: ID!, $title: String!) { workflowUpdate(input: { id: $id, title: $title }) { userErrors { code } } }',
      { id, title },
    );
    expect(await read(right)).toBe(title);
  }));

it('a webhook of one service starts its schedule at the other, and is gone when it is deleted', () =>
  times(async () => {
    const workflowId = await saved(left, workflow([method('0', remote.url)]));
    const { enhanceId, schedulerId = enhanceId } = await left.body('POST', '/api/scheduler', {
      body: {
        connectionId: workflowId,
        title: unique('called '),
        cronExp: null,
        status: 1,
        debugMode: false,
      },
    });
    const me = (await left.data('{ me { databaseId } }')).me.databaseId;
    const { url, webhookId } = await left.body('GET', `/api/webhook/url/${me}/${schedulerId}`);
    const path = new URL(url).pathname;
    expect(await right.status('POST', path, { token: null, body: {} })).toBe(200);
    expect(await left.status('DELETE', `/api/webhook/${webhookId}`)).toBeLessThan(300);
    expect(await right.status('POST', path, { token: null, body: {} })).toBe(404);
  }));

it('the sockets of a session at one service close when another ends it', async () => {
  const { token } = await member();
  await usedAtBoth(token);
  const client = await socketAt(right, token);
  client.subscribe('events', 'subscription { sessionEvents { __typename } }');
  await client.ask('ready', '{ me { email } }');
  await left.data('mutation { logout { userErrors { code } } }', {}, token);
  expect((await client.results('events', 1))[0]).toEqual({
    data: { sessionEvents: { __typename: 'SessionEvent' } },
  });
  expect((await client.close()).code).toBe(4403);
});

it('a subscription at one service ends when another takes its right away', async () => {
  const { token, groupId } = await member();
  await usedAtBoth(token);
  const client = await socketAt(right, token);
  client.subscribe('dashboard', 'subscription { dashboard { __typename } }');
  await client.results('dashboard', 1);
  await left.data(
    'mutation ($input: GroupComponentsSetInput!) { groupComponentsSet(input: $input) { userErrors { code } } }',
    { input: { id: String(groupId), components: [] } },
  );
  await client.until(({ type, id }) => type === 'complete' && id === 'dashboard');
  client.connection.terminate();
});
