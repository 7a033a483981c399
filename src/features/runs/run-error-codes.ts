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
  RUN_CRASHED: 'The process that executed the run ended unexpectedly; the log has more.',
  RUN_INTERRUPTED:
    'The service process of the run was stopped, died, or lost its lease after the run had sent something.',
  RUN_TOO_DEEP: 'Ten runs had started each other already when the last of them started this one.',
  RUN_STALLED:
    'The run held its process too long without coming back: an expression or a pattern over too large a text, for example.',
} as const;

export type RunErrorCode = keyof typeof RUN_ERROR_CODES;

/** Description of the list in both APIs. */
export const ABOUT_RUN_ERROR_CODES =
  'Why a step or a run ended badly: one code for each reason, and no others in this version.';

/** The error of a run that failed outside its steps. */
export const wholeRunError = (
  code: RunErrorCode | EngineError['code'],
  message: string,
): RunError => ({ step: null, index: null, attempt: 1, code, message });
