import { z } from 'zod';
import type { ZodOpenApiOperationObject } from 'zod-openapi';
import { printNeed } from '../../access/need';
import { printReplacement } from '../deprecation';
import type { ErrorDialect } from '../error-body';
import { answersOf } from './openapi-responses';
import type { Route, RouteExample } from '../route';
import { takesIfMatch } from '../record-version';
import { PREFER } from '../respond-async';

const IF_MATCH = z.string().optional().meta({
  description:
    'Change or delete only this version of the record, as in its `ETag` (`"7"`). If the record has another version, the answer is 412 `CONFLICT` and nothing changes.',
});
const SHOWS = z.string().optional().meta({
  description:
    'The master password: with the right one this answer shows the credentials that are hidden otherwise. A wrong one is refused, and counted like a failed login.',
});
const REQUIRED = z.string().meta({
  description: 'The master password. A wrong one is refused, and counted like a failed login.',
});
const REQUIRED_IF_CONFIGURED = z.string().optional().meta({
  description:
    'The master password, if one is configured. A wrong one is refused, and counted like a failed login.',
});
const MASTER_PASSWORD = {
  shows: SHOWS,
  required: REQUIRED,
  'required-if-configured': REQUIRED_IF_CONFIGURED,
};

/** The headers that a route reads, in addition to those of all routes. */
function headerParameters({
  record,
  masterPassword,
  mayRespondAsync,
}: Pick<Route, 'record' | 'masterPassword' | 'mayRespondAsync'>): { header?: z.ZodObject } {
  const headers = {
    ...(mayRespondAsync && { Prefer: PREFER }),
    ...(takesIfMatch({ record }) && { 'If-Match': IF_MATCH }),
    ...(masterPassword !== undefined && {
      'X-Master-Password': MASTER_PASSWORD[masterPassword],
    }),
  };
  return Object.keys(headers).length === 0 ? {} : { header: z.object(headers) };
}

const words = (text: string): string =>
  text
    .split(/[^A-Za-z0-9]+/)
    .filter(Boolean)
    .map((word) => word[0]?.toUpperCase() + word.slice(1))
    .join('');

/** `GET /user/:id` is `getUserById`; the same route outside `/api` ends with `AtRoot`. */
export function operationId(route: Route, path: string): string {
  const name = route.path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? `By${words(segment)}` : words(segment)))
    .join('');
  return `${route.method}${name}${path.startsWith('/api/') ? '' : 'AtRoot'}`;
}

const isObject = (schema: z.ZodType | undefined): schema is z.ZodObject =>
  schema instanceof z.ZodObject;

/** The parameters, each with its value in the example. */
function withExamples(
  schema: z.ZodObject,
  examples: RouteExample['params'] | RouteExample['query'] = {},
): z.ZodObject {
  return z.object(
    Object.fromEntries(
      Object.entries(schema.shape).map(([name, value]) => [
        name,
        name in examples
          ? (value as z.ZodType).meta({ param: { example: examples[name] } })
          : value,
      ]),
    ),
  );
}

function parametersOf({
  params,
  query,
  example,
  ...headers
}: Route): ZodOpenApiOperationObject['requestParams'] {
  return {
    ...(isObject(params) && { path: withExamples(params, example?.params) }),
    ...(isObject(query) && { query: withExamples(query, example?.query) }),
    ...headerParameters(headers),
  };
}

function requestBodyOf({
  upload,
  body,
  bodies,
  consumes = 'application/json',
  example,
}: Route): ZodOpenApiOperationObject['requestBody'] {
  const shown = example?.body === undefined ? {} : { example: example.body };
  if (bodies) {
    const content = Object.entries(bodies).map(
      ([type, schema]) => [type, { schema, ...(type === consumes && shown) }] as const,
    );
    return { required: false, content: Object.fromEntries(content) };
  }
  if (upload) {
    const file = z
      .any()
      .meta({ override: { type: 'string', format: 'binary' }, description: 'The file.' });
    const schema = z
      .object({ [upload.part]: file, ...(isObject(body) ? body.shape : {}) })
      .meta({ override: body?.meta()?.override });
    return { required: true, content: { 'multipart/form-data': { schema, ...shown } } };
  }
  return (
    body && {
      required: !body.safeParse(undefined).success,
      content: { [consumes]: { schema: body, ...shown } },
    }
  );
}

/** The OpenAPI operation of a route at one of its paths. */
export function operationOf(
  route: Route,
  path: string,
  errors: ErrorDialect,
): ZodOpenApiOperationObject {
  const need = printNeed(route.needs);
  const needText = route.needs === 'public' ? 'Needs no token.' : `Needs ${need}.`;
  return {
    operationId: operationId(route, path),
    tags: [route.tag],
    summary: route.summary,
    description: [
      route.deprecated && `Deprecated: call \`${printReplacement(route.deprecated)}\` instead.`,
      route.description,
      needText,
    ]
      .filter(Boolean)
      .join('\n\n'),
    ...(route.deprecated && {
      deprecated: true,
      'x-replaced-by': printReplacement(route.deprecated),
    }),
    security: route.needs === 'public' ? [] : [{ bearerAuth: [] }],
    requestParams: parametersOf(route),
    requestBody: requestBodyOf(route),
    responses: answersOf(route, errors),
    'x-needs': need,
  };
}
