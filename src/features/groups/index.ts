import type { Feature } from '../../platform/feature';
import { GroupResolver } from './group.graphql';
import { documentedGroups } from './group.presenter';
import { groupRoutes } from './group.rest';

export const groupsFeature: Feature = {
  tags: { 'User groups': 'Groups of users, also called roles, and what they may do.' },
  resolvers: [GroupResolver],
  presenters: { groups: documentedGroups },
  routes: ({ services, presenters }) => groupRoutes(services, presenters),
};
