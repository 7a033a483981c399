import { isNativeError } from 'node:util/types';
import type { HttpPort } from '../../../engine';
import type { Clock } from '../../../platform/clock/clock';
import type { Scripts } from '../../../platform/scripts';
import { EventBatches } from './event-batches';
import { executeTask } from './execute-task';
import type { ExecutionLimits, RunEngine } from './run-engine';

/** Executes runs in the process of the service, which a run can hold up or take with it. */
export function createInProcessEngine({ http, scripts, clock, limits }: { http: HttpPort; scripts: Scripts; clock: Clock; limits: ExecutionLimits }): RunEngine {
  return {
    execute(task, { signal, store, startWebhook }) {
      const batches = new EventBatches((rows) => void store(rows).then(() => batches.acknowledge(), (error: unknown) => batches.refuse(asError(error))));
      return executeTask(task, batches, { http, scripts, clock, limits, signal, startWebhook });
    },
    demands: () => null,
    warm: () => undefined,
    close: async () => scripts.close(),
  };
}

const asError = (error: unknown): Error => (isNativeError(error) ? error : new Error(String(error)));
