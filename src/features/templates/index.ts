import { createWorkflowExchange } from './exchange/workflow-exchange.service';
import { templatePolicy } from './template.policy';
import { createTemplateService } from './template.service';
import type { Feature } from '../../feature';
import { WorkflowExchangeResolver } from './exchange/workflow-exchange.graphql';
import { templateUploadRoutes } from './template-upload.rest';
import { TemplateResolver } from './template.graphql';
import { documentedTemplates } from './template.presenter';
import { templateRoutes } from './template.rest';

export const templatesFeature: Feature = {
  services: {
    templates: ({
      core: { store, clock },
      config,
      services: { audit, jobs, workflows, connectorCatalog, knownAggregators },
      contained,
    }) =>
      createTemplateService({
        store,
        clock,
        audit,
        jobs,
        workflows,
        connectors: connectorCatalog,
        aggregators: knownAggregators,
        uploadBytes: config.limits.uploadBytes,
        contained,
      }),
    workflowExchange: ({ services: { workflows, connectorCatalog, knownAggregators }, largeBodies }) =>
      createWorkflowExchange({
        workflows,
        connectors: connectorCatalog,
        aggregators: knownAggregators,
        largeInputs: largeBodies.signedIn,
      }),
  },
  search: ({ templates }) => ({
    type: 'Template',
    need: templatePolicy.read,
    find: (...of) => templates.searchTitles(...of),
  }),
  tags: { Templates: 'Workflows without connectors and secrets, to be made into workflows.' },
  resolvers: [TemplateResolver, WorkflowExchangeResolver],
  presenters: { templates: documentedTemplates },
  routes: ({ services, presenters }) => [
    ...templateRoutes(services, presenters),
    ...templateUploadRoutes(services, presenters),
  ],
};
