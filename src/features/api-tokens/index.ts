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
    apiTokens: ({ core, services }) =>
      new ApiTokenService({
        core,
        audit: services.audit,
        users: services.userRecords,
        permissions: services.userPermissions,
        webhooks: services.webhookRecords,
      }),
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
