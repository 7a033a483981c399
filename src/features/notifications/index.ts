import { baseUrlOf } from '../../config/addresses';
import type { Feature } from '../../feature';
import { messageRoutes } from './message.rest';
import { MessageTemplateService } from './message-template.service';
import { NotificationRecords } from './notification-records';
import { NotificationSender } from './notification-sender';
import { MessageTemplateResolver, NotificationResolver } from './notification.graphql';
import { notificationRoutes } from './notification.rest';
import { NotificationService } from './notification.service';

export const notificationsFeature: Feature = {
  services: {
    messageTemplates: ({ core, services: { audit, notificationRecords, aggregatorCatalog } }) =>
      new MessageTemplateService({
        core,
        audit,
        notifications: notificationRecords,
        aggregators: aggregatorCatalog,
      }),
    notificationRecords: ({ core, config }) =>
      new NotificationRecords(core, config.notifications.failuresEmail !== null),
    notifications: ({ core, config, services }) =>
      new NotificationService({
        core,
        audit: services.audit,
        records: services.notificationRecords,
        templates: services.messageTemplates,
        schedules: services.scheduleRecords,
        missingMailKeys: config.notifications.missingMailKeys,
      }),
    notificationSender: ({ core, config, services, port }) =>
      new NotificationSender({
        core,
        config: config.notifications,
        outbox: services.outbox,
        notifications: services.notificationRecords,
        schedules: services.scheduleRecords,
        users: services.userRecords,
        baseUrl: baseUrlOf(config.server, port),
      }),
  },
  startRecurring: ({ services }) => services.notificationSender.start(),
  stop: ({ services }) => services.notificationSender.stop(),
  tags: {
    Notifications: 'Mails and calls of webhooks when runs of schedules start, succeed or fail.',
  },
  resolvers: [MessageTemplateResolver, NotificationResolver],
  routes: ({ services, config, presenters }) => [
    ...messageRoutes(services, presenters, config.notifications.webhookUrls),
    ...notificationRoutes(services, presenters),
  ],
};
