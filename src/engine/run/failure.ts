import { isNativeError } from 'node:util/types';
import { ENGINE_ERROR_CODES } from '../error-codes';
import type { EngineErrorCode, PortErrorCode } from '../error-codes';
import type { StepError } from '../events';

/** Error codes of the ports for HTTP and scripts. */
const OF_A_PORT = /^(?:OUTBOUND|SCRIPT)_[A-Z_]+$/;

const isDocumented = (code: unknown): code is EngineErrorCode | PortErrorCode =>
  typeof code === 'string' && (Object.hasOwn(ENGINE_ERROR_CODES, code) || OF_A_PORT.test(code));

/**
 * Returns code and message of an error for the run record. Errors without a documented code are
 * internal: their message may contain sensitive data and is not recorded (`cause` of the run has it
 * for the log).
 */
export function failureOf(error: unknown): StepError {
  const code = isNativeError(error) && 'code' in error ? error.code : undefined;
  if (isNativeError(error) && isDocumented(code)) return { code, message: error.message };
  return { code: 'RUN_FAULT', message: 'An unexpected fault ended the step.' };
}
