import type { Feature } from '../../feature';
import { ApiTokenAuthenticator } from './api-token-authenticator';
import { createApiTokenCommands } from './api-token-commands';
import { ApiTokenResolver, ApiTokensOfUserResolver } from './api-token.graphql';
import { apiTokenRoutes } from './api-token.rest';
import { ApiTokenService } from './api-token.service';

declare module '../../platform/context' {
  interface Services {
    apiTokenAuthenticator: ApiTokenAuthenticator;
  }
}

export const apiTokensFeature: Feature = {
  services: {
    apiTokens: ({ core, services: { audit, userRecords, userPermissions } }) =>
      new ApiTokenService({ core, audit, users: userRecords, permissions: userPermissions }),
    apiTokenAuthenticator: ({ core, services, runMarks }) =>
      new ApiTokenAuthenticator({
        core,
        marks: runMarks,
        tokens: services.apiTokens,
        users: services.userRecords,
        directory: services.directory,
      }),
  },
  commands: ({ apiTokens, userRecords }) => createApiTokenCommands(apiTokens, userRecords),
  tags: { 'API tokens': 'Credentials for programs, with some of the rights of their owner.' },
  resolvers: [ApiTokenResolver, ApiTokensOfUserResolver],
  routes: ({ services }) => apiTokenRoutes(services),
};
