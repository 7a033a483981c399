import { saysOutOfMemory, STALLED } from '../../../../platform/child-process/last-words';
import { wholeRunError } from '../../run-error-codes';
import type { RunErrorCode } from '../../run-error-codes';
import { failedOutcome } from '../execute-task';
import { ProcessStartFailed } from '../../../../platform/child-process/child-pool';
import type { RunOutcome } from '../run-engine';

/** Why the process of a run is gone. */
export interface Death {
  readonly code: Extract<RunErrorCode, keyof typeof SENTENCES> | 'CANCELLED';
  readonly cause?: unknown;
}

const SENTENCES = {
  RUN_INTERRUPTED: 'The service was stopped while the run was going on.',
  RUN_CRASHED: 'The process that executed the run ended unexpectedly.',
  RUN_EVENTS_REFUSED: 'An event of the run could not be stored.',
  RUN_OUT_OF_MEMORY: 'The run took more memory than it may.',
  RUN_STALLED: 'The run held its process too long without coming back.',
} as const satisfies Partial<Record<RunErrorCode, string>>;

/** Why a process ended that the service did not kill: from its last stderr output and its exit. */
export function deathOf(lastWords: string, exit: string | number): Death {
  if (saysOutOfMemory(lastWords)) return { code: 'RUN_OUT_OF_MEMORY' };
  if (lastWords.includes(STALLED)) return { code: 'RUN_STALLED' };
  return {
    code: 'RUN_CRASHED',
    cause: new Error(`The process of a run ended with ${exit}. ${lastWords}`.trim()),
  };
}

export function outcomeOfDeath({ code, cause }: Death, steps: number): RunOutcome {
  if (code === 'CANCELLED')
    return {
      state: 'CANCELLED',
      error: null,
      steps,
      warnings: 0,
      values: [],
      rest: [],
      fault: null,
    };
  return failedOutcome(wholeRunError(code, SENTENCES[code]), steps, cause);
}

export function outcomeOfStart(failure: unknown): RunOutcome {
  const message =
    failure instanceof ProcessStartFailed
      ? failure.message
      : 'No process could be started for the run.';
  return failedOutcome(wholeRunError('RUN_FAULT', message), 0, failure);
}
