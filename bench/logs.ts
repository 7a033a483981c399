import type { RunEvent } from '../src/engine';
import type { EventRow } from '../src/features/runs/execution/run-engine';
import { elementLine } from '../src/features/runs/logs/element-line';
import { batchesOf } from '../src/features/runs/events/run-event-batches';
import { startService } from '../test/support/service/harness';
import type { TestService } from '../test/support/service/harness';
import { storeConnection } from '../test/support/store/stored';
import { ended } from '../test/support/service/watch';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import { healthTimes, p99 } from './measure/health';
import { median, wallMs } from './measure/in-turn';
import { LoopWatch } from './measure/loop-watch';
import type { BenchResult } from './result';

const ELEMENTS = Number(process.env.LOGS_ELEMENTS ?? 100_000);
const TIMES = 7;
const ROWS_AT_ONCE = 5_000;
const PAYLOAD = 'x'.repeat(1_000);

/** One call in each iteration of a loop, and one after it. */
function* eventsOf(turns: number): Generator<RunEvent, void, undefined> {
  const call = function* (
    index: string,
    loopIndex: number[],
  ): Generator<RunEvent, void, undefined> {
    const place = {
      stepId: `m${index}`,
      index,
      loopIndex,
      name: `call ${index}`,
      methodType: 'HTTP_REQUEST',
      attempt: 1,
    };
    yield { kind: 'StepStarted', ...place, label: null, connector: null };
    yield {
      kind: 'StepFinished',
      ...place,
      state: 'SUCCEEDED',
      statusCode: 200,
      durationMs: 1.5,
      error: null,
      request: {
        url: `https://remote.example/tickets/${loopIndex.join('/')}`,
        method: 'POST',
        header: {},
        payload: PAYLOAD,
      },
      response: {
        status: 200,
        durationMs: 1.5,
        header: {},
        payload: `${PAYLOAD}"answer ${loopIndex.join('/')}."`,
      },
    };
  };
  yield { kind: 'RunStarted', methods: 2, operators: 1 };
  yield { kind: 'LoopStarted', stepId: 'o', index: '0', loopIndex: [], iterator: 'i', size: turns };
  for (let turn = 0; turn < turns; turn += 1) {
    yield {
      kind: 'LoopIteration',
      stepId: 'o',
      index: '0',
      loopIndex: [],
      iterator: 'i',
      turn,
      size: turns,
      value: turn,
    };
    yield* call('0_0', [turn]);
  }
  yield { kind: 'LoopFinished', stepId: 'o', index: '0', loopIndex: [], turns };
  yield* call('1', []);
}

/** Stores the log of a finished run, with the measured number of elements. */
async function storeLog(runId: number): Promise<void> {
  const [runs, batches] = [
    storeConnection().collection<any>('runs'),
    storeConnection().collection<any>('run_event_batches'),
  ];
  const at = new Date();
  await batches.deleteMany({ runId });
  let sequence = 0;
  let rows: EventRow[] = [];
  for (const event of eventsOf(ELEMENTS - 2)) {
    sequence += 1;
    rows.push({
      sequence,
      at,
      kind: event.kind,
      body: JSON.stringify(event),
      element: elementLine(event, { sequence, at }) ?? undefined,
    });
    if (rows.length < ROWS_AT_ONCE) continue;
    await batches.insertMany(batchesOf({ _id: runId }, rows, null));
    rows = [];
  }
  if (rows.length > 0) await batches.insertMany(batchesOf({ _id: runId }, rows, null));
  await runs.updateOne({ _id: runId }, { $set: { lastSequence: sequence } });
}

async function timed(
  service: TestService,
  name: string,
  path: string,
  below: number,
): Promise<BenchResult> {
  const times: number[] = [];
  for (let nth = 0; nth < TIMES; nth += 1) {
    times.push(
      await wallMs(async () => {
        const { status } = await service.api('GET', path);
        if (status !== 200) throw new Error(`${path} answered ${status}.`);
      }),
    );
  }
  return {
    name,
    value: median(times),
    unit: 'ms',
    target: { below },
    detail: `median of ${TIMES}, ${Math.round(Math.min(...times))} to ${Math.round(Math.max(...times))}`,
  };
}

async function untilRemoved(service: TestService): Promise<void> {
  while ((await storeConnection().collection('runs').countDocuments({ eventsGoing: true })) > 0)
    await service.api('GET', '/healthz');
}

/** A log of 100,000 elements: its first pages, searches, and its removal while the service answers others. */
export async function run(): Promise<BenchResult[]> {
  const service = await startService();
  try {
    const workflowId = await saved(service, workflow([method('0', `${service.url}/healthz`)]));
    const runOnce = async (): Promise<number> => {
      const id = await started(service, workflowId, true);
      await ended(service, id);
      return id;
    };
    const runId = await runOnce();
    await storeLog(runId);
    const below = (id: string, query = ''): string =>
      `/api/execution/log/element/${id}/children${query}`;
    const search = (query: string): string =>
      `/api/execution/logs/search?connectionId=${workflowId}&${query}`;
    const results = [
      await timed(service, 'first page of a run', below(`${runId}-1`), 100),
      await timed(service, 'first page of a loop', below(`${runId}-2`), 100),
      await timed(
        service,
        'page at the end of a loop',
        below(`${runId}-2`, `?first=100&after=${runId}-${2 * ELEMENTS + 1}`),
        100,
      ),
      await timed(
        service,
        'last iteration of a loop',
        below(`${runId}-2`, `?loopIndex=${ELEMENTS - 3}`),
        1_000,
      ),
      await timed(
        service,
        'search of a text that stands at the end',
        search(`text=tickets/${ELEMENTS - 3}`),
        1_000,
      ),
      await timed(
        service,
        'search of a text that stands in every element',
        search('text=xxxxx'),
        1_000,
      ),
      await timed(service, 'search of a text that stands nowhere', search('text=nowhere'), 1_000),
      await timed(service, 'search by step', search('step=m1'), 1_000),
      await timed(service, 'search by status', search('status=FAIL'), 1_000),
    ];
    await runOnce();
    const watch = new LoopWatch();
    watch.start();
    const begun = performance.now();
    // The logs of two successful runs are kept: this one removes the first.
    await runOnce();
    const times = await healthTimes(service.url, untilRemoved(service));
    const took = performance.now() - begun;
    const { own, wall } = watch.stop();
    return [
      ...results,
      { name: 'removal of the log', value: took, unit: 'ms' },
      {
        name: 'longest stall during the removal',
        value: own,
        unit: 'ms',
        target: { below: 50 },
        detail: `${Math.round(wall)} by the clock`,
      },
      {
        name: '/healthz during the removal, 99th percentile',
        value: p99(times),
        unit: 'ms',
        target: { below: 100 },
        detail: `${times.length} times`,
      },
    ];
  } finally {
    await service.close();
  }
}
