import type { EngineErrorCode, PortErrorCode } from './error-codes';
import { isNativeError } from 'node:util/types';
import { ENGINE_ERROR_CODES } from './error-codes';
import type { StepError } from './events';

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

/** Failure of a run. `message` is for users and contains no response data. */
export class EngineError extends Error {
  constructor(
    readonly code: EngineErrorCode | PortErrorCode,
    message: string,
  ) {
    super(message);
    this.name = 'EngineError';
  }
}

/** A syntax error. Line and column count from 1. */
export class ExpressionError extends Error {
  readonly code = 'EXPRESSION_SYNTAX' satisfies EngineErrorCode;

  constructor(
    readonly expected: string,
    readonly found: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(`Line ${line}, column ${column}: expected ${expected}, found ${found}.`);
    this.name = 'ExpressionError';
  }
}

/** Creates a syntax error from an offset. */
export function syntaxError(
  text: string,
  offset: number,
  expected: string,
  actual?: string,
): ExpressionError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return new ExpressionError(expected, actual ?? describeAt(text, offset), before.length, column);
}

function describeAt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));
}
