import { z } from 'zod';
import { presenter } from '../../platform/http/presenters';
import type { Presenter } from '../../platform/http/presenters';
import { AnswerId } from '../../platform/http/scalars';
import type { Permission } from './permission.service';

export interface PermissionPresenters {
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
