import type { ExecutionResult } from 'graphql';
import type { SentError } from './error-format';

/** An answer as it is sent. Without `data` nothing was executed. */
export interface Outcome {
  readonly data?: ExecutionResult['data'];
  readonly errors?: readonly SentError[];
}

/** A written answer: a text, or pieces if it is large. */
export interface WrittenAnswer {
  readonly outcome: Outcome;
  readonly body: string | readonly Buffer[];
}
