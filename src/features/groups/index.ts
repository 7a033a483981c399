import { DirectoryService } from './directory.service';
import { GroupAdoption } from './group-adoption.service';
import { GroupRecords } from './group-records';
import { GroupService } from './group.service';
import type { Feature } from '../../feature';
import { GroupResolver } from './group.graphql';
import { documentedGroups, releasedGroups } from './group.presenter';
import { groupRoutes } from './group.rest';

declare module '../../platform/context' {
  interface Services {
    groupRecords: GroupRecords;
  }
}

export const groupsFeature: Feature = {
  services: {
    directory: ({ core }) => new DirectoryService(core),
    groupAdoption: ({ core: { store }, services: { groupRecords, directory } }) =>
      new GroupAdoption({ store, records: groupRecords, directory }),
    groupRecords: ({ core: { store }, services: { audit } }) => new GroupRecords(store, audit),
    groups: ({ core: { store }, services: { groupRecords, directory, userRecords }, uploads }) =>
      new GroupService({ store, records: groupRecords, directory, users: userRecords, uploads }),
  },
  tags: { 'User groups': 'Groups of users, also called roles, and what they may do.' },
  resolvers: [GroupResolver],
  presenters: { groups: documentedGroups },
  releasedPresenters: { groups: releasedGroups },
  routes: ({ services, presenters }) => groupRoutes(services, presenters),
};
