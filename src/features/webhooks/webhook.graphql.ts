import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/needs';
import { registerNode } from '../../platform/graphql/node';
import { payload } from '../../platform/graphql/payload';
import { linkedSchedule } from '../schedules/schedule.loader';
import type { ScheduleRecord } from '../schedules/schedule.model';
import { Schedule } from '../schedules/schedule.types';
import type { WebhookRecord } from './webhook.model';
import { webhookPolicy } from './webhook.policy';
import { webhookNotFound } from './webhook.rules';
import { Webhook, WebhookCreateInput, WebhookDeleteInput, WebhookPayload } from './webhook.types';
import { webhookUrl } from './webhook-url';

@Resolver(() => Webhook)
export class WebhookResolver {
  @FieldResolver(() => String, {
    description:
      'Whoever calls it, with GET or POST, starts the schedule. Keep it as you would a password.',
  })
  url(@Root() record: WebhookRecord, @Ctx() { services, origin }: GraphqlContext): string {
    return webhookUrl(services.webhooks.tokenOf(record), origin.baseUrl);
  }

  @FieldResolver(() => Schedule, {
    nullable: true,
    description:
      'The schedule that it starts; null when that is deleted, and when it is not for the signed-in user to read.',
  })
  schedule(
    @Root() { scheduleId }: WebhookRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ScheduleRecord | null> {
    return linkedSchedule(context, scheduleId);
  }

  @Mutation(() => WebhookPayload, {
    description: 'Gives a schedule a webhook, in your name. A schedule has one at most.',
  })
  @Needs(webhookPolicy.create)
  webhookCreate(
    @Arg('input', () => WebhookCreateInput, { description: 'What it starts.' })
    { scheduleId }: WebhookCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('webhook', (ids) =>
      services.webhooks.create(actor, ids.read('Schedule', scheduleId, ['scheduleId'])),
    );
  }

  @Mutation(() => WebhookPayload, {
    description: 'Revokes a webhook: whoever calls it from now on starts nothing.',
  })
  @Needs(webhookPolicy.delete)
  webhookDelete(
    @Arg('input', () => WebhookDeleteInput, { description: 'Which webhook.' })
    { id }: WebhookDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('webhook', async (ids) => {
      const removed = await services.webhooks.remove(actor, ids.read('Webhook', id));
      if (!removed) throw webhookNotFound(['id']);
      return removed;
    });
  }
}

@Resolver(() => Schedule)
export class WebhookOfScheduleResolver {
  @FieldResolver(() => Webhook, {
    nullable: true,
    description:
      'Its webhook; null when it has none, and when the signed-in user may not start the schedule.',
  })
  async webhook(
    @Root() { _id }: ScheduleRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<WebhookRecord | null> {
    if (!allows(webhookPolicy.read, context.actor)) return null;
    const webhooks = context.loader<number, WebhookRecord>('webhooksOfSchedules', async (ids) => {
      const found = await context.services.webhooks.ofSchedules(ids);
      return ids.map((id) => found.get(id) ?? null);
    });
    return webhooks.load(_id);
  }
}

registerNode(
  'Webhook',
  (id, context) =>
    context
      .loader<number, WebhookRecord>('webhooks', (ids) => context.services.webhooks.byIds(ids))
      .load(id),
  webhookPolicy.read,
);
