import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Domain } from '../../src/domain';
import type { Actor } from '../../src/platform/access/actor';
import { systemActor } from '../../src/platform/access/actor';
import type { ConnectedStore } from '../../src/platform/store/startup/connect';
import { connectDomain, ONE_PROCESS } from '../support/store/domain-fixture';
import { allStoreCalls } from '../support/store/stored';
import { workflow } from '../support/documents/workflows';

const ACTOR: Actor = {
  ...systemActor('slow'),
  grants: new Set(['CONNECTION:CREATE', 'CONNECTION:READ']),
};

let dataDir: string;
let connected: ConnectedStore;
let domain: Domain;

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hypha-slow-'));
  ({ connected, domain } = await connectDomain(dataDir, ONE_PROCESS));
  await domain.prepare();
});
afterAll(async () => {
  await domain.stop();
  await connected.close();
  rmSync(dataDir, { recursive: true, force: true });
});

const list = (length: number): string => `[${Array.from({ length }, (_, nth) => nth).join(', ')}]`;
const [OUTSIDE, INSIDE] = [40, 20];
/** Start and end of the run and of each nested loop: far more than the live tail keeps in memory. */
const EVENTS = 2 + 2 + OUTSIDE * (2 + INSIDE * 2);

async function start(): Promise<number> {
  const operators = [
    { id: 'outer', index: '0', type: 'loop', iterator: 'i', expression: `For(${list(OUTSIDE)})` },
    { id: 'inner', index: '0_0', type: 'loop', iterator: 'j', expression: `For(${list(INSIDE)})` },
    { id: 'innermost', index: '0_0_0', type: 'loop', iterator: 'k', expression: 'For([])' },
  ];
  const { record } = await domain.services.workflows.save(ACTOR, null, {
    document: workflow([], operators),
  });
  return (await domain.services.runs.run(ACTOR, record._id, { logging: false }))._id;
}

const follow = (runId: number) =>
  domain.services.runEvents.follow(ACTOR, runId, 0, new AbortController().signal);

it('a reader that pauses during a long run still receives every event', async () => {
  const runId = await start();
  const slow = (await follow(runId))[Symbol.asyncIterator]();
  const seen = [(await slow.next()).value];
  let passed = 0;
  for await (const _event of await follow(runId)) passed += 1;
  expect(passed).toBe(EVENTS);
  for await (const event of slow) seen.push(event);
  expect(seen.map((watched) => watched?.event.sequence)).toEqual(
    Array.from({ length: EVENTS }, (_, nth) => nth + 1),
  );
  expect(seen.at(-1)?.event.kind).toBe('RunFinished');
});

it('the store is read for missed events, not for each reader that keeps up', async () => {
  const count = async (readers: number): Promise<number> => {
    const calls = await allStoreCalls(async () => {
      const runId = await start();
      await Promise.all(
        Array.from({ length: readers }, async () => {
          for await (const event of await follow(runId)) void event;
        }),
      );
    });
    return calls.filter((call) => call === 'run_event_batches.find').length;
  };
  const few = await count(2);
  expect(await count(10)).toBeLessThan(few + 10 * 4);
});

it('a subscription stops reading when its subscriber disconnects', async () => {
  const runId = await start();
  const leaving = new AbortController();
  const events = await domain.services.runEvents.follow(ACTOR, runId, 1_000_000, leaving.signal);
  const next = events[Symbol.asyncIterator]().next();
  leaving.abort();
  expect(await next).toEqual({ done: true, value: undefined });
});
