import {
  Field,
  ID,
  InputType,
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

@InputType({ description: 'Position and size of a widget, in whole units up to 10,000.' })
export class WidgetSettingInput {
  @Field(() => Int, { nullable: true, description: 'Id of an existing setting.' })
  readonly settingId?: number | null;

  @Field(() => ID, { description: 'The widget: global id or integer.' })
  readonly widgetId!: string;

  @Field(() => Int, { nullable: true, description: 'Distance from the left. Default: 0.' })
  readonly x?: number | null;

  @Field(() => Int, { nullable: true, description: 'Distance from the top. Default: 0.' })
  readonly y?: number | null;

  @Field(() => Int, { nullable: true, description: 'Width. Default: 6.' })
  readonly w?: number | null;

  @Field(() => Int, { nullable: true, description: 'Height. Default: 4.' })
  readonly h?: number | null;

  @Field(() => Int, { nullable: true, description: 'Minimum width. Default: 0.' })
  readonly minW?: number | null;

  @Field(() => Int, { nullable: true, description: 'Minimum height. Default: 0.' })
  readonly minH?: number | null;
}

@InputType({ description: 'A complete dashboard.' })
class WidgetSettingsReplaceInput {
  @Field(() => [WidgetSettingInput], {
    description: 'Its widgets, at most 100. An empty list empties it.',
  })
  readonly settings!: WidgetSettingInput[];
}

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
