import { z } from 'zod';
import type { Services } from '../../platform/context';
import { ACTIONS, COMPONENTS, USER_GROUP } from '../../platform/access/catalogue';
import type { ErrorCode } from '../../platform/errors/codes';
import { BadInput } from '../../platform/errors/errors';
import { BodyId, Identifiers, IdParams, NOBODY, requiring } from '../../platform/http/scalars';
import type { Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Reply, Route } from '../../platform/http/route';
import type { Group } from './directory.service';
import { groupPolicy } from './group.policy';
import type { GroupPresenters } from './group.presenter';
import type { GroupChange } from './group.service';

const route = routesTagged('User groups');

const GrantBody = z.object({
  enhanceId: BodyId.nullish(),
  componentId: BodyId.nullish(),
  name: z.string().nullish(),
  permissions: z.array(z.string()).nullish(),
});

/** A group in a request, with the field names of both client lines. */
const GroupInput = z
  .object({
    enhanceId: BodyId.nullish(),
    groupId: BodyId.nullish(),
    name: z.string().nullish(),
    role: z.string().nullish().meta({ description: '`name` of older clients.' }),
    description: z.string().nullish(),
    components: z.array(GrantBody).max(100).nullish(),
  })
  .meta({ id: 'UserGroupInput' });

const NewGroupInput = requiring(GroupInput, 'name').meta({ id: 'NewUserGroup' });

const GroupComponentsInput = requiring(GroupInput, 'components').meta({
  id: 'UserGroupComponents',
});

function groupChange({
  name,
  role,
  description,
  components,
}: z.output<typeof GroupInput>): GroupChange {
  return {
    name: name ?? role ?? undefined,
    description,
    components: components?.map((grant) => ({
      componentId: grant.enhanceId ?? grant.componentId ?? undefined,
      name: grant.name ?? undefined,
      permissions: grant.permissions ?? [],
    })),
  };
}

const WRONG_GRANTS = [
  'WRONG_COMPONENT',
  'PERMISSION_NOT_FOUND',
] as const satisfies readonly ErrorCode[];
/** Errors of PUT under both paths, which may change name and components. */
const NOT_CHANGED = [
  'GROUP_NOT_FOUND',
  'ROLE_ALREADY_EXIST',
  'ROLE_PROTECTED',
  ...WRONG_GRANTS,
] as const satisfies readonly ErrorCode[];
const NOT_DELETED = [
  'GROUP_NOT_FOUND',
  'ROLE_IN_USE',
  'ROLE_PROTECTED',
] as const satisfies readonly ErrorCode[];

const NEW_GROUP = {
  name: 'Readers',
  description: 'May read workflows.',
  components: [{ name: 'CONNECTION', permissions: ['READ'] }],
};
/** All permissions. The group Admin cannot have fewer. */
const EVERYTHING = { components: COMPONENTS.map(({ name }) => ({ name, permissions: ACTIONS })) };

function requireSameId({ enhanceId, groupId }: z.output<typeof GroupInput>, id: number): void {
  const bodyId = enhanceId ?? groupId ?? id;
  if (bodyId !== id)
    throw new BadInput('BAD_REQUEST', `The body has group id ${bodyId}, the path ${id}.`, {
      path: ['enhanceId'],
    });
}

const replyWith =
  (shown: GroupPresenters) =>
  (group: Group, baseUrl: string, location?: string): Reply =>
    recordReply(shown.one(group, baseUrl), group, location);

const groupRouteContext = (
  base: '/userGroup' | '/role',
  { groups }: Services,
  { groups: shown, exists, requests }: Presenters,
) => {
  const reply = replyWith(shown);
  return { base, shown, groups, requests, exists, reply };
};
type GroupRouteContext = ReturnType<typeof groupRouteContext>;

const getGroupAll = ({ base, shown, groups }: GroupRouteContext): Route =>
  route(`GET ${base}/all`, {
    needs: groupPolicy.read,
    summary: 'Lists all groups',
    answer: shown.list.answer,
    handle: async ({ origin }) => shown.list(groups.list(), origin.baseUrl),
  });

const getGroupExistsByName = ({ base, requests, exists, groups }: GroupRouteContext): Route =>
  route(`GET ${base}/exists/:name`, {
    needs: groupPolicy.read,
    summary: 'Checks whether a group name is taken',
    params: z.object({ name: requests.pathName }),
    example: { params: { name: 'Editors' } },
    answer: exists.record.answer,
    produces: exists.recordType,
    handle: async ({ params }) =>
      exists.record(
        groups.exists(params.name),
        `/api${base}/exists/${encodeURIComponent(params.name)}`,
      ),
  });

const getGroupById = ({ base, shown, reply, groups }: GroupRouteContext): Route =>
  route(`GET ${base}/:id`, {
    needs: groupPolicy.read,
    summary: 'Returns a group',
    params: IdParams,
    example: { params: { id: 2 } },
    answer: shown.one.answer,
    errors: ['GROUP_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params, origin }) => reply(groups.get(params.id), origin.baseUrl),
  });

const postGroup = ({ base, shown, groups, reply }: GroupRouteContext): Route =>
  route(`POST ${base}`, {
    needs: groupPolicy.create,
    summary: 'Creates a group',
    body: NewGroupInput,
    example: { body: NEW_GROUP },
    success: 201,
    answer: shown.one.answer,
    errors: ['ROLE_ALREADY_EXIST', ...WRONG_GRANTS],
    record: 'shown',
    handle: async ({ actor, body, origin }) => {
      const { name = '', ...rest } = groupChange(body);
      const group = await groups.create(actor, { name, ...rest });
      return reply(group, origin.baseUrl, `${origin.baseUrl}/api${base}/${group.id}`);
    },
  });

const putGroupListDelete = ({ base, requests, groups }: GroupRouteContext): Route =>
  route(`PUT ${base}/list/delete`, {
    servedOnFullDisk: true,
    needs: groupPolicy.delete,
    summary: 'Deletes groups, all or none',
    body: Identifiers,
    example: { body: NOBODY },
    success: 204,
    errors: NOT_DELETED,
    handle: async ({ actor, body }) =>
      requests.deleteListed(body.identifiers, (ids) => groups.removeAll(actor, ids)),
  });

const putGroupComponent = ({ base, shown, reply, groups }: GroupRouteContext): Route =>
  route(`PUT ${base}/:id/component`, {
    needs: groupPolicy.update,
    summary: 'Replaces all permissions of a group',
    description: 'All or nothing: a failed request changes no permission.',
    params: IdParams,
    body: GroupComponentsInput,
    example: { params: { id: 1 }, body: EVERYTHING },
    answer: shown.one.answer,
    errors: NOT_CHANGED,
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      requireSameId(body, params.id);
      const change = groupChange(body);
      if (!change.components)
        throw new BadInput('BAD_REQUEST', 'The components are missing.', {
          path: ['components'],
        });
      return reply(await groups.update(actor, params.id, change, expectedVersion), origin.baseUrl);
    },
  });

const putGroupById = ({ base, shown, reply, groups }: GroupRouteContext): Route =>
  route(`PUT ${base}/:id`, {
    needs: groupPolicy.update,
    summary: 'Changes name, description and, if given, all permissions of a group',
    params: IdParams,
    body: GroupInput,
    example: { params: { id: 2 }, body: { name: USER_GROUP } },
    answer: shown.one.answer,
    errors: NOT_CHANGED,
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      requireSameId(body, params.id);
      return reply(
        await groups.update(actor, params.id, groupChange(body), expectedVersion),
        origin.baseUrl,
      );
    },
  });

const deleteGroupIcon = ({ base, groups }: GroupRouteContext): Route =>
  route(`DELETE ${base}/:id/icon`, {
    needs: groupPolicy.update,
    summary: 'Removes the icon of a group',
    params: IdParams,
    success: 204,
    errors: ['GROUP_NOT_FOUND'],
    record: 'changed',
    handle: async ({ actor, params, expectedVersion }) =>
      recordReply(undefined, await groups.setIcon(actor, params.id, null, expectedVersion)),
  });

const deleteGroupById = ({ base, groups }: GroupRouteContext): Route =>
  route(`DELETE ${base}/:id`, {
    needs: groupPolicy.delete,
    summary: 'Deletes a group without members',
    params: IdParams,
    success: 204,
    errors: NOT_DELETED,
    record: 'deleted',
    handle: async ({ actor, params, expectedVersion }) =>
      void (await groups.remove(actor, params.id, expectedVersion)),
  });

/** Routes of groups under `/userGroup` or `/role`. Both paths behave the same. */
const groupRoutesAt = (
  base: '/userGroup' | '/role',
  services: Services,
  presenters: Presenters,
): Route[] => {
  const context = groupRouteContext(base, services, presenters);
  return [
    getGroupAll,
    getGroupExistsByName,
    getGroupById,
    postGroup,
    putGroupListDelete,
    putGroupComponent,
    putGroupById,
    deleteGroupIcon,
    deleteGroupById,
  ].map((create) => create(context));
};

export function groupRoutes(services: Services, presenters: Presenters): Route[] {
  const { groups: shown } = presenters;
  const { groups, directory } = services;
  const reply = replyWith(shown);
  return [
    ...groupRoutesAt('/userGroup', services, presenters),
    ...groupRoutesAt('/role', services, presenters),
    route('GET /component/all', {
      needs: groupPolicy.read,
      summary: 'Lists all components',
      answer: shown.components.answer,
      handle: async () => shown.components([...directory.current().components.values()]),
    }),
    route('POST /storage/groupIcon', {
      needs: groupPolicy.update,
      tag: 'Files',
      summary: 'Sets the icon of a group',
      upload: { part: 'file' },
      body: z.object({ userGroupId: BodyId }),
      answer: shown.one.answer,
      errors: ['GROUP_NOT_FOUND', 'WRONG_FORMAT'],
      record: 'changed',
      handle: async ({ actor, body, file, origin, expectedVersion }) =>
        reply(
          await groups.setIcon(
            actor,
            body.userGroupId,
            file?.bytes ?? Buffer.alloc(0),
            expectedVersion,
          ),
          origin.baseUrl,
        ),
    }),
  ];
}
