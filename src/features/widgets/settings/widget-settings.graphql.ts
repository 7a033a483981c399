import { Arg, Ctx, FieldResolver, Int, Mutation, Query, Resolver, Root } from 'type-graphql';
import type { GraphqlContext } from '../../../platform/context';
import { Needs } from '../../../platform/graphql/needs';
import { payload } from '../../../platform/graphql/payload';
import { widgetSettingsPolicy } from '../widget.policy';
import {
  WidgetSetting,
  WidgetSettingsPayload,
  WidgetSettingsReplaceInput,
} from './widget-settings.types';
import type { ShownWidgetSetting } from './widget-settings.service';

@Resolver(() => WidgetSetting)
export class WidgetSettingsResolver {
  @Query(() => [WidgetSetting], {
    description: 'Your dashboard: its widgets, and where they stand.',
  })
  @Needs(widgetSettingsPolicy.replace)
  widgetSettings(@Ctx() { actor, services }: GraphqlContext): Promise<ShownWidgetSetting[]> {
    return services.widgetSettings.of(actor.userId);
  }

  @FieldResolver(() => Int)
  settingId(@Root() { id }: ShownWidgetSetting): number {
    return id;
  }

  @Mutation(() => WidgetSettingsPayload, {
    description: "Replaces your dashboard, and nobody else's.",
  })
  @Needs(widgetSettingsPolicy.replace)
  widgetSettingsReplace(
    @Arg('input', () => WidgetSettingsReplaceInput, { description: 'The whole of it.' })
    { settings }: WidgetSettingsReplaceInput,
    @Ctx() { actor, services }: GraphqlContext,
  ) {
    return payload('widgetSettings', (ids) =>
      services.widgetSettings.replace(
        actor,
        settings.map(({ settingId, widgetId, ...place }, at) => ({
          id: settingId,
          widgetId: ids.read('Widget', widgetId, ['settings', at, 'widgetId']),
          ...place,
        })),
      ),
    );
  }
}
