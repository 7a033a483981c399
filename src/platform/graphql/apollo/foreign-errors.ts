import { GraphQLError } from 'graphql';
import type { GraphQLFormattedError } from 'graphql';
import { shortened } from '../operations/error-format';

/** Whether Apollo Server or a plugin failed with an error that is not meant for clients. */
export const isFault = (error: unknown): boolean =>
  !(error instanceof GraphQLError) ||
  (!hasRequestId(error) &&
    error.originalError !== undefined &&
    !(error.originalError instanceof GraphQLError));

/** Whether the executor has raised an error. */
export const hasRequestId = ({ extensions }: GraphQLFormattedError): boolean =>
  extensions?.requestId !== undefined;

/** Formats errors of Apollo Server and plugins, which have no request id yet. Faults are masked. */
export function formatForeignError(
  formatted: GraphQLFormattedError,
  error: unknown,
): GraphQLFormattedError {
  if (hasRequestId(formatted)) return formatted;
  if (isFault(error))
    return {
      message: 'Something went wrong on our side.',
      extensions: { code: 'INTERNAL_SERVER_ERROR' },
    };
  const code: unknown = (error as GraphQLError).extensions.code ?? 'BAD_REQUEST';
  const message = shortened(formatted.message);
  return { ...formatted, message, extensions: { ...formatted.extensions, code } };
}

/** Adds the request id to errors without one. */
export const withRequestId = (
  errors: readonly GraphQLFormattedError[] | undefined,
  requestId: string,
): GraphQLFormattedError[] | undefined =>
  errors?.map((error) => ({ ...error, extensions: { ...error.extensions, requestId } }));
