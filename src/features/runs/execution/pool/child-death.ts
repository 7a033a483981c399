import { saysOutOfMemory, STALLED } from '../../../../platform/child-process/last-words';
import { wholeRunError } from '../../run-error-codes';
import type { RunErrorCode } from '../../run-error-codes';
import { faultOf } from '../execute-task';
import type { RunOutcome } from '../run-engine';
import { HALTED } from './messages';

/** Why a process is gone that executed a run, or why there never was one. */
export interface Death {
  readonly code: Extract<RunErrorCode, keyof typeof SENTENCES> | 'CANCELLED';
  /** For the log. */
  readonly cause?: unknown;
}

const SENTENCES = {
  RUN_INTERRUPTED: 'The service stopped, or was halted, while the run was going on.',
  RUN_CRASHED: 'The process that executed the run ended unexpectedly.',
  RUN_EVENTS_REFUSED: 'An event of the run could not be stored.',
  RUN_FAULT: 'No process could be started for the run.',
  RUN_OUT_OF_MEMORY: 'The run took more memory than it may.',
  RUN_STALLED: 'The run held its process too long without coming back.',
} as const satisfies Partial<Record<RunErrorCode, string>>;

/** Why a process ended that nobody has killed: by its last words and its exit. */
export function deathOf(lastWords: string, exit: string | number | null): Death {
  if (saysOutOfMemory(lastWords)) return { code: 'RUN_OUT_OF_MEMORY' };
  if (lastWords.includes(STALLED)) return { code: 'RUN_STALLED' };
  if (lastWords.includes(HALTED)) return { code: 'RUN_INTERRUPTED' };
  return { code: 'RUN_CRASHED', cause: new Error(`The process of a run ended with ${exit ?? 'no exit code'}. ${lastWords}`.trim()) };
}

export function outcomeOfDeath({ code, cause }: Death, steps: number): RunOutcome {
  if (code === 'CANCELLED') return { state: 'CANCELLED', error: null, steps, values: [], rest: [], fault: null };
  const error = wholeRunError(code, SENTENCES[code]);
  return { state: 'FAILED', error, steps, values: [], rest: [], fault: cause === undefined ? null : faultOf(cause) };
}
