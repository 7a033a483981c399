import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType } from '../../platform/graphql/schema/input-type';
import { enumOf } from '../../platform/graphql/schema/enums';
import { enumFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import {
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { DateTime } from '../../platform/graphql/schema/scalars';
import {
  CONFLICT_REASONS,
  ONLINE_ACTIONS,
  ONLINE_KINDS,
  SYNCHRONISATION_STATES,
} from './online-service';
import type {
  ConflictReason,
  OnlineAction,
  OnlineKind,
  SynchronisationStateName,
} from './online-service';

const KindEnum = enumOf(ONLINE_KINDS, 'OnlineKind', 'What is taken from the portal.');
const ActionEnum = enumOf(
  ONLINE_ACTIONS,
  'OnlineAction',
  'What happened to an item of the portal.',
);
const ReasonEnum = enumOf(
  CONFLICT_REASONS,
  'OnlineConflictReason',
  'Why an item is not updated by itself.',
);
const StateEnum = enumOf(
  SYNCHRONISATION_STATES,
  'SynchronisationState',
  'Whether a synchronisation has ended.',
);

@ObjectType({ description: 'A version of the portal that waits for a decision.' })
export class OnlineConflict {
  @Field(() => String, { description: 'For `onlineItemTake` and `onlineItemKeep`.' })
  readonly itemId!: string;

  @Field(() => String, { description: 'Name of the invoker or template.' })
  readonly name!: string;

  @Field(() => ReasonEnum, { description: 'Why it is not updated by itself.' })
  readonly reason!: ConflictReason;

  @Field(() => DateTime, { description: 'When it was found.' })
  readonly since!: Date;
}

@ObjectType({ description: 'The synchronisation of invokers or templates.' })
export class OnlineSource {
  @Field(() => KindEnum, { description: 'What is synchronised.' })
  readonly kind!: OnlineKind;

  @Field(() => Boolean, { description: 'Whether it is synchronised by itself.' })
  readonly isActive!: boolean;

  @Field(() => String, { description: 'When it is due, in the time zone of the service.' })
  readonly cron!: string;

  @Field(() => DateTime, { nullable: true, description: 'When it is next due; null: never.' })
  readonly nextAt!: Date | null;
}

@ObjectType({ description: 'The portal, and what is taken from it.' })
export class OnlineServices {
  @Field(() => Boolean, {
    description: 'Whether the online services are on and the address of the portal is set.',
  })
  readonly isActive!: boolean;

  @Field(() => String, { nullable: true, description: 'Address of the portal; null: not set.' })
  readonly address!: string | null;

  @Field(() => [String], {
    description: 'Keys of the configuration without which nothing is synchronised.',
  })
  readonly missingSettings!: readonly string[];

  @Field(() => [OnlineSource], { description: 'What can be synchronised.' })
  readonly sources!: readonly OnlineSource[];
}

@ObjectType('SynchronisedItem', { description: 'What happened to an item of the portal.' })
class SynchronisedItemType {
  @Field(() => String, { description: 'Name of the invoker or template.' })
  readonly name!: string;

  @Field(() => ActionEnum, { description: 'What was done, or would be in a dry run.' })
  readonly action!: OnlineAction;

  @Field(() => String, { nullable: true, description: 'Why it failed.' })
  readonly message!: string | null;
}

@ObjectType({ description: 'Number of items by what happened to them.' })
export class SynchronisationCounts {
  @Field(() => Int, { description: ONLINE_ACTIONS.ADDED })
  readonly added!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.UPDATED })
  readonly updated!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.LINKED })
  readonly linked!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.UNCHANGED })
  readonly unchanged!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.KEPT })
  readonly kept!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.CONFLICT })
  readonly conflicts!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.GONE })
  readonly gone!: number;

  @Field(() => Int, { description: ONLINE_ACTIONS.FAILED })
  readonly failed!: number;
}

@ObjectType('Synchronisation', {
  implements: Node,
  description: 'A comparison of local records with those of the portal.',
})
export class SynchronisationType {
  readonly _id!: number;

  @Field(() => KindEnum, { description: 'What was synchronised.' })
  readonly kind!: OnlineKind;

  @Field(() => Boolean, { description: 'Whether it only lists what would be done.' })
  readonly isDryRun!: boolean;

  @Field(() => String, {
    nullable: true,
    description: 'E-mail address of the user who started it; null if it was due.',
  })
  readonly startedBy!: string | null;

  @Field(() => StateEnum, { description: 'Whether it has ended.' })
  readonly state!: SynchronisationStateName;

  @Field(() => String, { nullable: true, description: 'Why it failed.' })
  readonly message!: string | null;

  @Field(() => [SynchronisedItemType], {
    description: 'Up to 500 items that are not unchanged.',
  })
  readonly items!: readonly SynchronisedItemType[];

  @Field(() => DateTime, { description: 'When it started.' })
  readonly startedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it ended.' })
  readonly finishedAt!: Date | null;
}

export const SynchronisationConnection = ConnectionOf(
  SynchronisationType,
  'SynchronisationConnection',
);

const SynchronisationFilter = filterType('SynchronisationFilter', 'synchronisations', {
  kind: [enumFilter(KindEnum, 'OnlineKind'), 'What was synchronised.'],
});
const SynchronisationOrder = orderType('SynchronisationOrder', { DATABASE_ID: 'The integer id.' });

export const SynchronisationsArgs = listArgs(
  'synchronisations',
  SynchronisationFilter,
  SynchronisationOrder,
  'the newest first',
);

export const SynchronisationStartInput = inputType(
  'SynchronisationStartInput',
  'A synchronisation to start.',
  {
    kind: [KindEnum, 'What to synchronise.'],
    isDryRun: [Boolean, 'Only list what would be done; change nothing.', false],
  },
);
export type SynchronisationStartInput = InstanceType<typeof SynchronisationStartInput>;

export const OnlineItemInput = inputType('OnlineItemInput', 'An item of the portal.', {
  itemId: [String, '`itemId` of a conflict, or `INVOKER/name` or `TEMPLATE/uuid` in lower case.'],
});
export type OnlineItemInput = InstanceType<typeof OnlineItemInput>;

@ObjectType({ description: 'A decided item of the portal.' })
export class OnlineItem {
  @Field(() => KindEnum, { description: 'What it is.' })
  readonly kind!: OnlineKind;

  @Field(() => String, { description: 'Its name.' })
  readonly name!: string;
}

export const OnlineItemPayload = payloadType(
  'OnlineItemPayload',
  'item',
  OnlineItem,
  'A decided item of the portal.',
  'Null if nothing was changed.',
);
export { KindEnum as OnlineKindEnum };
