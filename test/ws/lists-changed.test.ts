import { testService, unique } from '../support/service/harness';
import { holdingRemote } from '../support/peers/remote-system';
import { ended, socketOf } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const MANY = 7;

const service = testService();
const remote = openForTests(holdingRemote);

const RUNS =
  'subscription($filter: RunFilter, $includeTest: Boolean! = false, $first: Int! = 20) { runsChanged(filter: $filter, includeTest: $includeTest, first: $first) { changed { databaseId state } removedIds } }';
const WORKFLOWS =
  'subscription($filter: WorkflowFilter, $first: Int! = 20) { workflowsChanged(filter: $filter, first: $first) { changed { databaseId title } removedIds } }';
const SCHEDULES =
  'subscription($filter: ScheduleFilter, $first: Int! = 20) { schedulesChanged(filter: $filter, first: $first) { changed { databaseId title enabled nextFireTimes } removedIds } }';
const SAVE =
  'mutation($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { userErrors { code } } }';
const DELETE =
  'mutation($ids: [ID!]!) { workflowsDelete(input: { ids: $ids }) { userErrors { code } } }';
const TEST =
  'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } userErrors { code } } }';

interface Message {
  readonly changed: readonly {
    readonly databaseId: number;
    readonly state: string;
    readonly title: string;
    readonly nextFireTimes: readonly string[];
  }[];
  readonly removedIds: readonly string[];
}

/** Subscribes and consumes the first message, which is empty. */
async function watch(
  query: string,
  variables: object = {},
  token = service.adminToken,
): Promise<AsyncGenerator<Message, void>> {
  const messages = listen(query, variables, token);
  expect((await messages.next()).value).toEqual({ changed: [], removedIds: [] });
  return messages;
}

async function* listen(
  query: string,
  variables: object,
  token: string,
): AsyncGenerator<Message, void> {
  const client = socketOf(service, token);
  try {
    for await (const { data, errors } of client.iterate<any>({
      query,
      variables: { ...variables },
    })) {
      if (errors)
        throw Object.assign(new Error(errors[0]?.message), { code: errors[0]?.extensions?.code });
      yield Object.values(data)[0] as Message;
    }
  } finally {
    await client.dispose();
  }
}

async function until(
  messages: AsyncGenerator<Message, void>,
  holds: (message: Message) => boolean,
): Promise<Message[]> {
  const all: Message[] = [];
  for (;;) {
    const { value, done } = await messages.next();
    if (done || !value) throw new Error(`The list ended after ${JSON.stringify(all)}`);
    all.push(value);
    if (holds(value)) return all;
  }
}

const idOf = (type: string, id: number): string =>
  Buffer.from(`${type}:${id}`).toString('base64url');
const idsIn = (messages: readonly Message[]): number[] =>
  messages.flatMap(({ changed }) => changed.map(({ databaseId }) => databaseId));
const rename = (id: number, title: string): Promise<unknown> =>
  service.data(SAVE, { input: { id: String(id), title } });

it('runsChanged reports that the log of a run was removed', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const run = async (): Promise<number> => {
    remote.forget();
    const runId = await started(service, id, true);
    await remote.next();
    remote.release();
    await ended(service, runId);
    return runId;
  };
  const first = await run();
  const logs = await watch(
    'subscription($id: ID!) { runsChanged(filter: { id: { eq: $id } }) { changed { databaseId state hasLog } removedIds } }',
    { id: String(first) },
  );
  await run();
  // Only the last two successful runs keep their logs.
  await run();
  expect((await logs.next()).value).toEqual({
    changed: [{ databaseId: first, state: 'SUCCEEDED', hasLog: false }],
    removedIds: [],
  });
  await logs.return();
});

it('runsChanged sends each state of a run and reports when the run leaves the filter', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const [all, running] = await Promise.all([
    watch(RUNS, { filter: { workflow: { eq: String(id) } } }),
    watch(RUNS, { filter: { state: { eq: 'RUNNING' } } }),
  ]);
  const runId = await started(service, id);
  await remote.next();
  await until(running, ({ changed }) =>
    changed.some(({ databaseId, state }) => databaseId === runId && state === 'RUNNING'),
  );
  remote.release();
  expect(await until(running, ({ removedIds }) => removedIds.length > 0)).toEqual([
    { changed: [], removedIds: [idOf('Run', runId)] },
  ]);
  const states = (
    await until(all, ({ changed }) => changed.some(({ state }) => state === 'SUCCEEDED'))
  ).flatMap(({ changed }) => changed.map(({ state }) => state));
  expect(['QUEUED', 'RUNNING', 'SUCCEEDED'].filter((state) => states.includes(state))).toEqual(
    states,
  );
  await Promise.all([all.return(), running.return()]);
});

it('runsChanged sends only runs that match the filter, and test runs only on request', async () => {
  const [watchedId, other] = [
    await saved(service, workflow([])),
    await saved(service, workflow([])),
  ];
  const messages = await watch(RUNS, { filter: { workflow: { eq: String(watchedId) } } });
  await ended(service, await started(service, other));
  await ended(service, (await service.data(TEST, { id: watchedId })).testRunStart.run.databaseId);
  const runId = await started(service, watchedId);
  const all = await until(messages, ({ changed }) =>
    changed.some(({ state }) => state === 'SUCCEEDED'),
  );
  expect(new Set(idsIn(all))).toEqual(new Set([runId]));
  expect(all.flatMap(({ removedIds }) => removedIds)).toEqual([]);
  await messages.return();
});

it('runsChanged sends all changes in messages of at most `first` changes', async () => {
  const id = await saved(service, workflow([]));
  const messages = await watch(RUNS, { filter: { workflow: { eq: String(id) } }, first: 5 });
  const runs = await Promise.all(Array.from({ length: MANY }, () => started(service, id)));
  const done = new Set<number>();
  const all = await until(messages, ({ changed }) => {
    for (const { databaseId, state } of changed) if (state === 'SUCCEEDED') done.add(databaseId);
    return done.size === MANY;
  });
  expect(new Set(idsIn(all))).toEqual(new Set(runs));
  expect(Math.max(...all.map(({ changed }) => changed.length))).toBeLessThanOrEqual(5);
  await messages.return();
});

it('workflowsChanged reports workflows that are created, renamed, moved out of the filter and deleted', async () => {
  const stem = unique('followed');
  const messages = await watch(WORKFLOWS, { filter: { title: { contains: stem } } });
  const [first, second] = [
    await saved(service, workflow([], [], { title: `${stem} a` })),
    await saved(service, workflow([], [], { title: `${stem} b` })),
  ];
  await until(messages, ({ changed }) => changed.some(({ databaseId }) => databaseId === second));
  await saved(service, workflow([]));
  await rename(first, `${stem} c`);
  expect(await until(messages, () => true)).toEqual([
    { changed: [{ databaseId: first, title: `${stem} c` }], removedIds: [] },
  ]);
  await rename(first, unique('elsewhere'));
  expect(await until(messages, () => true)).toEqual([
    { changed: [], removedIds: [idOf('Workflow', first)] },
  ]);
  await service.data(DELETE, { ids: [String(second)] });
  expect(await until(messages, () => true)).toEqual([
    { changed: [], removedIds: [idOf('Workflow', second)] },
  ]);
  await messages.return();
});

it('schedulesChanged reports schedules that are created, updated, fired, moved out of the filter and deleted, also with their workflow', async () => {
  const stem = unique('followed');
  const workflowId = await saved(service, workflow([]));
  const messages = await watch(SCHEDULES, {
    filter: { title: { contains: stem }, enabled: { eq: true } },
  });
  const made = async (title: string): Promise<number> =>
    (
      await service.data(
        'mutation($input: ScheduleCreateInput!) { scheduleCreate(input: $input) { schedule { databaseId } } }',
        { input: { title, workflowId: String(workflowId) } },
      )
    ).scheduleCreate.schedule.databaseId;
  const update = (id: number, input: object): Promise<unknown> =>
    service.data(
      'mutation($input: ScheduleUpdateInput!) { scheduleUpdate(input: $input) { schedule { id } userErrors { code } } }',
      { input: { id: String(id), ...input } },
    );
  const first = await made(`${stem} a`);
  expect(await until(messages, () => true)).toEqual([
    {
      changed: [{ databaseId: first, title: `${stem} a`, enabled: true, nextFireTimes: [] }],
      removedIds: [],
    },
  ]);
  await update(first, { cron: '* * * * * ?', timeZone: 'UTC' });
  const times = new Set<string>();
  await until(messages, ({ changed }) => {
    for (const {
      nextFireTimes: [next = ''],
    } of changed)
      times.add(next);
    return times.size === 2;
  });
  await update(first, { enabled: false });
  expect((await until(messages, ({ removedIds }) => removedIds.length > 0)).at(-1)).toEqual({
    changed: [],
    removedIds: [idOf('Schedule', first)],
  });
  const [second, third] = [await made(`${stem} b`), await made(`${stem} c`)];
  await until(messages, ({ changed }) => changed.some(({ databaseId }) => databaseId === third));
  await service.data(
    'mutation($ids: [ID!]!) { schedulesDelete(input: { ids: $ids }) { userErrors { code } } }',
    { ids: [String(second)] },
  );
  expect(await until(messages, () => true)).toEqual([
    { changed: [], removedIds: [idOf('Schedule', second)] },
  ]);
  await service.data(DELETE, { ids: [String(workflowId)] });
  expect(await until(messages, () => true)).toEqual([
    { changed: [], removedIds: [idOf('Schedule', third)] },
  ]);
  await messages.return();
});

it('schedulesChanged reports when a webhook is added and removed, also when its creator is deleted', async () => {
  const schedule = await service.data(
    'mutation($input: ScheduleCreateInput!) { scheduleCreate(input: $input) { schedule { id databaseId } } }',
    { input: { title: unique('called'), workflowId: String(await saved(service, workflow([]))) } },
  );
  const { id, databaseId } = schedule.scheduleCreate.schedule;
  const maker = await service.userWith(['SCHEDULE:READ', 'SCHEDULE:UPDATE']);
  const messages = await watch(
    'subscription($id: ID!) { schedulesChanged(filter: { id: { eq: $id } }) { changed { databaseId webhook { id } } removedIds } }',
    { id },
  );
  const give = async (token?: string): Promise<string> => {
    const { webhookCreate } = await service.data(
      'mutation($id: ID!) { webhookCreate(input: { scheduleId: $id }) { webhook { id } userErrors { code } } }',
      { id },
      token,
    );
    const webhook = webhookCreate.webhook.id;
    expect((await messages.next()).value).toEqual({
      changed: [{ databaseId, webhook: { id: webhook } }],
      removedIds: [],
    });
    return webhook;
  };
  const expectNoWebhook = async (): Promise<void> =>
    expect((await messages.next()).value).toEqual({
      changed: [{ databaseId, webhook: null }],
      removedIds: [],
    });
  await service.data(
    'mutation($id: ID!) { webhookDelete(input: { id: $id }) { userErrors { code } } }',
    { id: await give() },
  );
  await expectNoWebhook();
  await give(maker.token);
  await service.api('DELETE', `/api/user/${maker.id}`);
  await expectNoWebhook();
  await messages.return();
});

it('runsChanged removes a run that the reader may no longer see', async () => {
  const watcher = await service.userWith([]);
  const move = (userGroup: number) =>
    service.api('PUT', `/api/user/${watcher.id}/userGroup`, {
      body: { enhanceId: watcher.id, userGroup },
    });
  await move(1);
  const { runId } = (
    await service.api('POST', '/api/connection/execution/test', { body: workflow([]) })
  ).body;
  await ended(service, runId);
  const filter = { id: { eq: String(runId) } };
  const messages = await watch(
    RUNS,
    { filter, includeTest: true },
    await service.login(watcher.email, watcher.password),
  );
  const { groupId } = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE']);
  await move(groupId);
  expect(await until(messages, () => true)).toEqual([
    { changed: [], removedIds: [idOf('Run', runId)] },
  ]);
  await messages.return();
});

it('a list subscription ends when its reader loses the permission or the session', async () => {
  const { token, id } = await service.userWith(['CONNECTION:READ']);
  const messages = await watch(WORKFLOWS, {}, token);
  await service.api('PUT', `/api/user/${id}/userGroup`, {
    body: { enhanceId: id, userGroup: (await service.userWith(['DASHBOARD:READ'])).groupId },
  });
  await expect(messages.next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  const member = await service.userWith(['CONNECTION:READ']);
  const runs = await watch(RUNS, {}, member.token);
  await service.data('mutation { logout { userErrors { code } } }', {}, member.token);
  await expect(runs.next()).rejects.toMatchObject({ code: 4403 });
});

it('a list subscription requires read permission and a valid filter', async () => {
  const { token } = await service.userWith(['DASHBOARD:READ']);
  for (const query of [RUNS, WORKFLOWS, SCHEDULES])
    await expect(listen(query, {}, token).next()).rejects.toMatchObject({ code: 'FORBIDDEN' });
  await expect(
    listen(RUNS, { filter: { id: { eq: 'no id' } } }, service.adminToken).next(),
  ).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
  await expect(listen(RUNS, { first: 101 }, service.adminToken).next()).rejects.toBeDefined();
});
