import { Ctx, FieldResolver, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import type { NotificationRecord } from '../notifications/notification.model';
import type { NotificationView } from '../notifications/notification.service';
import { NotificationType } from '../notifications/notification.types';
import type { WebhookRecord } from '../webhooks/webhook.model';
import { webhookPolicy } from '../webhooks/webhook.policy';
import { Webhook } from '../webhooks/webhook.types';
import { linkedSchedule } from './schedule.loader';
import type { ScheduleRecord } from './schedule.model';
import { Schedule } from './schedule.types';

@Resolver(() => Webhook)
export class ScheduleOfWebhookResolver {
  @FieldResolver(() => Schedule, {
    nullable: true,
    description:
      'The schedule that it starts. Null if it was deleted, or if the signed-in user may not read it.',
  })
  schedule(
    @Root() { scheduleId }: WebhookRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return linkedSchedule(context, scheduleId);
  }
}

@Resolver(() => Schedule)
export class WebhookOfScheduleResolver {
  @FieldResolver(() => Webhook, {
    nullable: true,
    description:
      'Its webhook. Null if it has none, or if the signed-in user may not start the schedule.',
  })
  async webhook(
    @Root() { _id }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WebhookRecord | null> {
    if (!allows(webhookPolicy.read, context.actor)) return null;
    const webhooks = context.loader<number, WebhookRecord>('webhooksOfSchedules', async (ids) => {
      const byId = await context.services.webhooks.ofSchedules(ids);
      return ids.map((id) => byId.get(id) ?? null);
    });
    return webhooks.load(_id);
  }
}

@Resolver(() => NotificationType)
export class ScheduleOfNotificationResolver {
  @FieldResolver(() => Schedule, {
    nullable: true,
    description: 'The schedule; null if it was deleted, or the user may not read it.',
  })
  schedule(
    @Root() { scheduleId }: NotificationRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return linkedSchedule(context, scheduleId);
  }
}

@Resolver(() => Schedule)
export class NotificationsOfScheduleResolver {
  @FieldResolver(() => [NotificationType], { description: 'Its notifications, by id.' })
  async notifications(
    @Root() { _id }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<readonly NotificationView[]> {
    const loader = context.loader<number, readonly NotificationView[]>(
      'notificationsOfSchedules',
      async (ids) => {
        const byId = await context.services.notifications.ofSchedules(context.actor, ids);
        return ids.map((id) => byId.get(id) ?? []);
      },
    );
    return (await loader.load(_id)) ?? [];
  }
}
