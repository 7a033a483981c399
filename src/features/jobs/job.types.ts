import { Field, ID, InputType, Int, ObjectType, registerEnumType } from 'type-graphql';
import type { ErrorCode } from '../../platform/errors/codes';
import { ConnectionOf, orderInput } from '../../platform/graphql/connection';
import { enumOf } from '../../platform/graphql/enums';
import {
  ALL_OF,
  ANY_OF,
  DateTimeFilter,
  enumFilter,
  IdFilter,
  NONE_OF,
} from '../../platform/graphql/filters';
import { Node } from '../../platform/graphql/node';
import { ErrorCodeEnum, MutationPayload } from '../../platform/graphql/payload';
import { DateTime } from '../../platform/graphql/scalars';
import { JOB_KINDS, JOB_STATES } from '../../platform/jobs/job.kinds';
import type {
  JobKind as JobKindName,
  JobState as JobStateName,
} from '../../platform/jobs/job.kinds';
import type { JobOwner } from '../../platform/jobs/job.model';

export const JobKind = enumOf(
  JOB_KINDS,
  'JobKind',
  'What is done in the background. Later versions add values.',
);
export const JobState = enumOf(JOB_STATES, 'JobState', 'Where a job is.');

@ObjectType({ description: 'One thing that spoke against the work of a job.' })
export class JobProblem {
  @Field(() => ErrorCodeEnum, { description: 'What was wrong, for programs.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'What was wrong, for people.' })
  readonly message!: string;

  @Field(() => [String], {
    description:
      'Where it stands in what the job was given: the name of a file in an archive, then fields and positions in it. Empty when no single place did it.',
  })
  readonly path!: string[];
}

@ObjectType({ description: 'Why a job failed.' })
export class JobError {
  @Field(() => ErrorCodeEnum, { description: 'What went wrong, for programs.' })
  readonly code!: ErrorCode;

  @Field(() => String, { description: 'What went wrong, for people.' })
  readonly message!: string;

  @Field(() => [JobProblem], { description: 'Each thing that was wrong, 100 at most.' })
  readonly problems!: JobProblem[];
}

@ObjectType({
  implements: Node,
  description:
    'Long work in the background: all of it is done, or nothing. Kept for a week after its end, unless configured otherwise. Seen by who asked for it, and by administrators.',
})
export class Job {
  readonly _id!: number;
  readonly owner!: JobOwner;

  @Field(() => JobKind, { description: 'What is done.' })
  readonly kind!: JobKindName;

  @Field(() => JobState, { description: 'Where it is.' })
  readonly state!: JobStateName;

  @Field(() => Int, {
    description: 'How far it is, 0 to 100; never less than before, and 100 only when all is done.',
  })
  readonly percent!: number;

  @Field(() => String, { nullable: true, description: 'What is being done, for people.' })
  readonly message!: string | null;

  @Field(() => JobError, { nullable: true, description: 'Why it failed; null when it did not.' })
  readonly error!: JobError | null;

  @Field(() => DateTime, { description: 'When it was asked for.' })
  readonly createdAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'When it began.' })
  readonly startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'When it ended.' })
  readonly finishedAt!: Date | null;
}

export const JobConnection = ConnectionOf(Job, 'JobConnection');

@ObjectType({ description: 'The job that a mutation is about.' })
export class JobPayload extends MutationPayload {
  @Field(() => Job, { nullable: true, description: 'Null when nothing was done.' })
  readonly job!: Job | null;
}

@InputType({ description: 'A job to cancel.' })
export class JobCancelInput {
  @Field(() => ID, { description: 'Its id, global or integer.' })
  readonly id!: string;
}

export const JobOrderField = { DATABASE_ID: 'DATABASE_ID', CREATED_AT: 'CREATED_AT' } as const;
registerEnumType(JobOrderField, {
  name: 'JobOrderField',
  description: 'What jobs can be ordered by.',
  valuesConfig: {
    DATABASE_ID: { description: 'The integer id.' },
    CREATED_AT: { description: 'When they were asked for.' },
  },
});

export const JobOrder = orderInput(JobOrderField, 'JobOrder');
export const JobStateFilter = enumFilter(JobState, 'JobState');
export const JobKindFilter = enumFilter(JobKind, 'JobKind');

@InputType({ description: 'Which jobs; all that are given must hold.' })
export class JobFilter {
  @Field(() => IdFilter, { nullable: true, description: 'These jobs.' })
  readonly id?: IdFilter;

  @Field(() => JobKindFilter, { nullable: true, description: 'What is done.' })
  readonly kind?: InstanceType<typeof JobKindFilter>;

  @Field(() => JobStateFilter, { nullable: true, description: 'Where they are.' })
  readonly state?: InstanceType<typeof JobStateFilter>;

  @Field(() => DateTimeFilter, { nullable: true, description: 'When they were asked for.' })
  readonly createdAt?: DateTimeFilter;

  @Field(() => [JobFilter], { nullable: true, description: ALL_OF })
  readonly and?: JobFilter[];

  @Field(() => [JobFilter], { nullable: true, description: ANY_OF })
  readonly or?: JobFilter[];

  @Field(() => JobFilter, { nullable: true, description: NONE_OF })
  readonly not?: object;
}
