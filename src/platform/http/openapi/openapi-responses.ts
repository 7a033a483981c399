import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ErrorCode } from '../../errors/codes';
import { exampleText } from '../../errors/example-texts';
import { DEPRECATION_HEADERS } from '../deprecation';
import type { ErrorDialect, Failure } from '../error-body';
import { JobAccepted } from '../respond-async';
import { showsVersion, STALE_STATUS, takesIfMatch } from '../record-version';
import { pathsOf } from '../route-table';
import type { AnswerHeader, Route } from '../route';
import type { ErrorKind } from '../../errors/errors';

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
const notFound: Possible = { kind: 'not-found', code: 'NOT_FOUND' };
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

const full: Possible = { kind: 'storage-full', code: 'STORAGE_FULL' };

/** Guesses from its name which kind of error a code is thrown as; the rest are violated rules. */
function usualKind(code: ErrorCode, route: Route): ErrorKind {
  if (code === 'ACCESS_DENIED') return route.needs === 'public' ? 'unauthenticated' : 'forbidden';
  if (code === 'TOKEN_EXPIRED') return 'expired';
  if (code === 'API_TOKEN_REFUSED') return 'forbidden';
  if (code === 'TOO_MANY_ATTEMPTS' || code === 'TOO_MANY_CALLS') return 'rate-limited';
  if (code === 'INPUT_TOO_COMPLEX') return 'too-large';
  if (code === 'LDAP_UNAVAILABLE') return 'unavailable';
  if (code === 'STORAGE_FULL') return 'storage-full';
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
const saysNothing = ({ path }: Route): boolean =>
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
    ...(route.method === 'get' && !route.changesOnGet ? [] : [full]),
    ...(saysNothing(route) ? [notFound] : []),
    ...(route.invalidAs ? [{ kind: 'malformed' as const, code: route.invalidAs }] : []),
    ...namedBy(route).map((code) => ({ kind: usualKind(code, route), code })),
    broken,
    ...unlessSure.filter(({ code }) => !route.cannotFailWith?.includes(code)),
  ];
}

/** The statuses a route can fail with, in order, each with its failures in the order of codes. */
function errorAnswers(
  route: Route,
  dialect: ErrorDialect,
): { status: number; failures: Possible[] }[] {
  const byStatus = new Map<number, Map<ErrorCode, Possible>>();
  for (const failure of failuresOf(route)) {
    const status = dialect.status(failure, route.statuses);
    const failures = byStatus.get(status) ?? new Map<ErrorCode, Possible>();
    byStatus.set(status, failures.set(failure.code, failure));
  }
  if (takesIfMatch(route))
    byStatus.set(STALE_STATUS, new Map([['CONFLICT', { kind: 'conflict', code: 'CONFLICT' }]]));
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, failures]) => ({
      status,
      failures: [...failures.values()].sort((a, b) => (a.code < b.code ? -1 : 1)),
    }));
}

type Headers = Record<string, oas31.HeaderObject>;

/** Headers of all responses, or of all responses with a status. */
const SHARED = {
  'X-Request-Id': {
    description: 'The id of the request, as the log has it.',
    schema: { type: 'string', format: 'uuid' },
  },
  'WWW-Authenticate': {
    description: 'The scheme that is wanted.',
    schema: { type: 'string', const: 'Bearer' },
  },
  ETag: {
    description:
      'The version of the record, for `If-Match`. It says nothing about the bytes: `If-None-Match` is not looked at.',
    schema: { type: 'string', pattern: '^"\\d+"$' },
    example: '"7"',
  },
  Location: { description: 'Where the record is read.', schema: { type: 'string', format: 'uri' } },
  'Retry-After': {
    description: 'Seconds after which a retry makes sense.',
    schema: { type: 'integer', minimum: 0 },
    example: 5,
  },
} as const satisfies Readonly<Record<string, AnswerHeader>>;

const OF_STATUS: Readonly<Record<number, readonly (keyof typeof SHARED)[]>> = {
  201: ['Location'],
  401: ['WWW-Authenticate'],
  429: ['Retry-After'],
  503: ['Retry-After'],
};

const described = (headers: Readonly<Record<string, AnswerHeader>>): Headers =>
  Object.fromEntries(
    Object.entries(headers).map(([name, { schema = { type: 'string' }, ...rest }]) => [
      name,
      { ...rest, required: true, schema: schema as oas31.SchemaObject },
    ]),
  );

/** The headers that answers refer to, for the components of the document. */
export const sharedHeaders = (): Headers => described(SHARED);

const sharedOf = (
  status: number | '2XX',
  more: readonly (keyof typeof SHARED)[] = [],
): Record<string, oas31.ReferenceObject> =>
  Object.fromEntries(
    (['X-Request-Id', ...(OF_STATUS[Number(status)] ?? []), ...more] as const).map((name) => [
      name,
      { $ref: `#/components/headers/${name}` },
    ]),
  );

const exampleName = (status: number, code: ErrorCode): string => `${code}.${status}`;

function exampleRefs(
  status: number,
  failures: readonly Possible[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    failures.map(({ code }) => [
      code,
      { $ref: `#/components/examples/${exampleName(status, code)}` },
    ]),
  );
}

const AT = new Date('2026-01-31T09:30:00.000Z');

/** Returns an example of a path that names a missing record. */
const askedPath = (route: Route): string =>
  (pathsOf(route)[0] ?? '').replace(/:\w+/g, (name) =>
    name === ':id' && !saysNothing(route) ? '4711' : 'nothing',
  );

/**
 * Returns an example body for each status and code that a route can fail with, with the text of a
 * real failure and the first path that has it.
 */
export function errorExamples(
  routes: readonly Route[],
  errors: ErrorDialect,
): Record<string, { summary: string; value: object }> {
  const examples: Record<string, { summary: string; value: object }> = {};
  // Plain paths first: uploads and paths without a literal segment make poor examples.
  const rank = ({ route, path }: { route: Route; path: string }): string =>
    `${Number(saysNothing(route) || route.upload !== undefined)} ${path}`;
  const inOrder = routes
    .map((route) => ({ route, path: askedPath(route) }))
    .sort((a, b) => (rank(a) < rank(b) ? 1 : -1));
  for (const { route, path } of inOrder) {
    for (const { status, failures } of errorAnswers(route, errors)) {
      for (const { kind, code } of failures) {
        const value = errors.body(
          { kind, code, text: exampleText(code, status) },
          status,
          path,
          AT,
        );
        examples[exampleName(status, code)] = { summary: code, value };
      }
    }
  }
  return examples;
}

function successContent({ answer, produces }: Route): Pick<ZodOpenApiResponseObject, 'content'> {
  if (answer) return { content: { [produces ?? 'application/json']: { schema: answer } } };
  return produces === undefined
    ? {}
    : { content: { [produces]: { schema: { type: 'string', format: 'binary' } } } };
}

/** The responses of a route: its success, and each status it can fail with. */
export function answersOf(route: Route, errors: ErrorDialect): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${route.success}`]: {
      description: STATUS_CODES[route.success] ?? 'Any success.',
      headers: {
        ...sharedOf(route.success, showsVersion(route) ? ['ETag'] : []),
        ...described({ ...(route.deprecated && DEPRECATION_HEADERS), ...route.answerHeaders }),
      },
      ...successContent(route),
    },
  };
  if (route.alsoChanges) {
    responses['200'] = {
      description: 'It was there already, and is changed.',
      headers: sharedOf(200, showsVersion(route) ? ['ETag'] : []),
      ...successContent(route),
    };
  }
  if (route.mayRespondAsync) {
    responses['202'] = {
      description: 'The work is done in the background.',
      headers: {
        ...sharedOf(202),
        ...described({
          Location: { ...SHARED.Location, description: 'Where the job is asked.' },
          'Preference-Applied': {
            description: 'What of `Prefer` was done.',
            schema: { type: 'string', const: 'respond-async' },
          },
        }),
      },
      content: { 'application/json': { schema: JobAccepted } },
    };
  }
  for (const { status, failures } of errorAnswers(route, errors)) {
    const names = [...new Set(failures.map((failure) => errors.name(failure)))];
    responses[`${status as 400}`] = {
      description: names.join(', '),
      headers: sharedOf(status),
      content: {
        'application/json': {
          schema:
            status === 400 && route.badAnswer
              ? z.union([errors.schema, route.badAnswer])
              : errors.schema,
          examples: exampleRefs(status, failures),
        },
      },
      'x-codes': names,
    };
  }
  return responses;
}
