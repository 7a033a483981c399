import { z } from 'zod';
import type { Services } from '../../platform/context';
import type { ErrorCode } from '../../platform/errors/codes';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import type { Reply, Route } from '../../platform/http/route';
import { routesTagged } from '../../platform/http/route';
import { AnswerId, IdParams, QueryFlag, requiring } from '../../platform/http/scalars';
import { secretPolicy } from './secret.policy';
import type { Secret, SecretInUse } from './secret.service';
import { SECRET_LENGTHS } from './secret.rules';
import { inCharacters } from '../../platform/text/characters';

const SecretBody = z
  .object({
    secretId: AnswerId,
    name: z.string(),
    note: z.string().nullable(),
    origins: z.array(z.string()).meta({ description: 'The origins that it may be sent to.' }),
    usedBy: z
      .array(z.object({ connectionId: AnswerId, title: z.string() }))
      .meta({ description: 'The workflows that use it.' }),
  })
  .meta({
    id: 'Secret',
    description: 'A value that steps use as `{%secret.NAME%}`. The value itself is never returned.',
  });

interface SecretPresenters {
  readonly one: Presenter<[SecretInUse]>;
  readonly list: Presenter<[AsyncIterable<SecretInUse>]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly secrets: SecretPresenters;
  }
}

const present = ({
  secret: { id, name, note, origins },
  users,
}: SecretInUse): z.output<typeof SecretBody> => ({
  secretId: id,
  name,
  note,
  origins: [...origins],
  usedBy: users.map(({ workflowId, title }) => ({ connectionId: workflowId, title })),
});

/** Streams a list. */
async function* presentEach(
  secrets: AsyncIterable<SecretInUse>,
): AsyncGenerator<z.output<typeof SecretBody>, void, void> {
  for await (const secret of secrets) yield present(secret);
}

export const documentedSecrets: SecretPresenters = {
  one: presenter(SecretBody, present),
  list: presenter(z.array(SecretBody), presentEach),
};

/** A change that a client sends; missing fields stay unchanged. */
const SecretInput = z
  .object({
    name: z
      .string()
      .nullish()
      .meta({
        description: `A letter, then letters, digits, - and _; at most ${inCharacters(SECRET_LENGTHS.name)}. Unique without regard to case. A secret that workflows use cannot be renamed.`,
      }),
    note: z
      .string()
      .nullish()
      .meta({
        description: `Description for users; at most ${inCharacters(SECRET_LENGTHS.note)}.`,
      }),
    value: z
      .string()
      .nullish()
      .meta({
        description: `The value, at most ${inCharacters(SECRET_LENGTHS.value)}. It is never returned.`,
        format: 'password',
        writeOnly: true,
      }),
    origins: z.array(z.string()).nullish().meta({
      description:
        'The origins that it may be sent to, at least one: `http(s)://[*.]host[:port]` without a path. A leading `*.` matches all hosts below, but not the host itself; it must not be followed by a public suffix such as `com` or `github.io`.',
    }),
  })
  .meta({ id: 'SecretInput' });

const NewSecretInput = requiring(SecretInput, 'name', 'value', 'origins').meta({
  id: 'NewSecret',
});

const route = routesTagged('Secrets');

const NOT_SAVED = [
  'SECRET_ALREADY_EXIST',
  'SECRET_ORIGIN_INVALID',
  'SECRET_VALUE_INVALID',
  'NAME_INVALID',
  'TEXT_INVALID',
  'TEXT_TOO_LONG',
  'LIST_TOO_LONG',
] as const satisfies readonly ErrorCode[];

const secretRouteContext = ({ secrets }: Services, { secrets: shown }: Presenters) => {
  const reply = async (secret: Secret, location?: string): Promise<Reply> =>
    recordReply(shown.one((await secrets.withUsers([secret]))[0]), secret, location);
  return { shown, secrets, reply };
};
type SecretRouteContext = ReturnType<typeof secretRouteContext>;

const getSecretAll = ({ shown, secrets }: SecretRouteContext): Route =>
  route('GET /secret/all', {
    needs: secretPolicy.read,
    summary: 'List secrets, without their values',
    answer: shown.list.answer,
    handle: async () => shown.list(secrets.list()),
  });

const getSecretById = ({ shown, reply, secrets }: SecretRouteContext): Route =>
  route('GET /secret/:id', {
    needs: secretPolicy.read,
    summary: 'Get a secret, without its value',
    params: IdParams,
    answer: shown.one.answer,
    errors: ['SECRET_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params }) => reply(await secrets.get(params.id)),
  });

const postSecret = ({ shown, secrets, reply }: SecretRouteContext): Route =>
  route('POST /secret', {
    needs: secretPolicy.create,
    summary: 'Create a secret',
    description:
      'Steps use it as `{%secret.NAME%}` in URLs, headers and bodies. Its value is stored encrypted and never returned.',
    body: NewSecretInput,
    example: {
      body: {
        name: 'github',
        note: 'Reads issues.',
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
  });

const putSecretById = ({ shown, reply, secrets }: SecretRouteContext): Route =>
  route('PUT /secret/:id', {
    needs: secretPolicy.update,
    summary: 'Change a secret',
    description:
      'Omitted fields keep their value. Runs that have started keep the previous secret value.',
    params: IdParams,
    body: SecretInput,
    example: { body: { note: 'Reads issues.' } },
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
  });

const deleteSecretById = ({ secrets }: SecretRouteContext): Route =>
  route('DELETE /secret/:id', {
    needs: secretPolicy.delete,
    summary: 'Delete a secret',
    description:
      'A secret that workflows use is deleted only with `force`; their runs then fail with SECRET_NOT_FOUND.',
    params: IdParams,
    query: z.object({ force: QueryFlag.default(false) }),
    success: 204,
    errors: ['SECRET_NOT_FOUND', 'SECRET_IN_USE'],
    record: 'deleted',
    handle: async ({ actor, params, query, expectedVersion }) =>
      void (await secrets.remove(actor, params.id, { force: query.force, expectedVersion })),
  });

export const secretRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = secretRouteContext(services, presenters);
  return [getSecretAll, getSecretById, postSecret, putSecretById, deleteSecretById].map((create) =>
    create(context),
  );
};
