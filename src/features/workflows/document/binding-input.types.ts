import { Field, ID, InputType } from 'type-graphql';

@InputType({ description: 'One end of a field binding.' })
class BindingEndInput {
  @Field(() => String, {
    nullable: true,
    description: 'The colour of the method that the field belongs to.',
  })
  readonly color?: string | null;

  @Field(() => String, {
    nullable: true,
    description: '`response`, `request`, `path` or `header`.',
  })
  readonly type?: string | null;

  @Field(() => String, {
    nullable: true,
    description:
      'Path of the field in the request or response of the method: `id`, `items[*].name`.',
  })
  readonly field?: string | null;
}

@InputType({ description: 'The script between the ends of a field binding.' })
class EnhancementInput {
  @Field(() => String, { nullable: true, description: 'Name of the script.' })
  readonly name?: string | null;

  @Field(() => String, { nullable: true, description: 'Description of the script.' })
  readonly description?: string | null;

  @Field(() => String, { nullable: true, description: '`js`; other values are kept.' })
  readonly language?: string | null;

  @Field(() => String, {
    nullable: true,
    description: 'The variables it reads and the one it sets.',
  })
  readonly expertVar?: string | null;

  @Field(() => String, { nullable: true, description: 'The text of the script.' })
  readonly expertCode?: string | null;
}

@InputType({
  description:
    'Binds fields of responses to a field of a request. With the `bindingId` of an existing binding, fields that are not given keep their value.',
})
export class FieldBindingInput {
  @Field(() => ID, { nullable: true, description: 'Identifies the binding within the workflow.' })
  readonly bindingId?: string | null;

  @Field(() => [BindingEndInput], { nullable: true, description: 'Sources of the values.' })
  readonly from?: BindingEndInput[] | null;

  @Field(() => [BindingEndInput], { nullable: true, description: 'Target of the value.' })
  readonly to?: BindingEndInput[] | null;

  @Field(() => EnhancementInput, {
    nullable: true,
    description: 'Script that converts the values.',
  })
  readonly enhancement?: EnhancementInput | null;
}
