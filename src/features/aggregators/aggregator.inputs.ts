import { ArgsType, Field, ID, InputType, Int, registerEnumType } from 'type-graphql';
import { ConnectionArgs, orderInput } from '../../platform/graphql/connection';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  BooleanFilter,
  IdFilter,
  NameFilter,
  NONE_OF,
} from '../../platform/graphql/filters';

const NAME = 'Unique without regard to case, 255 characters at most.';
const SCRIPT =
  'JavaScript, 65,536 characters at most. `Requests` and `Responses` are lists of `{status, header, body}`, in the order of the calls.';
const ACTIVE = 'False: archived. It stays with the methods that name it, and is not evaluated.';
const FORCE =
  'True: also when methods of workflows name it. They stay as they are, and their runs keep none of its values.';

@InputType({ description: 'A variable of an aggregator.' })
export class AggregatorArgumentInput {
  @Field(() => Int, {
    nullable: true,
    description: 'Integer id of an argument that is there; without it a new one is made.',
  })
  readonly argumentId?: number | null;

  @Field(() => String, {
    description:
      'The variable: letters, digits, `_` and `$`, 64 at most, and no word of the language.',
  })
  readonly name!: string;

  @Field(() => String, {
    nullable: true,
    description: 'What it says, for people; 1,000 characters at most.',
  })
  readonly description?: string | null;
}

@InputType({ description: 'A new aggregator.' })
export class AggregatorCreateInput {
  @Field(() => String, { description: NAME })
  readonly name!: string;

  @Field(() => [AggregatorArgumentInput], {
    nullable: true,
    description: 'The variables whose values runs keep, 50 at most.',
  })
  readonly arguments?: AggregatorArgumentInput[] | null;

  @Field(() => String, { description: SCRIPT })
  readonly script!: string;

  @Field(() => Boolean, { defaultValue: true, description: ACTIVE })
  readonly active!: boolean;
}

@InputType({
  description:
    'A change of an aggregator; what is left out stays as it is. Runs that have begun go on with what they began with.',
})
export class AggregatorUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'Which aggregator: global id or integer.' })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: NAME })
  readonly name?: string | null;

  @Field(() => [AggregatorArgumentInput], {
    nullable: true,
    description: 'Replaces the others, 50 at most.',
  })
  readonly arguments?: AggregatorArgumentInput[] | null;

  @Field(() => String, { nullable: true, description: SCRIPT })
  readonly script?: string | null;

  @Field(() => Boolean, { nullable: true, description: ACTIVE })
  readonly active?: boolean | null;
}

@InputType({ description: 'Which aggregator to delete.' })
export class AggregatorDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Which aggregators to delete.' })
export class AggregatorIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: false, description: FORCE })
  readonly force!: boolean;
}

@InputType({ description: 'Which aggregators; all that are given must hold.' })
export class AggregatorFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These aggregators, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly name?: NameFilter;

  @Field(() => BooleanFilter, {
    nullable: true,
    description: 'Those that are evaluated, or those that are archived.',
  })
  readonly active?: BooleanFilter;

  @Field(() => [AggregatorFilter], { nullable: true, description: ALL_OF })
  readonly and?: AggregatorFilter[];

  @Field(() => [AggregatorFilter], { nullable: true, description: ANY_OF })
  readonly or?: AggregatorFilter[];

  @Field(() => AggregatorFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const AggregatorOrderField = { ID: 'ID', NAME: 'NAME' } as const;
registerEnumType(AggregatorOrderField, {
  name: 'AggregatorOrderField',
  description: 'What a list of aggregators can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    NAME: { description: 'Name, without regard to case.' },
  },
});

export const AggregatorOrder = orderInput(AggregatorOrderField, 'AggregatorOrder');
export type AggregatorOrder = InstanceType<typeof AggregatorOrder>;

@ArgsType()
export class AggregatorsArgs extends ConnectionArgs {
  @Field(() => AggregatorFilter, {
    nullable: true,
    description: 'Which aggregators. Without it: all.',
  })
  readonly filter?: AggregatorFilter;

  @Field(() => AggregatorOrder, {
    nullable: true,
    description: 'In which order. Without it: by name.',
  })
  readonly orderBy?: AggregatorOrder;
}
