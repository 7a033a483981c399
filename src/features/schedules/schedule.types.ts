import { Field, Int, ObjectType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/connection';
import { enumOf } from '../../platform/graphql/enums';
import { ListPayload, MutationPayload } from '../../platform/graphql/payload';
import { Node } from '../../platform/graphql/node';
import { CronText, DateTime, TimeZoneName } from '../../platform/graphql/scalars';
import { viewerCanType } from '../../platform/graphql/viewer-can';
import { Run } from '../runs/run.types';
import { Author } from '../workflows/workflow.types';
import { MISSED_FIRES } from './missed-fires';
import type { MissedFiresName } from './missed-fires';
import { OVERLAP_POLICIES } from './overlap-policy';
import type { OverlapPolicyName } from './overlap-policy';
import { schedulePolicy } from './schedule.policy';

const { read, update, delete: remove, start, terminate } = schedulePolicy;
/** Permissions for a single schedule. */
export const oneSchedulePolicy = { read, update, delete: remove, start, terminate } as const;
export const ScheduleViewerCan = viewerCanType('ScheduleViewerCan', oneSchedulePolicy);

export const MissedFires = enumOf(
  MISSED_FIRES,
  'MissedFires',
  'What becomes of times at which a schedule was due and no process was there.',
);
export const OverlapPolicy = enumOf(
  OVERLAP_POLICIES,
  'OverlapPolicy',
  'What happens when a schedule is due and another run of it has not ended.',
);

@ObjectType({
  implements: Node,
  description: 'Runs a workflow by itself at the times it says, and on demand.',
})
export class Schedule {
  readonly _id!: number;
  readonly workflowId!: number;
  readonly lastRunId!: number | null;

  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly title!: string;

  @Field(() => CronText, { description: 'When it is due. Empty: never by itself.' })
  readonly cron!: string;

  @Field(() => TimeZoneName, { description: 'The time zone that is meant in.' })
  readonly timeZone!: string;

  @Field(() => Boolean, { description: 'False: it does not fire by itself.' })
  readonly enabled!: boolean;

  @Field(() => Boolean, { description: 'Do the events of its runs carry requests and responses?' })
  readonly logging!: boolean;

  @Field(() => MissedFires, { description: 'What becomes of times at which no process was there.' })
  readonly missedFires!: MissedFiresName;

  @Field(() => OverlapPolicy, {
    description: 'What happens when it is due and another run of it has not ended.',
  })
  readonly overlapPolicy!: OverlapPolicyName;

  @Field(() => DateTime, { description: 'When it was added.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who added it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When somebody changed it.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'Who did.' })
  readonly updatedBy!: Author;

  @Field(() => Int, {
    description: 'Counts changes; pass it as `expectedVersion` to change only what you have seen.',
  })
  readonly version!: number;
}

export const ScheduleConnection = ConnectionOf(Schedule, 'ScheduleConnection');

@ObjectType({
  description: 'A schedule that was added, changed or deleted, or whose runs were cancelled.',
})
export class SchedulePayload extends MutationPayload {
  @Field(() => Schedule, {
    nullable: true,
    description: 'The schedule, a deleted one as it was; null when nothing was done.',
  })
  readonly schedule!: Schedule | null;
}

@ObjectType({ description: 'Schedules that were changed or deleted.' })
export class SchedulesPayload extends ListPayload {
  @Field(() => [Schedule], {
    nullable: true,
    description: 'The schedules, deleted ones as they were; null when nothing was changed.',
  })
  readonly schedules!: Schedule[] | null;
}

@ObjectType({ description: 'The runs of schedules that were started.' })
export class SchedulesStartPayload extends ListPayload {
  @Field(() => [Run], {
    nullable: true,
    description: 'Their runs, in the order asked; null when nothing was started.',
  })
  readonly runs!: Run[] | null;
}
