import type { HeaderMap } from '@apollo/server';
import type { Caller } from '../operations/caller';
import type { Outcome } from '../operations/error-format';

export const PLAIN_JSON = 'application/json';
export const RESPONSE_JSON = 'application/graphql-response+json';

/** Browsers send them across origins only after a preflight, so that no page can forge a request. */
export const PREFLIGHT_HEADERS = [
  'apollo-require-preflight',
  'graphql-require-preflight',
  'x-apollo-operation-name',
];

/** The result of an operation, and what its status depends on. */
export interface ExecutedOperation {
  readonly outcome: Outcome;
  /**
   * Nothing was executed because the document or the variables are invalid: 400, or 200 for clients
   * that know only plain JSON.
   */
  readonly isMalformed: boolean;
  /** Names the operation in metrics; missing if it was not executed. */
  readonly label?: string;
}

/** A request to Apollo Server, and its result. */
export interface Exchange {
  readonly caller: Caller;
  /** The media type of the answer. */
  readonly mediaType: string;
  /** Missing if the request was refused before. */
  executed?: ExecutedOperation;
  /** The code of the first error. */
  code?: string;
  /** The headers of the answer, once status, headers and request id are set. */
  headers?: HeaderMap;
}

/** The `contextValue` of plugins. Apollo Server copies it for each operation. */
export interface ApolloContext {
  readonly requestId: string;
  readonly exchange: Exchange;
}
