import { WebhookCalls } from './webhook-calls.service';
import { WebhookRecords } from './webhook-records';
import { WebhookService } from './webhook.service';
import type { Feature } from '../../feature';
import { WebhookResolver } from './webhook.graphql';
import { documentedWebhooks, releasedWebhooks } from './webhook.presenter';
import { webhookRoutes } from './webhook.rest';

declare module '../../platform/context' {
  interface Services {
    webhookRecords: WebhookRecords;
  }
}

export const webhooksFeature: Feature = {
  services: {
    webhookCalls: ({ core, config, services, runMarks }) =>
      new WebhookCalls({
        core,
        limits: config.limits,
        webhooks: services.webhooks,
        scheduleRuns: services.scheduleRuns,
        workflows: services.workflows,
        marks: runMarks,
      }),
    webhookRecords: ({ core, services: { scheduleRecords }, vault, tokenSecret }) =>
      new WebhookRecords({ core, vault, secret: tokenSecret, schedules: scheduleRecords }),
    webhooks: ({ core, services }) =>
      new WebhookService({
        core,
        audit: services.audit,
        records: services.webhookRecords,
        schedules: services.scheduleRecords,
        users: services.userRecords,
        apiTokens: services.apiTokens,
      }),
  },
  sealed: ({ webhookRecords }) => [webhookRecords.sealing],
  prepare: ({ services }) => services.webhookRecords.rehash(),
  tags: { Webhooks: 'Start schedules by requests to secret URLs.' },
  resolvers: [WebhookResolver],
  presenters: { webhooks: documentedWebhooks },
  releasedPresenters: { webhooks: releasedWebhooks },
  routes: ({ services, presenters }) => webhookRoutes(services, presenters),
};
