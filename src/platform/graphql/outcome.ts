import type { ExecutionResult } from 'graphql';
import type { SentError } from './error-format';

/** An answer as it is sent. Without `data` nothing was executed. */
export interface Outcome {
  readonly data?: ExecutionResult['data'];
  readonly errors?: readonly SentError[];
}
