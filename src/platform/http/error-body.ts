import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { ERROR_CODES } from '../errors/codes';
import type { ErrorCode } from '../errors/codes';
import type { DomainError, ErrorKind, InputPath } from '../errors/errors';
import { translated } from '../errors/findings';
import type { PathTable } from '../errors/findings';
import { isOfEntry } from '../store/records';

/** A failure as the API reports it, without stack or internal details. */
export interface Failure {
  readonly kind: ErrorKind | 'fault';
  readonly code: ErrorCode;
  /** For users. */
  readonly text: string;
  /** The code of the only problem of the input, if `code` is a summary. */
  readonly onlyProblem?: ErrorCode;
}

/**
 * How one dialect of the REST API formats failures. Only presenters and this file know about
 * dialects: another dialect is another object of this type.
 */
export interface ErrorDialect {
  /** Returns the status of a failure; `statuses` are the exceptions of its route. */
  status(
    failure: Pick<Failure, 'kind' | 'code'>,
    statuses?: Partial<Record<ErrorCode, number>>,
  ): number;
  /** Names a failure for programs, as its body does; for OpenAPI. */
  name(failure: Pick<Failure, 'kind' | 'code'>): string;
  body(failure: Failure, status: number, path: string, at: Date): Record<string, unknown>;
  /** What `body` returns, for OpenAPI. */
  readonly schema: z.ZodType;
}

/**
 * Returns the dialect of failures at a path.
 * @param request tells which port received it; without it, the port of the service
 */
export type ErrorsAt = (path: string, request?: IncomingMessage) => ErrorDialect;

const STATUS_OF_KIND: Record<ErrorKind | 'fault', number> = {
  malformed: 400,
  unauthenticated: 401,
  expired: 401,
  forbidden: 403,
  'not-found': 404,
  'method-not-allowed': 405,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  refused: 400,
  'rate-limited': 429,
  fault: 500,
  unavailable: 503,
  'storage-full': 507,
};

/**
 * Codes with a status of their own, whatever kind of failure they are: those of spec 7 first, then
 * our choices for violated rules.
 */
const STATUS_OF_CODE: Partial<Record<ErrorCode, number>> = {
  CREATION_ERROR: 500,
  WRONG_FORMAT: 500,
  USER_NOT_EXIST: 500,
  WRONG_PERMISSION: 500,
  CHANGE_DENIED: 500,
  USERGROUP_NOT_DELETED: 500,
  OPERATOR_EXPRESSION_IS_EMPTY: 400,
  TITLE_HAS_ALREADY_TAKEN: 409,
  SYNCHRONISATION_RUNNING: 409,
  CYCLE_HAS_FOUND: 409,
  EMAIL_ALREADY_EXIST: 409,
  ROLE_ALREADY_EXIST: 409,
  ROLE_IN_USE: 409,
  ROLE_PROTECTED: 409,
  WRONG_COMPONENT: 404,
  METHOD_NOT_FOUND_IN_INVOKER: 404,
  LAST_ADMINISTRATOR: 409,
  SELF_DELETION: 409,
  SELF_DISABLING: 409,
  EXECUTION_ALREADY_FINISHED: 409,
  ERROR_WORKFLOW_CIRCLE: 409,
  EXECUTION_NOT_FINISHED: 409,
  RUN_NOT_REPEATABLE: 410,
  CONCURRENT_TEST_IS_FORBIDDEN: 409,
  RUN_LOG_GONE: 410,
  COMMUNICATION_FAILED: 500,
  CONFIG_FILE_CHANGED: 409,
  CONFIG_FILE_NOT_SHARED: 409,
  CONFIG_FILE_NOT_WRITABLE: 500,
  MASTER_PASSWORD_NOT_SET: 403,
  MASTER_PASSWORD_WRONG: 403,
};

/** The shapes of spec 2.7 and the statuses of spec 7. */
export const documentedErrors: ErrorDialect = {
  status: (failure, statuses) =>
    statuses?.[failure.code] ?? STATUS_OF_CODE[failure.code] ?? STATUS_OF_KIND[failure.kind],
  name: ({ code }) => code,
  body: (failure, status, path, at) => ({
    timestamp: at.toISOString().replace('Z', '+0000'),
    status,
    error: failure.text,
    message: failure.code,
    success: 'false',
    path,
  }),
  schema: z
    .object({
      timestamp: z.string().meta({
        pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}\\.\\d{3}\\+0000$',
        examples: ['2026-01-31T09:30:00.000+0000'],
      }),
      status: z.int().meta({ description: 'The HTTP status.' }),
      error: z.string().meta({ description: 'For people. Varies.' }),
      message: z.enum([...ERROR_CODES].sort()).meta({ description: 'The code, for programs.' }),
      success: z.literal('false'),
      path: z.string().meta({ description: 'The path of the request.' }),
    })
    .meta({ id: 'ErrorBody' }),
};

const MAX_PROBLEMS = 20;

const sentence = (path: InputPath, message: string): string => {
  const text = message.replace(/\.$/, '');
  return path.length > 0 ? `${path.join('.')}: ${text}` : text;
};

/** The message, followed by the problems of each field of the body. */
function textOf({ problems, message }: DomainError, sentAs: PathTable): string {
  const details = problems
    .slice(0, MAX_PROBLEMS)
    .map(({ path, message: problem }) => sentence(translated(path, sentAs), problem))
    .join('; ');
  return details === '' ? message : `${message} ${details}.`;
}

/**
 * Converts a domain error for a response. Released clients know one error per response, so all
 * others are left out. For a change of a list, which is done completely or not at all, all rejected
 * records are reported, under the code of the first.
 */
export function failureOf(error: DomainError, sentAs: PathTable = []): Failure {
  const others = isOfEntry(error.inputPath)
    ? error.beside.filter(({ inputPath }) => isOfEntry(inputPath))
    : [];
  const texts = new Set([error, ...others].map((one) => textOf(one, sentAs)));
  const [problem, ...more] = error.problems;
  return {
    kind: error.kind,
    code: error.code,
    text: [...texts].join(' '),
    ...(problem && more.length === 0 && { onlyProblem: problem.code }),
  };
}

/** The response to an internal error: only the request id, to find it in the log. */
export function faultOf(requestId: string): Failure {
  return {
    kind: 'fault',
    code: 'INTERNAL_SERVER_ERROR',
    text: `Something went wrong on our side. Request ${requestId}.`,
  };
}
