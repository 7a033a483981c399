import { systemClock } from '../../src/platform/clock/clock';
import type { Clock } from '../../src/platform/clock/clock';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService, testService } from '../support/service/harness';
import type { RemoteAnswer } from '../support/peers/remote-system';
import { testRemote } from '../support/peers/remote-system';
import { longDescribe } from '../support/long';
import { ended, RUN_EVENTS, runEvents, socketOf } from '../support/service/watch';
import { method, saved, started, workflow } from '../support/documents/workflows';

let held: ((value: RemoteAnswer) => void)[];

const service = testService();
const remote = testRemote(({ path }) =>
  path.startsWith('/held') ? new Promise((resolve) => held.push(resolve)) : { body: { ok: true } },
);
beforeEach(() => {
  held = [];
  remote.forget();
});

const steps = (count: number, path = '/fast'): object =>
  workflow(
    Array.from({ length: count }, (_, nth) => method(`${nth}`, `${remote.url}${path}${nth}`)),
  );
const sequences = (events: any[]): number[] => events.map(({ sequence }) => sequence);
const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

/** Answers each held call as soon as it arrives. */
async function letGo(calls: number): Promise<void> {
  for (let answered = 0; answered < calls;) {
    await remote.next();
    const answer = held.shift();
    answer?.({ body: {} });
    if (answer) answered += 1;
  }
}

it('runEvents replays an ended run from any sequence', async () => {
  const runId = await started(service, await saved(service, steps(4)));
  const all = await runEvents(service, runId);
  expect(sequences(all)).toEqual(upTo(1, 10));
  for (let after = 0; after <= all.length; after += 1) {
    expect(await runEvents(service, runId, after)).toEqual(all.slice(after));
  }
});

it('runEvents neither loses nor repeats events when a client reconnects after each one', async () => {
  const runId = await started(service, await saved(service, steps(6, '/held')));
  const client = socketOf(service);
  const reconnecting = async (): Promise<any[]> => {
    const seen: any[] = [];
    while (seen.at(-1)?.__typename !== 'RunFinished') {
      for await (const { data } of client.iterate<any>({
        query: RUN_EVENTS,
        variables: { runId, after: seen.length },
      })) {
        seen.push(data.runEvents);
        break;
      }
    }
    return seen;
  };
  const [oneByOne, straight] = await Promise.all([
    reconnecting(),
    runEvents(service, runId),
    letGo(6),
  ]);
  expect(sequences(oneByOne)).toEqual(upTo(1, 14));
  expect(oneByOne).toEqual(straight);
  await client.dispose();
});

it('runEvents waits for a sequence that does not exist yet', async () => {
  const runId = await started(service, await saved(service, steps(2, '/held')));
  const later = runEvents(service, runId, 4);
  await letGo(2);
  expect(sequences(await later)).toEqual([5, 6]);
  expect(await runEvents(service, runId, 1_000)).toEqual([]);
});

it('runEvents sends an event only after it is stored', async () => {
  const runId = await started(service, await saved(service, steps(3, '/held')));
  const client = socketOf(service);
  const replies = letGo(3);
  for await (const { data } of client.iterate<any>({
    query: RUN_EVENTS,
    variables: { runId, after: 0 },
  })) {
    const { sequence, __typename } = data.runEvents;
    const { value } = await client
      .iterate<any>({ query: RUN_EVENTS, variables: { runId, after: sequence - 1 } })
      .next();
    expect(value.data.runEvents).toEqual(data.runEvents);
    if (__typename === 'RunFinished') {
      const { run } = await service.data(
        'query($id: ID!) { run(id: $id) { state lastSequence } }',
        { id: runId },
      );
      expect(run).toEqual({ state: 'SUCCEEDED', lastSequence: sequence });
    }
  }
  await replies;
  await client.dispose();
});

it('runEvents accepts a global id', async () => {
  const runId = await started(service, await saved(service, steps(1)));
  const { id } = await ended(service, runId);
  expect((await runEvents(service, id)).map(({ runId: globalId }) => globalId)).toEqual([
    id,
    id,
    id,
    id,
  ]);
});

it.each([
  ['an unknown run', 424_242, 0, 'NOT_FOUND'],
  ['a negative sequence', null, -1, 'BAD_USER_INPUT'],
])('runEvents rejects %s', async (_what, id, after, code) => {
  const runId = id ?? (await started(service, await saved(service, steps(1))));
  await expect(runEvents(service, runId, after)).rejects.toMatchObject({ code });
});

it('runEvents requires CONNECTION:READ', async () => {
  const { token } = await service.userWith(['DASHBOARD:READ']);
  const runId = await started(service, await saved(service, steps(1)));
  await expect(runEvents({ ...service, adminToken: token }, runId)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

longDescribe('a run that ended 24 hours ago', () => {
  it('has lost its events unless logging was enabled', async () => {
    let past = 0;
    const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + past) };
    const own = await startService({ clock });
    try {
      const id = await saved(own, steps(2));
      const [plain, logged] = [await started(own, id), await started(own, id, true)];
      const events = await runEvents(own, plain);
      await ended(own, logged);
      past = 24 * 60 * 60 * 1000 + 60_000;
      const later = { ...own, adminToken: await own.login(ADMIN_EMAIL, ADMIN_PASSWORD) };
      await expect(runEvents(later, plain)).rejects.toMatchObject({
        code: 'BAD_USER_INPUT',
        reason: 'RUN_LOG_GONE',
      });
      await expect(runEvents(later, plain, 3)).rejects.toMatchObject({ reason: 'RUN_LOG_GONE' });
      expect(await runEvents(later, plain, events.length)).toEqual([]);
      expect(sequences(await runEvents(later, logged))).toEqual(upTo(1, 6));
    } finally {
      await own.close();
    }
  });
});
