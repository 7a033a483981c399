import { Field, Int, ObjectType, ID, InputType } from 'type-graphql';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import { enumOf } from '../../platform/graphql/schema/enums';
import {
  BooleanFilter,
  DateTimeFilter,
  IdFilter,
  NameFilter,
} from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { CronText, DateTime, TimeZoneName } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdInput,
  IdsInput,
  VersionedIdInput,
  filterType,
  listArgs,
  listPayloadType,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { RunType } from '../runs/run.types';
import {
  MISSED_FIRES,
  OVERLAP_POLICIES,
  DEFAULT_MISSED_FIRES,
  DEFAULT_OVERLAP_POLICY,
} from './schedule-options';
import type { MissedFiresName, OverlapPolicyName } from './schedule-options';
import { schedulePolicy } from './schedule.policy';
import { Author } from '../workflows/workflow.types';

const { read, update, delete: remove, start, terminate } = schedulePolicy;
/** Permissions for a single schedule. */
export const oneSchedulePolicy = { read, update, delete: remove, start, terminate } as const;
export const ScheduleViewerCan = viewerCanType('ScheduleViewerCan', oneSchedulePolicy);

export const MissedFires = enumOf(
  MISSED_FIRES,
  'MissedFires',
  'What happens with times at which a schedule was due and no process was running.',
);
export const OverlapPolicy = enumOf(
  OVERLAP_POLICIES,
  'OverlapPolicy',
  'What happens when a schedule is due and another run of it has not ended.',
);

@ObjectType({
  implements: Node,
  description: 'Runs a workflow at its due times, and on demand.',
})
export class Schedule {
  readonly _id!: number;
  readonly workflowId!: number;
  readonly lastRunId!: number | null;

  @Field(() => String, { description: 'Unique without regard to case.' })
  readonly title!: string;

  @Field(() => CronText, {
    description: 'When it is due, as a cron expression. Empty: never by itself.',
  })
  readonly cron!: string;

  @Field(() => TimeZoneName, { description: 'The time zone of `cron`.' })
  readonly timeZone!: string;

  @Field(() => Boolean, { description: 'False: it does not fire by itself.' })
  readonly enabled!: boolean;

  @Field(() => Boolean, {
    description: 'Whether the events of its runs contain requests and responses.',
  })
  readonly logging!: boolean;

  @Field(() => MissedFires, {
    description: 'What happens with due times at which no process was running.',
  })
  readonly missedFires!: MissedFiresName;

  @Field(() => OverlapPolicy, {
    description: 'What happens when it is due and another run of it has not ended.',
  })
  readonly overlapPolicy!: OverlapPolicyName;

  @Field(() => DateTime, { description: 'When it was created.' })
  readonly createdAt!: Date;

  @Field(() => Author, { description: 'Who created it.' })
  readonly createdBy!: Author;

  @Field(() => DateTime, { description: 'When it was last changed.' })
  readonly updatedAt!: Date;

  @Field(() => Author, { description: 'Who changed it last.' })
  readonly updatedBy!: Author;

  @Field(() => Int, {
    description:
      'Counts changes. Pass it as `expectedVersion` to avoid overwriting changes of others.',
  })
  readonly version!: number;
}

export const ScheduleConnection = ConnectionOf(Schedule, 'ScheduleConnection');

export const SchedulePayload = payloadType(
  'SchedulePayload',
  'schedule',
  Schedule,
  'A schedule that was created, changed or deleted, or whose runs were cancelled.',
);

export const SchedulesPayload = listPayloadType(
  'SchedulesPayload',
  'schedules',
  Schedule,
  'Schedules that were changed or deleted.',
  'The schedules; deleted ones as they were before. Null after an error.',
);

export const SchedulesStartPayload = listPayloadType(
  'SchedulesStartPayload',
  'runs',
  RunType,
  'The runs of schedules that were started.',
  'Their runs, in the order of the ids. Null after an error.',
);

const TITLE = 'Unique without regard to case, 45 characters at most.';
const WORKFLOW = 'The workflow to run: global id or integer.';
const CRON = 'When it is due, as a cron expression. Empty: never by itself.';
const ENABLED = 'False: it does not fire by itself.';
const LOGGING = 'Record requests and responses, secrets masked, in the events of its runs.';
const OVERLAP =
  'What happens when it is due and another run of it has not ended. Starts by a webhook or by hand are not affected.';
const MISSED = 'What happens with due times at which no process was running.';

export const ScheduleCreateInput = inputType('ScheduleCreateInput', 'A new schedule.', {
  title: [String, TITLE],
  workflowId: [ID, WORKFLOW],
  cron: [optional(CronText), CRON],
  timeZone: [
    optional(TimeZoneName),
    'The time zone of `cron`. Default: that of the configuration.',
  ],
  enabled: [Boolean, ENABLED, true],
  logging: [Boolean, LOGGING, false],
  missedFires: [MissedFires, MISSED, DEFAULT_MISSED_FIRES],
  overlapPolicy: [OverlapPolicy, OVERLAP, DEFAULT_OVERLAP_POLICY],
});
export type ScheduleCreateInput = InstanceType<typeof ScheduleCreateInput>;

export const ScheduleUpdateInput = inputType(
  'ScheduleUpdateInput',
  'A change of a schedule; missing fields stay unchanged.',
  {
    title: [optional(String), TITLE],
    workflowId: [optional(ID), WORKFLOW],
    cron: [optional(CronText), CRON],
    timeZone: [optional(TimeZoneName), 'The time zone of `cron`.'],
    enabled: [optional(Boolean), ENABLED],
    logging: [optional(Boolean), LOGGING],
    missedFires: [optional(MissedFires), MISSED],
    overlapPolicy: [optional(OverlapPolicy), OVERLAP],
  },
  VersionedIdInput,
);
export type ScheduleUpdateInput = InstanceType<typeof ScheduleUpdateInput>;

export const ScheduleEnableInput = inputType(
  'ScheduleEnableInput',
  'Which schedule, and whether it is enabled.',
  { enabled: [Boolean, ENABLED, true] },
  VersionedIdInput,
);
export type ScheduleEnableInput = InstanceType<typeof ScheduleEnableInput>;

export const SchedulesEnableInput = inputType(
  'SchedulesEnableInput',
  'Which schedules, and whether they are enabled.',
  { enabled: [Boolean, ENABLED, true] },
  IdsInput,
);
export type SchedulesEnableInput = InstanceType<typeof SchedulesEnableInput>;

@InputType({ description: 'Which schedule to delete.' })
export class ScheduleDeleteInput extends VersionedIdInput {}

@InputType({ description: 'Which schedule.' })
export class ScheduleIdInput extends IdInput {}

@InputType({ description: 'Which schedules.' })
export class ScheduleIdsInput extends IdsInput {}

export const ScheduleFilter = filterType('ScheduleFilter', 'schedules', {
  id: [IdFilter, 'These schedules, by their ids.'],
  title: [NameFilter, 'By title.'],
  workflow: [IdFilter, 'Of these workflows.'],
  enabled: [BooleanFilter, 'Only enabled or only disabled ones.'],
  nextFire: [DateTimeFilter, 'By next due time; null for those that are never due.'],
});

export const ScheduleOrder = orderType('ScheduleOrder', {
  ID: 'Id.',
  TITLE: 'Title, without regard to case.',
  NEXT_FIRE: 'Next due time. Those that are never due come first.',
});

export const SchedulesArgs = listArgs('schedules', ScheduleFilter, ScheduleOrder, 'by title');
