import { z } from 'zod';
import { ACTIONS } from '../../platform/access/catalogue';
import type { Services } from '../../platform/context';
import { Refused } from '../../platform/errors/errors';
import { presenter } from '../../platform/http/presenters';
import type { Presenter, Presenters } from '../../platform/http/presenters';
import { recordReply } from '../../platform/http/record-version';
import { routesTagged } from '../../platform/http/route';
import type { Endpoint, Reply, Route } from '../../platform/http/route';
import { AnswerId, BodyId, IdParams } from '../../platform/http/scalars';
import { permissionPolicy } from './permission.policy';
import type { Permission } from './permission.service';

interface PermissionPresenters {
  readonly one: Presenter<[Permission]>;
  readonly list: Presenter<[readonly Permission[]]>;
}

declare module '../../platform/http/presenters' {
  interface Presenters {
    readonly permissions: PermissionPresenters;
  }
}

/** Spec 2.5. */
const PermissionBody = z
  .object({ enhanceId: AnswerId, name: z.string(), description: z.string().nullable() })
  .meta({ id: 'Permission' });
const PermissionList = z
  .object({ _embedded: z.object({ permissionResources: z.array(PermissionBody) }) })
  .meta({ id: 'PermissionList' });

const present = ({ id, name, description }: Permission): z.output<typeof PermissionBody> => ({
  enhanceId: id,
  name,
  description,
});

export const documentedPermissions: PermissionPresenters = {
  one: presenter(PermissionBody, present),
  list: presenter(PermissionList, (permissions: readonly Permission[]) => ({
    _embedded: { permissionResources: permissions.map(present) },
  })),
};

const ReleasedPermission = z
  .object({ permissionId: AnswerId, name: z.string(), description: z.string().nullable() })
  .meta({ id: 'ReleasedPermission' });
const presentReleased = ({ id, name, description }: Permission) => ({
  permissionId: id,
  name,
  description,
});

export const releasedPermissions: PermissionPresenters = {
  one: presenter(ReleasedPermission, presentReleased),
  list: presenter(ReleasedPermission.array(), (permissions: readonly Permission[]) =>
    permissions.map(presentReleased),
  ),
};

const route = routesTagged('Permissions');

const PermissionInput = z
  .object({ enhanceId: BodyId.nullish(), name: z.string(), description: z.string().nullish() })
  .meta({ id: 'PermissionInput' });

const addressOf = ({ id }: Permission, baseUrl: string): string =>
  `${baseUrl}/api/permission/${id}`;

const permissionRouteContext = ({ permissions }: Services, { permissions: shown }: Presenters) => {
  const reply = (permission: Permission, location?: string): Reply =>
    recordReply(shown.one(permission), permission, location);
  const list = (endpoint: Endpoint, description?: string): Route =>
    route(endpoint, {
      servedOnFullDisk: true,
      needs: permissionPolicy.read,
      summary: 'Lists all permissions',
      answer: shown.list.answer,
      statuses: { ACCESS_DENIED: 401 },
      description,
      handle: async () => shown.list(permissions.list()),
    });
  const remove = (path: `/${string}`, more: Partial<Pick<Route, 'description'>>): Route =>
    route(`DELETE ${path}`, {
      needs: permissionPolicy.delete,
      summary: 'Deletes a permission that no group grants',
      params: IdParams,
      success: 204,
      record: 'deleted',
      ...more,
      errors: ['PERMISSION_NOT_FOUND', 'USERGROUP_NOT_DELETED'],
      handle: async ({ actor, params, expectedVersion }) =>
        void (await permissions.remove(actor, params.id, expectedVersion)),
    });
  return { list, shown, reply, permissions, remove };
};
type PermissionRouteContext = ReturnType<typeof permissionRouteContext>;

const getPermissionById = ({ shown, reply, permissions }: PermissionRouteContext): Route =>
  route('GET /permission/:id', {
    needs: permissionPolicy.read,
    summary: 'Returns a permission',
    params: IdParams,
    example: { params: { id: 1 } },
    answer: shown.one.answer,
    errors: ['PERMISSION_NOT_FOUND'],
    record: 'shown',
    handle: async ({ params }) => reply(permissions.get(params.id)),
  });

const postPermission = ({ shown, permissions, reply }: PermissionRouteContext): Route =>
  route('POST /permission', {
    needs: permissionPolicy.create,
    summary: 'Creates a permission',
    body: PermissionInput,
    example: { body: { name: 'APPROVE', description: 'Approves what others changed.' } },
    invalidAs: 'WRONG_PERMISSION',
    success: 201,
    answer: shown.one.answer,
    record: 'shown',
    handle: async ({ actor, body, origin }) => {
      const permission = await permissions.create(actor, body);
      return reply(permission, addressOf(permission, origin.baseUrl));
    },
  });

const putPermissionById = ({ shown, permissions, reply }: PermissionRouteContext): Route =>
  route('PUT /permission/:id', {
    needs: permissionPolicy.update,
    summary: 'Changes name and description of a permission',
    params: IdParams,
    body: PermissionInput,
    example: { params: { id: 1 }, body: { name: ACTIONS[0] } },
    description:
      'Groups that grant the permission keep it under its new name. The four built-in permissions cannot be renamed.',
    invalidAs: 'CHANGE_DENIED',
    success: 201,
    answer: shown.one.answer,
    record: 'changed',
    handle: async ({ actor, params, body, origin, expectedVersion }) => {
      if (body.enhanceId != null && body.enhanceId !== params.id) {
        throw new Refused(
          'CHANGE_DENIED',
          `The body has permission id ${body.enhanceId}, the path ${params.id}.`,
          { path: ['enhanceId'] },
        );
      }
      const permission = await permissions.update(actor, params.id, body, expectedVersion);
      return reply(permission, addressOf(permission, origin.baseUrl));
    },
  });

/** Permission routes of spec 4.2. */
export const permissionRoutes = (services: Services, presenters: Presenters): Route[] => {
  const context = permissionRouteContext(services, presenters);
  const { list, remove } = context;
  return [
    list('GET /permission/all'),
    list('PUT /permission/all', 'Reads only; the documented method.'),
    getPermissionById(context),
    postPermission(context),
    putPermissionById(context),
    remove('/permission/:id', {}),
    remove('/:id', {
      description: 'The documented path. Prefer `DELETE /permission/{id}`.',
    }),
  ];
};
