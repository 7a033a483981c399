import { SecretNames } from './secret-names';
import { SecretValues } from './secret-values';
import { secretPolicy } from './secret.policy';
import { SecretService } from './secret.service';
import type { Feature } from '../../feature';
import { SecretResolver } from './secret.graphql';
import { documentedSecrets, secretRoutes } from './secret.rest';

declare module '../../platform/context' {
  interface Services {
    secretNames: SecretNames;
    secretValues: SecretValues;
  }
}

export const secretsFeature: Feature = {
  services: {
    secretNames: ({ core: { store } }) => new SecretNames(store),
    secretValues: ({ core: { store }, vault }) => new SecretValues(store, vault),
    secrets: ({ core: { store }, services: { audit, secretValues, workflowReferences } }) =>
      new SecretService({ store, audit, values: secretValues, workflowReferences }),
  },
  sealed: ({ secretValues }) => [secretValues],
  search: ({ secrets }) => ({
    type: 'Secret',
    need: secretPolicy.read,
    find: (...of) => secrets.searchTitles(...of),
  }),
  tags: { Secrets: 'Values that steps use by name, each sent only to its own origins.' },
  resolvers: [SecretResolver],
  presenters: { secrets: documentedSecrets },
  routes: ({ services, presenters }) => secretRoutes(services, presenters),
};
