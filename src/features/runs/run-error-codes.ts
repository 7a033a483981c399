import { ENGINE_ERROR_CODES } from '../../engine';
import { OUTBOUND_ERROR_CODES } from '../../platform/outbound/outbound-error';

/** Every code that a step or a run can end with, with what it means: the one list. */
export const RUN_ERROR_CODES = {
  ...ENGINE_ERROR_CODES,
  ...OUTBOUND_ERROR_CODES,
  RUN_INTERRUPTED: 'The service stopped while the run was going on.',
} as const;

export type RunErrorCode = keyof typeof RUN_ERROR_CODES;
