import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import type { Logger } from '../../log/logger';

type ErrorFormat = (formatted: GraphQLFormattedError, error: unknown) => GraphQLFormattedError;

/**
 * Returns the format of errors that the executor did not raise, but Apollo Server or a plugin. Those that are not
 * meant for clients are logged and masked.
 */
export function createForeignErrorFormat(log: Logger): ErrorFormat {
  return (formatted, error) => {
    if (formatted.extensions?.requestId !== undefined) return formatted;
    if (isForClients(error)) {
      const code: unknown = error.extensions.code ?? 'BAD_REQUEST';
      return { ...formatted, extensions: { ...formatted.extensions, code } };
    }
    log.error({ err: error }, 'fault of a GraphQL request');
    return {
      message: 'Something went wrong on our side.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    };
  };
}

/** Whether it was raised as an error of GraphQL, not by a fault. */
const isForClients = (error: unknown): error is GraphQLError =>
  error instanceof GraphQLError &&
  (error.originalError === undefined || error.originalError instanceof GraphQLError);

/** Adds the request id to errors without one. */
export const withRequestId = (
  errors: readonly GraphQLFormattedError[] | undefined,
  requestId: string,
): GraphQLFormattedError[] | undefined =>
  errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
