import type { ErrorCode } from '../errors/codes';
import type { ErrorKind } from '../errors/errors';
import type { ErrorDialect, Failure } from './error-body';
import { STALE_STATUS, takesIfMatch } from './record-version';
import type { Route } from './route';

type Possible = Pick<Failure, 'kind' | 'code'>;

const signedIn: readonly Possible[] = [
  { kind: 'unauthenticated', code: 'ACCESS_DENIED' },
  { kind: 'expired', code: 'TOKEN_EXPIRED' },
];
const allowed: Possible = { kind: 'forbidden', code: 'ACCESS_DENIED' };
const ofBodies: readonly Possible[] = [
  { kind: 'too-large', code: 'PAYLOAD_TOO_LARGE' },
  { kind: 'unsupported-media', code: 'UNSUPPORTED_MEDIA_TYPE' },
  { kind: 'unavailable', code: 'INPUT_QUEUE_FULL' },
];
const found: Possible = { kind: 'not-found', code: 'NOT_FOUND' };
/** Any request may have an invalid Host header, or a path that does not decode. */
const broken: Possible = { kind: 'malformed', code: 'BAD_REQUEST' };
/**
 * Any route may meet an internal error, or be refused while the service starts, unless it excludes
 * that in `cannotFailWith`.
 */
const unlessSure = [
  { kind: 'fault', code: 'INTERNAL_SERVER_ERROR' },
  { kind: 'unavailable', code: 'SERVICE_UNAVAILABLE' },
] as const satisfies readonly Possible[];

/** Guesses from its name which kind of error a code is thrown as; the rest are violated rules. */
function usualKind(code: ErrorCode, route: Route): ErrorKind {
  if (code === 'ACCESS_DENIED') return route.needs === 'public' ? 'unauthenticated' : 'forbidden';
  if (code === 'TOKEN_EXPIRED') return 'expired';
  if (code === 'TOO_MANY_ATTEMPTS' || code === 'TOO_MANY_CALLS') return 'rate-limited';
  if (code === 'INPUT_TOO_COMPLEX') return 'too-large';
  if (/_NOT_FOUND$|_NOT_EXIST$/.test(code)) return 'not-found';
  if (/_ALREADY_|_HAS_WEBHOOK$|_IN_USE$|^PATCH_TEST_FAILED$|^CONFLICT$/.test(code))
    return 'conflict';
  return 'refused';
}

/**
 * The codes that a route declares. Statuses of access codes only say how they are answered, not
 * that they occur.
 */
function namedBy({ statuses, errors = [] }: Route): ErrorCode[] {
  const odd = (Object.keys(statuses ?? {}) as ErrorCode[]).filter(
    (code) => code !== 'ACCESS_DENIED' && code !== 'TOKEN_EXPIRED',
  );
  return [...new Set([...odd, ...errors])];
}

/** A path of parameters only: if they do not parse, it does not match (choose-route.ts). */
export const saysNothing = ({ path }: Route): boolean =>
  path
    .split('/')
    .slice(1)
    .every((segment) => segment.startsWith(':'));

/** All failures of a route that follow from its definition. */
function failuresOf(route: Route): Possible[] {
  const hasBody =
    route.body !== undefined || route.bodies !== undefined || route.upload !== undefined;
  return [
    ...(route.needs === 'public' ? [] : signedIn),
    // A login: it refuses wrong passwords, and pages of origins that are not allowed.
    ...(route.needs === 'public' && route.errors?.includes('ACCESS_DENIED') ? [allowed] : []),
    ...(route.needs === 'public' || route.needs === 'authenticated' ? [] : [allowed]),
    ...(hasBody ? ofBodies : []),
    ...(saysNothing(route) ? [found] : []),
    ...(route.invalidAs ? [{ kind: 'malformed' as const, code: route.invalidAs }] : []),
    ...namedBy(route).map((code) => ({ kind: usualKind(code, route), code })),
    broken,
    ...unlessSure.filter(({ code }) => !route.cannotFailWith?.includes(code)),
  ];
}

/** The statuses a route can fail with, in order, each with its codes in order. */
export function errorAnswers(
  route: Route,
  dialect: ErrorDialect,
): { status: number; codes: ErrorCode[] }[] {
  const byStatus = new Map<number, Set<ErrorCode>>();
  for (const { kind, code } of failuresOf(route)) {
    const status = dialect.status({ kind, code, text: '' }, route.statuses);
    byStatus.set(status, (byStatus.get(status) ?? new Set()).add(code));
  }
  if (takesIfMatch(route)) byStatus.set(STALE_STATUS, new Set(['CONFLICT']));
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, codes]) => ({ status, codes: [...codes].sort() }));
}
