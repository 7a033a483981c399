import type { Feature } from '../../platform/feature';
import { WebhookOfScheduleResolver, WebhookResolver } from './webhook.graphql';
import { documentedWebhooks } from './webhook.presenter';
import { webhookRoutes } from './webhook.rest';

export const webhooksFeature: Feature = {
  tags: { Webhooks: 'What starts schedules for whoever knows its URL.' },
  resolvers: [WebhookOfScheduleResolver, WebhookResolver],
  presenters: { webhooks: documentedWebhooks },
  routes: ({ services, presenters }) => webhookRoutes(services, presenters),
};
