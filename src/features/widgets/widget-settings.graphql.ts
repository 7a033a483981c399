import {
  Field,
  ID,
  Int,
  ObjectType,
  Arg,
  Ctx,
  FieldResolver,
  Mutation,
  Query,
  Resolver,
  Root,
} from 'type-graphql';
import type { GraphqlContext } from '../../platform/context';
import { Needs } from '../../platform/graphql/schema/needs';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { MutationPayload, payload } from '../../platform/graphql/schema/payload';
import { Widget } from './widget-catalog.graphql';
import type { WidgetSettingView } from './widget-settings.service';
import { widgetSettingsPolicy } from './widget.policy';

@ObjectType({ description: "A widget on a dashboard, in units of the client's grid." })
export class WidgetSetting {
  @Field(() => Int, { description: 'Id of the widget on this dashboard.' })
  readonly settingId!: number;

  @Field(() => Widget, { description: 'The widget at this position.' })
  readonly widget!: Widget;

  @Field(() => Int, { description: 'Distance from the left.' })
  readonly x!: number;

  @Field(() => Int, { description: 'Distance from the top.' })
  readonly y!: number;

  @Field(() => Int, { description: 'Width.' })
  readonly w!: number;

  @Field(() => Int, { description: 'Height.' })
  readonly h!: number;

  @Field(() => Int, { description: 'Minimum width.' })
  readonly minW!: number;

  @Field(() => Int, { description: 'Minimum height.' })
  readonly minH!: number;
}

@ObjectType({ description: 'A dashboard that was saved.' })
class WidgetSettingsPayload extends MutationPayload {
  @Field(() => [WidgetSetting], {
    nullable: true,
    description: 'The saved dashboard. Null after an error.',
  })
  readonly widgetSettings!: WidgetSetting[] | null;
}

export const WidgetSettingInput = inputType(
  'WidgetSettingInput',
  'Position and size of a widget, in whole units up to 10,000.',
  {
    settingId: [optional(Int), 'Id of an existing setting.'],
    widgetId: [ID, 'The widget: global id or integer.'],
    x: [optional(Int), 'Distance from the left. Default: 0.'],
    y: [optional(Int), 'Distance from the top. Default: 0.'],
    w: [optional(Int), 'Width. Default: 6.'],
    h: [optional(Int), 'Height. Default: 4.'],
    minW: [optional(Int), 'Minimum width. Default: 0.'],
    minH: [optional(Int), 'Minimum height. Default: 0.'],
  },
);

const WidgetSettingsReplaceInput = inputType(
  'WidgetSettingsReplaceInput',
  'A complete dashboard.',
  { settings: [[WidgetSettingInput], 'Its widgets, at most 100. An empty list empties it.'] },
);
type WidgetSettingsReplaceInput = InstanceType<typeof WidgetSettingsReplaceInput>;

@Resolver(() => WidgetSetting)
export class WidgetSettingsResolver {
  @Query(() => [WidgetSetting], {
    description: 'Your dashboard: its widgets and their positions.',
  })
  @Needs(widgetSettingsPolicy.replace)
  widgetSettings(@Ctx() { actor, services }: GraphqlContext): Promise<WidgetSettingView[]> {
    return services.widgetSettings.of(actor.userId);
  }

  @FieldResolver(() => Int)
  settingId(@Root() { id }: WidgetSettingView): number {
    return id;
  }

  @Mutation(() => WidgetSettingsPayload, {
    description: 'Replaces your own dashboard.',
  })
  @Needs(widgetSettingsPolicy.replace)
  widgetSettingsReplace(
    @Arg('input') { settings }: WidgetSettingsReplaceInput,
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
