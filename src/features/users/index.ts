import { AccountNotices } from './account-notices';
import { DirectoryAccounts } from './directory-accounts';
import { Seed } from './seed.service';
import { createUserCommands } from './user-commands.service';
import { UserCredentials } from './user-credentials';
import { UserDeletion } from './user-deletion.service';
import type { UserOwnedRecords } from './user-deletion.service';
import { PictureService } from './user-picture.service';
import { UserPasswordService } from './user-password.service';
import { UserPermissions } from './user.policy';
import { UserRecords } from './user-records';
import { UserService } from './user.service';
import { UserStateService } from './user-state.service';
import type { Feature } from '../../feature';
import type { Services } from '../../platform/context';
import { pictureRoutes } from './picture.rest';
import { UserChangesResolver } from './user-changes.graphql';
import {
  UserOfAuditActorResolver,
  UserOfAuthorResolver,
  UserResolver,
  UsersOfGroupResolver,
} from './user.graphql';
import { documentedUsers, releasedUsers } from './user.presenter';
import { userRoutes } from './user.rest';
import { userStateRoutes } from './user-state.rest';

declare module '../../platform/context' {
  interface Services {
    accountNotices: AccountNotices;
    directoryAccounts: DirectoryAccounts;
    /** Fills an empty store. */
    seed: Seed;
    userCredentials: UserCredentials;
  }
}

/** What users get in with: it ends when they are disabled, too. */
const accessOf = (services: Services): readonly UserOwnedRecords[] => [
  services.sessions,
  services.apiTokens,
  { removeOf: (ids, tx) => services.secondFactorRecords.endLoginsOf(ids, tx) },
  services.passwordLinks,
  services.webhookRecords,
];

export const usersFeature: Feature = {
  services: {
    pictures: ({ services: { users, userRecords }, uploads }) =>
      new PictureService(users, userRecords, uploads),
    seed: ({ core, services: { directory, userRecords }, passwords }) =>
      new Seed({ core, directory, users: userRecords, passwords }),
    directoryAccounts: ({ core, services }) =>
      new DirectoryAccounts({
        core,
        audit: services.audit,
        records: services.userRecords,
        deletion: services.userDeletion,
        permissions: services.userPermissions,
        groups: services.directory,
        passwords: services.ldapDirectory,
        secondFactors: services.secondFactorRecords,
        sessions: services.sessions,
      }),
    accountNotices: ({ core, config, services, vault }) =>
      new AccountNotices({
        core,
        outbox: services.outbox,
        isPossible: () => config.mail !== null && vault.isUnlocked,
        publicUrl: config.server.publicUrl,
      }),
    userCredentials: ({ config, services, passwords, lockouts }) =>
      new UserCredentials(
        {
          users: services.userRecords,
          access: { sessions: services.sessions, links: services.passwordLinks },
          passwords,
          lockout: lockouts.logins,
          directory: services.directoryAccounts,
          notices: services.accountNotices,
        },
        config.password.requireCurrent,
      ),
    userDeletion: ({ core, services, uploads }) =>
      new UserDeletion({
        core,
        records: services.userRecords,
        permissions: services.userPermissions,
        uploads,
        owned: [
          ...accessOf(services),
          services.scheduleRecords,
          services.secondFactorRecords,
          services.widgetSettings,
          services.editorSettings,
          { removeOf: (ids, tx) => services.presenceRecords.removeOfUsers(ids, tx) },
          { removeOf: (ids, tx) => services.draftRecords.removeOfUsers(ids, tx) },
        ],
      }),
    userPermissions: ({ services: { userRecords, directory } }) =>
      new UserPermissions(userRecords, directory),
    userRecords: ({ core: { store }, services: { audit } }) => new UserRecords(store, audit),
    userPasswords: ({ core, services }) =>
      new UserPasswordService({
        core,
        records: services.userRecords,
        permissions: services.userPermissions,
        credentials: services.userCredentials,
      }),
    userStates: ({ core, services }) =>
      new UserStateService({
        core,
        records: services.userRecords,
        permissions: services.userPermissions,
        access: accessOf(services),
      }),
    users: ({ core, services, uploads }) =>
      new UserService({
        core,
        records: services.userRecords,
        permissions: services.userPermissions,
        credentials: services.userCredentials,
        directory: services.directory,
        uploads,
      }),
  },
  commands: ({
    users,
    userPasswords: passwords,
    userStates: states,
    userRecords: records,
    directory,
  }) => createUserCommands({ users, passwords, states, records, directory }),
  prepare: ({ config, services }, print) => services.seed.run(config.administrator, print),
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
  releasedPresenters: { users: releasedUsers },
  routes: ({ services, presenters }) => [
    ...userRoutes(services, presenters),
    ...userStateRoutes(services, presenters),
    ...pictureRoutes(services, presenters),
  ],
};
