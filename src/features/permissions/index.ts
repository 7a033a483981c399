import type { Feature } from '../../platform/feature';
import { PermissionResolver } from './permission.graphql';
import { documentedPermissions } from './permission.presenter';
import { permissionRoutes } from './permission.rest';

export const permissionsFeature: Feature = {
  tags: { Permissions: 'The names of what may be done with a component.' },
  resolvers: [PermissionResolver],
  presenters: { permissions: documentedPermissions },
  routes: ({ services, presenters }) => permissionRoutes(services, presenters),
};
