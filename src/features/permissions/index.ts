import { createPermissionService } from './permission.service';
import type { Feature } from '../../feature';
import { PermissionResolver } from './permission.graphql';
import { documentedPermissions } from './permission.presenter';
import { permissionRoutes } from './permission.rest';

export const permissionsFeature: Feature = {
  services: {
    permissions: ({ core: { store }, services: { audit, directory, groups } }) =>
      createPermissionService({ store, audit, directory, groups }),
  },
  tags: { Permissions: 'The names of what may be done with a component.' },
  resolvers: [PermissionResolver],
  presenters: { permissions: documentedPermissions },
  routes: ({ services, presenters }) => permissionRoutes(services, presenters),
};
