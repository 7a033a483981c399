import { systemClock } from '../../src/platform/clock/clock';
import type { Clock } from '../../src/platform/clock/clock';
import type { TestService } from '../support/harness';
import { ADMIN_EMAIL, ADMIN_PASSWORD, startService } from '../support/harness';
import type { RemoteAnswer, RemoteSystem } from '../support/remote-system';
import { remoteSystem } from '../support/remote-system';
import { longDescribe } from '../support/long';
import { ended, RUN_EVENTS, runEvents, socketOf } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

let service: TestService;
let remote: RemoteSystem;
let held: ((value: RemoteAnswer) => void)[];

beforeAll(async () => {
  remote = await remoteSystem(({ path }) =>
    path.startsWith('/held')
      ? new Promise((resolve) => held.push(resolve))
      : { body: { ok: true } },
  );
  service = await startService();
});
beforeEach(() => {
  held = [];
  remote.forget();
});
afterAll(async () => {
  await service.close();
  await remote.close();
});

const steps = (count: number, path = '/fast'): object =>
  workflow(
    Array.from({ length: count }, (_, nth) => method(`${nth}`, `${remote.url}${path}${nth}`)),
  );
const sequences = (events: any[]): number[] => events.map(({ sequence }) => sequence);
const upTo = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, nth) => from + nth);

/** Answers each held call as soon as it arrives; calls of other runs pass by. */
async function letGo(calls: number): Promise<void> {
  for (let answered = 0; answered < calls;) {
    await remote.next();
    const answer = held.shift();
    answer?.({ body: {} });
    if (answer) answered += 1;
  }
}

it('replays a run that has ended, from every sequence', async () => {
  const runId = await started(service, await saved(service, steps(4)));
  const all = await runEvents(service, runId);
  expect(sequences(all)).toEqual(upTo(1, 10));
  for (let after = 0; after <= all.length; after += 1) {
    expect(await runEvents(service, runId, after)).toEqual(all.slice(after));
  }
});

it('loses nothing and repeats nothing for clients that reconnect at every sequence of a run that goes on', async () => {
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

it('gives every one of many subscribers every event, in order, whenever they came', async () => {
  const runId = await started(service, await saved(service, steps(8, '/held')));
  const early = Array.from({ length: 15 }, () => runEvents(service, runId));
  await letGo(4);
  const late = Array.from({ length: 15 }, (_, nth) => runEvents(service, runId, nth));
  await letGo(4);
  for (const events of await Promise.all(early)) expect(sequences(events)).toEqual(upTo(1, 18));
  for (const [nth, events] of (await Promise.all(late)).entries())
    expect(sequences(events)).toEqual(upTo(nth + 1, 18));
});

it('waits at a sequence that is yet to come', async () => {
  const runId = await started(service, await saved(service, steps(2, '/held')));
  const later = runEvents(service, runId, 4);
  await letGo(2);
  expect(sequences(await later)).toEqual([5, 6]);
  expect(await runEvents(service, runId, 1_000)).toEqual([]);
});

it('has an event stored by the time anybody sees it', async () => {
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

it('takes the global id as well', async () => {
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
])('refuses %s', async (_what, id, after, code) => {
  const runId = id ?? (await started(service, await saved(service, steps(1))));
  await expect(runEvents(service, runId, after)).rejects.toMatchObject({ code });
});

it('asks for CONNECTION:READ', async () => {
  const { token } = await service.userWith(['DASHBOARD:READ']);
  const runId = await started(service, await saved(service, steps(1)));
  await expect(runEvents({ ...service, adminToken: token }, runId)).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

it('carries on after a subscriber that left in the middle', async () => {
  const runId = await started(service, await saved(service, steps(3, '/held')));
  const client = socketOf(service);
  for await (const { data } of client.iterate<any>({
    query: RUN_EVENTS,
    variables: { runId, after: 0 },
  })) {
    if (data.runEvents.sequence === 2) break;
  }
  await client.dispose();
  const [rest] = await Promise.all([runEvents(service, runId, 2), letGo(3)]);
  expect(sequences(rest)).toEqual(upTo(3, 8));
});

longDescribe('24 hours after a run without logging', () => {
  it('its events are gone, those of a logged run are not', async () => {
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
