import { z } from 'zod';
import type { ErrorCode } from '../../errors/codes';
import { documentedErrors } from '../error-body';
import type { ErrorDialect, Failure } from '../error-body';

/** Codes that the released clients translate or compare. They show all other messages as text. */
const RELEASED_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'ACCESS_DENIED',
  'AGGREGATOR_NOT_FOUND',
  'CATEGORY_IS_NULL',
  'CATEGORY_NOT_FOUND',
  'COMMUNICATION_FAILED',
  'CONCURRENT_TEST_IS_FORBIDDEN',
  'CONNECTION_NOT_FOUND',
  'CONNECTOR_ALREADY_EXISTS',
  'CONNECTOR_NOT_FOUND',
  'CONTENT_NOT_FOUND',
  'CYCLE_HAS_FOUND',
  'EMAIL_ALREADY_EXIST',
  'ENHANCEMENT_NOT_FOUND',
  'FILE_NOT_FOUND',
  'GROUP_NOT_FOUND',
  'INVALID_CATEGORY_NAME',
  'INVALID_TOKEN',
  'INVOKER_ALREADY_EXISTS',
  'INVOKER_NOT_FOUND',
  'MESSAGE_TEMPLATE_NOT_FOUND',
  'METHOD_NOT_FOUND',
  'METHOD_NOT_FOUND_IN_INVOKER',
  'NOTIFICATION_NOT_FOUND',
  'OPERATOR_NOT_FOUND',
  'PARENT_CATEGORY_NOT_FOUND',
  'PATH_IS_INVALID',
  'PERMISSION_NOT_FOUND',
  'ROLE_ALREADY_EXIST',
  'SCHEDULER_HAS_WEBHOOK',
  'SCHEDULER_NOT_FOUND',
  'SESSION_NOT_EXIST',
  'SUB_CATEGORY_NOT_FOUND',
  'TEMPLATE_NOT_FOUND',
  'TITLE_ALREADY_EXISTS',
  'TITLE_HAS_ALREADY_TAKEN',
  'USER_NOT_EXIST',
  'WEBHOOK_NOT_FOUND',
  'WRONG_PASSWORD',
  'ZIP_FILE_REQUIRED',
]);

/**
 * 404 only says that the address or the file does not exist, or that the default of a setting
 * applies; unknown ids are 500.
 */
const OF_ADDRESS: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'NOT_FOUND',
  'FILE_NOT_FOUND',
  'SYSTEM_SETTING_NOT_FOUND',
]);
/** The 5.x client reads these codes only with the status 400. */
const OF_FORM: ReadonlySet<ErrorCode> = new Set<ErrorCode>(['INVALID_TOKEN', 'WRONG_PASSWORD']);
const OF_MASTER_PASSWORD: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'MASTER_PASSWORD_NOT_SET',
  'MASTER_PASSWORD_WRONG',
]);

/** The text that ends the session of a 4.x client; the 5.x client looks at the status 401. */
const SIGNED_OUT = 'Full authentication is required to access this resource';

const isSignedOut = ({ kind }: Pick<Failure, 'kind'>): boolean =>
  kind === 'unauthenticated' || kind === 'expired';

/** No 4.x text that signs out may be the message of any other failure. */
function messageOf({ kind, code, text, onlyProblem }: Failure, path: string): string {
  if (isSignedOut({ kind })) {
    if (path.endsWith('/login')) return 'Bad credentials';
    return path.endsWith('/totp-validate') ? text : SIGNED_OUT;
  }
  if (code === 'MASTER_PASSWORD_WRONG') return 'Invalid master password';
  // The released service has no summary of what is wrong with a new user.
  const named = code === 'CREATION_ERROR' && onlyProblem ? onlyProblem : code;
  return RELEASED_CODES.has(named) ? named : text;
}

/**
 * Failures as the released clients understand them. The 5.x client signs out on 401 and 403, so a
 * missing right is 500, and 401 is only for sessions; a route may declare 403.
 */
export const releasedErrors: ErrorDialect = {
  status(failure, statuses) {
    const { kind, code } = failure;
    const documented = documentedErrors.status(failure, statuses);
    if (documented === 403 && statuses?.[code] === 403) return 403;
    if (isSignedOut(failure)) return 401;
    if (kind === 'forbidden' || documented === 403) return OF_MASTER_PASSWORD.has(code) ? 400 : 500;
    if (documented === 404) return OF_ADDRESS.has(code) ? 404 : 500;
    const isTranslated = documented === 409 || (documented === 400 && !OF_FORM.has(code));
    return isTranslated && RELEASED_CODES.has(code) ? 500 : documented;
  },
  name: ({ kind, code }) => (isSignedOut({ kind }) ? 'Unauthorized' : code),
  body: (failure, status, path, at) => ({
    timestamp: at.getTime(),
    status,
    error: releasedErrors.name(failure),
    message: messageOf(failure, path),
    detail: failure.text,
    path,
  }),
  schema: z
    .object({
      timestamp: z.int().meta({ description: 'Milliseconds since 1970.' }),
      status: z.int().meta({ description: 'The HTTP status.' }),
      error: z.string().meta({ description: 'The code; `Unauthorized` without a valid session.' }),
      message: z.string().meta({
        description: 'The code, if the released clients know it; otherwise a text for people.',
      }),
      detail: z.string().meta({ description: 'For people. Varies.' }),
      path: z.string().meta({ description: 'The path of the request.' }),
    })
    .meta({ id: 'ReleasedError' }),
};
