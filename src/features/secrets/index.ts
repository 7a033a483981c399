import { createSecrets } from './secret.service';
import type { Secrets } from './secret.service';
import { secretPolicy } from './secret.policy';
import type { Feature } from '../../feature';
import { WorkflowsOfSecretResolver } from './secret-users.graphql';
import { SecretResolver } from './secret.graphql';
import { documentedSecrets } from './secret.presenter';
import { secretRoutes } from './secret.rest';

declare module '../../platform/context' {
  interface Services {
    secretParts: Secrets;
  }
}

export const secretsFeature: Feature = {
  services: {
    secretParts: ({ core: { store }, services: { audit, workflows }, vault }) =>
      createSecrets({ store, audit, vault, workflows }),
    secrets: ({ services }) => services.secretParts.service,
  },
  sealed: ({ secretParts }) => [secretParts.opening],
  search: ({ secrets }) => ({
    type: 'Secret',
    need: secretPolicy.read,
    find: (...of) => secrets.searchTitles(...of),
  }),
  tags: { Secrets: 'Values that steps use by their names, each sent to its own origins only.' },
  resolvers: [SecretResolver, WorkflowsOfSecretResolver],
  presenters: { secrets: documentedSecrets },
  routes: ({ services, presenters }) => secretRoutes(services, presenters),
};
