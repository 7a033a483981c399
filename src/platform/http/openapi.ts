import { STATUS_CODES } from 'node:http';
import { z } from 'zod';
import type { CreateDocumentOptions, oas31, ZodOpenApiOperationObject, ZodOpenApiPathsObject, ZodOpenApiResponseObject, ZodOpenApiResponsesObject } from 'zod-openapi';
import type { Config } from '../../config/config';
import { printNeed } from '../access/need';
import type { ErrorCode } from '../errors/codes';
import { VERSION } from '../version';
import { documentedErrors } from './error-body';
import { errorAnswers } from './openapi-errors';
import { pathsOf } from './route-table';
import type { Route } from './route';

export type OpenApiDocument = oas31.OpenAPIObject;

const DESCRIPTION = `The REST door of Hypha. Sign in with \`POST /api/login\`: the token comes back in the \`Authorization\` response header and goes
into the \`Authorization\` header of every other request. Each operation names what it needs; a failure has the error body with its code in \`message\`.`;

const words = (text: string): string => text.split(/[^A-Za-z0-9]+/).filter(Boolean).map((word) => word[0]?.toUpperCase() + word.slice(1)).join('');

/** `GET /user/:id` is `getUserById`; the same route at the root has `AtRoot` behind. */
export function operationId(route: Route, path: string): string {
  const name = route.path.split('/').map((segment) => (segment.startsWith(':') ? `By${words(segment)}` : words(segment))).join('');
  return `${route.method}${name}${path.startsWith('/api/') ? '' : 'AtRoot'}`;
}

const openApiPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');

const isObject = (schema: z.ZodType | undefined): schema is z.ZodObject => schema instanceof z.ZodObject;

function parametersOf(route: Route): ZodOpenApiOperationObject['requestParams'] {
  return {
    ...(isObject(route.params) && { path: route.params }),
    ...(isObject(route.query) && { query: route.query }),
  };
}

function requestBodyOf(route: Route): ZodOpenApiOperationObject['requestBody'] {
  if (route.upload) {
    const file = z.any().meta({ override: { type: 'string', format: 'binary' }, description: 'The file.' });
    const fields = isObject(route.body) ? route.body.shape : {};
    return { required: true, content: { 'multipart/form-data': { schema: z.object({ [route.upload.part]: file, ...fields }) } } };
  }
  if (!route.body) return undefined;
  return { required: !route.body.safeParse(undefined).success, content: { 'application/json': { schema: route.body } } };
}

const exampleName = (status: number, code: ErrorCode): string => `${code}.${status}`;

function exampleRefs(status: number, codes: readonly ErrorCode[]): Record<string, { $ref: string }> {
  return Object.fromEntries(codes.map((code) => [code, { $ref: `#/components/examples/${exampleName(status, code)}` }]));
}

/** A body for each status and code that any route can fail with. */
function errorExamples(routes: readonly Route[]): Record<string, { value: object }> {
  const examples: Record<string, { value: object }> = {};
  for (const { status, codes } of routes.flatMap((route) => errorAnswers(route, documentedErrors))) {
    for (const code of codes) {
      const value = documentedErrors.body({ kind: 'refused', code, text: 'What happened, for a person.' }, status, '/api/path', new Date(0));
      examples[exampleName(status, code)] = { value };
    }
  }
  return byKey(examples);
}

function successContent(route: Route): Pick<ZodOpenApiResponseObject, 'content'> {
  if (route.produces !== undefined) return { content: { [route.produces]: { schema: { type: 'string', format: 'binary' } } } };
  return route.answer ? { content: { 'application/json': { schema: route.answer } } } : {};
}

function responsesOf(route: Route): ZodOpenApiResponsesObject {
  const responses: ZodOpenApiResponsesObject = {
    [`${route.success}`]: {
      description: STATUS_CODES[route.success] ?? 'Success',
      ...successContent(route),
    },
  };
  for (const { status, codes } of errorAnswers(route, documentedErrors)) {
    responses[`${status as 400}`] = {
      description: codes.join(', '),
      content: { 'application/json': { schema: documentedErrors.schema, examples: exampleRefs(status, codes) } },
      ...(status === 429 && { headers: { 'Retry-After': { description: 'Seconds after which a retry makes sense.', schema: { type: 'integer' } } } }),
      'x-codes': codes,
    };
  }
  return responses;
}

function operationOf(route: Route, path: string): ZodOpenApiOperationObject {
  const need = printNeed(route.needs);
  const needText = route.needs === 'public' ? 'Needs no token.' : `Needs ${need}.`;
  return {
    operationId: operationId(route, path),
    tags: [route.tag],
    summary: route.summary,
    description: route.description ? `${route.description}\n\n${needText}` : needText,
    ...(route.deprecated && { deprecated: true }),
    security: route.needs === 'public' ? [] : [{ bearerAuth: [] }],
    requestParams: parametersOf(route),
    requestBody: requestBodyOf(route),
    responses: responsesOf(route),
    'x-needs': need,
  };
}

const size = (bytes: number): string => (bytes % 1024 ** 2 === 0 ? `${bytes / 1024 ** 2} MiB` : `${bytes} bytes`);

function byKey<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([a], [b]) => (a < b ? -1 : Number(a > b))));
}

/** Answers may get more fields later, and the bounds of a JavaScript number say nothing to anybody. */
const plainSchemas: CreateDocumentOptions = {
  allowEmptySchema: { custom: true, transform: true, unknown: true, any: true },
  override: ({ jsonSchema, io }) => {
    if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
    if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  },
};

/** OpenAPI 3.1 of the routes: same routes in any order, same bytes. */
export function buildOpenApi(routes: readonly Route[], { limits }: Pick<Config, 'limits'>): OpenApiDocument {
  const paths: ZodOpenApiPathsObject = {};
  for (const route of routes) {
    for (const path of pathsOf(route)) {
      const item = paths[openApiPath(path)] ?? {};
      paths[openApiPath(path)] = byKey({ ...item, [route.method]: operationOf(route, path) });
    }
  }
  // Late: most services are never asked for it.
  const { createDocument } = require('zod-openapi') as typeof import('zod-openapi');
  const document = createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Hypha',
      version: VERSION,
      description: `${DESCRIPTION}\n\nA JSON body may have ${size(limits.jsonBytes)}, a workflow ${size(limits.workflowBytes)}, an uploaded file ${size(limits.uploadBytes)}.`,
      license: { name: 'MIT' },
    },
    servers: [{ url: '/' }],
    tags: [...new Set(routes.map((route) => route.tag))].sort().map((name) => ({ name })),
    paths: byKey(paths),
    components: { examples: errorExamples(routes), securitySchemes: { bearerAuth: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } } },
  }, plainSchemas);
  return { ...document, components: { ...document.components, schemas: byKey(document.components?.schemas ?? {}) } };
}
