import { join } from 'node:path';
import { hostileScripts } from '../test/support/documents/hostile-runs';
import { hostileWorkflows } from '../test/support/peers/hostile-remote';
import { untilEvent } from '../test/support/service/watch';
import { method, saved, started, workflow } from '../test/support/documents/workflows';
import { median, wallMs } from './measure/in-turn';
import type { BenchResult } from './result';
import { startProbedService } from './service/probed-service';
import { remoteProcess } from './service/remote-process';

const TIMES = Number(process.env.CANCEL_TIMES ?? 5);
const HOUR_MS = 3_600_000;
const CANCEL =
  'mutation($id: ID!) { runCancel(input: { id: $id }) { run { state } userErrors { code } } }';

/** From the request to the stored end of a cancelled run, by what the run does at that moment. */
export async function run(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService({ HYPHA_SCRIPT_TIMEOUT: '60000' }),
    remoteProcess(join(__dirname, 'hostile/remote.js')),
  ]);
  const documentOf = (
    list: readonly { readonly code: string; readonly document: object }[],
    code: string,
  ): object => {
    const scenario = list.find((each) => each.code === code);
    if (!scenario) throw new Error(`There is no workflow that ends with ${code}.`);
    return scenario.document;
  };
  const moments: Record<string, { readonly document: object; readonly after: string }> = {
    'an answer that never begins': {
      document: workflow([method('0', `${remote.url}/hang`)]),
      after: 'StepStarted',
    },
    'the pause before a retry': {
      document: workflow([
        method('0', 'http://127.0.0.1:1/', { retries: 9, backoff: 60_000, timeout: HOUR_MS }),
      ]),
      after: 'StepFinished',
    },
    'a script that never returns': {
      document: documentOf(hostileScripts(remote), 'SCRIPT_TIMEOUT'),
      after: 'StepFinished',
    },
    'a pattern that takes minutes': {
      document: documentOf(hostileWorkflows(remote), 'RUN_STALLED'),
      after: 'StepFinished',
    },
  };
  const results: BenchResult[] = [];
  try {
    for (const [during, { document, after }] of Object.entries(moments)) {
      const id = await saved(service, document);
      const times: number[] = [];
      for (let nth = 0; nth < TIMES; nth += 1) {
        const runId = await started(service, id, false);
        await untilEvent(service, runId, after);
        times.push(
          await wallMs(async () => {
            const { runCancel } = await service.data(CANCEL, { id: runId });
            if (runCancel.run?.state !== 'CANCELLED')
              throw new Error(`The run was not cancelled: ${JSON.stringify(runCancel)}`);
          }),
        );
      }
      results.push({
        name: `a run is cancelled during ${during}`,
        value: median(times),
        unit: 'ms',
        target: { below: 1_000 },
        detail: `median of ${TIMES}, at most ${Math.round(Math.max(...times))}`,
      });
    }
    return results;
  } finally {
    await service.close();
    remote.close();
  }
}
