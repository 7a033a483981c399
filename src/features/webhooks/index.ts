import { createWebhookRecords } from './webhook-records';
import type { WebhookRecords } from './webhook-records';
import { createWebhookTokens } from './webhook-tokens';
import { createWebhookService } from './webhook.service';
import type { Feature } from '../../feature';
import { WebhookOfScheduleResolver, WebhookResolver } from './webhook.graphql';
import { documentedWebhooks } from './webhook.presenter';
import { webhookRoutes } from './webhook.rest';

declare module '../../platform/context' {
  interface Services {
    webhookRecords: WebhookRecords;
  }
}

export const webhooksFeature: Feature = {
  services: {
    webhookRecords: ({ core: { store, clock }, services, vault, tokenSecret }) =>
      createWebhookRecords({
        store,
        clock,
        vault,
        tokens: createWebhookTokens(tokenSecret),
        release: (...of) => services.schedules.release(...of),
      }),
    webhooks: ({
      core: { store, clock, log },
      config,
      services: { audit, webhookRecords, schedules, userRecords, workflows },
      runMarks,
    }) =>
      createWebhookService({
        store,
        audit,
        clock,
        config,
        records: webhookRecords,
        schedules,
        users: userRecords,
        workflows,
        marks: runMarks,
        onFault: (error, runId) =>
          log.error({ err: error, runId }, 'A run failed because of an internal error.'),
      }),
  },
  sealed: ({ webhookRecords }) => [webhookRecords.sealing],
  async prepare({ services }) {
    await services.webhookRecords.rehash();
  },
  tags: { Webhooks: 'What starts schedules for whoever knows its URL.' },
  resolvers: [WebhookOfScheduleResolver, WebhookResolver],
  presenters: { webhooks: documentedWebhooks },
  routes: ({ services, presenters }) => webhookRoutes(services, presenters),
};
