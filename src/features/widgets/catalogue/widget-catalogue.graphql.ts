import { Arg, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { Needs } from '../../../platform/graphql/needs';
import { registerNode } from '../../../platform/graphql/node';
import { payload } from '../../../platform/graphql/payload';
import { widgetPolicy } from '../widget.policy';
import {
  Widget,
  WidgetCreateInput,
  WidgetDeleteInput,
  WidgetPayload,
} from './widget-catalogue.types';
import type { WidgetRecord } from './widget.model';
import { widgetNotFound } from './widget.rules';

@Resolver(() => Widget)
export class WidgetCatalogueResolver {
  @Query(() => [Widget], { description: 'What a dashboard can show, by id.' })
  @Needs(widgetPolicy.read)
  widgets(@Ctx() { services }: GraphqlContext): Promise<WidgetRecord[]> {
    return services.widgetCatalogue.all();
  }

  @Mutation(() => WidgetPayload, { description: 'Adds a widget to what dashboards can show.' })
  @Needs(widgetPolicy.create)
  widgetCreate(
    @Arg('input', () => WidgetCreateInput, { description: 'What it is.' }) input: WidgetCreateInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('widget', () => services.widgetCatalogue.create(actor, input));
  }

  @Mutation(() => WidgetPayload, {
    description: 'Deletes a widget: no dashboard shows it any more.',
  })
  @Needs(widgetPolicy.delete)
  widgetDelete(
    @Arg('input', () => WidgetDeleteInput, { description: 'Which widget.' })
    input: WidgetDeleteInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('widget', async (ids) => {
      const id = ids.read('Widget', input.id);
      const removed = await services.widgetCatalogue.remove(actor, id);
      if (!removed) throw widgetNotFound(id);
      return removed;
    });
  }
}

registerNode(
  'Widget',
  (id, context) =>
    context
      .loader<number, WidgetRecord>('widgets', (ids) => context.services.widgetCatalogue.byIds(ids))
      .load(id),
  widgetPolicy.read,
);
