/** Kinds of failures that pages handle differently. */
type FailureKind = 'signed-out' | 'forbidden' | 'rejected' | 'unreachable' | 'internal';

/** A failed operation. The message is for users; the code is that of the service. */
export class Failure extends Error {
  constructor(
    readonly kind: FailureKind,
    message: string,
    readonly code: string | null = null,
    readonly requestId: string | null = null,
  ) {
    super(message);
  }
}

export interface GraphqlError {
  readonly message: string;
  readonly extensions?: {
    readonly code?: string;
    readonly reason?: string;
    readonly requestId?: string;
  };
}

const KINDS: Readonly<Record<string, FailureKind>> = {
  UNAUTHENTICATED: 'signed-out',
  TOKEN_EXPIRED: 'signed-out',
  FORBIDDEN: 'forbidden',
  UNAVAILABLE: 'unreachable',
  INTERNAL_SERVER_ERROR: 'internal',
};

/** Converts the first error of a response. */
export function failureOf(errors: readonly GraphqlError[]): Failure {
  const [first] = errors;
  const { code = null, reason = code, requestId = null } = first?.extensions ?? {};
  return new Failure(
    KINDS[code ?? ''] ?? 'rejected',
    first?.message ?? 'The service returned no error message.',
    reason,
    requestId,
  );
}

export const toFailure = (error: unknown): Failure =>
  error instanceof Failure
    ? error
    : new Failure('internal', error instanceof Error ? error.message : String(error));
