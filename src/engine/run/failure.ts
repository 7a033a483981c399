import { isNativeError } from 'node:util/types';
import type { StepError } from '../events';

const CODE = /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/;

/**
 * The code and text of an error for the run record. Errors of the engine and of ports carry a documented code; anything else is a fault
 * of ours, whose text may say too much and stays out of the record (the run's `cause` has it for the log).
 */
export function failureOf(error: unknown): StepError {
  const code = isNativeError(error) && 'code' in error ? error.code : undefined;
  if (isNativeError(error) && typeof code === 'string' && CODE.test(code)) return { code, message: error.message };
  return { code: 'INTERNAL_SERVER_ERROR', message: 'An unexpected fault ended the step.' };
}
