import type { DocumentNode, OperationDefinitionNode } from 'graphql';
import type { Authentication } from '../../access/need';
import type { Origin, TokenUse } from '../../context';
import type { CancelSignal } from './cancel-signal';
import type { Outcome } from './error-format';
import type { ExecutionSettings } from './validate-operation';

/** The caller of an operation, and how it learns that the client is gone. */
export interface Caller {
  readonly origin: Origin;
  readonly token: string | undefined;
  /** Default: `operation`. */
  readonly use?: TokenUse;
  /** Signals that the client is gone or has unsubscribed. */
  readonly cancelSignal: CancelSignal;
  readonly setHeader?: (name: string, value: string) => void;
  /**
   * Calls the listener each time the session is read again. Returns a function that removes it. For
   * callers that stay connected.
   */
  readonly onSessionRead?: (listener: (authentication: Authentication) => void) => () => void;
  /** Called after the session is read, before anything is executed. */
  readonly onAuthenticated?: (authentication: Authentication) => Promise<void>;
}

/** A valid operation, and its caller's session. */
export interface PreparedOperation {
  readonly verdict: 'valid';
  readonly document: DocumentNode;
  readonly operation: OperationDefinitionNode;
  readonly authentication: Authentication;
  readonly settings: ExecutionSettings;
}

/**
 * `malformed`, `limit`: the operation is invalid or too large. `refused`: the caller has no
 * permission for any of its root fields, or the session could not be read.
 */
export type RejectedOperation =
  | { readonly verdict: 'malformed' | 'limit'; readonly outcome: Outcome }
  | { readonly verdict: 'refused'; readonly outcome: Outcome };
