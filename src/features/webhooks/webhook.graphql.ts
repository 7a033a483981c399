import { Arg, Ctx, FieldResolver, Mutation, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import type { ApiToken } from '../api-tokens/api-token.model';
import type { WebhookRecord } from './webhook.model';
import { webhookPolicy } from './webhook.policy';
import { webhookUrl } from './webhook.presenter';
import { webhookNotFound } from './webhook.service';
import {
  Webhook,
  WebhookApiToken,
  WebhookCreateInput,
  WebhookDeleteInput,
  WebhookPayload,
} from './webhook.types';

@Resolver(() => Webhook)
export class WebhookResolver {
  @FieldResolver(() => String, {
    description:
      'A GET or POST request to this URL starts the schedule. Keep it secret, like a password.',
  })
  url(@Root() record: WebhookRecord, @Ctx() { services, origin }: GraphqlContext): string {
    return webhookUrl(services.webhooks.tokenOf(record), origin.baseUrl);
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

registerNode(
  'Webhook',
  (id, context) =>
    context
      .loader<number, WebhookRecord>('webhooks', (ids) => context.services.webhooks.byIds(ids))
      .load(id),
  webhookPolicy.read,
);
