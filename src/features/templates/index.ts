import type { Feature } from '../../platform/feature';
import { WorkflowExchangeResolver } from './exchange/workflow-exchange.graphql';
import { templateUploadRoutes } from './template-upload.rest';
import { TemplateResolver } from './template.graphql';
import { documentedTemplates } from './template.presenter';
import { templateRoutes } from './template.rest';

export const templatesFeature: Feature = {
  tags: { Templates: 'Workflows without connectors and secrets, to be made into workflows.' },
  resolvers: [TemplateResolver, WorkflowExchangeResolver],
  presenters: { templates: documentedTemplates },
  routes: ({ services, presenters }) => [
    ...templateRoutes(services, presenters),
    ...templateUploadRoutes(services, presenters),
  ],
};
