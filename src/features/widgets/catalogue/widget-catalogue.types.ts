import { Field, ID, InputType, ObjectType } from 'type-graphql';
import { Node } from '../../../platform/graphql/node';
import { MutationPayload } from '../../../platform/graphql/payload';

@ObjectType({ implements: Node, description: 'Something a client can show on a dashboard.' })
export class Widget {
  readonly _id!: number;

  @Field(() => String, { description: 'What a client draws. Unique without regard to case.' })
  readonly key!: string;

  @Field(() => String, { nullable: true, description: 'Name of a Material icon.' })
  readonly icon!: string | null;

  @Field(() => String, { nullable: true, description: 'What clients look its tooltip up by.' })
  readonly tooltipTranslationKey!: string | null;
}

@ObjectType({ description: 'A widget that was added or deleted.' })
export class WidgetPayload extends MutationPayload {
  @Field(() => Widget, {
    nullable: true,
    description: 'The widget, a deleted one as it was; null when nothing was done.',
  })
  readonly widget!: Widget | null;
}

@InputType({ description: 'A new widget.' })
export class WidgetCreateInput {
  @Field(() => String, { description: 'Unique without regard to case, 64 characters at most.' })
  readonly key!: string;

  @Field(() => String, {
    nullable: true,
    description: 'Name of a Material icon, 64 characters at most.',
  })
  readonly icon?: string | null;

  @Field(() => String, { nullable: true, description: '255 characters at most.' })
  readonly tooltipTranslationKey?: string | null;
}

@InputType({ description: 'Which widget.' })
export class WidgetDeleteInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}
