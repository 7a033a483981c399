import { ENGINE_ERROR_CODES } from '../../engine';
import type { EngineError, RunError } from '../../engine';
import { OUTBOUND_ERROR_CODES } from '../../platform/outbound/outbound-error';
import { SCRIPT_ERROR_CODES } from '../../platform/scripts/script';

/**
 * All codes that a step or a run can end with, and their meaning. docs/run-errors.md says what to
 * do about each.
 */
export const RUN_ERROR_CODES = {
  ...ENGINE_ERROR_CODES,
  ...OUTBOUND_ERROR_CODES,
  ...SCRIPT_ERROR_CODES,
  RUN_CRASHED: 'The process that executed the run ended unexpectedly. See the log of the service.',
  RUN_INTERRUPTED:
    'The service process of the run was stopped, died, or lost its lease after the run had sent a request.',
  RUN_TOO_DEEP: 'The chain of runs that started each other is longer than 10.',
  RUN_STALLED:
    'The run blocked its process for too long, for example with an expression or a pattern on a very large text.',
} as const;

export type RunErrorCode = keyof typeof RUN_ERROR_CODES;

/** Description of the list in both APIs. */
export const ABOUT_RUN_ERROR_CODES = 'Error codes of steps and runs. This version has no others.';

/** The error of a run that failed outside its steps. */
export const wholeRunError = (
  code: RunErrorCode | EngineError['code'],
  message: string,
): RunError => ({ step: null, index: null, attempt: 1, code, message });
