import { join } from 'node:path';
import { childrenOf } from '../../test/engine/support/pool';
import { method, saved, started, workflow } from '../../test/support/documents/workflows';
import type { BenchResult } from '../result';
import { startProbedService } from '../service/probed-service';
import { megabytes } from '../service/processes';
import { remoteProcess } from '../service/remote-process';
import { allSucceeded } from './ended-runs';

const COLOR = '#00000A';

/** A loop over a list of 100,000 numbers that a system answered, with a condition in it. */
export async function longLoop(): Promise<BenchResult[]> {
  const [service, remote] = await Promise.all([
    startProbedService(),
    remoteProcess(join(__dirname, 'remote.js')),
  ]);
  let peak = 0;
  const look = (): void => {
    peak = Math.max(peak, ...childrenOf(service.pid).map((pid) => megabytes(pid).peak));
  };
  const looking = setInterval(look, 50);
  try {
    const id = await saved(
      service,
      workflow(
        [method('0', `${remote.url}/list`, { color: COLOR })],
        [
          {
            id: 'loop',
            index: '1',
            type: 'loop',
            iterator: 'i',
            expression: `For({%${COLOR}.(response).body%})`,
          },
          {
            id: 'if',
            index: '1_0',
            type: 'if',
            expression: `{%${COLOR}.(response).body[i]%} > 50000`,
          },
        ],
      ),
    );
    const [{ duration }] = await allSucceeded(service, [await started(service, id)]);
    look();
    return [
      {
        name: 'most memory of a loop of 100,000 turns with an `if`',
        value: peak,
        unit: 'MB',
        target: { below: 300 },
        detail: `${Math.round(duration)} ms, from the start`,
      },
    ];
  } finally {
    clearInterval(looking);
    await service.close();
    remote.close();
  }
}
