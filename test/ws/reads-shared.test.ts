import type { TestService } from '../support/service/harness';
import { testService, unique } from '../support/service/harness';
import { holdingRemote } from '../support/peers/remote-system';
import { longIt } from '../support/long';
import { allStoreCalls } from '../support/store/stored';
import { ended, socketOf } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

/* Reads are counted at the store. */

const MANY = 12;
let tokens: string[];
let reader: Awaited<ReturnType<TestService['userWith']>>;
const service = testService();
const remote = openForTests(holdingRemote);
beforeAll(async () => {
  reader = await service.userWith(['CONNECTION:READ', 'CONNECTION:UPDATE', 'DASHBOARD:READ']);
  const colleague = {
    email: `${unique('colleague')}@hypha.test`,
    password: 'password of a colleague',
  };
  await service.api('POST', '/api/user', {
    body: {
      ...colleague,
      userGroup: reader.groupId,
      userDetail: { name: 'A', surname: 'Colleague' },
    },
  });
  tokens = [
    reader.token,
    await service.login(reader.email, reader.password),
    await service.login(colleague.email, colleague.password),
    await service.login(colleague.email, colleague.password),
  ];
});

/** Subscribes and consumes the first message. */
async function follow(
  query: string,
  variables: Record<string, unknown>,
  token: string,
): Promise<AsyncGenerator<any, void>> {
  const messages = listen(query, variables, token);
  await messages.next();
  return messages;
}

async function* listen(
  query: string,
  variables: Record<string, unknown>,
  token: string,
): AsyncGenerator<any, void> {
  const client = socketOf(service, token);
  try {
    for await (const { data, errors } of client.iterate<any>({ query, variables })) {
      if (errors) throw new Error(JSON.stringify(errors));
      yield Object.values(data)[0];
    }
  } finally {
    await client.dispose();
  }
}

/** Subscribers of one user group; some share a session or a user. */
const subscribeMany = (many: number, query: string, variables: Record<string, unknown> = {}) =>
  Promise.all(
    Array.from({ length: many }, (_, nth) => follow(query, variables, tokens[nth % tokens.length])),
  );

async function until(
  messages: AsyncGenerator<any, void>,
  holds: (message: any) => boolean,
): Promise<any> {
  for (;;) {
    const { value, done } = await messages.next();
    if (done) throw new Error('The subscription ended.');
    if (holds(value)) return value;
  }
}

/** Counts the reads of a collection until every subscriber received the change made by `happens`. */
async function readsFor(
  many: number,
  collection: string,
  query: string,
  variables: Record<string, unknown>,
  happens: () => Promise<unknown>,
  isReceived: (message: any) => boolean,
): Promise<number> {
  const subscribers = await subscribeMany(many, query, variables);
  const calls = await allStoreCalls(() =>
    Promise.all([happens(), ...subscribers.map((messages) => until(messages, isReceived))]),
  );
  await Promise.all(subscribers.map((messages) => messages.return()));
  return calls.filter((call) => call === `${collection}.find`).length;
}

/** Background work of the service also reads: the minimum of several attempts counts. */
const TIMES = 4;

/** Subscribers that do not share reads would cost at least `MANY` reads. */
async function expectShared(reads: (many: number) => Promise<number>): Promise<void> {
  const alone = await reads(1);
  const most = alone + MANY / 2;
  let fewest = await reads(MANY);
  for (let time = 1; time < TIMES && fewest >= most; time += 1)
    fewest = Math.min(fewest, await reads(MANY));
  expect(alone + fewest).toBeGreaterThan(0);
  expect(fewest).toBeLessThan(most);
}

const WORKFLOWS =
  'subscription($filter: WorkflowFilter) { workflowsChanged(filter: $filter) { changed { databaseId title category { databaseId } } removedIds } }';
const SAVE =
  'mutation($input: WorkflowUpdateInput!) { workflowUpdate(input: $input) { userErrors { code } } }';
const RUNS =
  'subscription($filter: RunFilter, $includeTest: Boolean! = false) { runsChanged(filter: $filter, includeTest: $includeTest) { changed { databaseId state workflow { databaseId title } } removedIds } }';
const FOLLOW = 'subscription($id: ID!) { runEvents(runId: $id) { sequence } }';
const DASHBOARD =
  'subscription { dashboard { runningNow { runId workflow { databaseId title } } } }';

it('a changed workflow is read once for all subscribers of the same list', async () => {
  const id = await saved(service, workflow([]));
  const reads = async (many: number): Promise<number> => {
    const title = unique('renamed');
    return readsFor(
      many,
      'workflows',
      WORKFLOWS,
      { filter: { id: { eq: String(id) } } },
      () => service.data(SAVE, { input: { id: String(id), title } }),
      ({ changed }) => changed.some((one: any) => one.title === title),
    );
  };
  await expectShared(reads);
});

it('a run is read once for all who begin to follow it', async () => {
  const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
  const runId = await started(service, id);
  await remote.next();
  let subscribers: AsyncGenerator<any, void>[] = [];
  const calls = await allStoreCalls(async () => {
    subscribers = await subscribeMany(MANY, FOLLOW, { id: String(runId) });
  });
  expect(calls.filter((call) => call.startsWith('runs.find')).length).toBeLessThan(MANY / 2);
  await Promise.all(subscribers.map((messages) => messages.return()));
  remote.release();
});

longIt(
  'test runs are sent only to subscribers who may see them, also when their subscriptions are equal',
  async () => {
    const id = await saved(service, workflow([]));
    const ask = (token: string) =>
      follow(RUNS, { filter: { workflow: { eq: String(id) } }, includeTest: true }, token);
    const [ownRuns, again, colleague, admin] = await Promise.all([
      ask(tokens[0]),
      ask(tokens[1]),
      ask(tokens[2]),
      ask(service.adminToken),
    ]);
    const {
      testRunStart: { run },
    } = await service.data(
      'mutation($id: ID!) { testRunStart(input: { workflowId: $id }) { run { databaseId } userErrors { code } } }',
      { id },
      tokens[0],
    );
    await ended(service, run.databaseId);
    const isOver =
      (runId: number) =>
      ({ changed }: any): boolean =>
        changed.some(({ databaseId, state }: any) => databaseId === runId && state === 'SUCCEEDED');
    await Promise.all(
      [ownRuns, again, admin].map((messages) => until(messages, isOver(run.databaseId))),
    );
    const runId = await started(service, id);
    const seen: number[] = [];
    await until(colleague, (message) => {
      seen.push(...message.changed.map(({ databaseId }: any) => databaseId));
      return isOver(runId)(message);
    });
    expect(new Set(seen)).toEqual(new Set([runId]));
    await Promise.all([ownRuns, again, colleague, admin].map((messages) => messages.return()));
  },
);

longIt(
  'workflows on the dashboard are read once for a user group and hidden from users without permission',
  async () => {
    const id = await saved(service, workflow([method('0', `${remote.url}/held`)]));
    const outsider = await follow(
      DASHBOARD,
      {},
      (await service.userWith(['DASHBOARD:READ'])).token,
    );
    const isRunning = ({ runningNow }: any): boolean => runningNow.length > 0;
    const reads = async (many: number): Promise<number> => {
      const isOver = new Promise<void>((resolve) => {
        void remote.next().then(() => resolve());
      });
      const made = await readsFor(
        many,
        'workflows',
        DASHBOARD,
        {},
        async () => {
          await started(service, id);
          await isOver;
        },
        (message) => isRunning(message) && message.runningNow[0].workflow?.databaseId === id,
      );
      expect((await until(outsider, isRunning)).runningNow).toMatchObject([{ workflow: null }]);
      remote.release();
      await until(outsider, (message) => !isRunning(message));
      return made;
    };
    await expectShared(reads);
    await outsider.return();
  },
);
