import type { TestService } from '../support/harness';
import { startService } from '../support/harness';
import type { RemoteAnswer, RemoteSystem } from '../support/remote-system';
import { remoteSystem } from '../support/remote-system';
import { longIt } from '../support/long';
import { storeConnection } from '../support/stored';
import { ended, socketOf } from '../support/watch';
import { method, workflow } from '../support/workflows';

let service: TestService;
let remote: RemoteSystem;
let letGo: (answer: RemoteAnswer) => void = () => undefined;

beforeAll(async () => {
  remote = await remoteSystem(({ path }) =>
    path === '/held'
      ? new Promise((resolve) => {
          letGo = resolve;
        })
      : {},
  );
  service = await startService();
});
afterAll(async () => {
  letGo({});
  await service.close();
  await remote.close();
});

const RIGHTS = ['CONNECTION:READ', 'CONNECTION:UPDATE'];
const calling = (path = '/quick'): any => workflow([method('0', remote.url + path)]);
const start = async (
  channelId: string,
  document: object = calling(),
  token?: string,
): Promise<any> =>
  (
    await service.api(
      'POST',
      `/api/connection/execution/test?channelId=${encodeURIComponent(channelId)}`,
      { body: document, token },
    )
  ).body;

/** Hears so many tests of a channel to their ends: the kinds of the events of each, by run, as they came. */
async function heard(
  channelId: string,
  tests: number,
  token?: string,
  onEnd: (runId: number) => unknown = () => undefined,
): Promise<[number, string[]][]> {
  const client = socketOf(service, token);
  const all: [number, string[]][] = [];
  const query =
    'subscription($channelId: String!) { testChannelEvents(channelId: $channelId) { __typename sequence run { databaseId } } }';
  try {
    for await (const { data, errors } of client.iterate<any>({ query, variables: { channelId } })) {
      if (errors)
        throw Object.assign(new Error(errors[0]?.message), { code: errors[0]?.extensions?.code });
      const {
        __typename: kind,
        sequence,
        run: { databaseId },
      } = data.testChannelEvents;
      if (all.at(-1)?.[0] !== databaseId) all.push([databaseId, []]);
      all.at(-1)?.[1].push(`${sequence} ${kind}`);
      if (kind !== 'RunFinished') continue;
      if (all.length === tests) break;
      await onEnd(databaseId);
    }
    return all;
  } finally {
    await client.dispose();
  }
}

const WHOLE = ['1 RunStarted', '2 StepStarted', '3 StepFinished', '4 RunFinished'];

it('whoever listens at a channel hears the tests that he starts for it, one after the other, each whole', async () => {
  const runs: number[] = [];
  const begin = async (): Promise<void> => {
    runs.push((await start('mine')).runId);
  };
  const [tests] = await Promise.all([heard('mine', 3, undefined, begin), begin()]);
  expect(tests).toEqual(runs.map((runId) => [runId, WHOLE]));
});

it('one who comes late hears the last test from its first event, also while it goes on', async () => {
  const before = await start('late');
  await ended(service, before.runId);
  expect(await heard('late', 1)).toEqual([[before.runId, WHOLE]]);
  const { runId } = await start('late', calling('/held'));
  for (let request = await remote.next(); request.path !== '/held';) request = await remote.next();
  const tests = heard('late', 1);
  letGo({});
  expect(await tests).toEqual([[runId, WHOLE]]);
});

it('nobody hears the tests of others, administrators neither', async () => {
  const [one, other] = await Promise.all([service.userWith(RIGHTS), service.userWith(RIGHTS)]);
  const started = new Map<string | undefined, number>();
  for (const token of [one.token, other.token, undefined])
    started.set(token, (await start('shared', calling(), token)).runId);
  for (const [token, runId] of started)
    expect(await heard('shared', 1, token)).toEqual([[runId, WHOLE]]);
  expect(new Set(started.values()).size).toBe(3);
});

longIt('hears a test that another process began', async () => {
  const first = await start('elsewhere');
  const {
    body: { runId },
  } = await service.api('POST', '/api/connection/execution/test', { body: calling() });
  await ended(service, runId);
  // Another process has another bus: only what it stores is seen here.
  const began = () =>
    storeConnection()
      .collection<any>('test_channels')
      .updateOne({ _id: '1 elsewhere' }, { $set: { runId } });
  expect(await heard('elsewhere', 2, undefined, began)).toEqual([
    [first.runId, WHOLE],
    [runId, WHOLE],
  ]);
});

it('goes on with the next test where the log of the last one is gone', async () => {
  const { runId } = await start('gone');
  await ended(service, runId);
  expect(
    (await storeConnection().collection('run_event_batches').deleteMany({ runId })).deletedCount,
  ).toBeGreaterThan(0);
  const tests = heard('gone', 1);
  const next = await start('gone');
  expect(await tests).toEqual([[next.runId, WHOLE]]);
});

it('a test that is refused leaves its channel as it was', async () => {
  const document = calling('/held');
  const { runId } = await start('refused', document);
  expect(await start('refused', document)).toMatchObject({
    message: 'CONCURRENT_TEST_IS_FORBIDDEN',
  });
  for (let request = await remote.next(); request.path !== '/held';) request = await remote.next();
  letGo({});
  expect(await heard('refused', 1)).toEqual([[runId, WHOLE]]);
});

it.each([
  ['__proto__'],
  ['$ne'],
  ['a.b'],
  ['../../etc/passwd'],
  ['1 mine'],
  ['канал 🚰'],
  ['x'.repeat(128)],
])('a channel may be called %.20s', async (name) => {
  const { runId } = await start(name);
  expect(await heard(name, 1)).toEqual([[runId, WHOLE]]);
});

it.each([
  ['empty', ''],
  ['too long', 'x'.repeat(129)],
  ['far too long', 'x'.repeat(7_000)],
  ['with a control character', 'a\u0000b'],
  ['of two lines', 'a\nb'],
])('and not what is %s', async (_what, name) => {
  expect(await start(name)).toMatchObject({ status: 400, message: 'BAD_REQUEST' });
  await expect(heard(name, 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

it('has one name', async () => {
  const { status, body } = await service.api(
    'POST',
    '/api/connection/execution/test?channelId=a&channelId=b',
    { body: calling() },
  );
  expect([status, body.message]).toEqual([400, 'BAD_REQUEST']);
});
