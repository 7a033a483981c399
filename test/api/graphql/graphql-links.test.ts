import { globalId } from '../../../src/platform/graphql/schema/ids';
import { ADMIN_EMAIL, testService, unique } from '../../support/service/harness';
import { ended, runEvents } from '../../support/service/watch';
import { saved, started, workflow } from '../../support/documents/workflows';

const AUTHORS = `{ workflows { nodes { databaseId createdBy { userId email user { databaseId email } } updatedBy { user { databaseId } } versions { nodes { author { user { databaseId } } } } } } }`;

const service = testService();

const workflowOf = async (token: string): Promise<number> => {
  const answer = await service.api('POST', '/api/connection', { token, body: workflow([]) });
  return answer.body.connectionId as number;
};

it('authors link to users that exist and that the caller may read', async () => {
  const author = await service.userWith(['CONNECTION:CREATE', 'CONNECTION:READ', 'MYPROFILE:READ']);
  const reader = await service.userWith(['CONNECTION:READ']);
  const id = await workflowOf(author.token);
  const fetchWorkflow = async (token?: string) =>
    (await service.field(AUTHORS, {}, token)).nodes.find(
      ({ databaseId }: any) => databaseId === id,
    );
  const all = (user: object | null, own = user && { databaseId: author.id }) => ({
    databaseId: id,
    createdBy: { userId: author.id, email: author.email, user },
    updatedBy: { user: own },
    versions: { nodes: [{ author: { user: own } }] },
  });

  expect(await fetchWorkflow()).toEqual(all({ databaseId: author.id, email: author.email }));
  expect(await fetchWorkflow(author.token)).toEqual(
    all({ databaseId: author.id, email: author.email }),
  );
  expect(await fetchWorkflow(reader.token)).toEqual(all(null));
  await service.mutate(
    'userUpdate',
    { id: author.id, email: `new-${author.email}` },
    'userErrors { code }',
  );
  expect(await fetchWorkflow()).toEqual(
    all({ databaseId: author.id, email: `new-${author.email}` }),
  );
  await service.mutate('userDelete', { id: author.id }, 'userErrors { code }');
  expect(await fetchWorkflow()).toEqual(all(null));
});

it('audit actors link to users, and anonymous actors link to none', async () => {
  await service.api('POST', '/login', {
    token: null,
    body: { email: 'nobody@hypha.test', password: 'not a password' },
  });
  await service.api('POST', '/api/permission', { body: { name: unique('LINKED') } });
  const { nodes } = await service.field(
    '{ auditEvents(first: 100) { nodes { action actor { userId email user { email } } } } }',
  );
  const actorOf = (action: string) => nodes.find((node: any) => node.action === action)?.actor;
  expect(actorOf('PERMISSION_CREATE')).toEqual({
    userId: 1,
    email: ADMIN_EMAIL,
    user: { email: ADMIN_EMAIL },
  });
  expect(actorOf('SESSION_REFUSE')).toEqual({ userId: 0, email: 'anonymous', user: null });
});

it('dashboard figures link to workflows only for callers who may read them', async () => {
  const id = await saved(service, workflow([]));
  const runId = await started(service, id);
  await ended(service, runId);
  const TOP =
    '{ topWorkflows(limit: 100) { workflowId title workflow { databaseId title lastRun { databaseId } } } }';
  const top = async (token?: string) =>
    (await service.field(TOP, {}, token)).find(
      ({ workflowId }: any) => workflowId === globalId('Workflow', id),
    );
  const shown = await top();
  expect(shown).toEqual({
    workflowId: globalId('Workflow', id),
    title: shown.title,
    workflow: { databaseId: id, title: shown.title, lastRun: { databaseId: runId } },
  });
  const watcher = await service.userWith(['DASHBOARD:READ']);
  expect(await top(watcher.token)).toEqual({
    workflowId: globalId('Workflow', id),
    title: shown.title,
    workflow: null,
  });
});

it('events link to the run, and the run links to its workflow only for callers who may read it', async () => {
  const id = await saved(service, workflow([]));
  const runId = await started(service, id);
  await ended(service, runId);
  const events = await runEvents(
    service,
    runId,
    0,
    'subscription($runId: ID!, $after: Int!) { runEvents(runId: $runId, afterSequence: $after) { __typename run { databaseId state startedBy { user { databaseId } } workflow { databaseId } } } }',
  );
  expect(events.map(({ run }) => run as object)).toEqual(
    events.map(() => ({
      databaseId: runId,
      state: 'SUCCEEDED',
      startedBy: { user: { databaseId: 1 } },
      workflow: { databaseId: id },
    })),
  );

  const tester = await service.userWith(['CONNECTION:UPDATE']);
  const testRunStart = await service.mutate(
    'testRunStart',
    { workflowId: id },
    'run { databaseId workflow { databaseId } startedBy { userId user { databaseId } } } userErrors { message }',
    tester.token,
  );
  expect(testRunStart).toEqual({
    run: {
      databaseId: expect.any(Number),
      workflow: null,
      startedBy: { userId: tester.id, user: null },
    },
    userErrors: [],
  });
});

it('a mutation reloads records that an earlier mutation of the same request changed', async () => {
  const one = await service.userWith([
    'CONNECTION:CREATE',
    'CONNECTION:READ',
    'CONNECTION:UPDATE',
    'USER:READ',
    'USER:UPDATE',
    'USERGROUP:READ',
  ]);
  const id = await workflowOf(one.token);
  const SAVE =
    'workflowUpdate(input: { id: $id, description: "x" }) { workflow { updatedBy { email user { email } } } }';
  const data = await service.data(
    `mutation($id: ID!, $user: ID!, $email: String!, $password: String!) { before: ${SAVE} userUpdate(input: { id: $user, email: $email, currentPassword: $password }) { userErrors { message } } after: ${SAVE} }`,
    { id, user: one.id, email: `changed-${one.email}`, password: one.password },
    one.token,
  );
  expect(data).toMatchObject({
    before: { workflow: { updatedBy: { user: { email: one.email } } } },
    userUpdate: { userErrors: [] },
    after: { workflow: { updatedBy: { user: { email: `changed-${one.email}` } } } },
  });
});
