import {
  Field,
  ID,
  Int,
  InputType,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Mutation,
  Resolver,
  Root,
} from 'type-graphql';
import { allows } from '../../platform/access/need';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { Node, registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { IdInput, payloadType } from '../../platform/graphql/schema/record-types';
import type { ApiToken } from '../api-tokens/api-token.model';
import { linkedSchedule } from '../schedules/schedule.loader';
import type { ScheduleRecord } from '../schedules/schedule.model';
import { Schedule } from '../schedules/schedule.types';
import type { WebhookRecord } from './webhook.model';
import { webhookPolicy } from './webhook.policy';
import { webhookUrl } from './webhook.presenter';
import { webhookNotFound } from './webhook.service';
import { Author } from '../workflows/workflow.types';

@ObjectType({ description: 'The API token that a webhook was created with.' })
class WebhookApiToken {
  @Field(() => Int, { name: 'apiTokenId', description: 'Id. Not a global id.' })
  readonly id!: number;

  @Field(() => String, { description: 'What it is for, as its owner named it.' })
  readonly name!: string;

  @Field(() => DateTime, { description: 'When it expires, and the webhook with it.' })
  readonly expiresAt!: Date;
}

@ObjectType({ implements: Node, description: 'Starts a schedule when its URL is called.' })
export class Webhook {
  readonly _id!: number;

  @Field(() => DateTime, { description: 'When it was created.' })
  readonly createdAt!: Date;

  @Field(() => Author, {
    description: 'Who created it. When this user is deleted, so is the webhook.',
  })
  readonly createdBy!: Author;
}

const WebhookPayload = payloadType(
  'WebhookPayload',
  'webhook',
  Webhook,
  'A webhook that was created or revoked.',
);

@InputType({ description: 'A new webhook.' })
export class WebhookCreateInput {
  @Field(() => ID, { description: 'The schedule that it starts: global id or integer.' })
  readonly scheduleId!: string;
}

@InputType({ description: 'Which webhook.' })
class WebhookDeleteInput extends IdInput {}

@Resolver(() => Webhook)
export class WebhookResolver {
  @FieldResolver(() => String, {
    description:
      'A GET or POST request to this URL starts the schedule. Keep it secret, like a password.',
  })
  url(@Root() record: WebhookRecord, @Ctx() { services, origin }: GraphqlContext): string {
    return webhookUrl(services.webhooks.tokenOf(record), origin.baseUrl);
  }

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

  @FieldResolver(() => WebhookApiToken, {
    nullable: true,
    description:
      'The API token it was created with: the webhook ends with it. Null if it was created in a session.',
  })
  async apiToken(
    @Root() { apiTokenId }: WebhookRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<ApiToken | null> {
    if (apiTokenId === undefined) return null;
    return context
      .loader<number, ApiToken>('apiTokens', (ids) => context.services.apiTokens.byIds(ids))
      .load(apiTokenId);
  }

  @Mutation(() => WebhookPayload, {
    description:
      'Creates the webhook of a schedule, in your name. A schedule has at most one. One that is created with an API token ends with the token.',
  })
  @Needs(webhookPolicy.create)
  webhookCreate(
    @Arg('input') { scheduleId }: WebhookCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('webhook', (ids) =>
      services.webhooks.create(actor, ids.read('Schedule', scheduleId, ['scheduleId'])),
    );
  }

  @Mutation(() => WebhookPayload, {
    description: 'Revokes a webhook: calls to its URL are rejected from now on.',
  })
  @ServedOnFullDisk()
  @Needs(webhookPolicy.delete)
  webhookDelete(
    @Arg('input') { id }: WebhookDeleteInput,
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
      'Its webhook. Null if it has none, or if the signed-in user may not start the schedule.',
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
