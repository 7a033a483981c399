import { WorkflowBodies } from './body/workflow-bodies';
import { WorkflowExchangeService } from './exchange/workflow-exchange.service';
import { TemplateImportService } from './template-import.service';
import { TemplateRecords } from './template-records';
import { templatePolicy } from './template.policy';
import { TemplateService } from './template.service';
import type { Feature } from '../../feature';
import { WorkflowExchangeResolver } from './exchange/workflow-exchange.graphql';
import { TemplateResolver } from './template.graphql';
import { documentedTemplates, releasedTemplates } from './template.presenter';
import { templateUploadRoutes } from './template-upload.rest';
import { templateRoutes } from './template.rest';

declare module '../../platform/context' {
  interface Services {
    templateRecords: TemplateRecords;
    workflowBodies: WorkflowBodies;
  }
}

export const templatesFeature: Feature = {
  services: {
    templateImports: ({
      core: { store },
      config,
      contained,
      services: { jobs, templateRecords },
    }) =>
      new TemplateImportService(
        { store, records: templateRecords, jobs, contained },
        config.limits.uploadBytes,
      ),
    templateRecords: ({ core: { store, clock }, services: { audit } }) =>
      new TemplateRecords({ store, clock }, audit),
    templates: ({ core: { store }, services: { templateRecords, workflowBodies } }) =>
      new TemplateService(store, templateRecords, workflowBodies),
    workflowBodies: ({ services: { workflows, connectorCatalog, aggregatorCatalog } }) =>
      new WorkflowBodies({
        workflows,
        connectors: connectorCatalog,
        aggregators: aggregatorCatalog,
      }),
    workflowExchange: ({ config, services: { workflowBodies }, largeInputs }) =>
      new WorkflowExchangeService(workflowBodies, largeInputs, config.limits.workflowBytes),
  },
  search: ({ templates }) => ({
    type: 'Template',
    need: templatePolicy.read,
    find: (...of) => templates.searchTitles(...of),
  }),
  tags: {
    Templates: 'Workflows without connectors and secrets, from which workflows are created.',
  },
  resolvers: [TemplateResolver, WorkflowExchangeResolver],
  presenters: { templates: documentedTemplates },
  releasedPresenters: { templates: releasedTemplates },
  routes: ({ services, presenters }) => [
    ...templateRoutes(services, presenters),
    ...templateUploadRoutes(services, presenters),
  ],
};
