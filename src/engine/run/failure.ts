import { isNativeError } from 'node:util/types';
import { ENGINE_ERROR_CODES } from '../error-codes';
import type { EngineErrorCode, PortErrorCode } from '../error-codes';
import type { StepError } from '../events';

/** What ports call their failures: the one that reaches remote systems, and the one that evaluates scripts. */
const OF_A_PORT = /^(?:OUTBOUND|SCRIPT)_[A-Z_]+$/;

const isDocumented = (code: unknown): code is EngineErrorCode | PortErrorCode =>
  typeof code === 'string' && (Object.hasOwn(ENGINE_ERROR_CODES, code) || OF_A_PORT.test(code));

/**
 * The code and text of an error for the run record. Errors of the engine and of ports carry a documented code; anything else is a fault
 * of ours, whose text may say too much and stays out of the record (the run's `cause` has it for the log).
 */
export function failureOf(error: unknown): StepError {
  const code = isNativeError(error) && 'code' in error ? error.code : undefined;
  if (isNativeError(error) && isDocumented(code)) return { code, message: error.message };
  return { code: 'RUN_FAULT', message: 'An unexpected fault ended the step.' };
}
