import { Field, InputType, Int, ObjectType } from 'type-graphql';
import type { ErrorCode } from '../../platform/errors/codes';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { enumOf } from '../../platform/graphql/schema/enums';
import { DateTimeFilter, enumFilter, IdFilter } from '../../platform/graphql/schema/filters';
import { Node } from '../../platform/graphql/schema/node';
import { ErrorCodeEnum } from '../../platform/graphql/schema/payload';
import { DateTime } from '../../platform/graphql/schema/scalars';
import {
  IdInput,
  filterType,
  listArgs,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { JOB_KINDS, JOB_STATES } from '../../platform/jobs/job.kinds';
import type {
  JobKind as JobKindName,
  JobState as JobStateName,
} from '../../platform/jobs/job.kinds';
import type { JobOwner } from '../../platform/jobs/job.model';

export const JobKind = enumOf(
  JOB_KINDS,
  'JobKind',
  'Kind of a background job. Later versions may add values.',
);
export const JobState = enumOf(JOB_STATES, 'JobState', 'State of a job.');

@ObjectType({ description: 'A reason why a job failed.' })
export class JobProblem {
  @Field(() => ErrorCodeEnum, { description: 'Error code.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'Error message for users.' })
  readonly message!: string;

  @Field(() => [String], {
    description:
      'Path in the input of the job: the name of a file in an archive, then fields and list positions. Empty if no single field caused it.',
  })
  readonly path!: string[];
}

@ObjectType({ description: 'Why a job failed.' })
export class JobError {
  @Field(() => ErrorCodeEnum, { description: 'Error code.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'Error message for users.' })
  readonly message!: string;

  @Field(() => [JobProblem], { description: 'All reasons, at most 100.' })
  readonly problems!: JobProblem[];
}

@ObjectType({
  implements: Node,
  description:
    'Long work in the background. It is done completely or not at all. Jobs are visible to the user who started them and to administrators, and kept for a week after their end, unless configured otherwise.',
})
export class Job {
  readonly _id!: number;
  readonly owner!: JobOwner;

  @Field(() => JobKind, { description: 'Kind of the job.' })
  readonly kind!: JobKindName;

  @Field(() => JobState, { description: 'State of the job.' })
  readonly state!: JobStateName;

  @Field(() => Int, {
    description: 'Progress, 0 to 100. Never decreases; 100 only after success.',
  })
  readonly percent!: number;

  @Field(() => String, { nullable: true, description: 'Current activity, for users.' })
  readonly message!: string | null;

  @Field(() => JobError, { nullable: true, description: 'Why it failed; null if it did not.' })
  readonly error!: JobError | null;

  @Field(() => DateTime, { description: 'When it was created.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it started.' })
  readonly startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ended.' })
  readonly finishedAt!: Date | null;
}

export const JobConnection = ConnectionOf(Job, 'JobConnection');

export const JobPayload = payloadType(
  'JobPayload',
  'job',
  Job,
  'The job that a mutation created or changed.',
  'Null if nothing was done.',
);

@InputType({ description: 'A job to cancel.' })
export class JobCancelInput extends IdInput {}

const JobOrder = orderType('JobOrder', {
  DATABASE_ID: 'The integer id.',
  CREATED_AT: 'The time of creation.',
});
const JobFilter = filterType('JobFilter', 'jobs', {
  id: [IdFilter, 'Ids of jobs.'],
  kind: [enumFilter(JobKind, 'JobKind'), 'Kind of the job.'],
  state: [enumFilter(JobState, 'JobState'), 'State of the job.'],
  createdAt: [DateTimeFilter, 'Time of creation.'],
});

export const JobsArgs = listArgs('jobs', JobFilter, JobOrder, 'the newest first');
