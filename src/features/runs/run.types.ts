import { Field, Float, ID, InputType, Int, ObjectType } from 'type-graphql';
import type { AggregatedValue, RunError as RunErrorRecord } from '../../engine';
import { ConnectionOf } from '../../platform/graphql/schema/connection';
import { inputType, optional } from '../../platform/graphql/schema/input-type';
import {
  BooleanFilter,
  DateTimeFilter,
  enumFilter,
  IdFilter,
} from '../../platform/graphql/schema/filters';
import { enumOf } from '../../platform/graphql/schema/enums';
import { Node } from '../../platform/graphql/schema/node';
import { DateTime } from '../../platform/graphql/schema/scalars';
import { viewerCanType } from '../../platform/graphql/schema/viewer-can';
import {
  IdInput,
  IdsInput,
  filterType,
  listPayloadType,
  orderType,
  payloadType,
} from '../../platform/graphql/schema/record-types';
import { WorkflowInput } from '../workflows/document/workflow-input.types';
import { Author } from '../workflows/workflow.types';
import { ABOUT_RUN_ERROR_CODES, RUN_ERROR_CODES } from './run-error-codes';
import { RUN_TRIGGERS, WAIT_REASONS } from './run.events';
import type {
  RunStateName,
  RunTriggerName,
  RunWait as RunWaitRecord,
  WaitReason,
} from './run.events';
import { RETRY_FROM } from './run-continuation';
import { runPolicy } from './run.policy';

export const RunState = enumOf(
  {
    QUEUED: 'The run waits in the queue.',
    RUNNING: 'The run is executing.',
    SUCCEEDED: 'The run ended without an error.',
    FAILED: 'The run ended with an error.',
    CANCELLED: 'A user cancelled the run.',
    INTERRUPTED: 'The service process of the run was stopped or lost.',
  } satisfies Record<RunStateName, string>,
  'RunState',
  'State of a run.',
);

const RunWaitReason = enumOf(
  WAIT_REASONS,
  'RunWaitReason',
  'Why a run is queued. Later versions add values.',
);

@ObjectType({ description: 'Why a run is queued.' })
export class RunWait implements RunWaitRecord {
  @Field(() => RunWaitReason, { description: 'The reason as a code.' })
  readonly reason!: WaitReason;

  @Field(() => String, { description: 'The reason as a sentence for users.' })
  readonly message!: string;
}

const RunTrigger = enumOf(RUN_TRIGGERS, 'RunTrigger', 'What starts a run.');

export const RunErrorCode = enumOf(RUN_ERROR_CODES, 'RunErrorCode', ABOUT_RUN_ERROR_CODES);

@ObjectType({ description: 'The error that ended a run.' })
export class RunError implements RunErrorRecord {
  @Field(() => ID, {
    name: 'stepId',
    nullable: true,
    description: 'Id of the failed step, if there is one.',
  })
  readonly step!: string | null;

  @Field(() => String, {
    name: 'stepName',
    nullable: true,
    description: 'Name of the step when the run began.',
  })
  readonly name?: string;

  @Field(() => String, { nullable: true, description: 'Index of the step.' })
  readonly index!: string | null;

  @Field(() => [Int], {
    nullable: true,
    description: 'Iterations of the enclosing loops, from 0, outermost first.',
  })
  readonly loopIndex?: readonly number[];

  @Field(() => Int, { description: 'Attempt number; 1 for the first.' })
  readonly attempt!: number;

  @Field(() => RunErrorCode, { description: 'Error code.' })
  readonly code!: string;

  @Field(() => String, { description: 'Error message, with secrets masked.' })
  readonly message!: string;
}

@ObjectType({ description: 'Result of an aggregator for one method.' })
export class RunValue implements AggregatedValue {
  @Field(() => Int, { description: 'Integer id of the aggregator.' })
  readonly aggregatorId!: number;

  @Field(() => Int, { description: 'Id of the argument; texts refer to it.' })
  readonly argumentId!: number;

  @Field(() => String, { description: 'Name of the argument at the time of the run.' })
  readonly name!: string;

  @Field(() => ID, { nullable: true, description: 'Id of the method within its workflow.' })
  readonly stepId!: string | null;

  @Field(() => String, { description: 'Index of the method.' })
  readonly index!: string;

  readonly value!: string;
}

export const RunViewerCan = viewerCanType('RunViewerCan', runPolicy);

@ObjectType('Run', { implements: Node, description: 'One execution of a workflow.' })
export class RunType {
  readonly _id!: number;
  readonly workflowId!: number;

  @Field(() => RunState, { description: 'Current state.' })
  readonly state!: RunStateName;

  @Field(() => String, { description: 'Title of the workflow when the run was queued.' })
  readonly workflowTitle!: string;

  @Field(() => Boolean, { description: 'Whether it is a test, which is not counted.' })
  readonly test!: boolean;

  @Field(() => Boolean, { description: 'Whether it records requests and responses.' })
  readonly logging!: boolean;

  @Field(() => DateTime, { description: 'Time at which it was queued.' })
  readonly queuedAt!: Date;

  @Field(() => DateTime, { nullable: true, description: 'Time at which its schedule was due.' })
  readonly dueAt?: Date;

  @Field(() => DateTime, { nullable: true, description: 'Start time.' })
  readonly startedAt!: Date | null;

  @Field(() => DateTime, { nullable: true, description: 'End time.' })
  readonly finishedAt!: Date | null;

  @Field(() => Float, { nullable: true, description: 'Duration, ms; 0 if it never started.' })
  readonly durationMs!: number | null;

  @Field(() => RunTrigger, { description: 'What started it.' })
  readonly trigger!: RunTriggerName;

  @Field(() => Author, { nullable: true, description: 'User who started it, if one did.' })
  readonly startedBy!: Author | null;

  @Field(() => Int, {
    name: 'stepCount',
    nullable: true,
    description: 'Number of executed methods, set at the end.',
  })
  readonly steps!: number | null;

  @Field(() => Int, { nullable: true, description: 'Sequence of its last event, set at the end.' })
  readonly lastSequence!: number | null;

  @Field(() => RunError, { nullable: true, description: 'The error that ended it.' })
  readonly error!: RunError | null;
}

export const RunConnection = ConnectionOf(RunType, 'RunConnection');

export const RunPayload = payloadType(
  'RunPayload',
  'run',
  RunType,
  'The run that a mutation started or changed.',
);

export const RunsPayload = listPayloadType(
  'RunsPayload',
  'runs',
  RunType,
  'The cancelled runs.',
  'Current runs: CANCELLED, or RUNNING while a step ends. Null if nothing was changed.',
);

@InputType({ description: 'The runs to cancel.' })
export class RunIdsInput extends IdsInput {}

export const WorkflowRunInput = inputType('WorkflowRunInput', 'The workflow to run.', {
  workflowId: [ID, 'Global or integer id.'],
  logging: [Boolean, 'Whether to record requests and responses, with secrets masked.', false],
});
export type WorkflowRunInput = InstanceType<typeof WorkflowRunInput>;

export const TestRunStartInput = inputType(
  'TestRunStartInput',
  'The workflow to test: give exactly one of `workflowId` and `workflow`.',
  {
    workflowId: [optional(ID), 'Global or integer id of a saved workflow.'],
    workflow: [optional(WorkflowInput), 'A workflow that is not saved.'],
    draftOf: [
      optional(ID),
      'Id of the saved workflow that `workflow` is a draft of: its masking rules apply, and its samples.',
    ],
    until: [
      optional(ID),
      'A step: the run ends successfully when it has ended once, in a loop in its first iteration.',
    ],
    only: [
      optional(ID),
      'A method: only its request is sent, in a loop in the first iteration. The answers of the steps that it needs come from `Workflow.samples`; if one is missing, nothing is started (SAMPLE_MISSING).',
    ],
  },
);
export type TestRunStartInput = InstanceType<typeof TestRunStartInput>;

@InputType({ description: 'The run to cancel.' })
export class RunCancelInput extends IdInput {}

export const RunOrder = orderType('RunOrder', {
  DATABASE_ID: 'Integer id.',
  QUEUED_AT: 'Time at which they were queued.',
  STARTED_AT: 'Start time.',
  FINISHED_AT: 'End time.',
  DURATION: 'Duration. Unfinished runs have the smallest.',
  STATE: 'Name of the state.',
});
const RunStateFilter = enumFilter(RunState, 'RunState');
const RunTriggerFilter = enumFilter(RunTrigger, 'RunTrigger');
const RunErrorCodeFilter = enumFilter(RunErrorCode, 'RunErrorCode');

export const RunFilter = filterType('RunFilter', 'runs', {
  id: [IdFilter, 'Ids.'],
  state: [RunStateFilter, 'States.'],
  workflow: [IdFilter, 'Workflows.'],
  schedule: [IdFilter, 'Schedules that started them.'],
  startedBy: [IdFilter, 'Users who started them.'],
  trigger: [RunTriggerFilter, 'Triggers.'],
  errorCode: [RunErrorCodeFilter, 'Codes of the errors that ended them.'],
  test: [BooleanFilter, 'Test runs; requires `includeTest`.'],
  queuedAt: [DateTimeFilter, 'Times at which they were queued.'],
  startedAt: [DateTimeFilter, 'Start times.'],
  finishedAt: [DateTimeFilter, 'End times.'],
});

export const RunRetryFrom = enumOf(RETRY_FROM, 'RunRetryFrom', 'Where a retry of a run begins.');

export const RunRetryInput = inputType(
  'RunRetryInput',
  'The run to retry.',
  {
    from: [
      optional(RunRetryFrom),
      'Where it begins; one of `Run.retryFrom`. Null: at the start. Fails with RUN_NOT_REPEATABLE if it cannot begin there.',
    ],
    logging: [
      optional(Boolean),
      'Whether to record requests and responses. Null: as the run that is retried.',
    ],
  },
  IdInput,
);
export type RunRetryInput = InstanceType<typeof RunRetryInput>;

export const RunsRetryInput = inputType('RunsRetryInput', 'The runs to retry.', {
  filter: [
    RunFilter,
    'Only runs that FAILED or were INTERRUPTED are retried. A condition is required.',
  ],
});
export type RunsRetryInput = InstanceType<typeof RunsRetryInput>;
