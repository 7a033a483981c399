import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { Node } from '../../platform/graphql/node';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { aggregatorPolicy } from './aggregator.policy';

const { read, update, delete: remove } = aggregatorPolicy;
/** Permissions reported by `viewerCan` of an aggregator. */
export const oneAggregatorPolicy = { read, update, delete: remove } as const;
export const AggregatorViewerCan = viewerCanType('AggregatorViewerCan', oneAggregatorPolicy);

@ObjectType({ description: 'A variable of an aggregator, whose value runs keep.' })
export class AggregatorArgument {
  readonly id!: number;

  @Field(() => String, { description: 'The variable.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'What it says, for people.' })
  readonly description!: string | null;
}

@ObjectType({
  implements: Node,
  description:
    'A script over what the calls of a method sent and were answered, evaluated at the end of a run that ended well.',
})
export class Aggregator {
  readonly _id!: number;

  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  readonly args!: readonly AggregatorArgument[];

  @Field(() => String, {
    description:
      'JavaScript. `Requests` and `Responses` are lists of `{status, header, body}`, in the order of the calls.',
  })
  readonly script!: string;

  @Field(() => Boolean, {
    description: 'False: archived. It stays with the methods that name it, and is not evaluated.',
  })
  readonly active!: boolean;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const AggregatorConnection = ConnectionOf(Aggregator, 'AggregatorConnection');

@ObjectType({ description: 'An aggregator that was created, changed or deleted.' })
export class AggregatorPayload extends MutationPayload {
  @Field(() => Aggregator, {
    nullable: true,
    description: 'The aggregator, a deleted one as it was; null when nothing was changed.',
  })
  readonly aggregator!: Aggregator | null;
}

@ObjectType({ description: 'Aggregators that were deleted.' })
export class AggregatorsPayload extends ListPayload {
  @Field(() => [Aggregator], {
    nullable: true,
    description: 'The aggregators as they were; null when nothing was changed.',
  })
  readonly aggregators!: Aggregator[] | null;
}
