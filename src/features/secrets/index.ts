import type { Feature } from '../../platform/feature';
import { WorkflowsOfSecretResolver } from './secret-users.graphql';
import { SecretResolver } from './secret.graphql';
import { documentedSecrets } from './secret.presenter';
import { secretRoutes } from './secret.rest';

export const secretsFeature: Feature = {
  tags: { Secrets: 'Values that steps use by their names, each sent to its own origins only.' },
  resolvers: [SecretResolver, WorkflowsOfSecretResolver],
  presenters: { secrets: documentedSecrets },
  routes: ({ services, presenters }) => secretRoutes(services, presenters),
};
