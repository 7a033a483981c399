import { hostname } from 'node:os';
import type { Feature } from '../../feature';
import { MailSender } from '../../platform/mail/mail-sender';
import { deliveryGauges } from './delivery-gauges';
import { DeliveryWorker } from './delivery-worker';
import { DeliveryResolver } from './delivery.graphql';
import { deliveryRoutes } from './delivery.rest';
import { DeliveryService } from './delivery.service';
import { Outbox } from './outbox';
import { mailTo, webhookOf } from './send';

declare module '../../platform/context' {
  interface Services {
    mails: { readonly sender: MailSender | null };
    deliveryWorkers: readonly DeliveryWorker[];
  }
}

/** Mails sent at once: more connections than this are refused by some servers. */
const MAILS_AT_ONCE = 3;
const WEBHOOKS_AT_ONCE = 4;

export const outboxFeature: Feature = {
  services: {
    mails: ({ config }) => ({ sender: config.mail && new MailSender(config.mail) }),
    outbox: ({ core, config, vault }) =>
      new Outbox(
        core,
        vault,
        config.server.publicUrl === null ? hostname() : new URL(config.server.publicUrl).hostname,
      ),
    deliveries: ({ core, config, services: { audit, outbox } }) =>
      new DeliveryService({
        core,
        audit,
        outbox,
        missingMailKeys: config.notifications.missingMailKeys,
      }),
    deliveryWorkers: ({ core, config, outbound, services: { mails, outbox } }) => [
      new DeliveryWorker({
        core,
        outbox,
        channel: 'email',
        atOnce: MAILS_AT_ONCE,
        send: mailTo(mails.sender, config.notifications.missingMailKeys),
      }),
      new DeliveryWorker({
        core,
        outbox,
        channel: 'incoming_webhook',
        atOnce: WEBHOOKS_AT_ONCE,
        send: webhookOf(outbound),
      }),
    ],
  },
  sealed: ({ outbox }) => [outbox.sealing],
  gauges: ({ services: { outbox } }) => deliveryGauges(outbox),
  async prepare({ services: { deliveryWorkers } }) {
    for (const worker of deliveryWorkers) await worker.release();
  },
  startRecurring({ services: { deliveries, deliveryWorkers } }) {
    for (const each of [...deliveries.cleanups, ...deliveryWorkers]) each.start();
  },
  async stop({ services: { deliveries, deliveryWorkers } }) {
    await Promise.all([...deliveries.cleanups, ...deliveryWorkers].map((each) => each.stop()));
  },
  tags: { Messages: 'Mails and calls of webhooks: what was sent, what failed, and what waits.' },
  resolvers: [DeliveryResolver],
  routes: ({ services }) => deliveryRoutes(services),
};
