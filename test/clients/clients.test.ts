import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gql } from '@apollo/client';
import { fetchQuery, requestSubscription, commitMutation } from 'relay-runtime';
import WebSocket from 'ws';
import { apolloClient } from '../../examples/clients/apollo';
import { relayEnvironment } from '../../examples/clients/relay';
import { urqlClient } from '../../examples/clients/urql';
import { ROOT } from '../support/process';
import { RUN_EVENTS, SCREENS, USER_UPDATE } from './screens';
import { openClientFixture, possibleTypes, schema } from './service';
import { openForTests } from '../support/open-for-tests';

/** The operations of every client library under common names. */
interface ClientAdapter {
  /** Calls the server unless everything is in the cache. */
  query(screen: keyof typeof SCREENS, variables?: Record<string, unknown>): Promise<any>;
  /** Reads the cache without the server. */
  cached(screen: keyof typeof SCREENS, variables?: Record<string, unknown>): Promise<any>;
  updateUser(input: object): Promise<any>;
  /** Runs until the subscription ends. */
  runEvents(runId: string): Promise<any[]>;
  close(): void;
}
let compiled: string;
const fixture = openForTests(openClientFixture);
beforeAll(async () => {
  compiled = compileForRelay();
});
afterAll(() => rmSync(dirname(compiled), { recursive: true, force: true }));

/** Runs relay-compiler for the operations of Relay; returns the folder of the artifacts. */
function compileForRelay(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hypha-relay-'));
  mkdirSync(join(folder, 'src'));
  copyFileSync(join(ROOT, 'schema/schema.graphql'), join(folder, 'schema.graphql'));
  writeFileSync(
    join(folder, 'relay.config.json'),
    JSON.stringify({
      src: './src',
      schema: './schema.graphql',
      language: 'javascript',
      artifactDirectory: './artifacts',
      eagerEsModules: false,
    }),
  );
  mkdirSync(join(folder, 'artifacts'));
  for (const [name, text] of Object.entries({
    ...SCREENS,
    Screens: `${USER_UPDATE}\n${RUN_EVENTS}`,
  })) {
    const operations = text
      .split(/\n(?=subscription )/)
      .map((operation) => `graphql\`${operation}\`;`)
      .join('\n');
    writeFileSync(join(folder, 'src', `${name}.js`), operations);
  }
  execFileSync(process.execPath, [require.resolve('relay-compiler/cli.js'), 'relay.config.json'], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  return join(folder, 'artifacts');
}
const artifact = (name: string): any =>
  createRequire(__filename)(join(compiled, `${name}.graphql.js`));

const CLIENTS: Record<string, () => ClientAdapter> = {
  'Apollo Client': () => {
    const client = apolloClient(
      fixture.service.url,
      { authorization: fixture.service.adminToken, renew: () => Promise.resolve() },
      possibleTypes,
      WebSocket,
    );
    return {
      query: async (screen, variables) =>
        (await client.query({ query: gql(SCREENS[screen]), variables })).data,
      cached: async (screen, variables) =>
        (await client.query({ query: gql(SCREENS[screen]), variables, fetchPolicy: 'cache-only' }))
          .data,
      updateUser: async (input) =>
        (await client.mutate<any>({ mutation: gql(USER_UPDATE), variables: { input } })).data
          .userUpdate,
      runEvents: (runId) =>
        new Promise((resolve, reject) => {
          const events: any[] = [];
          client.subscribe<any>({ query: gql(RUN_EVENTS), variables: { runId } }).subscribe({
            next: ({ data }) => events.push(data.runEvents),
            complete: () => resolve(events),
            error: reject,
          });
        }),
      close: () => client.stop(),
    };
  },
  'urql with graphcache': () => {
    const client = urqlClient(fixture.service.url, fixture.service.adminToken, schema, WebSocket);
    const answer = ({ data, error }: { data?: any; error?: Error }): any => {
      if (error) throw error;
      return data;
    };
    return {
      query: async (screen, variables) =>
        answer(await client.query(SCREENS[screen], variables ?? {}).toPromise()),
      cached: async (screen, variables) =>
        answer(
          await client
            .query(SCREENS[screen], variables ?? {}, { requestPolicy: 'cache-only' })
            .toPromise(),
        ),
      updateUser: async (input) =>
        answer(await client.mutation(USER_UPDATE, { input }).toPromise()).userUpdate,
      runEvents: (runId) =>
        new Promise((resolve, reject) => {
          const events: any[] = [];
          const subscription = client
            .subscription<any>(RUN_EVENTS, { runId })
            .subscribe(({ data, error }) => {
              if (error) reject(error);
              events.push(data.runEvents);
              if (data.runEvents.__typename !== 'RunFinished') return;
              subscription.unsubscribe();
              resolve(events);
            });
        }),
      close: () => undefined,
    };
  },
  Relay: () => {
    const environment = relayEnvironment(
      fixture.service.url,
      fixture.service.adminToken,
      WebSocket,
    );
    const plain = (data: unknown): any => JSON.parse(JSON.stringify(data));
    return {
      query: async (screen, variables = {}) =>
        plain(
          await fetchQuery(environment, artifact(`${screen}Query`), variables, {
            fetchPolicy: 'store-or-network',
          }).toPromise(),
        ),
      cached: async (screen, variables = {}) => {
        const { createOperationDescriptor } = await import('relay-runtime');
        const operation = createOperationDescriptor(artifact(`${screen}Query`), variables);
        return plain(environment.lookup(operation.fragment).data);
      },
      updateUser: (input) =>
        new Promise((resolve, reject) => {
          commitMutation<any>(environment, {
            mutation: artifact('ScreensUserUpdateMutation'),
            variables: { input },
            onCompleted: ({ userUpdate }) => resolve(userUpdate),
            onError: reject,
          });
        }),
      runEvents: (runId) =>
        new Promise((resolve, reject) => {
          const events: any[] = [];
          requestSubscription<any>(environment, {
            subscription: artifact('ScreensRunEventsSubscription'),
            variables: { runId },
            onNext: (data) => events.push(data?.runEvents),
            onCompleted: () => resolve(events),
            onError: reject,
          });
        }),
      close: () => undefined,
    };
  },
};

describe.each(Object.keys(CLIENTS))('%s, configured as in docs/clients.md,', (name) => {
  let client: ClientAdapter;
  let warnings: jest.SpyInstance[];
  beforeEach(() => {
    warnings = (['warn', 'error'] as const).map((level) =>
      jest.spyOn(console, level).mockImplementation(() => undefined),
    );
    client = CLIENTS[name]();
    fixture.requests();
  });
  afterEach(() => {
    client.close();
    // Fails here if a cache confuses records or misses a key.
    for (const spy of warnings) expect(spy.mock.calls).toEqual([]);
    for (const spy of warnings) spy.mockRestore();
  });

  it('sends one request per screen', async () => {
    await client.query('Editor', { id: fixture.workflows[0].id });
    expect(fixture.requests()).toHaveLength(1);
    await client.query('Users', { first: 20 });
    expect(fixture.requests()).toHaveLength(1);
    await client.query('Dashboard', {});
    expect(fixture.requests()).toHaveLength(1);
    await client.query('RunPage', { id: fixture.runs[0] });
    expect(fixture.requests()).toHaveLength(1);
    await client.query('Editor', { id: fixture.workflows[0].id });
    expect(fixture.requests()).toHaveLength(0);
  });

  it('shows the data of each record when steps of two workflows have the same ids', async () => {
    for (const { id } of fixture.workflows) await client.query('Editor', { id });
    for (const id of fixture.runs) await client.query('RunPage', { id });
    for (const [index, { id, title, stepNames }] of fixture.workflows.entries()) {
      const { workflow } = await client.cached('Editor', { id });
      expect(workflow).toMatchObject({ id, title });
      expect(workflow.steps.map((step: { name: string }) => step.name)).toEqual(stepNames);
      const { run } = await client.cached('RunPage', { id: fixture.runs[index] });
      expect(run).toMatchObject({
        id: fixture.runs[index],
        state: 'SUCCEEDED',
        workflow: { id, title },
      });
      expect(run.workflowVersion.steps.map((step: { name: string }) => step.name)).toEqual(
        stepNames,
      );
      expect(run.events.nodes.at(-1)).toMatchObject({
        __typename: 'RunFinished',
        state: 'SUCCEEDED',
      });
    }
  });

  it('shows a change in a loaded list without another request', async () => {
    const surname = `Changed by ${name}`;
    const [user] = fixture.users;
    const { users } = await client.query('Users', { first: 20 });
    const { version } = users.edges.find(({ node }: any) => node.id === user.id).node;
    fixture.requests();
    expect(
      await client.updateUser({ id: user.id, expectedVersion: version, detail: { surname } }),
    ).toMatchObject({ userErrors: [], user: { version: version + 1, detail: { surname } } });
    expect(fixture.requests()).toHaveLength(1);
    const after = (await client.cached('Users', { first: 20 })).users.edges.map(
      ({ node }: any) => node,
    );
    expect(after.find(({ id }: any) => id === user.id)).toMatchObject({
      detail: { surname },
      version: version + 1,
    });
    expect(after.find(({ id }: any) => id === fixture.users[1].id).detail.surname).not.toBe(
      surname,
    );
    expect(fixture.requests()).toHaveLength(0);
  });

  it('follows a run to its end', async () => {
    const events = await client.runEvents(fixture.runs[0]);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      events.map((_event, index) => index + 1),
    );
    expect(events.at(-1)).toMatchObject({ __typename: 'RunFinished', state: 'SUCCEEDED' });
  });
});

it('Apollo Client renews an ended session once, and operations and sockets go on', async () => {
  const { service } = fixture;
  const user = await service.userWith(['CONNECTION:READ', 'MYPROFILE:READ']);
  let renewals = 0;
  const session = {
    authorization: user.token,
    async renew() {
      renewals += 1;
      session.authorization = await service.login(user.email, user.password);
    },
  };
  const client = apolloClient(service.url, session, possibleTypes, WebSocket);
  const email = (name: string): Promise<any> =>
    client.query({ query: gql(`query ${name} { me { email } }`), fetchPolicy: 'network-only' });
  const logout = (): Promise<unknown> =>
    service.api('POST', '/api/auth/logout', { token: session.authorization });
  await logout();
  const answers = await Promise.all([email('A'), email('B')]);
  expect(answers.map(({ data }) => data.me.email)).toEqual([user.email, user.email]);
  expect(renewals).toBe(1);
  const follow = (): Promise<number> =>
    new Promise((resolve, reject) => {
      let events = 0;
      client
        .subscribe({ query: gql(RUN_EVENTS), variables: { runId: fixture.runs[0] } })
        .subscribe({ next: () => (events += 1), complete: () => resolve(events), error: reject });
    });
  const expected = await follow();
  await logout();
  await email('C');
  expect([await follow(), renewals]).toEqual([expected, 2]);
  client.stop();
});

it('the client setup matches the guide exactly', () => {
  const guide = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const shown = [...guide.matchAll(/```\w+ title="([^"]+)"\n([\s\S]*?)```/g)].map(
    ([, file, text]) => ({ file, text }),
  );
  expect(shown.map(({ file }) => file)).toEqual([
    'codegen.yml',
    'examples/clients/apollo.ts',
    'examples/clients/urql.ts',
    'examples/clients/relay.ts',
    'examples/clients/persisted-queries.ts',
    'examples/clients/follow-run.mjs',
    'examples/clients/stomp.ts',
    'examples/clients/fetch.ts',
  ]);
  for (const { file, text } of shown)
    expect({ file, text }).toEqual({ file, text: readFileSync(join(ROOT, file), 'utf8') });
});
