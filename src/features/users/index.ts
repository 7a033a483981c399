import type { Feature } from '../../platform/feature';
import { UserOfAuditActorResolver, UserOfAuthorResolver } from './author-links.graphql';
import { UsersOfGroupResolver } from './group-users.graphql';
import { pictureRoutes } from './picture.rest';
import { UserChangesResolver } from './user-changes.graphql';
import { UserResolver } from './user.graphql';
import { documentedUsers } from './user.presenter';
import { userRoutes } from './user.rest';

export const usersFeature: Feature = {
  tags: {
    Files: 'Pictures of users, icons of groups and connectors.',
    Users: 'Accounts, their details, passwords and groups.',
  },
  resolvers: [
    UserChangesResolver,
    UserOfAuditActorResolver,
    UserOfAuthorResolver,
    UserResolver,
    UsersOfGroupResolver,
  ],
  presenters: { users: documentedUsers },
  routes: ({ services, presenters }) => [
    ...userRoutes(services, presenters),
    ...pictureRoutes(services, presenters),
  ],
};
