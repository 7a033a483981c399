import { ArgsType, Field, ID, InputType, registerEnumType } from 'type-graphql';
import { ConnectionArgs, orderInput } from '../../platform/graphql/connection';
import { VersionedInput, WHICH_IDS } from '../../platform/graphql/payload';
import {
  ALL_OF,
  ANY_OF,
  BooleanFilter,
  DateTimeFilter,
  IdFilter,
  NameFilter,
  NONE_OF,
} from '../../platform/graphql/filters';
import { CronText, TimeZoneName } from '../../platform/graphql/scalars';
import { DEFAULT_MISSED_FIRES } from './missed-fires';
import type { MissedFiresName } from './missed-fires';
import { DEFAULT_OVERLAP_POLICY } from './overlap-policy';
import type { OverlapPolicyName } from './overlap-policy';
import { MissedFires, OverlapPolicy } from './schedule.types';

const TITLE = 'Unique without regard to case, 45 characters at most.';
const WORKFLOW = 'The workflow that it runs: global id or integer.';
const CRON = 'When it is due. Empty: never by itself.';
const ENABLED = 'False: it does not fire by itself.';
const LOGGING = 'Record requests and responses, secrets masked, in the events of its runs.';
const OVERLAP =
  'What happens when it is due and another run of it has not ended. Starts by a webhook or by hand are not affected.';
const MISSED = 'What becomes of times at which no process was there.';

@InputType({ description: 'A new schedule.' })
export class ScheduleCreateInput {
  @Field(() => String, { description: TITLE })
  readonly title!: string;

  @Field(() => ID, { description: WORKFLOW })
  readonly workflowId!: string;

  @Field(() => CronText, { nullable: true, description: CRON })
  readonly cron?: string | null;

  @Field(() => TimeZoneName, {
    nullable: true,
    description: 'The time zone that is meant in. Left out: that of the configuration.',
  })
  readonly timeZone?: string | null;

  @Field(() => Boolean, { defaultValue: true, description: ENABLED })
  readonly enabled!: boolean;

  @Field(() => Boolean, { defaultValue: false, description: LOGGING })
  readonly logging!: boolean;

  @Field(() => MissedFires, { defaultValue: DEFAULT_MISSED_FIRES, description: MISSED })
  readonly missedFires!: MissedFiresName;

  @Field(() => OverlapPolicy, { defaultValue: DEFAULT_OVERLAP_POLICY, description: OVERLAP })
  readonly overlapPolicy!: OverlapPolicyName;
}

@InputType({ description: 'A change of a schedule; what is left out stays as it is.' })
export class ScheduleUpdateInput extends VersionedInput {
  @Field(() => ID, { description: 'Which schedule: global id or integer.' })
  readonly id!: string;

  @Field(() => String, { nullable: true, description: TITLE })
  readonly title?: string | null;

  @Field(() => ID, { nullable: true, description: WORKFLOW })
  readonly workflowId?: string | null;

  @Field(() => CronText, { nullable: true, description: CRON })
  readonly cron?: string | null;

  @Field(() => TimeZoneName, { nullable: true, description: 'The time zone that is meant in.' })
  readonly timeZone?: string | null;

  @Field(() => Boolean, { nullable: true, description: ENABLED })
  readonly enabled?: boolean | null;

  @Field(() => Boolean, { nullable: true, description: LOGGING })
  readonly logging?: boolean | null;

  @Field(() => MissedFires, { nullable: true, description: MISSED })
  readonly missedFires?: MissedFiresName | null;

  @Field(() => OverlapPolicy, { nullable: true, description: OVERLAP })
  readonly overlapPolicy?: OverlapPolicyName | null;
}

@InputType({ description: 'Which schedule, and whether it fires by itself from now on.' })
export class ScheduleEnableInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;

  @Field(() => Boolean, { defaultValue: true, description: ENABLED })
  readonly enabled!: boolean;
}

@InputType({ description: 'Which schedules, and whether they fire by themselves from now on.' })
export class SchedulesEnableInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];

  @Field(() => Boolean, { defaultValue: true, description: ENABLED })
  readonly enabled!: boolean;
}

@InputType({ description: 'Which schedule to delete.' })
export class ScheduleDeleteInput extends VersionedInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}

@InputType({ description: 'Which schedule.' })
export class ScheduleIdInput {
  @Field(() => ID, { description: 'Global id or integer.' })
  readonly id!: string;
}

@InputType({ description: 'Which schedules.' })
export class ScheduleIdsInput {
  @Field(() => [ID], { description: WHICH_IDS })
  readonly ids!: string[];
}

@InputType({ description: 'Which schedules; all that are given must hold.' })
export class ScheduleFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These schedules, by their ids.' })
  readonly id?: IdFilter;

  @Field(() => NameFilter, { nullable: true, description: 'What they are called.' })
  readonly title?: NameFilter;

  @Field(() => IdFilter, { nullable: true, description: 'Of these workflows.' })
  readonly workflow?: IdFilter;

  @Field(() => BooleanFilter, {
    nullable: true,
    description: 'Those that fire by themselves, or those that do not.',
  })
  readonly enabled?: BooleanFilter;

  @Field(() => DateTimeFilter, {
    nullable: true,
    description: 'When they are due next; null for those that are not due.',
  })
  readonly nextFire?: DateTimeFilter;

  @Field(() => [ScheduleFilter], { nullable: true, description: ALL_OF })
  readonly and?: ScheduleFilter[];

  @Field(() => [ScheduleFilter], { nullable: true, description: ANY_OF })
  readonly or?: ScheduleFilter[];

  @Field(() => ScheduleFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}

export const ScheduleOrderField = { ID: 'ID', TITLE: 'TITLE', NEXT_FIRE: 'NEXT_FIRE' } as const;
registerEnumType(ScheduleOrderField, {
  name: 'ScheduleOrderField',
  description: 'What a list of schedules can be ordered by.',
  valuesConfig: {
    ID: { description: 'Id.' },
    TITLE: { description: 'Title, without regard to case.' },
    NEXT_FIRE: { description: 'When they are due next. Those that are not due are the least.' },
  },
});

export const ScheduleOrder = orderInput(ScheduleOrderField, 'ScheduleOrder');

@ArgsType()
export class SchedulesArgs extends ConnectionArgs {
  @Field(() => ScheduleFilter, { nullable: true, description: 'Which schedules. Without it: all.' })
  readonly filter?: ScheduleFilter;

  @Field(() => ScheduleOrder, {
    nullable: true,
    description: 'In which order. Without it: by title.',
  })
  readonly orderBy?: InstanceType<typeof ScheduleOrder>;
}
