import { elementLine } from '../../src/features/runs/logs/element-line';
import { batchesOf } from '../../src/features/runs/run-event-batches';
import type { EventRow } from '../../src/features/runs/execution/run-engine';
import type { RunEvent } from '../../src/engine';
import { startService } from '../support/harness';
import { healthTimes, p99 } from '../support/health';
import { LoopWatch } from '../support/loop-watch';
import { MOST_MS, quickestMs } from '../support/stall';
import type { TestService } from '../support/harness';
import { storeConnection } from '../support/stored';
import { ended } from '../support/watch';
import { method, saved, started, workflow } from '../support/workflows';

/* A log of 100,000 elements: its first page comes in 100 ms, and what is looked for in a second, while the service goes on with everything else. */

const ELEMENTS = 100_000;
const TIMES = 7;
const PAYLOAD = 'x'.repeat(1_000);

let service: TestService;
let runId: number;
let workflowId: number;

/** One call in each turn of a loop, and one behind it. */
function* eventsOf(turns: number): Generator<RunEvent, void, undefined> {
  const call = function* (index: string, loopIndex: number[]): Generator<RunEvent, void, undefined> {
    const place = { stepId: `m${index}`, index, loopIndex, name: `call ${index}`, methodType: 'HTTP_REQUEST', attempt: 1 };
    yield { kind: 'StepStarted', ...place, label: null, connector: null };
    yield {
      kind: 'StepFinished', ...place, state: 'SUCCEEDED', statusCode: 200, durationMs: 1.5, error: null,
      request: { url: `https://remote.example/tickets/${loopIndex.join('/')}`, method: 'POST', header: {}, payload: PAYLOAD }, response: { status: 200, durationMs: 1.5, header: {}, payload: `${PAYLOAD}"answer ${loopIndex.join('/')}."` },
    };
  };
  yield { kind: 'RunStarted', methods: 2, operators: 1 };
  yield { kind: 'LoopStarted', stepId: 'o', index: '0', loopIndex: [], iterator: 'i', size: turns };
  for (let turn = 0; turn < turns; turn += 1) {
    yield { kind: 'LoopIteration', stepId: 'o', index: '0', loopIndex: [], iterator: 'i', turn, size: turns, value: turn };
    yield* call('0_0', [turn]);
  }
  yield { kind: 'LoopFinished', stepId: 'o', index: '0', loopIndex: [], turns };
  yield* call('1', []);
}

beforeAll(async () => {
  service = await startService();
  workflowId = await saved(service, workflow([method('0', `${service.url}/healthz`)]));
  runId = await started(service, workflowId, true);
  await ended(service, runId);
  const [runs, batches] = [storeConnection().collection<any>('runs'), storeConnection().collection<any>('run_event_batches')];
  const at = new Date();
  await batches.deleteMany({ runId });
  let sequence = 0;
  let rows: EventRow[] = [];
  for (const event of eventsOf(ELEMENTS - 2)) {
    sequence += 1;
    rows.push({ sequence, at, kind: event.kind, body: JSON.stringify(event), element: elementLine(event, { sequence, at }) ?? undefined });
    if (rows.length < 5_000) continue;
    await batches.insertMany(batchesOf({ _id: runId }, rows, null));
    rows = [];
  }
  await batches.insertMany(batchesOf({ _id: runId }, rows, null));
  await runs.updateOne({ _id: runId }, { $set: { lastSequence: sequence } });
}, 300_000);
afterAll(() => service.close());

/** How long one answer takes, ms. */
async function timeOf(path: string, expected: (body: any[]) => void): Promise<number> {
  const begun = performance.now();
  const { status, body } = await service.api('GET', path);
  const took = performance.now() - begun;
  expect([path, status]).toEqual([path, 200]);
  expected(body);
  process.stdout.write(`${took.toFixed(1)} ms ${path}\n`);
  return took;
}

async function expectWithin(mostMs: number, path: string, expected: (body: any[]) => void): Promise<void> {
  expect(await quickestMs(mostMs, () => timeOf(path, expected), TIMES)).toBeLessThan(mostMs);
}

it('gives the first page of any part of it in 100 ms', async () => {
  const below = (id: string, query = ''): string => `/api/execution/log/element/${id}/children${query}`;
  await expectWithin(100, below(`${runId}-1`), (body) => expect(body.map(({ type, status }) => [type, status])).toEqual([['LOOP', 'COMPLETE'], ['OPERATION', 'COMPLETE']]));
  await expectWithin(100, below(`${runId}-2`), (body) => expect(body).toHaveLength(500));
  await expectWithin(100, below(`${runId}-2`, `?first=100&after=${runId}-200001`), (body) => expect(body).toHaveLength(100));
  await expectWithin(100, below(`${runId}-2`, '?loopIndex=3'), (body) => expect(body).toHaveLength(1));
  await expectWithin(1_000, below(`${runId}-2`, `?loopIndex=${ELEMENTS - 3}`), (body) => expect(body).toHaveLength(1));
}, 120_000);

it('is searched in a second, wherever what is looked for stands', async () => {
  const search = (query: string): string => `/api/execution/logs/search?connectionId=${workflowId}&${query}`;
  await expectWithin(1_000, search(`text=tickets/${ELEMENTS - 3}`), (body) => expect(body).toHaveLength(1));
  // They stand beside the bodies of all of them, where nobody looks for them.
  for (const text of ['durationMs', 'POST', 'SUCCEEDED']) await expectWithin(1_000, search(`text=${text}`), (body) => expect(body).toEqual([]));
  // It stands in all of them: the first page is there long before the store has come to the last.
  await expectWithin(1_000, search('text=xxxxx'), (body) => expect(body.map(({ properties }) => properties.loopIndex)).toEqual(Array.from({ length: 500 }, (_, turn) => String(turn))));
  await expectWithin(1_000, search('text=nowhere'), (body) => expect(body).toEqual([]));
  await expectWithin(1_000, search(`text=%22ANSWER ${ELEMENTS - 3}.`), (body) => expect(body.map(({ properties }) => properties.loopIndex)).toEqual([String(ELEMENTS - 3)]));
  await expectWithin(1_000, search('step=m1'), (body) => expect(body).toHaveLength(1));
  await expectWithin(1_000, search('status=FAIL'), (body) => expect(body).toEqual([]));
}, 120_000);

/** Resolves when nothing of it is stored any more. */
async function untilRemoved(): Promise<void> {
  const [runs, batches] = [storeConnection().collection<any>('runs'), storeConnection().collection<any>('run_event_batches')];
  while (await runs.countDocuments({ eventsGoing: true }) > 0) await fetch(`${service.url}/healthz`).then((answer) => answer.arrayBuffer());
  expect(await batches.countDocuments({ runId })).toBe(0);
}

it('is removed without holding up anything else', async () => {
  const run = async (): Promise<void> => { await ended(service, await started(service, workflowId, true)); };
  await run();
  const watch = new LoopWatch();
  watch.start();
  const begun = performance.now();
  // Of the logs of runs that ended well two are kept.
  await run();
  const times = await healthTimes(service.url, untilRemoved());
  const { own, wall } = watch.stop();
  process.stdout.write(`removed in ${(performance.now() - begun).toFixed(0)} ms; event loop held ${own.toFixed(1)} ms at most (${wall.toFixed(1)} ms by the clock); /healthz asked ${times.length} times: p99 ${p99(times).toFixed(1)} ms, longest ${times.at(-1)?.toFixed(1)} ms\n`);
  expect(await service.api('GET', `/api/execution/log/element/${runId}-1/children`)).toMatchObject({ status: 410 });
  expect(own).toBeLessThan(MOST_MS);
}, 120_000);
