import { z } from 'zod';
import type { Services } from '../../platform/context';
import { NOT_STORED, Reply, routesTagged } from '../../platform/http/route';
import type { Route } from '../../platform/http/route';
import { AnswerId, IdParams, requiring } from '../../platform/http/scalars';
import { apiTokenPolicy } from './api-token.policy';
import type { ApiToken } from './api-token.service';

const time = z.string().meta({ format: 'date-time' });

const ApiTokenBody = z
  .object({
    apiTokenId: AnswerId,
    name: z.string(),
    prefix: z.string().meta({ description: 'First characters of the token.' }),
    scopes: z.array(z.string()),
    createdAt: time,
    expiresAt: time,
    lastUsedAt: time.nullable().meta({ description: 'Up to a minute behind; null if never.' }),
    lastAddress: z.string().nullable().meta({ description: 'Network address of its last use.' }),
  })
  .meta({
    id: 'ApiToken',
    description:
      'A credential of a program: it has those of its scopes that the group of its owner grants.',
  });

const CreatedApiToken = ApiTokenBody.extend({
  token: z.string().meta({ description: 'The token, shown only in this response.' }),
}).meta({ id: 'CreatedApiToken' });

const NewApiToken = requiring(
  z.object({
    name: z.string().nullish().meta({ description: 'What it is for; 1 to 100 characters.' }),
    scopes: z.array(z.string()).nullish().meta({
      description:
        '`component:action` such as `CONNECTION:READ`, and `admin` for operations that only administrators may use. Only what the user may do too.',
    }),
    expiresInDays: z
      .number()
      .nullish()
      .meta({ description: 'Days until it expires, 1 to 365. Default: 90.' }),
  }),
  'name',
  'scopes',
).meta({ id: 'NewApiToken' });

const present = ({ id, createdAt, expiresAt, lastUsedAt, ...token }: ApiToken) => ({
  apiTokenId: id,
  name: token.name,
  prefix: token.prefix,
  scopes: [...token.scopes],
  createdAt: createdAt.toISOString(),
  expiresAt: expiresAt.toISOString(),
  lastUsedAt: lastUsedAt && lastUsedAt.toISOString(),
  lastAddress: token.lastAddress,
});

const route = routesTagged('API tokens');

const getApiTokenAll = ({ apiTokens }: Services): Route =>
  route('GET /api-token/all', {
    needs: apiTokenPolicy.readOwn,
    summary: 'List your API tokens',
    answer: z.array(ApiTokenBody),
    handle: async ({ actor }) => (await apiTokens.ofUser(actor.userId)).map(present),
  });

const postApiToken = ({ apiTokens }: Services): Route =>
  route('POST /api-token', {
    needs: apiTokenPolicy.create,
    summary: 'Create an API token',
    description:
      'Send the token as `Authorization: Bearer …`. It is shown only in this response. Not possible with an API token.',
    body: NewApiToken,
    example: { body: { name: 'nightly export', scopes: ['CONNECTION:READ'], expiresInDays: 30 } },
    success: 201,
    answer: CreatedApiToken,
    errors: [
      'API_TOKEN_REFUSED',
      'API_TOKEN_SCOPE_INVALID',
      'API_TOKEN_LIMIT',
      'NAME_INVALID',
      'TEXT_INVALID',
    ],
    handle: async ({ actor, origin, body: { name, scopes, expiresInDays } }) => {
      const { apiToken, token } = await apiTokens.create(actor, {
        name: name ?? '',
        scopes: scopes ?? [],
        expiresInDays,
      });
      return new Reply(
        { ...present(apiToken), token },
        {
          ...NOT_STORED,
          Location: `${origin.baseUrl}/api/api-token/${apiToken.id}`,
        },
      );
    },
  });

const getApiTokenById = ({ apiTokens }: Services): Route =>
  route('GET /api-token/:id', {
    needs: apiTokenPolicy.readOwn,
    summary: 'Read one of your API tokens',
    params: IdParams,
    answer: ApiTokenBody,
    errors: ['API_TOKEN_NOT_FOUND'],
    handle: async ({ actor, params }) => present(await apiTokens.ownById(actor, params.id)),
  });

const deleteApiTokenById = ({ apiTokens }: Services): Route =>
  route('DELETE /api-token/:id', {
    needs: apiTokenPolicy.revoke,
    summary: 'Revoke an API token',
    description: 'Of your own or, with USER:UPDATE, of any user. Not possible with an API token.',
    params: IdParams,
    success: 204,
    errors: ['API_TOKEN_REFUSED', 'API_TOKEN_NOT_FOUND'],
    handle: async ({ actor, params }) => void (await apiTokens.revoke(actor, params.id)),
  });

const getUserApiTokenAll = ({ apiTokens }: Services): Route =>
  route('GET /user/:id/api-token/all', {
    needs: apiTokenPolicy.read,
    summary: 'List the API tokens of a user',
    params: IdParams,
    answer: z.array(ApiTokenBody),
    handle: async ({ params }) => (await apiTokens.ofUser(params.id)).map(present),
  });

export const apiTokenRoutes = (services: Services): Route[] => {
  return [
    getApiTokenAll,
    postApiToken,
    getApiTokenById,
    deleteApiTokenById,
    getUserApiTokenAll,
  ].map((create) => create(services));
};
