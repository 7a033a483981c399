import { ArgsType, Field, Int } from 'type-graphql';

/** Arguments of a subscription to changes of a list; extend it with `filter`. */
@ArgsType()
export class ListChangedArgs {
  @Field(() => Int, {
    defaultValue: 20,
    description:
      'How many changed ones a message has at most, 1 to 100; the others come in the next.',
  })
  readonly first!: number;
}
