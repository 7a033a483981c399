import { setTimeout as pause } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import type { HttpPort } from '../../../engine';
import type { Clock } from '../../../platform/clock/clock';
import type { Scripts } from '../../../platform/scripts';
import { EventBatches } from './event-batches';
import { executeTask } from './execute-task';
import type { ExecutionLimits, RunEngine, RunSeat, Supervision } from './run-engine';
import { MarkingGate } from './send-gate';

/** Interval for checking whether this process holds the run again, ms. */
const LOOK_AGAIN_MS = 250;

/** Executes runs in the process of the service, which a run can block or crash. */
export function createInProcessEngine({
  http,
  scripts,
  clock,
  limits,
}: {
  http: HttpPort;
  scripts: Scripts;
  clock: Clock;
  limits: ExecutionLimits;
}): RunEngine {
  const seat: RunSeat = {
    execute(task, { signal, store, startWebhook, beforeFirstSend, isHeld }) {
      const batches = new EventBatches(
        (rows) =>
          void store(rows).then(
            () => batches.acknowledge(),
            (error: unknown) => batches.refuse(asError(error)),
          ),
      );
      const gate = new MarkingGate(beforeFirstSend, () =>
        isHeld() ? undefined : untilHeld(isHeld, signal),
      );
      return executeTask(task, batches, {
        http,
        scripts,
        clock,
        limits,
        signal,
        startWebhook,
        gate,
      });
    },
    release: () => undefined,
  };
  return {
    reserve: () => Promise.resolve(seat),
    startState: () => 'It begins in a moment.',
    demands: () => null,
    warm: () => undefined,
    close: async () => scripts.close(),
  };
}

async function untilHeld(isHeld: Supervision['isHeld'], signal: AbortSignal): Promise<void> {
  while (!isHeld()) await pause(LOOK_AGAIN_MS, undefined, { signal });
}

const asError = (error: unknown): Error =>
  isNativeError(error) ? error : new Error(String(error));
