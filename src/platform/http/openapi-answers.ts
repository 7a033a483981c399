import { STATUS_CODES } from 'node:http';
import type { oas31, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { ErrorCode } from '../errors/codes';
import { exampleText } from '../errors/example-texts';
import { DEPRECATION_HEADERS } from './deprecation';
import type { ErrorDialect } from './error-body';
import { errorAnswers, saysNothing } from './openapi-errors';
import { JobAccepted } from './respond-async';
import { showsVersion } from './record-version';
import { pathsOf } from './route-table';
import type { AnswerHeader, Route } from './route';

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
  codes: readonly ErrorCode[],
): Record<string, { $ref: string }> {
  return Object.fromEntries(
    codes.map((code) => [code, { $ref: `#/components/examples/${exampleName(status, code)}` }]),
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
    for (const { status, codes } of errorAnswers(route, errors)) {
      for (const code of codes) {
        const value = errors.body(
          { kind: 'refused', code, text: exampleText(code, status) },
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
  for (const { status, codes } of errorAnswers(route, errors)) {
    responses[`${status as 400}`] = {
      description: codes.join(', '),
      headers: sharedOf(status),
      content: {
        'application/json': { schema: errors.schema, examples: exampleRefs(status, codes) },
      },
      'x-codes': codes,
    };
  }
  return responses;
}
