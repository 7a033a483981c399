import { createSeed } from './seed.service';
import { createUserCommands } from './user-commands.service';
import { createPictureService } from './user-picture.service';
import { createUserService } from './user.service';
import type { Feature } from '../../feature';
import { UserOfAuditActorResolver, UserOfAuthorResolver } from './author-links.graphql';
import { UsersOfGroupResolver } from './group-users.graphql';
import { pictureRoutes } from './picture.rest';
import { UserChangesResolver } from './user-changes.graphql';
import { UserResolver } from './user.graphql';
import { documentedUsers } from './user.presenter';
import { userRoutes } from './user.rest';

declare module '../../platform/context' {
  interface Services {
    /** Fills an empty store. */
    seed: ReturnType<typeof createSeed>;
  }
}

export const usersFeature: Feature = {
  services: {
    seed: ({ core: { store, clock, log }, services: { directory, users }, passwords }) =>
      createSeed({ store, clock, log, directory, users, passwords }),
    pictures: ({ services: { users }, uploads }) => createPictureService({ users, uploads }),
    users: ({
      core: { store, bus, clock },
      services: { audit, directory, sessions, widgetSettings, webhookRecords },
      lockout,
      passwords,
      uploads,
    }) =>
      createUserService({
        store,
        audit,
        bus,
        clock,
        directory,
        sessions,
        lockout,
        passwords,
        uploads,
        leavings: [widgetSettings, { removeOf: (...of) => webhookRecords.removeOfUsers(...of) }],
      }),
  },
  commands: ({ users, directory }) => createUserCommands({ users, directory }),
  prepare: ({ config, services }, tell) => services.seed(config.administrator, tell),
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
