import { testService } from '../support/service/harness';
import { holdingRemote } from '../support/peers/remote-system';
import { longIt } from '../support/long';
import { storeConnection } from '../support/store/stored';
import { ended, socketOf } from '../support/service/watch';
import { method, workflow } from '../support/documents/workflows';
import { openForTests } from '../support/open-for-tests';

const service = testService();
const remote = openForTests(holdingRemote);

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

/** Receives the given number of tests: the event kinds of each run in order. */
async function receiveTests(
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

const ALL_EVENTS = ['1 RunStarted', '2 StepStarted', '3 StepFinished', '4 RunFinished'];

it('a channel sends every event of the tests that its user starts, one test after the other', async () => {
  const runs: number[] = [];
  const begin = async (): Promise<void> => {
    runs.push((await start('mine')).runId);
  };
  const [tests] = await Promise.all([receiveTests('mine', 3, undefined, begin), begin()]);
  expect(tests).toEqual(runs.map((runId) => [runId, ALL_EVENTS]));
});

it('a late subscriber receives the last test from its first event, also while it is running', async () => {
  const before = await start('late');
  await ended(service, before.runId);
  expect(await receiveTests('late', 1)).toEqual([[before.runId, ALL_EVENTS]]);
  const { runId } = await start('late', calling('/held'));
  for (let request = await remote.next(); request.path !== '/held';) request = await remote.next();
  const tests = receiveTests('late', 1);
  remote.release();
  expect(await tests).toEqual([[runId, ALL_EVENTS]]);
});

it('a channel does not send the tests of other users, not even to administrators', async () => {
  const [one, other] = await Promise.all([service.userWith(RIGHTS), service.userWith(RIGHTS)]);
  const started = new Map<string | undefined, number>();
  for (const token of [one.token, other.token, undefined])
    started.set(token, (await start('shared', calling(), token)).runId);
  for (const [token, runId] of started)
    expect(await receiveTests('shared', 1, token)).toEqual([[runId, ALL_EVENTS]]);
  expect(new Set(started.values()).size).toBe(3);
});

longIt('a channel sends a test that another process started', async () => {
  const first = await start('elsewhere');
  const {
    body: { runId },
  } = await service.api('POST', '/api/connection/execution/test', { body: calling() });
  await ended(service, runId);
  // Another process has its own bus: only its stored data is visible here.
  const began = () =>
    storeConnection()
      .collection<any>('test_channels')
      .updateOne({ _id: '1 elsewhere' }, { $set: { runId } });
  expect(await receiveTests('elsewhere', 2, undefined, began)).toEqual([
    [first.runId, ALL_EVENTS],
    [runId, ALL_EVENTS],
  ]);
});

it('a channel continues with the next test if the log of the last one was removed', async () => {
  const { runId } = await start('gone');
  await ended(service, runId);
  expect(
    (await storeConnection().collection('run_event_batches').deleteMany({ runId })).deletedCount,
  ).toBeGreaterThan(0);
  const tests = receiveTests('gone', 1);
  const next = await start('gone');
  expect(await tests).toEqual([[next.runId, ALL_EVENTS]]);
});

it('a rejected test does not change its channel', async () => {
  const document = calling('/held');
  const { runId } = await start('refused', document);
  expect(await start('refused', document)).toMatchObject({
    message: 'CONCURRENT_TEST_IS_FORBIDDEN',
  });
  for (let request = await remote.next(); request.path !== '/held';) request = await remote.next();
  remote.release();
  expect(await receiveTests('refused', 1)).toEqual([[runId, ALL_EVENTS]]);
});

it.each([['__proto__'], ['a.b'], ['../../etc/passwd'], ['канал 🚰'], ['x'.repeat(128)]])(
  'a channel name may be %.20s',
  async (name) => {
    const { runId } = await start(name);
    expect(await receiveTests(name, 1)).toEqual([[runId, ALL_EVENTS]]);
  },
);

it.each([
  ['empty', ''],
  ['too long', 'x'.repeat(129)],
  ['with a control character', 'a\u0000b'],
  ['two lines long', 'a\nb'],
])('a channel name must not be %s', async (_what, name) => {
  expect(await start(name)).toMatchObject({ status: 400, message: 'BAD_REQUEST' });
  await expect(receiveTests(name, 1)).rejects.toMatchObject({ code: 'BAD_USER_INPUT' });
});

it('a test has at most one channel', async () => {
  const { status, body } = await service.api(
    'POST',
    '/api/connection/execution/test?channelId=a&channelId=b',
    { body: calling() },
  );
  expect([status, body.message]).toEqual([400, 'BAD_REQUEST']);
});
