import { PermissionService } from './permission.service';
import type { Feature } from '../../feature';
import { PermissionResolver } from './permission.graphql';
import { documentedPermissions, permissionRoutes, releasedPermissions } from './permission.rest';

export const permissionsFeature: Feature = {
  services: {
    permissions: ({ core: { store }, services: { audit, directory, groupRecords } }) =>
      new PermissionService({ store, audit, directory, groups: groupRecords }),
  },
  tags: { Permissions: 'Names of actions on components.' },
  resolvers: [PermissionResolver],
  presenters: { permissions: documentedPermissions },
  releasedPresenters: { permissions: releasedPermissions },
  routes: ({ services, presenters }) => permissionRoutes(services, presenters),
};
