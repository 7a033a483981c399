import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Reply, Route } from '../../platform/http/route';
import { route } from '../../platform/http/route';
import { IdParams, QueryFlag } from '../../platform/http/scalars';
import { secretPolicy } from './secret.policy';
import { NewSecretInput, SecretInput } from './secret.schema';
import type { Secret } from './secret.service';

const tag = 'Secrets';

const NOT_SAVED = [
  'SECRET_ALREADY_EXIST',
  'SECRET_ORIGIN_INVALID',
  'SECRET_VALUE_INVALID',
  'NAME_INVALID',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
  'LIST_TOO_LONG',
] as const satisfies readonly ErrorCode[];

export function secretRoutes({ secrets }: Services, { secrets: shown }: Presenters): Route[] {
  const reply = async (secret: Secret, location?: string): Promise<Reply> =>
    recordReply(shown.one(await secrets.inUse(secret)), secret, location);
  return [
    route({
      method: 'get',
      path: '/secret/all',
      needs: secretPolicy.read,
      tag,
      summary: 'Every secret, without its value',
      success: 200,
      answer: shown.list.answer,
      handle: async () => shown.list(secrets.list()),
    }),
    route({
      method: 'get',
      path: '/secret/:id',
      needs: secretPolicy.read,
      tag,
      summary: 'One secret, without its value',
      params: IdParams,
      success: 200,
      answer: shown.one.answer,
      errors: ['SECRET_NOT_FOUND'],
      record: 'shown',
      handle: async ({ params }) => reply(await secrets.get(params.id)),
    }),
    route({
      method: 'post',
      path: '/secret',
      needs: secretPolicy.create,
      tag,
      summary: 'Adds a secret',
      description:
        'Steps use it as `{%secret.NAME%}` in URLs, headers and bodies. Its value is kept encrypted and never answered.',
      body: NewSecretInput,
      example: {
        body: {
          name: 'github',
          note: 'May read issues.',
          value: '',
          origins: ['https://api.github.com'],
        },
      },
      success: 201,
      answer: shown.one.answer,
      errors: NOT_SAVED,
      record: 'shown',
      handle: async ({ actor, body: { name, note, value, origins }, origin }) => {
        const secret = await secrets.create(actor, {
          name: name ?? '',
          note,
          value: value ?? '',
          origins: origins ?? [],
        });
        return reply(secret, `${origin.baseUrl}/api/secret/${secret.id}`);
      },
    }),
    route({
      method: 'put',
      path: '/secret/:id',
      needs: secretPolicy.update,
      tag,
      summary: 'Changes a secret',
      description:
        'What is left out stays as it is, the value too. Runs that have begun go on with the value they began with.',
      params: IdParams,
      body: SecretInput,
      example: { body: { note: 'May read issues.' } },
      success: 200,
      answer: shown.one.answer,
      errors: ['SECRET_NOT_FOUND', 'SECRET_IN_USE', ...NOT_SAVED],
      record: 'changed',
      handle: async ({ actor, params, body: { name, note, value, origins }, expectedVersion }) =>
        reply(
          await secrets.update(
            actor,
            params.id,
            {
              name: name ?? undefined,
              note,
              value: value ?? undefined,
              origins: origins ?? undefined,
            },
            expectedVersion,
          ),
        ),
    }),
    route({
      method: 'delete',
      path: '/secret/:id',
      needs: secretPolicy.delete,
      tag,
      summary: 'Deletes a secret',
      description:
        'One that workflows use stays, unless `force` is true: then their runs end with SECRET_NOT_FOUND where they use it.',
      params: IdParams,
      query: z.object({ force: QueryFlag.default(false) }),
      success: 204,
      errors: ['SECRET_NOT_FOUND', 'SECRET_IN_USE'],
      record: 'deleted',
      handle: async ({ actor, params, query, expectedVersion }) =>
        void (await secrets.remove(actor, params.id, { force: query.force, expectedVersion })),
    }),
  ];
}
