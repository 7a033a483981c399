import type { EngineErrorCode, PortErrorCode } from './error-codes';

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
  found?: string,
): ExpressionError {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  const column = (before.at(-1) ?? '').length + 1;
  return new ExpressionError(expected, found ?? describeAt(text, offset), before.length, column);
}

function describeAt(text: string, offset: number): string {
  if (offset >= text.length) return 'the end of the text';
  return JSON.stringify(String.fromCodePoint(text.codePointAt(offset) ?? 0));
}
