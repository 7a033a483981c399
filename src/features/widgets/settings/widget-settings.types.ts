import { Field, ID, InputType, Int, ObjectType } from 'type-graphql';
import { MutationPayload } from '../../../platform/graphql/payload';
import { Widget } from '../catalogue/widget-catalogue.types';

@ObjectType({ description: "A widget on a dashboard, in units of the client's grid." })
export class WidgetSetting {
  @Field(() => Int, { description: 'Names it on this dashboard.' })
  readonly settingId!: number;

  @Field(() => Widget, { description: 'What stands there.' })
  readonly widget!: Widget;

  @Field(() => Int, { description: 'From the left.' })
  readonly x!: number;

  @Field(() => Int, { description: 'From the top.' })
  readonly y!: number;

  @Field(() => Int, { description: 'How wide it is.' })
  readonly w!: number;

  @Field(() => Int, { description: 'How high it is.' })
  readonly h!: number;

  @Field(() => Int, { description: 'How wide it is at least.' })
  readonly minW!: number;

  @Field(() => Int, { description: 'How high it is at least.' })
  readonly minH!: number;
}

@ObjectType({ description: 'A dashboard that was arranged.' })
export class WidgetSettingsPayload extends MutationPayload {
  @Field(() => [WidgetSetting], {
    nullable: true,
    description: 'The dashboard as it is now; null when nothing was changed.',
  })
  readonly widgetSettings!: WidgetSetting[] | null;
}

@InputType({ description: 'Where a widget is to stand, in whole units up to 10,000.' })
export class WidgetSettingInput {
  @Field(() => Int, { nullable: true, description: 'Of one that stands there already.' })
  readonly settingId?: number | null;

  @Field(() => ID, { description: 'The widget: global id or integer.' })
  readonly widgetId!: string;

  @Field(() => Int, { nullable: true, description: 'From the left. Left out: 0.' })
  readonly x?: number | null;

  @Field(() => Int, { nullable: true, description: 'From the top. Left out: 0.' })
  readonly y?: number | null;

  @Field(() => Int, { nullable: true, description: 'How wide. Left out: 6.' })
  readonly w?: number | null;

  @Field(() => Int, { nullable: true, description: 'How high. Left out: 4.' })
  readonly h?: number | null;

  @Field(() => Int, { nullable: true, description: 'How wide at least. Left out: 0.' })
  readonly minW?: number | null;

  @Field(() => Int, { nullable: true, description: 'How high at least. Left out: 0.' })
  readonly minH?: number | null;
}

@InputType({ description: 'A whole dashboard.' })
export class WidgetSettingsReplaceInput {
  @Field(() => [WidgetSettingInput], {
    description: 'Its widgets, 100 at most; none: it is empty.',
  })
  readonly settings!: WidgetSettingInput[];
}
