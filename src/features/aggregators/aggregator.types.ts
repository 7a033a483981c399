import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { BooleanFilter, IdFilter, NameFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdsInput,
  VersionedIdInput,
  deletedListType,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { aggregatorPolicy } from './aggregator.policy';
import { AGGREGATOR_LENGTHS } from './aggregator.rules';
import { inCharacters } from '../../platform/text/characters';

const { read, update, delete: remove } = aggregatorPolicy;
/** Permissions reported by `viewerCan` of an aggregator. */
export const oneAggregatorPolicy = { read, update, delete: remove } as const;
export const AggregatorViewerCan = viewerCanType('AggregatorViewerCan', oneAggregatorPolicy);

@ObjectType({ description: 'A variable of an aggregator. Its value is stored with the run.' })
export class AggregatorArgument {
  readonly id!: number;

  @Field(() => String, { description: 'Name of the variable.' })
  readonly name!: string;

  @Field(() => String, { nullable: true, description: 'Description for users.' })
  readonly description!: string | null;
}

@ObjectType({
  implements: Node,
  description:
    'A script that processes the requests and responses of a method at the end of a successful run.',
})
export class Aggregator {
  readonly _id!: number;

  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly name!: string;

  readonly args!: readonly AggregatorArgument[];

  @Field(() => String, {
    description:
      'JavaScript. `Requests` and `Responses` are lists of `{status, header, body}` in the order of the calls.',
  })
  readonly script!: string;

  @Field(() => Boolean, {
    description: 'False: archived. Methods may still refer to it, but it is not evaluated.',
  })
  readonly active!: boolean;

  @Field(() => Int, {
    description: 'Number of changes. Pass it as `expectedVersion` to detect concurrent changes.',
  })
  readonly version!: number;
}

export const AggregatorConnection = ConnectionOf(Aggregator, 'AggregatorConnection');

export const AggregatorPayload = payloadType(
  'AggregatorPayload',
  'aggregator',
  Aggregator,
  'An aggregator that was created, changed or deleted.',
);
export const AggregatorsPayload = deletedListType('AggregatorsPayload', 'aggregators', Aggregator);

const NAME = `Unique without regard to case; at most ${inCharacters(AGGREGATOR_LENGTHS.name)}.`;
const SCRIPT = `JavaScript, at most ${inCharacters(AGGREGATOR_LENGTHS.script)}. \`Requests\` and \`Responses\` are lists of \`{status, header, body}\` in the order of the calls.`;
const ACTIVE = 'False: archived. Methods may still refer to it, but it is not evaluated.';
const FORCE =
  'Delete it even if workflows use it. The workflows are not changed, and their runs store none of its values.';

export const AggregatorArgumentInput = inputType(
  'AggregatorArgumentInput',
  'A variable of an aggregator.',
  {
    argumentId: [optional(Int), 'Integer id of an existing argument. Omitted: creates one.'],
    name: [
      String,
      `A JavaScript variable name: letters, digits, \`_\` and \`$\`, at most ${inCharacters(AGGREGATOR_LENGTHS.argument)}, and no reserved word.`,
    ],
    description: [
      optional(String),
      `Description for users; at most ${inCharacters(AGGREGATOR_LENGTHS.description)}.`,
    ],
  },
);
export type AggregatorArgumentInput = InstanceType<typeof AggregatorArgumentInput>;

export const AggregatorCreateInput = inputType('AggregatorCreateInput', 'A new aggregator.', {
  name: [String, NAME],
  arguments: [
    optional([AggregatorArgumentInput]),
    `The variables whose values are stored with runs; at most ${AGGREGATOR_LENGTHS.args}.`,
  ],
  script: [String, SCRIPT],
  active: [Boolean, ACTIVE, true],
});
export type AggregatorCreateInput = InstanceType<typeof AggregatorCreateInput>;

export const AggregatorUpdateInput = inputType(
  'AggregatorUpdateInput',
  'A change of an aggregator. Omitted fields keep their value. Runs that have started are not affected.',
  {
    name: [optional(String), NAME],
    arguments: [
      optional([AggregatorArgumentInput]),
      `Replaces all arguments; at most ${AGGREGATOR_LENGTHS.args}.`,
    ],
    script: [optional(String), SCRIPT],
    active: [optional(Boolean), ACTIVE],
  },
  VersionedIdInput,
);
export type AggregatorUpdateInput = InstanceType<typeof AggregatorUpdateInput>;

export const AggregatorDeleteInput = inputType(
  'AggregatorDeleteInput',
  'An aggregator to delete.',
  { force: [Boolean, FORCE, false] },
  VersionedIdInput,
);
export type AggregatorDeleteInput = InstanceType<typeof AggregatorDeleteInput>;

export const AggregatorIdsInput = inputType(
  'AggregatorIdsInput',
  'Aggregators to delete.',
  { force: [Boolean, FORCE, false] },
  IdsInput,
);
export type AggregatorIdsInput = InstanceType<typeof AggregatorIdsInput>;

const AggregatorFilter = filterType('AggregatorFilter', 'aggregators', {
  id: [IdFilter, 'Ids of aggregators.'],
  name: [NameFilter, 'The name.'],
  active: [BooleanFilter, 'True: aggregators that are evaluated; false: archived ones.'],
});

const AggregatorOrder = orderType('AggregatorOrder', {
  ID: 'Id.',
  NAME: 'Name, without regard to case.',
});

export const AggregatorsArgs = listArgs(
  'aggregators',
  AggregatorFilter,
  AggregatorOrder,
  'by name',
);
