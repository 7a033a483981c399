import { createDirectoryService } from './directory.service';
import { createGroupService } from './group.service';
import type { Feature } from '../../feature';
import { GroupResolver } from './group.graphql';
import { documentedGroups } from './group.presenter';
import { groupRoutes } from './group.rest';

export const groupsFeature: Feature = {
  services: {
    directory: ({ core }) => createDirectoryService(core),
    groups: ({ core: { store }, services: { audit, directory, users }, uploads }) =>
      createGroupService({ store, audit, directory, users, uploads }),
  },
  tags: { 'User groups': 'Groups of users, also called roles, and what they may do.' },
  resolvers: [GroupResolver],
  presenters: { groups: documentedGroups },
  routes: ({ services, presenters }) => groupRoutes(services, presenters),
};
