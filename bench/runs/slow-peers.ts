import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { healthTimes, p99 } from '../measure/health';
import { method, saved, started, workflow } from '../../test/support/documents/workflows';
import type { BenchResult } from '../result';
import { startProbedService } from '../service/probed-service';
import { remoteProcess } from '../service/remote-process';
import { allSucceeded } from './ended-runs';
import type { EndedRun } from './ended-runs';

const RUNS = 200;
const BETWEEN_MS = 5;
const EVENTS = ['RunStarted', 'StepStarted', 'StepFinished', 'RunFinished'];

/** Many runs at once, each of which waits for a slow system, with the settings as they are. */
export async function slowPeers(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, 'remote.js')),
  ]);
  try {
    const id = await saved(service, workflow([method('0', `${remote.url}/slow`)]));
    const from = Date.now();
    const working = (async (): Promise<EndedRun[]> =>
      allSucceeded(
        service,
        await Promise.all(Array.from({ length: RUNS }, () => started(service, id))),
      ))();
    const times = await healthTimes(service.url, working, () => pause(BETWEEN_MS));
    const runs = await working;
    const seconds = (Math.max(...runs.map(({ endTime }) => endTime)) - from) / 1_000;
    let inOrder = 0;
    for (const { executionId } of runs) {
      const { run } = await service.data(
        'query($id: ID!) { run(id: $id) { events(first: 100) { nodes { __typename sequence } } } }',
        { id: executionId },
      );
      const received = (run.events.nodes as { __typename: string; sequence: number }[]).map(
        ({ __typename, sequence }) => `${sequence} ${__typename}`,
      );
      if (received.join() === EVENTS.map((kind, nth) => `${nth + 1} ${kind}`).join()) inOrder += 1;
    }
    return [
      { name: `${RUNS} runs that wait 5 s each`, value: seconds, unit: 's', target: { below: 60 } },
      {
        name: 'of them with all events, in order',
        value: inOrder,
        unit: `of ${RUNS}`,
        target: { exactly: RUNS },
        judged: true,
      },
      {
        name: '/healthz during the runs, 99th percentile',
        value: p99(times),
        unit: 'ms',
        target: { below: 100 },
        detail: `${times.length} times; slowest ${Math.round(times.at(-1) ?? 0)}`,
      },
    ];
  } finally {
    await service.close();
    remote.close();
  }
}
