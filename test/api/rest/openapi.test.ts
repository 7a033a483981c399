import { z } from 'zod';
import { NEVER_FULL } from '../../../src/platform/store/full-disk';
import { systemRoutes } from '../../../src/features/system/system.rest';
import { ERROR_CODES } from '../../../src/platform/errors/codes';
import { documentedErrors } from '../../../src/platform/http/error-body';
import { buildOpenApi } from '../../../src/platform/http/openapi/openapi';
import { routesTagged } from '../../../src/platform/http/route';
import type { Route } from '../../../src/platform/http/route';
import {
  BodyId,
  IdParams,
  optionalWholeNumberIn,
  QueryFlag,
} from '../../../src/platform/http/scalars';
import { configOf, openRestTransport } from '../../support/calls/rest-transport';

const route = routesTagged('users');

const User = z
  .object({ enhanceId: z.int(), email: z.string(), picture: z.string().nullable() })
  .meta({ id: 'TestUser' });
const common = { summary: 'A summary.' } as const;

const routes = [
  route('GET /user/:id', {
    ...common,
    needs: 'USER:READ',
    params: IdParams,
    answer: User,
    statuses: { ACCESS_DENIED: 500, USER_NOT_EXIST: 404 },
    handle: async () => ({}),
  }),
  route('GET /files/:id', {
    ...common,
    needs: 'public',
    params: IdParams,
    produces: 'image/*',
    errors: ['FILE_NOT_FOUND', 'ROLE_IN_USE'],
    handle: async () => '',
  }),
  route('GET /exists', {
    ...common,
    needs: 'public',
    produces: 'application/problem+json',
    answer: User,
    answerHeaders: { 'X-More': { description: 'More.' } },
    handle: async () => ({}),
  }),
  route('GET /list', {
    ...common,
    needs: 'authenticated',
    query: z.object({ days: optionalWholeNumberIn(1, 366, 7), flag: QueryFlag.optional() }),
    answer: z.array(User),
    handle: async () => [],
  }),
  route('POST /user', {
    ...common,
    needs: 'admin',
    description: 'More about it.',
    body: z.object({ email: z.string(), userGroup: BodyId }).meta({ id: 'NewTestUser' }),
    invalidAs: 'CREATION_ERROR',
    success: 201,
    answer: User,
    handle: async () => ({}),
  }),
  route('POST /picture', {
    ...common,
    needs: { own: 'MYPROFILE:UPDATE', others: 'USER:UPDATE' },
    upload: { part: 'file' },
    body: z.object({ email: z.string() }),
    statuses: { WRONG_FORMAT: 500 },
    success: 204,
    handle: async () => undefined,
  }),
  route('POST /login', {
    ...common,
    alsoAtRoot: true,
    needs: 'public',
    deprecated: 'GET /list',
    body: z.object({ email: z.string() }),
    errors: ['TOO_MANY_ATTEMPTS', 'ACCESS_DENIED'],
    handle: async () => ({}),
  }),
];
const config = configOf();
const describedBy = (all: readonly Route[], of = config) =>
  buildOpenApi(all, { config: of, errors: documentedErrors });
const document: any = describedBy(routes);
const operation = (method: string, path: string): any => document.paths[path][method];
const codes = (method: string, path: string): Record<string, string[]> =>
  Object.fromEntries(
    Object.entries<any>(operation(method, path).responses)
      .filter(([, response]) => response['x-codes'])
      .map(([status, response]) => [status, response['x-codes']]),
  );

describe('the OpenAPI document', () => {
  it('lists each operation once with tag, summary, permission and success', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(operation('get', '/api/user/{id}')).toMatchObject({
      operationId: 'getUserById',
      tags: ['users'],
      summary: 'A summary.',
      description: 'Needs USER:READ.',
      'x-needs': 'USER:READ',
      security: [{ bearerAuth: [] }],
      responses: {
        200: {
          content: { 'application/json': { schema: { $ref: '#/components/schemas/TestUser' } } },
        },
      },
    });
    expect(operation('post', '/api/user').description).toBe('More about it.\n\nNeeds admin.');
    expect(operation('post', '/api/picture')['x-needs']).toBe(
      "MYPROFILE:UPDATE for one's own, USER:UPDATE for others",
    );
    expect(document.components.securitySchemes.bearerAuth).toMatchObject({
      type: 'http',
      scheme: 'bearer',
      bearerFormat: 'JWT',
    });
  });

  it('lists the second path of a route as a deprecated public operation', () => {
    for (const [path, operationId] of [
      ['/api/login', 'postLogin'],
      ['/login', 'postLoginAtRoot'],
    ] as const) {
      expect(operation('post', path)).toMatchObject({
        operationId,
        deprecated: true,
        security: [],
        'x-needs': 'public',
      });
    }
    const ids = Object.values<any>(document.paths).flatMap((item) =>
      Object.values<any>(item).map(({ operationId }) => operationId),
    );
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('describes parameters by their type instead of their text form', () => {
    expect(operation('get', '/api/user/{id}').parameters).toEqual([
      { in: 'path', name: 'id', required: true, schema: { type: 'integer', format: 'int32' } },
    ]);
    expect(operation('get', '/api/list').parameters).toEqual([
      {
        in: 'query',
        name: 'days',
        schema: { default: 7, type: 'integer', minimum: 1, maximum: 366 },
      },
      { in: 'query', name: 'flag', schema: { type: 'boolean' } },
    ]);
    expect(document.components.schemas.NewTestUser.properties.userGroup).toEqual({
      type: ['integer', 'string'],
      format: 'int32',
      pattern: '^(?:0|-?[1-9]\\d{0,9})$',
    });
  });

  it('describes uploads as multipart with a binary part', () => {
    expect(
      operation('post', '/api/picture').requestBody.content['multipart/form-data'].schema,
    ).toMatchObject({
      type: 'object',
      required: ['file', 'email'],
      properties: { file: { type: 'string', format: 'binary' }, email: { type: 'string' } },
    });
  });

  it('lists the failure statuses of each operation with their codes', () => {
    const commonCodes = { 500: ['INTERNAL_SERVER_ERROR'], 503: ['SERVICE_UNAVAILABLE'] };
    const ofBodies = ['INPUT_QUEUE_FULL', 'SERVICE_UNAVAILABLE'];
    expect(codes('get', '/api/user/{id}')).toEqual({
      ...commonCodes,
      400: ['BAD_REQUEST'],
      401: ['TOKEN_EXPIRED'],
      404: ['USER_NOT_EXIST'],
      500: ['ACCESS_DENIED', 'INTERNAL_SERVER_ERROR'],
    });
    expect(codes('post', '/api/user')).toEqual({
      ...commonCodes,
      400: ['BAD_REQUEST'],
      401: ['ACCESS_DENIED', 'TOKEN_EXPIRED'],
      403: ['ACCESS_DENIED'],
      413: ['PAYLOAD_TOO_LARGE'],
      415: ['UNSUPPORTED_MEDIA_TYPE'],
      500: ['CREATION_ERROR', 'INTERNAL_SERVER_ERROR'],
      503: ofBodies,
      507: ['STORAGE_FULL'],
    });
    expect(codes('get', '/api/list')).toEqual({
      ...commonCodes,
      400: ['BAD_REQUEST'],
      401: ['ACCESS_DENIED', 'TOKEN_EXPIRED'],
    });
    expect(codes('post', '/api/login')).toEqual({
      ...commonCodes,
      400: ['BAD_REQUEST'],
      401: ['ACCESS_DENIED'],
      403: ['ACCESS_DENIED'],
      413: ['PAYLOAD_TOO_LARGE'],
      415: ['UNSUPPORTED_MEDIA_TYPE'],
      429: ['TOO_MANY_ATTEMPTS'],
      503: ofBodies,
      507: ['STORAGE_FULL'],
    });
    expect(codes('get', '/api/files/{id}')).toEqual({
      ...commonCodes,
      400: ['BAD_REQUEST'],
      404: ['FILE_NOT_FOUND'],
      409: ['ROLE_IN_USE'],
    });
    expect(operation('get', '/api/files/{id}').responses[200].content).toEqual({
      'image/*': { schema: { type: 'string', format: 'binary' } },
    });
    expect(operation('post', '/api/login').responses[429].headers['Retry-After']).toEqual({
      $ref: '#/components/headers/Retry-After',
    });
    expect(document.components.headers['Retry-After']).toMatchObject({
      required: true,
      schema: { type: 'integer' },
    });
  });

  it('describes every failure by the error body with an example for each code', () => {
    const failure = operation('get', '/api/user/{id}').responses[404];
    expect(failure.content['application/json'].schema).toEqual({
      $ref: '#/components/schemas/ErrorBody',
    });
    expect(failure.content['application/json'].examples.USER_NOT_EXIST).toEqual({
      $ref: '#/components/examples/USER_NOT_EXIST.404',
    });
    expect(document.components.examples['USER_NOT_EXIST.404'].value).toEqual({
      timestamp: '2026-01-31T09:30:00.000+0000',
      status: 404,
      error: 'There is no user 4711.',
      message: 'USER_NOT_EXIST',
      success: 'false',
      path: '/api/user/4711',
    });
    const body = document.components.schemas.ErrorBody;
    expect([...body.required].sort()).toEqual([
      'error',
      'message',
      'path',
      'status',
      'success',
      'timestamp',
    ]);
    expect(body.properties.message.enum).toEqual([...ERROR_CODES].sort());
  });

  it('is byte for byte the same for any order of routes', () => {
    expect(JSON.stringify(describedBy([...routes].reverse())) === JSON.stringify(document)).toBe(
      true,
    );
    expect(Object.keys(document.paths)).toEqual([...Object.keys(document.paths)].sort());
  });

  it('names its licence and the public address if it is configured', () => {
    expect(document.info.license).toEqual({ name: 'MIT', identifier: 'MIT' });
    const servers = (env: Record<string, string>) =>
      describedBy(routes, configOf(env)).servers?.map(({ url }) => url);
    expect(servers({})).toEqual(['/']);
    expect(servers({ HYPHA_PUBLIC_URL: 'https://hypha.example.com' })).toEqual([
      'https://hypha.example.com',
      '/',
    ]);
  });

  it('describes the media type and the headers of each success', () => {
    const { responses } = operation('get', '/api/exists');
    expect(responses[200].content).toEqual({
      'application/problem+json': { schema: { $ref: '#/components/schemas/TestUser' } },
    });
    expect(responses[200].headers).toEqual({
      'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' },
      'X-More': { description: 'More.', required: true, schema: { type: 'string' } },
    });
  });

  it('is served at the usual addresses', async () => {
    const ports = {
      ping: async () => undefined,
      prepared: () => true,
      stopping: () => false,
      storage: NEVER_FULL,
      openApi: () => document as object,
    };
    const rest = await openRestTransport(systemRoutes(config, ports));
    try {
      for (const path of ['/openapi.json', '/api/openapi.json', '/v3/api-docs'])
        expect((await rest.call('GET', path)).json).toEqual(JSON.parse(JSON.stringify(document)));
    } finally {
      await rest.close();
    }
  });
});
