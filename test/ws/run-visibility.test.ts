import type { TestService } from '../support/service/harness';
import { startService } from '../support/service/harness';
import type { RemoteAnswer, RemoteSystem } from '../support/peers/remote-system';
import { remoteSystem } from '../support/peers/remote-system';
import { RUN_EVENTS, socketOf } from '../support/service/watch';
import { method, saved, workflow } from '../support/documents/workflows';

interface Person {
  readonly token: string;
  readonly id: number;
}

let service: TestService;
let remote: RemoteSystem;
let held: ((answer: RemoteAnswer) => void)[];
let people: Record<'starter' | 'colleague' | 'reader' | 'editor', Person>;

beforeAll(async () => {
  held = [];
  remote = await remoteSystem(({ path }) =>
    path.startsWith('/held')
      ? new Promise((resolve) => held.push(resolve))
      : { body: { ok: true } },
  );
  service = await startService();
  people = {
    starter: await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']),
    colleague: await service.userWith([
      'CONNECTION:READ',
      'CONNECTION:UPDATE',
      'CONNECTION:CREATE',
      'CONNECTION:DELETE',
    ]),
    reader: await service.userWith(['CONNECTION:READ']),
    editor: await service.userWith(['CONNECTION:UPDATE']),
  };
});
afterAll(async () => {
  for (const answer of held) answer({ body: {} });
  await service.close();
  await remote.close();
});

const TEST =
  'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } userErrors { code } } }';
const RUN =
  'mutation($id: ID!) { workflowRun(input: { workflowId: $id }) { run { databaseId } userErrors { code } } }';
const CANCEL =
  'mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }';

/** The kinds of the received events, and the code of the error that ended them. */
async function events(
  token: string,
  runId: number,
  field = 'runEvents',
): Promise<{ kinds: string[]; code: string | null }> {
  const client = socketOf(service, token);
  const kinds: string[] = [];
  try {
    for await (const { data, errors } of client.iterate<any>({
      query: RUN_EVENTS.replace('runEvents', field),
      variables: { runId, after: 0 },
    })) {
      if (errors) return { kinds, code: String(errors[0]?.extensions?.code) };
      kinds.push(data[field].__typename);
    }
    return { kinds, code: null };
  } catch (error) {
    return { kinds, code: String((error as any)[0]?.extensions?.code) };
  } finally {
    await client.dispose();
  }
}

/** Which queries show a run to a user. */
async function visibility(
  token: string,
  workflowId: number,
  runId: number,
): Promise<Record<string, boolean>> {
  const globalId = Buffer.from(`Run:${runId}`).toString('base64url');
  const look = async (query: string, matches: (data: any) => boolean): Promise<boolean> => {
    const { data, errors } = await service.gql(query, {}, token);
    return !errors && matches(data);
  };
  const has = (list: any): boolean =>
    list.nodes.some(({ databaseId }: any) => databaseId === runId);
  return {
    run: await look(`{ run(id: "${runId}") { databaseId } }`, ({ run }) => run !== null),
    node: await look(`{ node(id: "${globalId}") { databaseId } }`, ({ node }) => node !== null),
    runs: await look(
      '{ runs(includeTest: true, first: 100) { nodes { databaseId } } }',
      ({ runs }) => has(runs),
    ),
    filtered: await look(
      `{ runs(includeTest: true, filter: { or: [{ id: { eq: "${runId}" } }, { test: { eq: true } }] }) { nodes { databaseId } } }`,
      ({ runs }) => has(runs),
    ),
    counted: await look(
      `{ runs(includeTest: true, filter: { id: { eq: "${runId}" } }) { totalCount } }`,
      ({ runs }) => runs.totalCount === 1,
    ),
    ofWorkflow: await look(
      `{ workflow(id: "${workflowId}") { runs(includeTest: true) { nodes { databaseId } } } }`,
      (data) => has(data.workflow.runs),
    ),
    events: (await events(token, runId)).kinds.length > 0,
  };
}

const all = (seen: boolean, names: readonly string[]): Record<string, boolean> =>
  Object.fromEntries(names.map((name) => [name, seen]));
const QUERIES = ['run', 'node', 'runs', 'filtered', 'counted', 'ofWorkflow', 'events'];

it('a test run is visible in every API only to the user who started it and to administrators', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/fast`)]));
  const runId = (await service.data(TEST, { id }, people.starter.token)).testRunStart.run
    .databaseId;
  expect(await events(people.starter.token, runId, 'testRunEvents')).toMatchObject({
    code: null,
    kinds: expect.arrayContaining(['RunFinished']),
  });
  expect(await visibility(people.starter.token, id, runId)).toEqual(all(true, QUERIES));
  expect(await visibility(service.adminToken, id, runId)).toEqual(all(true, QUERIES));
  for (const other of [people.colleague, people.reader, people.editor]) {
    expect(await visibility(other.token, id, runId)).toEqual(all(false, QUERIES));
    expect((await events(other.token, runId, 'testRunEvents')).kinds).toEqual([]);
  }
});

it('other runs are visible only to users who may read workflows', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/fast`)]));
  const runId = (await service.data(RUN, { id }, people.starter.token)).workflowRun.run.databaseId;
  await events(people.starter.token, runId);
  for (const one of [people.starter, people.colleague, people.reader])
    expect(await visibility(one.token, id, runId)).toEqual(all(true, QUERIES));
  expect(await visibility(people.editor.token, id, runId)).toEqual(all(false, QUERIES));
});

it('a user who may only update workflows sees their own test run', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/fast`)]));
  const runId = (await service.data(TEST, { id }, people.editor.token)).testRunStart.run.databaseId;
  expect((await events(people.editor.token, runId)).kinds).toContain('RunFinished');
  expect(await visibility(people.editor.token, id, runId)).toEqual({
    ...all(true, QUERIES),
    ofWorkflow: false,
  });
});

it('only administrators can cancel the test run of another user', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const runId = (await service.data(TEST, { id }, people.starter.token)).testRunStart.run
    .databaseId;
  const cancel = async (token: string) =>
    (await service.data(CANCEL, { id: runId }, token)).runCancel;
  expect(await cancel(people.colleague.token)).toEqual({
    run: null,
    userErrors: [{ code: 'EXECUTION_NOT_FOUND' }],
  });
  expect((await cancel(service.adminToken)).run.state).toBe('CANCELLED');
});

it('an administrator who is demoted receives no further events', async () => {
  const id = await saved(
    service,
    workflow([method('0', `${remote.url}/held`), method('1', `${remote.url}/fast`)]),
  );
  const watcher = await service.userWith([]);
  remote.forget();
  held = [];
  await service.api('PUT', `/api/user/${watcher.id}/userGroup`, {
    body: { enhanceId: watcher.id, userGroup: 1 },
  });
  const runId = (await service.data(TEST, { id }, people.starter.token)).testRunStart.run
    .databaseId;
  const client = socketOf(service, await service.login(watcher.email, watcher.password));
  const stream = client.iterate<any>({ query: RUN_EVENTS, variables: { runId, after: 0 } });
  const seen: any[] = [];
  for await (const { data, errors } of stream) {
    if (errors) {
      seen.push(errors[0]?.extensions?.code);
      break;
    }
    seen.push(data.runEvents.__typename);
    if (data.runEvents.__typename !== 'StepStarted') continue;
    await service.api('PUT', `/api/user/${watcher.id}/userGroup`, {
      body: { enhanceId: watcher.id, userGroup: 2 },
    });
    await remote.next();
    held.shift()?.({ body: {} });
  }
  await client.dispose();
  expect(seen).toEqual(['RunStarted', 'StepStarted', 'FORBIDDEN']);
});
