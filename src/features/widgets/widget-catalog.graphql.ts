import { Field, InputType, ObjectType, Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs, ServedOnFullDisk } from '../../platform/graphql/schema/needs';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { Node, registerNode } from '../../platform/graphql/schema/node';
import { payload } from '../../platform/graphql/schema/payload';
import { IdInput, payloadType } from '../../platform/graphql/schema/record-types';
import type { WidgetRecord } from './widget-catalog.model';
import { widgetNotFound } from './widget-catalog.service';
import { widgetPolicy } from './widget.policy';

@ObjectType({ implements: Node, description: 'A widget that clients can show on a dashboard.' })
export class Widget {
  readonly _id!: number;

  @Field(() => String, {
    description: 'Identifies the widget for clients. Unique without regard to case.',
  })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'Name of a Material icon.' })
  readonly icon!: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'Translation key of its tooltip in clients.',
  })
  readonly tooltipTranslationKey!: string | null;
}

const WidgetPayload = payloadType(
  'WidgetPayload',
  'widget',
  Widget,
  'A widget that was created or deleted.',
);

export const WidgetCreateInput = inputType('WidgetCreateInput', 'A new widget.', {
  key: [String, 'Unique without regard to case, at most 64 characters.'],
  icon: [optional(String), 'Name of a Material icon, at most 64 characters.'],
  tooltipTranslationKey: [optional(String), 'At most 255 characters.'],
});
export type WidgetCreateInput = InstanceType<typeof WidgetCreateInput>;

@InputType({ description: 'Which widget.' })
export class WidgetDeleteInput extends IdInput {}

@Resolver(() => Widget)
export class WidgetCatalogResolver {
  @Query(() => [Widget], { description: 'The widgets that dashboards can show, by id.' })
  @Needs(widgetPolicy.read)
  widgets(@Ctx() { services }: GraphqlContext): Promise<WidgetRecord[]> {
    return services.widgetCatalog.all();
  }

  @Mutation(() => WidgetPayload, { description: 'Creates a widget that dashboards can show.' })
  @Needs(widgetPolicy.create)
  widgetCreate(@Arg('input') input: WidgetCreateInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('widget', () => services.widgetCatalog.create(actor, input));
  }

  @Mutation(() => WidgetPayload, {
    description: 'Deletes a widget from all dashboards.',
  })
  @ServedOnFullDisk()
  @Needs(widgetPolicy.delete)
  widgetDelete(@Arg('input') input: WidgetDeleteInput, @Ctx() { actor, services }: GraphqlContext) {
    return payload('widget', async (ids) => {
      const id = ids.read('Widget', input.id);
      const removed = await services.widgetCatalog.remove(actor, id);
      if (!removed) throw widgetNotFound(id);
      return removed;
    });
  }
}

registerNode(
  'Widget',
  (id, context) =>
    context
      .loader<number, WidgetRecord>('widgets', (ids) => context.services.widgetCatalog.byIds(ids))
      .load(id),
  widgetPolicy.read,
);
