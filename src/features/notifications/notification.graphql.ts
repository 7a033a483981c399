import { Arg, Args, Ctx, FieldResolver, ID, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { databaseId } from '../../platform/graphql/schema/ids';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { toPageQuery } from '../../platform/graphql/schema/record-types';
import type { Page } from '../../platform/store/lists/keyset';
import type { MessageTemplateRecord } from './message-template.model';
import type { NotificationRecord } from './notification.model';
import { messageTemplatePolicy, notificationPolicy } from './notification.policy';
import type { NotificationView } from './notification.service';
import {
  MessageTemplateConnection,
  MessageTemplateCreateInput,
  MessageTemplateDeleteInput,
  MessageTemplatePayload,
  MessageTemplatesArgs,
  MessageTemplateType,
  MessageTemplateUpdateInput,
  NotificationCreateInput,
  NotificationDeleteInput,
  NotificationPayload,
  NotificationType,
  NotificationUpdateInput,
} from './notification.types';

const FIELDS = {
  id: { path: '_id', read: (id: unknown) => databaseId(String(id), 'MessageTemplate') },
  name: { folded: 'nameKey' },
  channel: 'channel',
};
const ORDER = { ID: '_id', NAME: 'nameKey' } as const;

const templateLoader = (context: GraphqlContext) =>
  context.loader<number, MessageTemplateRecord>('messageTemplates', (ids) =>
    context.services.messageTemplates.byIds(ids),
  );

@Resolver(() => MessageTemplateType)
export class MessageTemplateResolver {
  @Query(() => MessageTemplateConnection, { description: 'A page of templates of messages.' })
  @Needs(messageTemplatePolicy.read)
  messageTemplates(
    @Args(() => MessageTemplatesArgs) args: InstanceType<typeof MessageTemplatesArgs>,
    @Ctx() { services }: GraphqlContext,
  ): Promise<Page<MessageTemplateRecord>> {
    return services.messageTemplates.page(
      toPageQuery(args, FIELDS, ORDER, { field: 'nameKey', direction: 'asc' }),
    );
  }

  @Query(() => MessageTemplateType, {
    nullable: true,
    description: 'A template of messages; null if it does not exist.',
  })
  @Needs(messageTemplatePolicy.read)
  messageTemplate(
    @Arg('id', () => ID, { description: 'Global id or integer.' }) id: string,
    @Ctx() context: GraphqlContext,
  ): Promise<MessageTemplateRecord | null> {
    return templateLoader(context).load(databaseId(id, 'MessageTemplate'));
  }

  @FieldResolver(() => [String], {
    description: 'A sentence for each placeholder that is not replaced.',
  })
  warnings(
    @Root() template: MessageTemplateRecord,
    @Ctx() { services }: GraphqlContext,
  ): Promise<string[]> {
    return services.messageTemplates.warningsOf(template);
  }

  @Mutation(() => MessageTemplatePayload, { description: 'Creates a template of messages.' })
  @Needs(messageTemplatePolicy.create)
  messageTemplateCreate(
    @Arg('input', () => MessageTemplateCreateInput, { description: 'The template.' })
    input: MessageTemplateCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('messageTemplate', () => services.messageTemplates.create(actor, input));
  }

  @Mutation(() => MessageTemplatePayload, { description: 'Changes a template of messages.' })
  @Needs(messageTemplatePolicy.update)
  messageTemplateUpdate(
    @Arg('input', () => MessageTemplateUpdateInput, { description: 'The change.' })
    input: MessageTemplateUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('messageTemplate', async (ids) => {
      const id = ids.read('MessageTemplate', input.id);
      const before = await services.messageTemplates.get(id);
      return services.messageTemplates.update(
        actor,
        id,
        {
          name: input.name ?? before.name,
          channel: before.channel,
          contents: input.contents ?? before.contents,
        },
        input.expectedVersion,
      );
    });
  }

  @Mutation(() => MessageTemplatePayload, {
    description: 'Deletes a template of messages, with its notifications.',
  })
  @ServedOnFullDisk()
  @Needs(messageTemplatePolicy.delete)
  messageTemplateDelete(
    @Arg('input', () => MessageTemplateDeleteInput, { description: 'The template.' })
    input: MessageTemplateDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('messageTemplate', (ids) =>
      services.messageTemplates.remove(
        actor,
        ids.read('MessageTemplate', input.id),
        input.expectedVersion,
      ),
    );
  }
}

@Resolver(() => NotificationType)
export class NotificationResolver {
  @Query(() => [String], {
    description:
      'Keys of the configuration without which no mail can be sent; empty if a mail server is configured.',
  })
  @Needs(notificationPolicy.read)
  missingMailSettings(@Ctx() { services }: GraphqlContext): readonly string[] {
    return services.notifications.missingMailKeys;
  }

  @FieldResolver(() => MessageTemplateType, {
    nullable: true,
    description: 'What its messages say; null if it was deleted.',
  })
  template(
    @Root() { templateId }: NotificationRecord,
    @Ctx() context: GraphqlContext,
  ): Promise<MessageTemplateRecord | null> {
    return templateLoader(context).load(templateId);
  }

  @Mutation(() => NotificationPayload, { description: 'Adds a notification to a schedule.' })
  @Needs(notificationPolicy.create)
  notificationCreate(
    @Arg('input', () => NotificationCreateInput, { description: 'The notification.' })
    { name, eventType, recipients, ...input }: NotificationCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('notification', (ids) =>
      services.notifications.create(actor, ids.read('Schedule', input.scheduleId, ['scheduleId']), {
        name,
        eventType,
        templateId: ids.read('MessageTemplate', input.templateId, ['templateId']),
        recipients: recipients ?? [],
      }),
    );
  }

  @Mutation(() => NotificationPayload, { description: 'Changes a notification of a schedule.' })
  @Needs(notificationPolicy.update)
  notificationUpdate(
    @Arg('input', () => NotificationUpdateInput, { description: 'The change.' })
    { name, eventType, recipients, ...input }: NotificationUpdateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('notification', async (ids) => {
      const id = ids.read('Notification', input.id);
      const before = await services.notifications.get(actor, id);
      return services.notifications.update(
        actor,
        id,
        {
          name: name ?? before.name,
          eventType: eventType ?? before.eventType,
          templateId:
            input.templateId == null
              ? before.templateId
              : ids.read('MessageTemplate', input.templateId, ['templateId']),
          recipients: recipients ?? before.recipients,
        },
        input.expectedVersion,
      );
    });
  }

  @Mutation(() => NotificationPayload, { description: 'Deletes a notification of a schedule.' })
  @ServedOnFullDisk()
  @Needs(notificationPolicy.delete)
  notificationDelete(
    @Arg('input', () => NotificationDeleteInput, { description: 'The notification.' })
    input: NotificationDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('notification', (ids) =>
      services.notifications.remove(
        actor,
        ids.read('Notification', input.id),
        input.expectedVersion,
      ),
    );
  }
}

registerNode(
  'MessageTemplate',
  (id, context) => templateLoader(context).load(id),
  messageTemplatePolicy.read,
);
registerNode(
  'Notification',
  (id, context) =>
    context
      .loader<number, NotificationView>('notifications', (ids) =>
        context.services.notifications.byIds(context.actor, ids),
      )
      .load(id),
  notificationPolicy.read,
);
