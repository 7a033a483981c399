import { testService } from '../../support/service/harness';
import { testRemote } from '../../support/peers/remote-system';
import type { RemoteAnswer } from '../../support/peers/remote-system';
import { storeConnection } from '../../support/store/stored';
import { ended } from '../../support/service/watch';
import { method, saved, workflow } from '../../support/documents/workflows';

const service = testService();
const remote = testRemote(
  () =>
    new Promise((resolve) => {
      letGo = resolve;
    }),
);
let letGo: (answer: RemoteAnswer) => void = () => undefined;
afterEach(() => remote.forget());

const RIGHTS = ['CONNECTION:READ', 'CONNECTION:UPDATE'];
const document = (): object => workflow([method('0', `${remote.url}/held`)]);
const test = (body: object, token?: string) =>
  service.api('POST', '/api/connection/execution/test', { body, token });
const graphTest = (workflowId: number) =>
  service.mutate('testRunStart', { workflowId }, 'run { databaseId } userErrors { code }');
const schedule = (id: number, token?: string) =>
  service.api('GET', `/api/scheduler/${id}`, { token });
const listed = async (token?: string): Promise<number[]> =>
  (await service.api('GET', '/api/scheduler/all', { token })).body.map(
    ({ schedulerId }: any) => schedulerId,
  );

async function over(runId: number): Promise<any> {
  await remote.next();
  letGo({ body: {} });
  return ended(service, runId);
}

const shape = (connection: object): object => ({
  schedulerId: expect.any(Number),
  runId: expect.any(Number),
  title: expect.stringMatching(/^!\*test_schedule_\d{13}_/),
  status: true,
  debugMode: true,
  cronExp: '',
  timeZone: 'UTC',
  nextFireTimes: [],
  missedFires: 'ONCE',
  overlapPolicy: 'SKIP',
  connection: {
    connectionId: expect.any(Number),
    title: expect.stringMatching(/^!\*test_connection_\d{13}_/),
    description: null,
    icon: null,
    categoryId: null,
    fromConnector: {
      connectorId: -1,
      title: 'DEFAULT',
      icon: null,
      sslCert: null,
      timeout: null,
      invoker: null,
    },
    toConnector: null,
    fieldBinding: [],
    ...connection,
  },
  lastExecution: null,
  webhook: null,
  notification: [],
});

it('a test has a schedule while it is running, which never fires by itself', async () => {
  const { status, body } = await test(document());
  expect([status, body]).toEqual([200, shape({})]);
  expect(await schedule(body.schedulerId)).toMatchObject({ status: 200, body });
  expect(await service.body('GET', '/api/scheduler/all')).toEqual([body]);
  expect(await over(body.runId)).toMatchObject({ state: 'SUCCEEDED' });
  expect(await schedule(body.schedulerId)).toMatchObject({
    status: 404,
    body: { message: 'SCHEDULER_NOT_FOUND' },
  });
  expect(await listed()).toEqual([]);
});

it('the schedule of a test shows its workflow without steps, layout and connectors', async () => {
  const layout = { id: 'l', arrows: [], svgItems: [] };
  const { id: categoryId } = await service.body('POST', '/api/category', {
    body: { name: 'Tests', parentCategory: null },
  });
  const fieldBinding = [
    { id: 'b', from: [], to: [], enhancement: { name: 'n', expertCode: 'RESULT_VAR = VAR_0;' } },
  ];
  const container = {
    icon: 's.png',
    sslCert: true,
    timeout: 7,
    invoker: { name: 'i' },
    businessLayout: layout,
  };
  const [
    {
      fromConnector: { methods },
    },
    described,
  ] = [
    document() as any,
    {
      description: 'What for',
      icon: 'https://example.org/i.png',
      categoryId,
      fieldBinding,
      businessLayout: layout,
      ui: { nodes: [] },
      later: 1,
    },
  ];
  for (const sent of [
    {
      ...document(),
      ...described,
      fromConnector: { ...container, connectorId: -1, title: 'DEFAULT', methods, operators: [] },
    },
    {
      ...document(),
      ...described,
      fromConnector: { ...container, connectorId: 3, title: 'Source', methods, operators: [] },
      toConnector: { ...container, connectorId: 4, title: 'Target', methods: [], operators: [] },
    },
  ]) {
    const { status, body } = await test(sent);
    expect([status, body]).toEqual([
      200,
      shape({
        description: 'What for',
        icon: 'https://example.org/i.png',
        categoryId,
        fieldBinding,
      }),
    ]);
    expect((await schedule(body.schedulerId)).body).toEqual(body);
    await service.api('GET', `/api/scheduler/terminate/${body.schedulerId}`);
    await ended(service, body.runId);
  }
});

it('the schedule of a saved workflow that is tested shows it in its current state', async () => {
  const id = await saved(service, document());
  const { run } = await graphTest(id);
  const title = 'Saved while it is tested';
  await service.api('PUT', `/api/connection/${id}`, { body: { ...document(), title, icon: 7 } });
  const { body } = await service.api('GET', '/api/scheduler/all');
  expect(body).toEqual([shape({ connectionId: id, title })]);
  expect((await schedule(body[0].schedulerId)).body).toEqual(body[0]);
  expect(body[0].runId).toBe(run.databaseId);
  await over(run.databaseId);
});

it('the schedule of a test is terminated with its run', async () => {
  const { body } = await test(document());
  await remote.next();
  expect(await service.status('HEAD', `/api/scheduler/terminate/${body.schedulerId}`)).toBe(405);
  expect(await service.api('GET', `/api/scheduler/terminate/${body.schedulerId}`)).toMatchObject({
    status: 200,
    text: '',
  });
  expect(await ended(service, body.runId)).toMatchObject({ state: 'CANCELLED' });
  expect(await service.status('GET', `/api/scheduler/terminate/${body.schedulerId}`)).toBe(404);
});

it('the schedule of a test is visible to its user and to administrators', async () => {
  const [tester, other] = await Promise.all([
    service.userWith(RIGHTS),
    service.userWith([...RIGHTS, 'SCHEDULE:READ', 'SCHEDULE:UPDATE']),
  ]);
  const { body } = await test(document(), tester.token);
  for (const token of [tester.token, undefined])
    expect([(await schedule(body.schedulerId, token)).status, await listed(token)]).toEqual([
      200,
      [body.schedulerId],
    ]);
  expect([
    (await schedule(body.schedulerId, other.token)).status,
    await listed(other.token),
  ]).toEqual([404, []]);
  expect(
    await service.status('GET', `/api/scheduler/terminate/${body.schedulerId}`, {
      token: other.token,
    }),
  ).toBe(404);
  await over(body.runId);
});

describe('the workflow of an unsaved test', () => {
  it('accepts no other schedule', async () => {
    const { body } = await test(document());
    const title = `Next to test ${body.schedulerId}`;
    const { connectionId } = body.connection;
    expect(
      await service.api('POST', '/api/scheduler', { body: { title, connectionId } }),
    ).toMatchObject({ status: 404, body: { message: 'CONNECTION_NOT_FOUND' } });
    const { body: other } = await service.api('POST', '/api/scheduler', {
      body: { title, connectionId: await saved(service, document()) },
    });
    expect(
      await service.api('PUT', `/api/scheduler/${other.schedulerId}`, { body: { connectionId } }),
    ).toMatchObject({ status: 404, body: { message: 'CONNECTION_NOT_FOUND' } });
    await over(body.runId);
  });

  it('stays if a user saves it under another title', async () => {
    const { body } = await test(document());
    const { connectionId } = body.connection;
    const title = `Kept of ${connectionId}`;
    expect(
      await service.status('PUT', `/api/connection/${connectionId}`, {
        body: { ...document(), title },
      }),
    ).toBe(200);
    expect(await over(body.runId)).toMatchObject({ state: 'SUCCEEDED' });
    expect(await service.api('GET', `/api/connection/${connectionId}`)).toMatchObject({
      status: 200,
      body: { title },
    });
  });

  it('is deleted with its run if a user saves it unchanged', async () => {
    const { body } = await test(document());
    const { connectionId, title } = body.connection;
    expect(
      await service.status('PUT', `/api/connection/${connectionId}`, {
        body: { ...document(), title },
      }),
    ).toBe(200);
    await over(body.runId);
    expect(await service.status('GET', `/api/connection/${connectionId}`)).toBe(404);
  });

  it('is deleted only with its run', async () => {
    const { body } = await test(document());
    await remote.next();
    expect(await service.status('DELETE', `/api/connection/${body.connection.connectionId}`)).toBe(
      204,
    );
    expect(await ended(service, body.runId)).toMatchObject({ state: 'CANCELLED' });
    expect(await listed()).not.toContain(body.schedulerId);
  });
});

describe('the limit of one test at a time', () => {
  const refused = { status: 409, body: { message: 'CONCURRENT_TEST_IS_FORBIDDEN' } };

  it('applies to a saved workflow, for every user and also in an editor', async () => {
    const other = await service.userWith(RIGHTS);
    const id = await saved(service, document());
    const { run } = await graphTest(id);
    expect(await graphTest(id)).toEqual({
      run: null,
      userErrors: [{ code: 'CONCURRENT_TEST_IS_FORBIDDEN' }],
    });
    for (const connectionId of [id, String(id)])
      expect(await test({ ...document(), connectionId }, other.token)).toMatchObject(refused);
    expect(await storeConnection().collection('workflows').countDocuments({ test: true })).toBe(0);
    await over(run.databaseId);
    const { body } = await test({ ...document(), connectionId: id }, other.token);
    expect(await graphTest(id)).toMatchObject({ run: null });
    await over(body.runId);
  });

  it('applies to an unsaved workflow by title and user', async () => {
    const other = await service.userWith(RIGHTS);
    const one = document() as { title: string };
    const first = await test(one);
    expect(await test({ ...one, title: ` ${one.title.toUpperCase()} ` })).toMatchObject(refused);
    expect(await test({ ...one, connectionId: 987_654 })).toMatchObject(refused);
    await over(first.body.runId);
    const again = await test(one);
    expect(again.status).toBe(200);
    await over(again.body.runId);
    const by = await test(one, other.token);
    await remote.next();
    const answer = letGo;
    const ownTest = await test(one);
    expect(ownTest.status).toBe(200);
    await over(ownTest.body.runId);
    answer({ body: {} });
    await ended(service, by.body.runId);
  });

  it('applies to concurrent starts', async () => {
    const id = await saved(service, document());
    const started = await Promise.all(Array.from({ length: 5 }, () => graphTest(id)));
    const runs = started.flatMap(({ run }) => run ?? []);
    expect(runs).toHaveLength(1);
    expect(
      started.filter(({ userErrors }) => userErrors[0]?.code === 'CONCURRENT_TEST_IS_FORBIDDEN'),
    ).toHaveLength(4);
    await over(runs[0].databaseId);
    expect(await storeConnection().collection('test_schedules').countDocuments({})).toBe(0);
  });

  it('does not apply to ordinary runs', async () => {
    const id = await saved(service, document());
    const { run } = await graphTest(id);
    await remote.next();
    const answer = letGo;
    const { body } = await service.api('POST', `/api/connection/${id}/execution`);
    await over(body.executionId);
    answer({ body: {} });
    await ended(service, run.databaseId);
  });
});
